import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** How far people with a role may go alone, by kind and currency. A role that says nothing has none. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE role ADD COLUMN authority jsonb NOT NULL DEFAULT '{}'`
})
