/** What the invoices of a debit become when it comes to nothing. */
import type { InvoiceSettlement, InvoiceSummary } from "@quittance/domain/billing/StoredInvoice"
import type { DebitItem } from "@quittance/domain/collections/Debit"

/**
 * Its invoices whose payment is in progress, in the status that they get. One that was paid otherwise
 * meanwhile stays as it is; one of which a part was paid before says so.
 */
export const freed = (
  items: ReadonlyArray<DebitItem>,
  invoices: ReadonlyArray<InvoiceSummary>,
  status: "ISSUED" | "PAYMENT_DISPUTED" | "PAYMENT_FAILED"
): ReadonlyArray<InvoiceSettlement> => {
  const own = new Set<string>(items.map(({ invoiceId }) => invoiceId))
  return invoices
    .filter((invoice) => own.has(invoice.id) && invoice.status === "PAYMENT_IN_PROGRESS")
    .map(({ id, paid, paidAt }) => ({
      id,
      status: status === "ISSUED" && paid > 0 ? "PARTIALLY_PAID" : status,
      paid,
      paidAt
    }))
}
