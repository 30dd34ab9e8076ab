import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * A receivable is made by one statement from the policy and the customer that it names, and neither ever
 * goes: looking both up once more for each invoice finds nothing.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    ALTER TABLE receivable DROP CONSTRAINT receivable_tenant_id_policy_id_fkey,
      DROP CONSTRAINT receivable_tenant_id_customer_id_fkey
  `
})
