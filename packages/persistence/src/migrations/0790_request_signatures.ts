import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

const createRequests = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    ALTER TABLE signature
      ALTER COLUMN signer DROP NOT NULL,
      ALTER COLUMN text_id DROP NOT NULL,
      ALTER COLUMN text_hash DROP NOT NULL,
      ALTER COLUMN signed_at DROP NOT NULL,
      ALTER COLUMN address DROP NOT NULL,
      ALTER COLUMN user_agent DROP NOT NULL
  `
  yield* sql`
    CREATE TABLE signature_request (
      tenant_id     text COLLATE "C" NOT NULL,
      signature_id  text COLLATE "C" NOT NULL,
      policy_id     text COLLATE "C" NOT NULL,
      branch_id     text COLLATE "C" NOT NULL,
      -- The branch's last change at the request: what is signed is the branch as it was then.
      branch_seq    integer          NOT NULL,
      status        text             NOT NULL CHECK (status IN
        ('OPEN', 'SEALING', 'COMPLETED', 'DECLINED', 'EXPIRED', 'CANCELLED', 'VOID')),
      level         text             NOT NULL,
      quotes        jsonb            NOT NULL,
      documents     jsonb            NOT NULL,
      message       text,
      created_at    timestamptz      NOT NULL,
      expires_at    timestamptz      NOT NULL,
      author        text COLLATE "C" NOT NULL,
      signed_at     timestamptz,
      completed_at  timestamptz,
      closed_at     timestamptz,
      closed_reason text,
      PRIMARY KEY (tenant_id, signature_id),
      FOREIGN KEY (tenant_id, signature_id) REFERENCES signature,
      FOREIGN KEY (tenant_id, policy_id, branch_id) REFERENCES branch,
      CHECK ((status IN ('SEALING', 'COMPLETED')) = (signed_at IS NOT NULL)),
      CHECK ((status IN ('DECLINED', 'EXPIRED', 'CANCELLED', 'VOID')) = (closed_at IS NOT NULL))
    )
  `
  yield* sql`
    CREATE UNIQUE INDEX signature_request_open ON signature_request (tenant_id, branch_id)
    WHERE status = 'OPEN'
  `
  yield* sql`CREATE INDEX signature_request_policy ON signature_request (tenant_id, policy_id)`
  yield* protect("signature_request", ["SELECT", "INSERT", "UPDATE"])
})

const createSigners = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE signature_signer (
      tenant_id      text COLLATE "C" NOT NULL,
      id             text COLLATE "C" NOT NULL,
      signature_id   text COLLATE "C" NOT NULL,
      policy_id      text COLLATE "C" NOT NULL,
      position       integer          NOT NULL,
      customer_id    text COLLATE "C",
      user_id        text COLLATE "C",
      role           text             NOT NULL,
      first_name     text             NOT NULL,
      last_name      text             NOT NULL,
      email          text             NOT NULL,
      phone          text,
      sign_order     integer          NOT NULL,
      delivery       text             NOT NULL,
      otp            text             NOT NULL,
      status         text             NOT NULL CHECK (status IN
        ('WAITING', 'NOTIFIED', 'OPENED', 'PROVEN', 'SIGNED', 'DECLINED')),
      consents       jsonb            NOT NULL DEFAULT '[]',
      notified_at    timestamptz,
      opened_at      timestamptz,
      proven_at      timestamptz,
      signed_at      timestamptz,
      declined_at    timestamptz,
      decline_reason text,
      PRIMARY KEY (tenant_id, id),
      UNIQUE (tenant_id, signature_id, position),
      FOREIGN KEY (tenant_id, signature_id) REFERENCES signature,
      CHECK ((customer_id IS NULL) <> (user_id IS NULL))
    )
  `
  yield* protect("signature_signer", ["SELECT", "INSERT", "UPDATE"])
})

/**
 * Signatures that are requested of each signer: the row of the signature is what every signature has, and these
 * tables say how far it has come. A signature by one call has its signer and its text in its own row.
 */
export default Effect.gen(function* () {
  yield* createRequests
  yield* createSigners
})
