/** What invoices and credit notes belong to. */
import type { TargetStatements } from "../access/RecordTargets.ts"
import { belongsToPolicy } from "../policies/PolicyTargets.ts"

export const invoiceTargets: TargetStatements = (sql) => ({
  invoice: belongsToPolicy(sql, "invoice"),
  credit_note: belongsToPolicy(sql, "invoice")
})
