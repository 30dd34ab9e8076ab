/** What the members of the accounting summary mean. */
export const accountingTerms = {
  customer: "The customer who pays, as they are on the policy.",
  policy: "The policy whose invoices are unpaid.",
  numberOfUnpaidInvoices: "How many invoices are unpaid, due or not.",
  unpaidDurationInDay:
    "Days since the oldest unpaid invoice was issued, counted as local days in the product's time zone.",
  oldestUnpaidInvoiceIssuedAt: "When the oldest unpaid invoice was issued, in UTC.",
  lastFormalNoticeSentAt:
    "When the last formal notice was sent, in UTC; absent where none was sent.",
  "order.by": "What the list is ordered by.",
  "order.direction": "`ASC` for the smallest or earliest first, `DESC` for the largest or latest."
}
