/** Invoices as the wire shows them. */
import type { StoredInvoice } from "./StoredInvoice.ts"
import { type Invoice, type InvoiceLine, unpaidStatuses } from "./Invoice.ts"
import type { BilledLine } from "./InvoiceLine.ts"

const digits = 6

/** The number that people read: `INV-000042`. */
export const numberText = ({ number, series }: Pick<StoredInvoice, "number" | "series">): string =>
  `${series}-${String(number).padStart(digits, "0")}`

export const toInvoice = (row: StoredInvoice): Invoice => ({
  id: row.id,
  type: row.type,
  number: numberText(row),
  policyId: row.policyId,
  customerId: row.customerId,
  status: row.status,
  issuedAt: row.issuedAt,
  dueOn: row.dueOn,
  period: { start: row.periodStart, end: row.periodEnd },
  currency: row.currency,
  lines: row.lines.map(toLine),
  total: row.amount,
  amountPaid: row.paid,
  amountDue: unpaidStatuses.some((unpaid) => unpaid === row.status) ? row.total - row.paid : 0,
  // Of one that was taken back it says when, and nobody has paid that.
  ...(row.paidAt === null || row.status === "CREDITED" ? {} : { paidAt: row.paidAt }),
  ...(row.creditedInvoiceId === null ? {} : { creditedInvoiceId: row.creditedInvoiceId })
})

/** What a line keeps for its correction is not shown. */
export const toLine = ({
  basis: _basis,
  byHand: _byHand,
  keptFrom: _keptFrom,
  nonRefundable: _nonRefundable,
  price: _price,
  quoteId: _quoteId,
  ...line
}: BilledLine): InvoiceLine => line
