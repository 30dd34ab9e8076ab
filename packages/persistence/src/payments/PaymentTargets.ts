/** What payments and payment methods belong to. */
import type { TargetStatements } from "../access/RecordTargets.ts"
import { belongsToPolicy } from "../policies/PolicyTargets.ts"
import { onPolicySql } from "../policies/PolicyMembersSql.ts"

export const paymentTargets: TargetStatements = (sql) => {
  const { isOn } = onPolicySql(sql)
  return {
    payment: belongsToPolicy(sql, "payment"),
    // To every policy that its customer is on.
    payment_method: (tenantId, ids) => sql`
      SELECT m.id, o.id AS record_id, o.brokerage_firm_id
      FROM payment_method m LEFT JOIN LATERAL (
        SELECT p.id, p.brokerage_firm_id FROM customer_policy l
        JOIN policy p ON p.tenant_id = l.tenant_id AND p.id = l.policy_id
        WHERE l.tenant_id = m.tenant_id AND l.customer_id = m.customer_id AND ${isOn(tenantId)}
      ) o ON true
      WHERE m.tenant_id = ${tenantId} AND m.id = ANY (${ids})`
  }
}
