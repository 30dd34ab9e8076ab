import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

const createFirms = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // The path names the firm and every firm above it, so a grant on one of them is found by a look
  // into the row, and no query climbs the tree.
  yield* sql`
    CREATE TABLE brokerage_firm (
      tenant_id                text COLLATE "C"   NOT NULL REFERENCES tenant,
      id                       text COLLATE "C"   NOT NULL,
      name                     text               NOT NULL,
      firm_type                text               NOT NULL CHECK (firm_type IN ('WHOLESALE', 'RETAIL')),
      parent_brokerage_firm_id text COLLATE "C",
      path                     text[] COLLATE "C" NOT NULL CHECK (path[1] = id),
      custom_fields            jsonb              NOT NULL DEFAULT '[]',
      created_at               timestamptz        NOT NULL DEFAULT now(),
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, parent_brokerage_firm_id) REFERENCES brokerage_firm,
      CHECK (path[2] IS NOT DISTINCT FROM parent_brokerage_firm_id),
      CONSTRAINT brokerage_firm_depth_check CHECK (cardinality(path) <= 20)
    )
  `
  yield* sql`
    CREATE INDEX brokerage_firm_parent ON brokerage_firm (tenant_id, parent_brokerage_firm_id)
  `
  yield* sql`CREATE INDEX brokerage_firm_created ON brokerage_firm (tenant_id, created_at, id)`
  yield* protect("brokerage_firm", ["SELECT", "INSERT", "UPDATE"])
})

/**
 * A user may be there before they have chosen a password. `search` holds name and address as
 * `search_text` would write them; that function is not immutable, so it is spelt out here.
 */
const createUsers = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE app_user (
      tenant_id         text COLLATE "C" NOT NULL REFERENCES tenant,
      id                text COLLATE "C" NOT NULL,
      email             text COLLATE "C" NOT NULL CHECK (email = lower(email)),
      password_hash     text             CHECK (password_hash LIKE '$argon2id$%'),
      first_name        text             NOT NULL,
      last_name         text             NOT NULL,
      broker_role       text,
      brokerage_firm_id text COLLATE "C",
      status            text             NOT NULL DEFAULT 'ACTIVE' CHECK (status IN ('INVITED', 'ACTIVE', 'DISABLED')),
      disabled_at       timestamptz,
      created_at        timestamptz      NOT NULL DEFAULT now(),
      search            text COLLATE "C" NOT NULL GENERATED ALWAYS AS (regexp_replace(
        ' ' || search_fold(email || ' ' || first_name || ' ' || last_name) || ' ' || regexp_replace(
          search_fold(email || ' ' || first_name || ' ' || last_name) COLLATE "und-x-icu",
          '[^[:alnum:]]+', ' ', 'g'
        ), '\\s+', ' ', 'g')) STORED,
      PRIMARY KEY (tenant_id, id),
      CONSTRAINT app_user_email_key UNIQUE (tenant_id, email),
      FOREIGN KEY (tenant_id, brokerage_firm_id) REFERENCES brokerage_firm,
      CONSTRAINT app_user_disabled_check CHECK ((disabled_at IS NULL) = (status <> 'DISABLED')),
      CONSTRAINT app_user_password_check
        CHECK (status = 'DISABLED' OR (password_hash IS NULL) = (status = 'INVITED'))
    )
  `
  yield* sql`CREATE INDEX app_user_firm ON app_user (tenant_id, brokerage_firm_id, email)`
  yield* sql`
    CREATE INDEX app_user_disabled ON app_user (tenant_id, disabled_at)
    WHERE disabled_at IS NOT NULL
  `
  yield* protect("app_user", ["SELECT", "INSERT", "UPDATE"])
})

/** Brokerage firms as a tree, and the users of a tenant. */
export default Effect.gen(function* () {
  yield* createFirms
  yield* createUsers
})
