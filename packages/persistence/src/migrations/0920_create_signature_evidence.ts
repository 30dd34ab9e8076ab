import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

/**
 * The parts of the file that proves a signature, made once: so its bytes are the same ever after. Documents are
 * named, as their bytes are kept with them.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE signature_evidence (
      tenant_id    text COLLATE "C" NOT NULL,
      signature_id text COLLATE "C" NOT NULL,
      policy_id    text COLLATE "C" NOT NULL,
      made_at      timestamptz      NOT NULL,
      -- A JSON text, removed as a whole where what it proves is erased.
      entries      text,
      PRIMARY KEY (tenant_id, signature_id),
      FOREIGN KEY (tenant_id, signature_id) REFERENCES signature
    )
  `
  yield* protect("signature_evidence", ["SELECT", "INSERT"])
})
