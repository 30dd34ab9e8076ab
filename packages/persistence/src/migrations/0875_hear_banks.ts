import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

/** What banks answer to files of debits, what they refuse, and which mandates that blocks. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE mandate ADD COLUMN blocked jsonb`
  yield* sql`
    ALTER TABLE payment_file
      ADD COLUMN answers jsonb NOT NULL DEFAULT '[]',
      DROP CONSTRAINT payment_file_status_check,
      DROP CONSTRAINT payment_file_check1,
      DROP CONSTRAINT payment_file_check2,
      ADD CHECK (status IN ('OPEN', 'FILLED', 'SEALED', 'DELIVERED', 'ACCEPTED', 'PARTLY_REJECTED',
        'REJECTED', 'CANCELLED')),
      ADD CHECK (status IN ('OPEN', 'FILLED', 'CANCELLED') OR sealed_at IS NOT NULL),
      ADD CHECK ((status IN ('DELIVERED', 'ACCEPTED', 'PARTLY_REJECTED', 'REJECTED'))
        = (delivered_at IS NOT NULL))
  `
  yield* sql`
    CREATE TABLE debit_refusal (
      tenant_id       text COLLATE "C" NOT NULL,
      debit_id        text COLLATE "C" NOT NULL,
      payment_file_id text COLLATE "C" NOT NULL,
      reason_code     text,
      told_at         timestamptz      NOT NULL,
      is_followed     boolean          NOT NULL DEFAULT false,
      -- A debit is refused once, however often its bank says so.
      PRIMARY KEY (tenant_id, debit_id),
      FOREIGN KEY (tenant_id, debit_id) REFERENCES debit,
      FOREIGN KEY (tenant_id, payment_file_id) REFERENCES payment_file
    )
  `
  yield* sql`
    CREATE INDEX debit_refusal_file ON debit_refusal (tenant_id, payment_file_id, debit_id)
  `
  yield* protect("debit_refusal", ["SELECT", "INSERT", "UPDATE"])
})
