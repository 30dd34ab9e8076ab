import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protectDirectory } from "../sql/TenantTable.ts"

/**
 * How payers are told of their debits, and the letters that do it. A letter's row has an identifier alone, so the
 * sender may look for those of all tenants at once; it is removed once the letter has left, or is tried no more.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    ALTER TABLE debit ADD COLUMN announcement text CHECK (announcement IN ('EMAIL', 'BY_HAND'))
  `
  // What waits for people to tell its payer.
  yield* sql`
    CREATE INDEX debit_to_announce ON debit (tenant_id, policy_id)
    WHERE status = 'PLANNED' AND announcement = 'BY_HAND' AND notified_on IS NULL
  `
  yield* sql`
    CREATE TABLE debit_letter (
      tenant_id text COLLATE "C" NOT NULL,
      debit_id  text COLLATE "C" NOT NULL,
      due_at    timestamptz      NOT NULL DEFAULT clock_timestamp(),
      attempts  integer          NOT NULL DEFAULT 0,
      PRIMARY KEY (tenant_id, debit_id),
      FOREIGN KEY (tenant_id, debit_id) REFERENCES debit
    )
  `
  yield* sql`CREATE INDEX debit_letter_due ON debit_letter (tenant_id, due_at)`
  yield* protectDirectory("debit_letter", ["SELECT", "INSERT", "UPDATE", "DELETE"])
})
