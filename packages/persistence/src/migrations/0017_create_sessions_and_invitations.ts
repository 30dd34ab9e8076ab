import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect, protectDirectory } from "../sql/TenantTable.ts"

/** `customer_id` is whom the session has come to speak for, by an invitation. */
const createSessions = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE anonymous_session (
      tenant_id  text COLLATE "C" NOT NULL REFERENCES tenant,
      id         text COLLATE "C" NOT NULL,
      product_id text COLLATE "C",
      created_at timestamptz      NOT NULL DEFAULT now(),
      expires_at timestamptz      NOT NULL CHECK (expires_at > created_at),
      revoked_at timestamptz,
      customer_id text COLLATE "C",
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, customer_id) REFERENCES customer
    )
  `
  yield* sql`
    CREATE INDEX anonymous_session_revoked ON anonymous_session (tenant_id, expires_at)
    WHERE revoked_at IS NOT NULL
  `
  yield* sql`CREATE INDEX anonymous_session_customer ON anonymous_session (tenant_id, customer_id)`
  yield* protect("anonymous_session", ["SELECT", "INSERT", "UPDATE"])
})

/**
 * Of the secret in a link only the hash is here; it is derived from the row's identifier again when the
 * letter is written.
 */
const createInvitations = Effect.gen(function* () {
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
})

/**
 * Letters that are to be sent: written in the transaction that wants them sent, removed once they are. A row
 * names its invitation and nothing else, so the sender may look for the rows of all tenants at once.
 */
const createLetters = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE letter (
      tenant_id     text COLLATE "C" NOT NULL,
      invitation_id text COLLATE "C" NOT NULL,
      attempts      integer          NOT NULL DEFAULT 0,
      due_at        timestamptz      NOT NULL DEFAULT clock_timestamp(),
      PRIMARY KEY (tenant_id, invitation_id),
      FOREIGN KEY (tenant_id, invitation_id) REFERENCES invitation
    )
  `
  yield* sql`CREATE INDEX letter_due ON letter (tenant_id, due_at)`
  yield* protectDirectory("letter", ["SELECT", "INSERT", "UPDATE", "DELETE"])
})

/** Anonymous sessions, and links in letters: invitations, welcomes and new passwords. */
export default Effect.gen(function* () {
  yield* createSessions
  yield* createInvitations
  yield* createLetters
})
