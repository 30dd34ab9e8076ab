/** For which customer of a policy a caller reads: as a condition on the policy `p`. */
import { subject, type Caller } from "@quittance/domain/requests/Caller"
import type { TenantId } from "@quittance/domain/requests/Tenancy"
import type { SqlClient } from "effect/sql"
import { onPolicySql } from "../policies/PolicyMembersSql.ts"

export const policyReadersSql = (sql: SqlClient.SqlClient) => {
  const { isOn } = onPolicySql(sql)
  return {
    /** Of several policyholders the one who was there first. */
    policyholder: (tenantId: TenantId) => sql`
      (SELECT l.customer_id FROM customer_policy l
        WHERE l.tenant_id = ${tenantId} AND l.policy_id = p.id AND ${isOn(tenantId)}
        ORDER BY EXISTS (SELECT FROM validity v WHERE v.tenant_id = l.tenant_id
            AND v.policy_id = l.policy_id AND v.entity_id = l.customer_id
            AND v.state ->> 'role' = 'POLICYHOLDER') DESC,
          l.linked_at, l.ordinal
        LIMIT 1)`,
    /** Customers are given the record itself; a role on a firm or the tenant is that of staff. */
    isGiven: (tenantId: TenantId, caller: Caller) => sql`EXISTS (
      SELECT FROM permission_grant g
      WHERE g.tenant_id = ${tenantId} AND g.subject_id = ${subject(caller)} AND g.kind = 'RECORD'
        AND (g.record_id = p.id OR EXISTS (SELECT FROM customer_policy l
          WHERE l.tenant_id = g.tenant_id AND l.policy_id = p.id AND l.customer_id = g.record_id)))`,
    /** Of a visitor whom an invitation has let in. */
    visitor: (tenantId: TenantId, caller: Caller) => sql`
      (SELECT s.customer_id FROM anonymous_session s
        WHERE s.tenant_id = ${tenantId}
          AND s.id = ${caller._tag === "Anonymous" ? caller.sessionId : null})`
  }
}
