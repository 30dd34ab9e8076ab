import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The few entries that give up a claim, for whom dunning has to end with them. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE INDEX entry_write_off ON entry (tenant_id, policy_id)
    WHERE kind IN ('WRITE_OFF', 'WRITE_OFF_REVERSED')
  `
})
