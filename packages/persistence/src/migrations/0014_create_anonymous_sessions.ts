import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE anonymous_session (
      tenant_id  text COLLATE "C" NOT NULL REFERENCES tenant,
      id         text COLLATE "C" NOT NULL,
      product_id text COLLATE "C",
      created_at timestamptz      NOT NULL DEFAULT now(),
      expires_at timestamptz      NOT NULL CHECK (expires_at > created_at),
      revoked_at timestamptz,
      PRIMARY KEY (tenant_id, id)
    )
  `
  yield* sql`
    CREATE INDEX anonymous_session_revoked ON anonymous_session (tenant_id, expires_at)
    WHERE revoked_at IS NOT NULL
  `
  yield* protect("anonymous_session", ["SELECT", "INSERT", "UPDATE"])
})
