/** What signatures belong to. */
import type { TargetStatements } from "../access/RecordTargets.ts"
import { belongsToPolicy } from "../policies/PolicyTargets.ts"

export const signatureTargets: TargetStatements = (sql) => ({
  signature: belongsToPolicy(sql, "signature")
})
