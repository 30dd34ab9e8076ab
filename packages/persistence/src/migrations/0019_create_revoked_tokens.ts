import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // By jti, never by the token itself; a row is needed only until the token expires.
  yield* sql`
    CREATE TABLE revoked_token (
      tenant_id  text COLLATE "C" NOT NULL REFERENCES tenant,
      jti        text COLLATE "C" NOT NULL,
      expires_at timestamptz      NOT NULL,
      revoked_at timestamptz      NOT NULL DEFAULT now(),
      PRIMARY KEY (tenant_id, jti)
    )
  `
  yield* sql`CREATE INDEX revoked_token_expires ON revoked_token (tenant_id, expires_at)`
  yield* protect("revoked_token", ["SELECT", "INSERT", "DELETE"])
})
