import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

const createSigningKeys = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE signing_key (
      tenant_id             text COLLATE "C" NOT NULL REFERENCES tenant,
      kid                   text COLLATE "C" NOT NULL,
      state                 text             NOT NULL CHECK (state IN ('NEXT', 'ACTIVE', 'RETIRED')),
      public_jwk            jsonb            NOT NULL CHECK (NOT public_jwk ? 'd'),
      encrypted_private_jwk text             NOT NULL,
      created_at            timestamptz      NOT NULL DEFAULT now(),
      activated_at          timestamptz      CHECK (activated_at IS NOT NULL OR state = 'NEXT'),
      retired_at            timestamptz      CHECK ((retired_at IS NOT NULL) = (state = 'RETIRED')),
      PRIMARY KEY (tenant_id, kid)
    )
  `
  yield* sql`
    CREATE UNIQUE INDEX signing_key_active_key ON signing_key (tenant_id) WHERE state = 'ACTIVE'
  `
  // Beside the one key that signs there is at most one that will: the one a rotation makes active.
  yield* sql`
    CREATE UNIQUE INDEX signing_key_next_key ON signing_key (tenant_id) WHERE state = 'NEXT'
  `
  yield* protect("signing_key", ["SELECT", "INSERT", "UPDATE", "DELETE"])
})

const createRevokedTokens = Effect.gen(function* () {
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

/** The keys that sign tokens, and the tokens that are revoked. */
export default Effect.gen(function* () {
  yield* createSigningKeys
  yield* createRevokedTokens
})
