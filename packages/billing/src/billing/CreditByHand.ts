/** Taking an invoice back by hand: all that it still charges, and never again for the same days. */
import type { InvoiceId } from "@quittance/domain/billing/Invoice"
import { type Correction, correctionsOf } from "./CorrectionLines.ts"
import { heldBy, type IssuedDocument } from "./InvoicedCharges.ts"
import { type BillingView, termsOf } from "./DueSteps.ts"

/**
 * The credit of what an invoice still charges, after all that was credited of it; `undefined` where
 * that is nothing. An invoice that itself corrects others is not taken back: what it charges belongs to
 * what it credits.
 *
 * @param issued every document of the policy with its lines, in the order of their issue
 */
export const creditByHand = (
  view: BillingView,
  issued: ReadonlyArray<IssuedDocument>,
  invoiceId: InvoiceId
): Correction | undefined => {
  const invoice = issued.find(({ id }) => id === invoiceId)
  if (invoice === undefined || invoice.lines.some(({ corrects }) => corrects !== undefined)) {
    return undefined
  }
  const held = heldBy(issued).filter(
    ({ documentId, waived }) => documentId === invoiceId && waived !== true
  )
  const [correction] = correctionsOf(termsOf(view), held, [])
  if (correction === undefined || correction.total.amountWithFeesAndTaxes >= 0) return undefined
  return {
    ...correction,
    lines: correction.lines.map((line) => ({ ...line, byHand: true }))
  }
}
