import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect, protectDirectory } from "../sql/TenantTable.ts"

/**
 * Which tenants have work for the worker, and since when: read before a tenant is known, so it holds
 * nothing of their business. `parked` names the policies that the worker could not advance.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE due_tenant (
      tenant_id   text COLLATE "C" NOT NULL REFERENCES tenant,
      next_due_at timestamptz      NOT NULL,
      PRIMARY KEY (tenant_id)
    )
  `
  yield* protectDirectory("due_tenant", ["SELECT", "INSERT", "UPDATE", "DELETE"])
  yield* sql`
    CREATE TABLE parked (
      tenant_id text COLLATE "C" NOT NULL,
      policy_id text COLLATE "C" NOT NULL,
      reason    text             NOT NULL,
      at        timestamptz      NOT NULL,
      PRIMARY KEY (tenant_id, policy_id),
      FOREIGN KEY (tenant_id, policy_id) REFERENCES policy
    )
  `
  yield* protect("parked", ["SELECT", "INSERT", "UPDATE", "DELETE"])
})
