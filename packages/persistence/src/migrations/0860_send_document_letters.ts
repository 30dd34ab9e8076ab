import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect, protectDirectory } from "../sql/TenantTable.ts"

/**
 * Letters with a link to a document, and that such links were sent. A letter has the identifier of its link, and
 * identifiers alone, so the sender may look for those of all tenants at once. A link that was sent proves nothing
 * yet: it is kept apart from the proofs, so that what counts those can't count it.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE document_letter (
      tenant_id   text COLLATE "C" NOT NULL,
      id          text COLLATE "C" NOT NULL,
      document_id text COLLATE "C" NOT NULL,
      customer_id text COLLATE "C" NOT NULL,
      due_at      timestamptz      NOT NULL DEFAULT clock_timestamp(),
      attempts    integer          NOT NULL DEFAULT 0,
      PRIMARY KEY (tenant_id, id),
      UNIQUE (tenant_id, document_id, customer_id),
      FOREIGN KEY (tenant_id, document_id) REFERENCES document,
      FOREIGN KEY (tenant_id, customer_id) REFERENCES customer
    )
  `
  yield* sql`CREATE INDEX document_letter_due ON document_letter (tenant_id, due_at)`
  yield* protectDirectory("document_letter", ["SELECT", "INSERT", "UPDATE", "DELETE"])
  yield* sql`
    CREATE TABLE document_sending (
      tenant_id   text COLLATE "C" NOT NULL,
      id          text COLLATE "C" NOT NULL,
      document_id text COLLATE "C" NOT NULL,
      sha256      text COLLATE "C" NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
      customer_id text COLLATE "C" NOT NULL,
      channel     text             NOT NULL CHECK (channel IN ('LINK', 'EMAIL')),
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
    CREATE INDEX document_sending_document
    ON document_sending (tenant_id, document_id, recorded_at, id)
  `
  // The service sends a document to a customer once; people may send it again.
  yield* sql`
    CREATE UNIQUE INDEX document_sending_letter ON document_sending (tenant_id, document_id, customer_id)
    WHERE actor_kind = 'JOB'
  `
  yield* protect("document_sending", ["SELECT", "INSERT"])
})
