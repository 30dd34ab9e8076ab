import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

/** What the simulated bank of a sandbox tells of a file, on which days, and whether it has; each of it once. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE simulated_answer (
      tenant_id       text COLLATE "C" NOT NULL,
      payment_file_id text COLLATE "C" NOT NULL,
      kind            text COLLATE "C" NOT NULL
        CHECK (kind IN ('REPORT', 'NOTIFICATION', 'STATEMENT')),
      told_on         date             NOT NULL,
      bank_account_id text COLLATE "C" NOT NULL,
      due_at          timestamptz      NOT NULL,
      told_at         timestamptz,
      PRIMARY KEY (tenant_id, payment_file_id, kind, told_on),
      FOREIGN KEY (tenant_id, payment_file_id) REFERENCES payment_file,
      FOREIGN KEY (tenant_id, bank_account_id) REFERENCES bank_account
    )
  `
  yield* sql`
    CREATE INDEX simulated_answer_due ON simulated_answer (tenant_id, bank_account_id, due_at)
      WHERE told_at IS NULL
  `
  yield* protect("simulated_answer", ["SELECT", "INSERT", "UPDATE"])
})
