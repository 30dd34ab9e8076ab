import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE app_user (
      tenant_id         text COLLATE "C" NOT NULL REFERENCES tenant,
      id                text COLLATE "C" NOT NULL,
      email             text COLLATE "C" NOT NULL CHECK (email = lower(email)),
      password_hash     text             NOT NULL CHECK (password_hash LIKE '$argon2id$%'),
      first_name        text             NOT NULL,
      last_name         text             NOT NULL,
      broker_role       text,
      brokerage_firm_id text COLLATE "C",
      status            text             NOT NULL DEFAULT 'ACTIVE' CHECK (status IN ('ACTIVE', 'DISABLED')),
      disabled_at       timestamptz      CHECK ((disabled_at IS NULL) = (status = 'ACTIVE')),
      created_at        timestamptz      NOT NULL DEFAULT now(),
      PRIMARY KEY (tenant_id, id),
      CONSTRAINT app_user_email_key UNIQUE (tenant_id, email),
      FOREIGN KEY (tenant_id, brokerage_firm_id) REFERENCES brokerage_firm
    )
  `
  yield* sql`CREATE INDEX app_user_firm ON app_user (tenant_id, brokerage_firm_id)`
  yield* sql`
    CREATE INDEX app_user_disabled ON app_user (tenant_id, disabled_at)
    WHERE disabled_at IS NOT NULL
  `
  yield* protect("app_user", ["SELECT", "INSERT", "UPDATE"])
})
