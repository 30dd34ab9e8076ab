/** How much a debit takes: decided when its file is made, and never more than the payer was told. */
import type { InvoiceId } from "@quittance/domain/values/Ids"
import { amountDue, type OpenInvoice } from "../billing/Settlement.ts"

/** An invoice that a debit was planned for. */
export interface PlannedItem {
  readonly invoiceId: InvoiceId
  /** What the payer was told of it, in minor units. */
  readonly notified: number
}

/** What a debit takes for an invoice, in minor units. */
export interface DebitItem {
  readonly invoiceId: InvoiceId
  readonly amount: number
}

/** What a debit takes: `items` in the order of the plan, none of them 0. */
export interface DebitAmount {
  readonly items: ReadonlyArray<DebitItem>
  /** Their sum; 0 where nothing is due any more. */
  readonly amount: number
}

/**
 * What is still due of each planned invoice, at most what the payer was told of it, and together at most what
 * the payer was told in all. What another debit has in flight is left to that one. Less than notified is
 * fine; what comes on top needs a debit with a notification of its own.
 *
 * @param invoices those of the policy as they stand when the file is made
 */
export const debitAmount = (
  planned: ReadonlyArray<PlannedItem>,
  invoices: ReadonlyMap<InvoiceId, OpenInvoice>
): DebitAmount => {
  const items = planned.flatMap(({ invoiceId, notified }) => {
    const invoice = invoices.get(invoiceId)
    if (invoice === undefined || invoice.status === "PAYMENT_IN_PROGRESS") return []
    const amount = Math.min(notified, amountDue(invoice))
    return amount > 0 ? [{ invoiceId, amount }] : []
  })
  return { items, amount: items.reduce((sum, item) => sum + item.amount, 0) }
}
