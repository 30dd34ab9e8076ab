import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Beside the one key that signs there is at most one that will: the one a rotation makes active. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE UNIQUE INDEX signing_key_next_key ON signing_key (tenant_id) WHERE state = 'NEXT'
  `
})
