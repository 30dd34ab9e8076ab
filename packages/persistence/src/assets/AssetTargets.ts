/** What assets belong to. */
import type { TargetStatements } from "../access/RecordTargets.ts"
import { belongsToPolicy } from "../policies/PolicyTargets.ts"

export const assetTargets: TargetStatements = (sql) => ({
  asset: belongsToPolicy(sql, "asset")
})
