/** Invoices as the wire shows them. */
import type { StoredInvoice } from "./StoredInvoice.ts"
import { type Invoice, type InvoiceLine, unpaidStatuses } from "./Invoice.ts"
import type { BilledLine } from "./InvoiceLine.ts"
import { numberText } from "./InvoiceNumber.ts"

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
  // A credited invoice's instant is that of the credit: it was not paid then.
  ...(row.paidAt === null || row.status === "CREDITED" ? {} : { paidAt: row.paidAt }),
  ...(row.collection === null ? {} : { collection: row.collection }),
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
