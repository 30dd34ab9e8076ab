/** What payments, payment methods and mandates belong to. */
import type { SqlClient } from "effect/sql"
import type { TargetStatement, TargetStatements } from "../access/RecordTargets.ts"
import { belongsToPolicy } from "../policies/PolicyTargets.ts"
import { onPolicySql } from "../policies/PolicyMembersSql.ts"

/** The statement of a table whose rows belong to every policy that their customer is on. */
const belongsToCustomer =
  (sql: SqlClient.SqlClient, table: string): TargetStatement =>
  (tenantId, ids) =>
    sql`
    SELECT x.id, o.id AS record_id, o.brokerage_firm_id
    FROM ${sql(table)} x LEFT JOIN LATERAL (
      SELECT p.id, p.brokerage_firm_id FROM customer_policy l
      JOIN policy p ON p.tenant_id = l.tenant_id AND p.id = l.policy_id
      WHERE l.tenant_id = x.tenant_id AND l.customer_id = x.customer_id
        AND ${onPolicySql(sql).isOn(tenantId)}
    ) o ON true
    WHERE x.tenant_id = ${tenantId} AND x.id = ANY (${ids})`

export const paymentTargets: TargetStatements = (sql) => ({
  payment: belongsToPolicy(sql, "payment"),
  payment_method: belongsToCustomer(sql, "payment_method"),
  mandate: belongsToCustomer(sql, "mandate")
})
