/** What withdrawals belong to. */
import type { TargetStatements } from "../access/RecordTargets.ts"
import { belongsToPolicy } from "../policies/PolicyTargets.ts"

export const withdrawalTargets: TargetStatements = (sql) => ({
  withdrawal: belongsToPolicy(sql, "withdrawal")
})
