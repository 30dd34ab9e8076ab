import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Which files were handed to the simulated bank: it answers these, and none that another bank has. Those that it has
 * had before have their answers, so nothing is filled in.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    ALTER TABLE payment_file ADD COLUMN is_simulated boolean NOT NULL DEFAULT false
  `
})
