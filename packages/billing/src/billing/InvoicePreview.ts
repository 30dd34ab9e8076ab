/** What a change would do to the invoices of a policy, before it is made. */
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import { dueMinusInvoiced } from "./DueMinusInvoiced.ts"
import type { IssuedInvoice } from "./InvoicedCharges.ts"
import type { BillingView } from "./DueSteps.ts"

/**
 * The invoices that begin on a day, over all payers, in minor units with fees and taxes; a credit note
 * is a negative amount.
 */
export interface InvoiceChange {
  readonly periodStart: LocalDate
  readonly before: number
  readonly after: number
  readonly difference: number
}

export interface InvoicePreview {
  /** Every invoice to come, on the grid or as a correction, by its first day. */
  readonly invoices: ReadonlyArray<InvoiceChange>
  /** What credit notes give back at once, over all payers, in minor units. */
  readonly refund: number
  /** What invoices charge at once beside the grid, over all payers, in minor units. */
  readonly charge: number
}

/**
 * The invoices to come of a policy as it is and as it would be: with a branch merged, or with a stop.
 * The differences sum to what the change costs over the agreed terms.
 */
export const invoicePreview = (
  issued: ReadonlyArray<IssuedInvoice>,
  before: BillingView,
  after: BillingView
): InvoicePreview => {
  const was = toCome(before, issued)
  const willBe = toCome(after, issued)
  const starts = new Set([...was.amounts.keys(), ...willBe.amounts.keys()])
  return {
    invoices: [...starts].sort().map((periodStart) => {
      const [from, to] = [was.amounts.get(periodStart) ?? 0, willBe.amounts.get(periodStart) ?? 0]
      return { periodStart, before: from, after: to, difference: to - from }
    }),
    refund: willBe.corrections.reduce((sum, total) => sum + Math.max(0, -total), 0),
    charge: willBe.corrections.reduce((sum, total) => sum + Math.max(0, total), 0)
  }
}

const toCome = (view: BillingView, issued: ReadonlyArray<IssuedInvoice>) => {
  const due = dueMinusInvoiced(view, issued)
  const amounts = new Map<LocalDate, number>()
  for (const { period, total } of [...due.corrections, ...due.toCome]) {
    const sum = amounts.get(period.start) ?? 0
    amounts.set(period.start, sum + total.amountWithFeesAndTaxes)
  }
  const corrections = due.corrections.map(({ total }) => total.amountWithFeesAndTaxes)
  return { amounts, corrections }
}
