import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // What the last statement was granted: an upsert returns the new row only, and the old one is what
  // it would have to be compared with.
  yield* sql`ALTER TABLE rate_limit ADD COLUMN granted integer NOT NULL DEFAULT 0`
})
