import type { Invoice } from "../billing/Invoice.ts"

/**
 * An invoice or credit note as it stood when it was issued: its document stays the same whatever is paid
 * or credited afterwards.
 */
export const asIssued = (invoice: Invoice): Invoice => {
  const { paidAt: _, ...rest } = invoice
  const amountDue = invoice.type === "INVOICE" ? invoice.total.amountWithFeesAndTaxes : 0
  return { ...rest, status: "ISSUED", amountPaid: 0, amountDue }
}
