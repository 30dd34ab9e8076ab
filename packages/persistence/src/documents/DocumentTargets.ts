/** What documents belong to. */
import type { TargetStatements } from "../access/RecordTargets.ts"
import { belongsToPolicy } from "../policies/PolicyTargets.ts"

export const documentTargets: TargetStatements = (sql) => ({
  document: belongsToPolicy(sql, "document")
})
