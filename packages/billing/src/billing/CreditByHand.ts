/** Taking an invoice back by hand: all that it still charges, and never again for the same days. */
import { repayment } from "@quittance/domain/billing/InvoiceLine"
import { type Correction, correctionsOf } from "./CorrectionLines.ts"
import { invoicedCharges, type IssuedInvoice } from "./InvoicedCharges.ts"
import { type BillingView, termsOf } from "./DueSteps.ts"
import type { InvoiceId } from "@quittance/domain/values/Ids"

/**
 * The credit of what an invoice still charges, after all that was credited of it; `undefined` where that is
 * nothing. An invoice that itself corrects others is not credited: its charges belong to its credits. Nor is
 * one that claims a refund back: that was paid out, and is written off instead.
 *
 * @param issued every invoice of the policy with its lines, in the order of their issue
 */
export const creditByHand = (
  view: BillingView,
  issued: ReadonlyArray<IssuedInvoice>,
  invoiceId: InvoiceId
): Correction | undefined => {
  const invoice = issued.find(({ id }) => id === invoiceId)
  if (
    invoice === undefined ||
    invoice.lines.some(
      ({ componentId, corrects }) => corrects !== undefined || componentId === repayment
    )
  ) {
    return undefined
  }
  const held = invoicedCharges(issued).filter(
    ({ invoiceId: charged, waived }) => charged === invoiceId && waived !== true
  )
  const [correction] = correctionsOf(termsOf(view), held, [])
  if (correction === undefined || correction.total.amountWithFeesAndTaxes >= 0) return undefined
  return {
    ...correction,
    lines: correction.lines.map((line) => ({ ...line, byHand: true }))
  }
}
