import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Why a letter has not left so far. Null before it was tried, and where the release before tried it. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE letter ADD failure text CHECK (failure IN ('ADDRESS', 'TRANSPORT'))`
})
