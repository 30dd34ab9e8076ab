import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Who has said that a blocked mandate may be used again, why, and what shows it. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE mandate ADD COLUMN unblocked jsonb`
})
