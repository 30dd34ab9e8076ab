/** What a caller may do to what a customer has: payment methods, mandates. */
import { CurrentCaller } from "@quittance/domain/requests/Caller"
import type { Action } from "@quittance/domain/requests/Action"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { GrantsRepo } from "../access/GrantsRepo.ts"
import { onPolicySql } from "../policies/PolicyMembersSql.ts"

/**
 * Where the action has to be allowed: on any policy that the customer is on, on their earliest one where
 * every policy of theirs feels it, or on the tenant.
 */
export type Reach = "ANYWHERE" | "SHARED" | "TENANT"

/** The columns of {@link permissionColumns}. */
export interface Permitted {
  readonly onAny: boolean
  readonly onEarliest: boolean
  readonly onTenant: boolean
}

/** Columns that say where the caller may do something for the customer `c` of a statement. */
export const permissionColumns = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  grants: GrantsRepo["Service"],
  action: Action
) {
  const tenantId = yield* CurrentTenant
  const caller = yield* CurrentCaller
  // Their scope was checked, and holds on the whole tenant.
  if (caller._tag === "Client") {
    return sql`true AS on_any, true AS on_earliest, true AS on_tenant`
  }
  const { policiesOf } = onPolicySql(sql)
  const policy = { policyId: sql`p.id`, brokerageFirmId: sql`p.brokerage_firm_id` }
  const mine = policiesOf(tenantId, yield* Effect.orDie(grants.onPolicy(action, policy)))
  const earliest = sql`(${policiesOf(tenantId, sql`true`)})[1]`
  return sql`cardinality(${mine}) > 0 AS on_any,
    coalesce((${mine})[1] = ${earliest}, false) AS on_earliest,
    ${yield* grants.onTenant(action)} AS on_tenant`
})

/** Whether what the columns say is enough. */
export const reaches = (
  { onAny, onEarliest, onTenant }: Permitted,
  reach: Reach = "ANYWHERE"
): boolean => onTenant || (reach === "ANYWHERE" && onAny) || (reach === "SHARED" && onEarliest)
