import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protectDirectory } from "../sql/TenantTable.ts"

/**
 * The codes of signers, of which only numbers and times are kept, and the letters of ceremonies. A letter's row
 * has an identifier alone; it is removed once the letter has left.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    ALTER TABLE signature_signer
      ADD COLUMN code_number integer NOT NULL DEFAULT 0,
      ADD COLUMN code_tries  integer NOT NULL DEFAULT 0,
      ADD COLUMN codes_sent  jsonb   NOT NULL DEFAULT '[]'
  `
  yield* sql`
    CREATE TABLE signer_letter (
      tenant_id text COLLATE "C" NOT NULL,
      signer_id text COLLATE "C" NOT NULL,
      due_at    timestamptz      NOT NULL DEFAULT clock_timestamp(),
      attempts  integer          NOT NULL DEFAULT 0,
      PRIMARY KEY (tenant_id, signer_id),
      FOREIGN KEY (tenant_id, signer_id) REFERENCES signature_signer
    )
  `
  yield* sql`CREATE INDEX signer_letter_due ON signer_letter (tenant_id, due_at)`
  yield* protectDirectory("signer_letter", ["SELECT", "INSERT", "UPDATE", "DELETE"])
})
