import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Very many policies are due at one midnight: the index has the order in which the worker takes them. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DROP INDEX policy_due`
  yield* sql`
    CREATE INDEX policy_due ON policy (tenant_id, next_due_at, id) WHERE next_due_at IS NOT NULL
  `
})
