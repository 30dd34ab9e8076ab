/** What a write-off by hand does to the accounts of a policy, and its reversal. */
import type { Entry } from "@quittance/domain/billing/Entry"
import type { InvoiceSettlement, InvoiceSummary } from "@quittance/domain/billing/StoredInvoice"
import type { InvoiceId } from "@quittance/domain/values/Ids"
import { openInvoice } from "./account/InvoiceIssuing.ts"
import type { PolicyAccount } from "./account/PolicyAccount.ts"
import { forBalanceUsed, forWriteOff, forWriteOffReversed } from "./Postings.ts"
import { amountDue, settleCredit } from "./Settlement.ts"

/** How invoices stand after it, and what is posted. */
export interface WriteOffResult {
  readonly entries: ReadonlyArray<Entry>
  readonly settlements: ReadonlyArray<InvoiceSettlement>
}

/** What is left to pay of an invoice is no longer asked for. */
export const writeOff = (invoice: InvoiceSummary): WriteOffResult => ({
  entries: [forWriteOff(invoice.customerId, amountDue(openInvoice(invoice)), invoice.currency)],
  settlements: [{ ...invoice, status: "WRITTEN_OFF" }]
})

/**
 * What was written off of an invoice is owed again. A credit balance of its payer settles it, and what else
 * is open, as a credit note does.
 *
 * @param corrected the credited amounts of each invoice that later invoices correct
 */
export const reverseWriteOff = (
  { balances, invoices, policy }: PolicyAccount,
  invoice: InvoiceSummary,
  corrected: ReadonlyMap<InvoiceId, number>
): WriteOffResult => {
  const { currency, customerId, paid, total } = invoice
  const reopened: InvoiceSummary = {
    ...invoice,
    status: paid === 0 ? "ISSUED" : "PARTIALLY_PAID",
    paidAt: null
  }
  const { updates, used } = settleCredit(
    {
      payerCustomerId: customerId,
      amount: Math.max(0, balances.get(customerId) ?? 0),
      issuedAt: policy.now,
      corrected
    },
    invoices
      .filter(({ type }) => type === "INVOICE")
      .map((one) => openInvoice(one.id === invoice.id ? reopened : one))
  )
  const settled = updates.map(
    ({ amountPaid, invoiceId: id, paidAt = null, status }): InvoiceSettlement => ({
      id,
      status,
      paid: amountPaid,
      paidAt
    })
  )
  return {
    entries: [
      forWriteOffReversed(customerId, total - paid, currency),
      ...(used > 0 ? [forBalanceUsed(customerId, used, currency)] : [])
    ],
    settlements: settled.some(({ id }) => id === invoice.id) ? settled : [reopened, ...settled]
  }
}
