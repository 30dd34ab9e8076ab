import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE authorization_code (
      tenant_id      text COLLATE "C" NOT NULL,
      code_hash      bytea            NOT NULL CHECK (length(code_hash) = 32),
      client_id      text COLLATE "C" NOT NULL,
      user_id        text COLLATE "C" NOT NULL,
      redirect_uri   text             NOT NULL,
      code_challenge text             NOT NULL CHECK (length(code_challenge) = 43),
      created_at     timestamptz      NOT NULL DEFAULT now(),
      expires_at     timestamptz      NOT NULL CHECK (expires_at > created_at),
      used_at        timestamptz,
      PRIMARY KEY (tenant_id, code_hash),
      FOREIGN KEY (tenant_id, client_id) REFERENCES client,
      FOREIGN KEY (tenant_id, user_id) REFERENCES app_user
    )
  `
  yield* sql`CREATE INDEX authorization_code_expires ON authorization_code (tenant_id, expires_at)`
  yield* sql`CREATE INDEX authorization_code_client ON authorization_code (tenant_id, client_id)`
  yield* sql`CREATE INDEX authorization_code_user ON authorization_code (tenant_id, user_id)`
  yield* protect("authorization_code", ["SELECT", "INSERT", "UPDATE", "DELETE"])
})
