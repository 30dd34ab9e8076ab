import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

const createClients = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE client (
      tenant_id     text COLLATE "C" NOT NULL REFERENCES tenant,
      id            text COLLATE "C" NOT NULL,
      name          text             NOT NULL,
      kind          text             NOT NULL CHECK (kind IN ('CONFIDENTIAL', 'PUBLIC')),
      internal      boolean          NOT NULL DEFAULT false,
      scopes        text[]           NOT NULL DEFAULT '{}',
      grant_types   text[]           NOT NULL,
      redirect_uris text[]           NOT NULL DEFAULT '{}',
      disabled_at   timestamptz,
      created_at    timestamptz      NOT NULL DEFAULT now(),
      public_keys   jsonb            NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(public_keys) = 'array'),
      PRIMARY KEY (tenant_id, id),
      CHECK (kind = 'CONFIDENTIAL' OR NOT 'client_credentials' = ANY (grant_types))
    )
  `
  yield* sql`
    CREATE INDEX client_disabled ON client (tenant_id, disabled_at) WHERE disabled_at IS NOT NULL
  `
  yield* protect("client", ["SELECT", "INSERT", "UPDATE"])
})

const createSecrets = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // Two slots, so that a secret can be replaced while the old one still works, and no third exists.
  yield* sql`
    CREATE TABLE client_secret (
      tenant_id   text COLLATE "C" NOT NULL,
      client_id   text COLLATE "C" NOT NULL,
      slot        smallint         NOT NULL CHECK (slot IN (1, 2)),
      secret_hash bytea            NOT NULL CHECK (length(secret_hash) = 32),
      created_at  timestamptz      NOT NULL DEFAULT now(),
      PRIMARY KEY (tenant_id, client_id, slot),
      FOREIGN KEY (tenant_id, client_id) REFERENCES client
    )
  `
  yield* protect("client_secret", ["SELECT", "INSERT", "DELETE"])
})

/** Programs that ask for tokens; they authenticate by a secret or by one of their public keys. */
export default Effect.gen(function* () {
  yield* createClients
  yield* createSecrets
})
