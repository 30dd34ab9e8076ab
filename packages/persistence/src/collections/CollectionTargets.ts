/** What debits belong to. */
import type { TargetStatements } from "../access/RecordTargets.ts"
import { belongsToPolicy } from "../policies/PolicyTargets.ts"

export const collectionTargets: TargetStatements = (sql) => ({
  debit: belongsToPolicy(sql, "debit")
})
