import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

/**
 * Links in letters. Of the secret in a link only the hash is here; it is derived anew from the row's
 * identifier when the letter is written.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE invitation (
      tenant_id   text COLLATE "C" NOT NULL REFERENCES tenant,
      id          text COLLATE "C" NOT NULL,
      purpose     text             NOT NULL CHECK (purpose IN ('INVITATION', 'WELCOME', 'PASSWORD_RESET')),
      email       text COLLATE "C" NOT NULL CHECK (email = lower(email)),
      first_name  text,
      last_name   text,
      user_id     text COLLATE "C" CHECK ((user_id IS NULL) = (purpose = 'INVITATION')),
      customer_id text COLLATE "C" CHECK (customer_id IS NULL OR purpose = 'INVITATION'),
      permissions jsonb            NOT NULL DEFAULT '[]',
      token_hash  bytea            NOT NULL CHECK (length(token_hash) = 32),
      invited_by  text COLLATE "C" NOT NULL,
      created_at  timestamptz      NOT NULL DEFAULT clock_timestamp(),
      expires_at  timestamptz      NOT NULL,
      used_at     timestamptz,
      revoked_at  timestamptz,
      PRIMARY KEY (tenant_id, id),
      CONSTRAINT invitation_token_key UNIQUE (tenant_id, token_hash),
      FOREIGN KEY (tenant_id, user_id) REFERENCES app_user,
      FOREIGN KEY (tenant_id, customer_id) REFERENCES customer
    )
  `
  yield* sql`CREATE INDEX invitation_created ON invitation (tenant_id, created_at, id)`
  yield* sql`CREATE INDEX invitation_author ON invitation (tenant_id, invited_by, created_at, id)`
  yield* sql`CREATE INDEX invitation_user ON invitation (tenant_id, user_id)`
  yield* sql`CREATE INDEX invitation_customer ON invitation (tenant_id, customer_id)`
  yield* protect("invitation", ["SELECT", "INSERT", "UPDATE"])
  // Whom a session has come to speak for, by an invitation.
  yield* sql`
    ALTER TABLE anonymous_session ADD customer_id text COLLATE "C",
      ADD FOREIGN KEY (tenant_id, customer_id) REFERENCES customer
  `
  yield* sql`CREATE INDEX anonymous_session_customer ON anonymous_session (tenant_id, customer_id)`
})
