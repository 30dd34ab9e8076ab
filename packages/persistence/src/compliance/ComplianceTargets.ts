/** What statements of demands and needs belong to. */
import type { TargetStatements } from "../access/RecordTargets.ts"
import { belongsToPolicy } from "../policies/PolicyTargets.ts"

export const complianceTargets: TargetStatements = (sql) => ({
  statement: belongsToPolicy(sql, "statement")
})
