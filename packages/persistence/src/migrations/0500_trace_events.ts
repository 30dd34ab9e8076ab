import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Where in which trace an event was recorded, as `traceparent` writes it. Empty where none was recorded. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE event ADD trace text`
})
