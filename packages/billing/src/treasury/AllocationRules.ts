/** Whether an entry can be allocated as people ask for it. */
import { type BankEntry, InvalidAllocation } from "@quittance/domain/treasury/BankEntry"
import type { PayableInvoice } from "@quittance/domain/treasury/EntryMatch"
import type { AllocateEntry } from "@quittance/domain/treasury/TreasuryRequests"
import type { InvoiceId } from "@quittance/domain/values/Ids"
import { Result } from "effect"
import type { Allocation } from "./Matching.ts"

/** What of an entry is not explained yet. */
export const openOf = ({ allocated, amount }: BankEntry): number => amount - allocated

/**
 * What each invoice gets. The rest goes with the last one, where it is to: what that does not take pays its
 * payer's oldest invoices, then becomes their credit.
 */
export const allocationsOf = (
  entry: BankEntry,
  { allocations, rest }: AllocateEntry,
  invoices: ReadonlyMap<InvoiceId, PayableInvoice>
): Result.Result<ReadonlyArray<Allocation>, InvalidAllocation> => {
  const open = openOf(entry)
  const refuse = (reason: InvalidAllocation["reason"], invoiceId?: InvoiceId) =>
    Result.fail(
      new InvalidAllocation({ reason, open, ...(invoiceId === undefined ? {} : { invoiceId }) })
    )
  if (entry.amount <= 0) return refuse("MONEY_LEFT")
  const seen = new Set<InvoiceId>()
  const asked: Array<Allocation> = []
  for (const { amount, invoiceId } of allocations) {
    const invoice = invoices.get(invoiceId)
    if (invoice === undefined) return refuse("INVOICE_NOT_FOUND", invoiceId)
    if (invoice.currency !== entry.currency) return refuse("OTHER_CURRENCY", invoiceId)
    if (seen.has(invoiceId)) return refuse("INVOICE_TWICE", invoiceId)
    seen.add(invoiceId)
    asked.push({ invoiceId, policyId: invoice.policyId, amount })
  }
  const sum = asked.reduce((total, { amount }) => total + amount, 0)
  if (sum > open) return refuse("MORE_THAN_OPEN")
  if (rest === "SUSPENSE" || sum === open) return Result.succeed(asked)
  const last = asked.at(-1)!
  return Result.succeed([...asked.slice(0, -1), { ...last, amount: last.amount + open - sum }])
}
