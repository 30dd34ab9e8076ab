/** What payouts and approvals belong to. */
import type { TargetStatements } from "../access/RecordTargets.ts"
import { belongsToPolicy } from "../policies/PolicyTargets.ts"

export const payoutTargets: TargetStatements = (sql) => ({
  payout: belongsToPolicy(sql, "payout"),
  approval: belongsToPolicy(sql, "approval")
})
