import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Up to which instant events have told what took effect by itself. Empty where a program of the release
 * before has opened the policy: then all up to its last change has been told.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE policy ADD told_until timestamptz`
})
