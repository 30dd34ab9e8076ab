import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

const createCodes = Effect.gen(function* () {
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
      methods        text[],
      dpop_jkt       text COLLATE "C" CHECK (length(dpop_jkt) = 43),
      authenticated_at timestamptz,
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

const createRefreshTokens = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // A family is one sign-in. It is revoked in its one row: revoking token by token would miss the one
  // that a concurrent rotation is about to insert, and deadlock with it.
  yield* sql`
    CREATE TABLE refresh_family (
      tenant_id  text COLLATE "C" NOT NULL,
      id         text COLLATE "C" NOT NULL,
      client_id  text COLLATE "C" NOT NULL,
      user_id    text COLLATE "C" NOT NULL,
      code_hash  bytea            NOT NULL,
      created_at timestamptz      NOT NULL DEFAULT now(),
      expires_at timestamptz      NOT NULL CHECK (expires_at > created_at),
      revoked_at timestamptz,
      methods    text[],
      authenticated_at timestamptz,
      dpop_jkt   text COLLATE "C" CHECK (length(dpop_jkt) = 43),
      PRIMARY KEY (tenant_id, id),
      CONSTRAINT refresh_family_code_key UNIQUE (tenant_id, code_hash),
      FOREIGN KEY (tenant_id, client_id) REFERENCES client,
      FOREIGN KEY (tenant_id, user_id) REFERENCES app_user
    )
  `
  yield* sql`CREATE INDEX refresh_family_expires ON refresh_family (tenant_id, expires_at)`
  yield* sql`CREATE INDEX refresh_family_client ON refresh_family (tenant_id, client_id)`
  yield* sql`CREATE INDEX refresh_family_user ON refresh_family (tenant_id, user_id)`
  yield* sql`
    CREATE INDEX refresh_family_revoked ON refresh_family (tenant_id, revoked_at)
    WHERE revoked_at IS NOT NULL
  `
  yield* protect("refresh_family", ["SELECT", "INSERT", "UPDATE", "DELETE"])
  yield* sql`
    CREATE TABLE refresh_token (
      tenant_id  text COLLATE "C" NOT NULL,
      token_hash bytea            NOT NULL CHECK (length(token_hash) = 32),
      family_id  text COLLATE "C" NOT NULL,
      created_at timestamptz      NOT NULL DEFAULT now(),
      used_at    timestamptz,
      PRIMARY KEY (tenant_id, token_hash),
      FOREIGN KEY (tenant_id, family_id) REFERENCES refresh_family ON DELETE CASCADE
    )
  `
  yield* sql`CREATE INDEX refresh_token_family ON refresh_token (tenant_id, family_id)`
  yield* protect("refresh_token", ["SELECT", "INSERT", "UPDATE", "DELETE"])
})

/**
 * Codes and refresh tokens of users. `methods` and `authenticated_at` say how and when the user signed in
 * (`amr`, `auth_time`). `dpop_jkt` is the thumbprint of the one key with which a code or token may be used
 * (RFC 9449); it is NULL for bearer tokens.
 */
export default Effect.gen(function* () {
  yield* createCodes
  yield* createRefreshTokens
})
