import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Lets a user be there before he has chosen a password, and be found by words: `search` holds name and
 * address as `search_text` would write them. That function is not immutable, so it is spelt out here.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    ALTER TABLE app_user
      ALTER password_hash DROP NOT NULL,
      DROP CONSTRAINT app_user_status_check,
      DROP CONSTRAINT app_user_check,
      ADD CONSTRAINT app_user_status_check CHECK (status IN ('INVITED', 'ACTIVE', 'DISABLED')),
      ADD CONSTRAINT app_user_disabled_check CHECK ((disabled_at IS NULL) = (status <> 'DISABLED')),
      ADD CONSTRAINT app_user_password_check
        CHECK (status = 'DISABLED' OR (password_hash IS NULL) = (status = 'INVITED')),
      ADD search text COLLATE "C" NOT NULL GENERATED ALWAYS AS (regexp_replace(
        ' ' || search_fold(email || ' ' || first_name || ' ' || last_name) || ' ' || regexp_replace(
          search_fold(email || ' ' || first_name || ' ' || last_name) COLLATE "und-x-icu",
          '[^[:alnum:]]+', ' ', 'g'
        ), '\\s+', ' ', 'g')) STORED
  `
  // Who may see a few firms' people reads them in the order in which they are listed.
  yield* sql`DROP INDEX app_user_firm`
  yield* sql`CREATE INDEX app_user_firm ON app_user (tenant_id, brokerage_firm_id, email)`
})
