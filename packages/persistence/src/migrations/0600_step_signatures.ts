import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

/**
 * All texts that a signature accepts, and its steps, which are added and never changed. Earlier signatures
 * have one text, in the columns that stay, and no steps.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE signature ADD COLUMN consents jsonb`
  yield* sql`
    CREATE TABLE signature_step (
      tenant_id    text COLLATE "C" NOT NULL,
      signature_id text COLLATE "C" NOT NULL,
      n            int              NOT NULL CHECK (n >= 1),
      policy_id    text COLLATE "C" NOT NULL,
      content      text             NOT NULL,
      hash         text COLLATE "C" NOT NULL CHECK (hash ~ '^[0-9a-f]{64}$'),
      PRIMARY KEY (tenant_id, signature_id, n),
      FOREIGN KEY (tenant_id, signature_id) REFERENCES signature
    )
  `
  yield* protect("signature_step", ["SELECT", "INSERT"])
})
