import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The source of a sign-in, for the user's list of sign-ins: the key of the address, and the name of
 * the browser. None of those that a program of the release before has stored.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const table of ["authorization_code", "refresh_family"]) {
    yield* sql`ALTER TABLE ${sql(table)} ADD COLUMN address text, ADD COLUMN browser text`
  }
})
