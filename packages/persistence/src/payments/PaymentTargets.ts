/** What payments belong to. */
import type { TargetStatements } from "../access/RecordTargets.ts"
import { belongsToPolicy } from "../policies/PolicyTargets.ts"

export const paymentTargets: TargetStatements = (sql) => ({
  payment: belongsToPolicy(sql, "payment")
})
