/** What customers belong to. */
import type { TargetStatements } from "../access/RecordTargets.ts"
import { onPolicySql } from "../policies/PolicyMembersSql.ts"

export const customerTargets: TargetStatements = (sql) => {
  const { isOn } = onPolicySql(sql)
  return {
    // A customer is read and changed in the context of any policy that it is on.
    customer: (tenantId, ids) => sql`
      SELECT c.id, o.id AS record_id, o.brokerage_firm_id
      FROM customer c LEFT JOIN LATERAL (
        SELECT p.id, p.brokerage_firm_id FROM customer_policy l
        JOIN policy p ON p.tenant_id = l.tenant_id AND p.id = l.policy_id
        WHERE l.tenant_id = c.tenant_id AND l.customer_id = c.id AND ${isOn(tenantId)}
      ) o ON true
      WHERE c.tenant_id = ${tenantId} AND c.id = ANY (${ids})`
  }
}
