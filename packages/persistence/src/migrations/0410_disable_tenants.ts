import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Since when a tenant is disabled: nobody is served in its name and the worker leaves it alone. Programs
 * of the release before do not know it, and go on.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE tenant ADD disabled_at timestamptz`
})
