import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

/**
 * What customers said that they need, what was advised, and which deviations they have confirmed. Rows of both
 * tables are only added: a newer statement of a branch takes the place of the one before.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE statement (
      tenant_id             text COLLATE "C" NOT NULL,
      id                    text COLLATE "C" NOT NULL,
      policy_id             text COLLATE "C" NOT NULL,
      branch_id             text COLLATE "C" NOT NULL,
      seq                   integer          NOT NULL,
      change_seq            integer          NOT NULL,
      questionnaire_version text             NOT NULL,
      answers               jsonb            NOT NULL,
      needs                 jsonb            NOT NULL,
      advice                jsonb            NOT NULL,
      deviations            jsonb            NOT NULL,
      author                text COLLATE "C" NOT NULL,
      created_at            timestamptz      NOT NULL,
      digest                text COLLATE "C" NOT NULL,
      PRIMARY KEY (tenant_id, id),
      UNIQUE (tenant_id, policy_id, seq),
      FOREIGN KEY (tenant_id, policy_id) REFERENCES policy
    )
  `
  yield* protect("statement", ["SELECT", "INSERT"])
  yield* sql`
    CREATE TABLE confirmed_deviation (
      tenant_id    text COLLATE "C" NOT NULL,
      statement_id text COLLATE "C" NOT NULL,
      rule_id      text COLLATE "C" NOT NULL,
      confirmed_by text COLLATE "C" NOT NULL,
      confirmed_at timestamptz      NOT NULL,
      PRIMARY KEY (tenant_id, statement_id, rule_id),
      FOREIGN KEY (tenant_id, statement_id) REFERENCES statement
    )
  `
  yield* protect("confirmed_deviation", ["SELECT", "INSERT"])
})
