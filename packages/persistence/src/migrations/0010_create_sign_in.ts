import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

/**
 * Wrong passwords in a row, by account or by a browser that had signed in to one. A key is a hash under
 * a key of the service: unknown addresses have rows, too.
 */
const createGuesses = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE sign_in_guess (
      tenant_id text COLLATE "C" NOT NULL REFERENCES tenant,
      key       bytea            NOT NULL CHECK (length(key) = 32),
      is_known  boolean          NOT NULL,
      wrong     int              NOT NULL CHECK (wrong > 0),
      tried_at  timestamptz      NOT NULL DEFAULT clock_timestamp(),
      retry_at  timestamptz      NOT NULL,
      PRIMARY KEY (tenant_id, key)
    )
  `
  yield* sql`
    CREATE INDEX sign_in_guess_unknown ON sign_in_guess (tenant_id, tried_at) WHERE NOT is_known
  `
  yield* protect("sign_in_guess", ["SELECT", "INSERT", "UPDATE", "DELETE"])
})

const createSecondFactors = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE second_factor (
      tenant_id     text COLLATE "C" NOT NULL,
      id            text COLLATE "C" NOT NULL,
      user_id       text COLLATE "C" NOT NULL,
      kind          text             NOT NULL CHECK (kind IN ('PASSKEY', 'TOTP')),
      name          text             NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
      sealed_secret text             CHECK ((sealed_secret IS NOT NULL) = (kind = 'TOTP')),
      last_step     bigint,
      failures      integer          NOT NULL DEFAULT 0,
      credential_id text COLLATE "C" CHECK ((credential_id IS NOT NULL) = (kind = 'PASSKEY')),
      public_key    bytea            CHECK ((public_key IS NOT NULL) = (kind = 'PASSKEY')),
      counter       bigint           NOT NULL DEFAULT 0,
      created_at    timestamptz      NOT NULL DEFAULT clock_timestamp(),
      PRIMARY KEY (tenant_id, id),
      CONSTRAINT second_factor_credential_key UNIQUE (tenant_id, credential_id),
      FOREIGN KEY (tenant_id, user_id) REFERENCES app_user
    )
  `
  yield* sql`CREATE INDEX second_factor_user ON second_factor (tenant_id, user_id)`
  yield* protect("second_factor", ["SELECT", "INSERT", "UPDATE", "DELETE"])
  yield* sql`
    CREATE TABLE recovery_code (
      tenant_id text COLLATE "C" NOT NULL,
      user_id   text COLLATE "C" NOT NULL,
      code_hash bytea            NOT NULL CHECK (length(code_hash) = 32),
      used_at   timestamptz,
      PRIMARY KEY (tenant_id, user_id, code_hash),
      FOREIGN KEY (tenant_id, user_id) REFERENCES app_user
    )
  `
  yield* protect("recovery_code", ["SELECT", "INSERT", "UPDATE", "DELETE"])
})

/** Sign-ins that wait for their second factor. */
const createAttempts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE sign_in_attempt (
      tenant_id     text COLLATE "C" NOT NULL,
      secret_hash   bytea            NOT NULL CHECK (length(secret_hash) = 32),
      user_id       text COLLATE "C" NOT NULL,
      stage         text             NOT NULL CHECK (stage IN ('PROVE', 'ENROL', 'DONE', 'MANAGE')),
      request       jsonb,
      methods       text[]           NOT NULL,
      challenge     text,
      factor_id     text COLLATE "C",
      sealed_secret text             CHECK ((sealed_secret IS NULL) = (factor_id IS NULL)),
      tries         integer          NOT NULL DEFAULT 0,
      created_at    timestamptz      NOT NULL DEFAULT clock_timestamp(),
      expires_at    timestamptz      NOT NULL CHECK (expires_at > created_at),
      used_at       timestamptz,
      authenticated_at timestamptz,
      PRIMARY KEY (tenant_id, secret_hash),
      FOREIGN KEY (tenant_id, user_id) REFERENCES app_user
    )
  `
  yield* sql`CREATE INDEX sign_in_attempt_user ON sign_in_attempt (tenant_id, user_id)`
  yield* sql`CREATE INDEX sign_in_attempt_expires ON sign_in_attempt (tenant_id, expires_at)`
  yield* protect("sign_in_attempt", ["SELECT", "INSERT", "UPDATE", "DELETE"])
})

/** The provider that signs people of a tenant in, and who of its people is which user. */
const createProviders = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE identity_provider (
      tenant_id        text COLLATE "C" NOT NULL PRIMARY KEY REFERENCES tenant,
      issuer           text COLLATE "C" NOT NULL,
      client_id        text COLLATE "C" NOT NULL,
      encrypted_secret text             NOT NULL,
      label            text             NOT NULL,
      mode             text             NOT NULL CHECK (mode IN ('OFFERED', 'REQUIRED')),
      links_by_email   boolean          NOT NULL,
      created_at       timestamptz      NOT NULL DEFAULT now(),
      last_modified_at timestamptz      NOT NULL DEFAULT now()
    )
  `
  yield* protect("identity_provider", ["SELECT", "INSERT", "UPDATE", "DELETE"])
  // A subject is one user, and a user one subject of an issuer: an address that the provider gives to another
  // person later does not open the account.
  yield* sql`
    CREATE TABLE user_identity (
      tenant_id  text COLLATE "C" NOT NULL,
      issuer     text COLLATE "C" NOT NULL,
      subject    text COLLATE "C" NOT NULL,
      user_id    text COLLATE "C" NOT NULL,
      created_at timestamptz      NOT NULL DEFAULT now(),
      PRIMARY KEY (tenant_id, issuer, subject),
      CONSTRAINT user_identity_user_key UNIQUE (tenant_id, user_id, issuer),
      FOREIGN KEY (tenant_id, user_id) REFERENCES app_user
    )
  `
  yield* protect("user_identity", ["SELECT", "INSERT", "DELETE"])
})

/**
 * What people sign in with. The secret of an authenticator app is encrypted under the key of the service;
 * of recovery codes and of waiting sign-ins only hashes are here.
 */
export default Effect.gen(function* () {
  yield* createGuesses
  yield* createSecondFactors
  yield* createAttempts
  yield* createProviders
})
