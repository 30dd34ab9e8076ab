/** What firms and users belong to. */
import type { TargetStatements } from "./RecordTargets.ts"

export const accessTargets: TargetStatements = (sql) => ({
  brokerage_firm: (tenantId, ids) => sql`
    SELECT f.id, NULL::text AS record_id, f.id AS brokerage_firm_id FROM brokerage_firm f
    WHERE f.tenant_id = ${tenantId} AND f.id = ANY (${ids})`,
  user: (tenantId, ids) => sql`
    SELECT u.id, u.id AS record_id, u.brokerage_firm_id FROM app_user u
    WHERE u.tenant_id = ${tenantId} AND u.id = ANY (${ids})`
})
