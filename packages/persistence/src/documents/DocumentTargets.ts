/** What documents belong to. */
import type { TargetStatements } from "../access/RecordTargets.ts"
import { belongsToPolicy } from "../policies/PolicyTargets.ts"

export const documentTargets: TargetStatements = (sql) => ({
  document: belongsToPolicy(sql, "document"),
  document_request: belongsToPolicy(sql, "document_request"),
  document_link: (tenantId, ids) => sql`
    SELECT l.id, p.id AS record_id, p.brokerage_firm_id FROM document_link l
    JOIN document d ON d.tenant_id = l.tenant_id AND d.id = l.document_id
    JOIN policy p ON p.tenant_id = d.tenant_id AND p.id = d.policy_id
    WHERE l.tenant_id = ${tenantId} AND l.id = ANY (${ids})`
})
