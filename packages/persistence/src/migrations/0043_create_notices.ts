import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

/** Formal notices: to be sent, or sent with the evidence of their dispatch. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE notice (
      tenant_id   text COLLATE "C"   NOT NULL,
      id          text COLLATE "C"   NOT NULL,
      policy_id   text COLLATE "C"   NOT NULL,
      customer_id text COLLATE "C"   NOT NULL,
      invoice_ids text[] COLLATE "C" NOT NULL,
      status      text               NOT NULL CHECK (status IN ('TO_SEND', 'SENT')),
      channel     text               NOT NULL,
      created_at  timestamptz        NOT NULL,
      sent_at     timestamptz,
      evidence    jsonb,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, policy_id) REFERENCES policy,
      FOREIGN KEY (tenant_id, customer_id) REFERENCES customer,
      -- Only an evidenced dispatch starts the clock.
      CHECK ((status = 'SENT') = (sent_at IS NOT NULL AND evidence IS NOT NULL))
    )
  `
  yield* sql`CREATE INDEX notice_policy ON notice (tenant_id, policy_id, customer_id)`
  yield* protect("notice", ["SELECT", "INSERT", "UPDATE"])
})
