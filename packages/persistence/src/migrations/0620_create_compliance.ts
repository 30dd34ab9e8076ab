import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

/**
 * What proves that the duties of a sale were met: texts that were accepted on a branch, each wording once,
 * and what was found of brokers in their registers. Rows of both are only added.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE accepted_text (
      tenant_id   text COLLATE "C" NOT NULL,
      policy_id   text COLLATE "C" NOT NULL,
      branch_id   text COLLATE "C" NOT NULL,
      text_id     text COLLATE "C" NOT NULL,
      text_hash   text COLLATE "C" NOT NULL,
      accepted_at timestamptz      NOT NULL,
      author      text COLLATE "C" NOT NULL,
      address     text,
      user_agent  text,
      PRIMARY KEY (tenant_id, policy_id, branch_id, text_id, text_hash),
      FOREIGN KEY (tenant_id, policy_id) REFERENCES policy
    )
  `
  yield* protect("accepted_text", ["SELECT", "INSERT"])
  yield* sql`
    CREATE TABLE firm_registration (
      tenant_id         text COLLATE "C" NOT NULL,
      brokerage_firm_id text COLLATE "C" NOT NULL,
      seq               integer          NOT NULL,
      register          text             NOT NULL,
      number            text             NOT NULL,
      categories        text[]           NOT NULL,
      valid_until       date             NOT NULL,
      checked_at        timestamptz      NOT NULL,
      evidence          text             NOT NULL,
      recorded_at       timestamptz      NOT NULL,
      author            text COLLATE "C" NOT NULL,
      PRIMARY KEY (tenant_id, brokerage_firm_id, seq),
      FOREIGN KEY (tenant_id, brokerage_firm_id) REFERENCES brokerage_firm
    )
  `
  yield* protect("firm_registration", ["SELECT", "INSERT"])
})
