import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Why people have withdrawn a document; absent where its offer has changed. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE document ADD void_reason text CHECK (void_reason <> '')`
})
