import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protectDirectory } from "../sql/TenantTable.ts"

/**
 * Links by which signers come to their ceremony, and the letters that bring them. A link is derived from its
 * signer and its number, so only the hash of the last one is kept, and making another ends the one before.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    ALTER TABLE signature_signer
      ADD COLUMN link_number integer NOT NULL DEFAULT 0,
      ADD COLUMN link_hash   bytea CHECK (link_hash IS NULL OR length(link_hash) = 32),
      -- When they are asked once more, and when they were.
      ADD COLUMN remind_at   jsonb   NOT NULL DEFAULT '[]',
      ADD COLUMN reminded_at jsonb   NOT NULL DEFAULT '[]'
  `
  yield* sql`
    CREATE TABLE signer_request_letter (
      tenant_id text COLLATE "C" NOT NULL,
      signer_id text COLLATE "C" NOT NULL,
      kind      text             NOT NULL CHECK (kind IN ('NOTIFIED', 'REMINDED')),
      due_at    timestamptz      NOT NULL DEFAULT clock_timestamp(),
      attempts  integer          NOT NULL DEFAULT 0,
      PRIMARY KEY (tenant_id, signer_id),
      FOREIGN KEY (tenant_id, signer_id) REFERENCES signature_signer
    )
  `
  yield* sql`CREATE INDEX signer_request_letter_due ON signer_request_letter (tenant_id, due_at)`
  yield* protectDirectory("signer_request_letter", ["SELECT", "INSERT", "UPDATE", "DELETE"])
})
