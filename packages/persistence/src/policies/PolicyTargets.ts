/** What policies belong to, and the records that belong to one. */
import type { SqlClient } from "effect/sql"
import type { TargetStatement, TargetStatements } from "../access/RecordTargets.ts"

/** The statement of a table whose rows belong to one policy, by its column `policy_id`. */
export const belongsToPolicy =
  (sql: SqlClient.SqlClient, table: string): TargetStatement =>
  (tenantId, ids) =>
    sql`
    SELECT x.id, p.id AS record_id, p.brokerage_firm_id FROM ${sql(table)} x
    JOIN policy p ON p.tenant_id = x.tenant_id AND p.id = x.policy_id
    WHERE x.tenant_id = ${tenantId} AND x.id = ANY (${ids})`

export const policyTargets: TargetStatements = (sql) => ({
  policy: (tenantId, ids) => sql`
    SELECT p.id, p.id AS record_id, p.brokerage_firm_id FROM policy p
    WHERE p.tenant_id = ${tenantId} AND p.id = ANY (${ids})`,
  branch: belongsToPolicy(sql, "branch"),
  quote: belongsToPolicy(sql, "quote")
})
