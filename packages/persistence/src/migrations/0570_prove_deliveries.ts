import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

/** Who was given which bytes, when, and how: proofs, which are added and never changed. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE document_delivery (
      tenant_id   text COLLATE "C" NOT NULL,
      id          text COLLATE "C" NOT NULL,
      document_id text COLLATE "C" NOT NULL,
      sha256      text COLLATE "C" NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
      customer_id text COLLATE "C" NOT NULL,
      channel     text             NOT NULL CHECK (channel IN ('SCREEN', 'LINK', 'EMAIL', 'PAPER')),
      level       text             NOT NULL CHECK (level IN ('DELIVERED', 'OPENED', 'ACKNOWLEDGED')),
      at          timestamptz      NOT NULL,
      recorded_at timestamptz      NOT NULL,
      actor_kind  text             NOT NULL,
      actor_id    text COLLATE "C" NOT NULL,
      address     text,
      user_agent  text,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, document_id) REFERENCES document,
      FOREIGN KEY (tenant_id, customer_id) REFERENCES customer,
      CHECK (at <= recorded_at)
    )
  `
  yield* sql`
    CREATE INDEX document_delivery_document
    ON document_delivery (tenant_id, document_id, recorded_at, id)
  `
  // What a customer does again proves nothing more: the first time is kept.
  yield* sql`
    CREATE UNIQUE INDEX document_delivery_first
    ON document_delivery (tenant_id, document_id, customer_id, level, channel, actor_id)
    WHERE level <> 'DELIVERED'
  `
  yield* protect("document_delivery", ["SELECT", "INSERT"])
})
