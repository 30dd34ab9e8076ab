import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Since when a tenant is disabled: no request is served in its name and the worker skips it. Programs of the
 * previous release do not know the column, and go on.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE tenant ADD disabled_at timestamptz`
})
