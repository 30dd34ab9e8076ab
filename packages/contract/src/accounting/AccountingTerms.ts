/** What the members of the accounting summary mean. */
import type { ParameterTerms } from "../requests/AreaReference.ts"

export const accountingTerms = {
  customer: "The customer who pays, as they are on the policy.",
  policy: "The policy whose invoices are unpaid.",
  numberOfUnpaidInvoices: "How many invoices are unpaid, due or not.",
  unpaidDurationInDay:
    "Days since the oldest unpaid invoice was issued, counted as local days in the product's time zone.",
  oldestUnpaidInvoiceIssuedAt: "When the oldest unpaid invoice was issued, in UTC.",
  lastFormalNoticeSentAt:
    "When the last formal notice was sent, in UTC; absent where none was sent.",
  "order.by": "The order of the list.",
  "order.direction": "`ASC` for the smallest or earliest first, `DESC` for the largest or latest."
}

/** What the parameters of this area mean. */
export const accountingParameters: ParameterTerms = {
  hasFormalNotice: {
    means: "Only entries with a formal notice that was sent, or only those without.",
    example: false
  },
  unpaidDurationDays: {
    means:
      "Only entries unpaid for at least this number of local days in the product's time zone, 0 to 1,000,000.",
    example: 30
  },
  unpaidInvoiceIssuedAfter: {
    means:
      "Only entries with an unpaid invoice issued then or later; a day begins in the product's time zone.",
    example: "2026-01-01"
  },
  unpaidInvoiceIssuedBefore: {
    means:
      "Only entries with an unpaid invoice issued before then; a day begins in the product's time zone.",
    example: "2026-02-01T00:00:00Z"
  }
}
