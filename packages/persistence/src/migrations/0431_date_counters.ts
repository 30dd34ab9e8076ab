import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * A series of invoices knows when its last number was given, to the quarter of an hour. Without it numbers are
 * given by the release before, or count policies.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE counter ADD COLUMN given_at timestamptz`
})
