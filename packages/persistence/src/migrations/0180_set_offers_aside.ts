import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Offers that the worker can't bring up to the trunk wait for people by themselves: why, and since when. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE branch ADD aside jsonb`
  yield* sql`
    CREATE INDEX branch_aside ON branch (tenant_id, policy_id) WHERE aside IS NOT NULL
  `
})
