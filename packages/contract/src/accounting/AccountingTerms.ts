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
  "WorklistItem.kind":
    "What is to be done. A notice is sent, a balance is paid back, a parked policy is retried, a small balance is written off. The payer of a debit is told of it.",
  "WorklistItem.policyId": "The policy that it is about.",
  "WorklistItem.customerId":
    "The customer who owes or is owed; absent where it is about no one customer.",
  "WorklistItem.recordId":
    "The notice, the offer, the invoice or the debit that it is about; absent where it is about the policy.",
  "WorklistItem.amount":
    "What is to be paid back, is left of the invoice, or is debited, in the minor unit of the currency.",
  "WorklistItem.currency": "The currency of the amount; absent without one.",
  "WorklistItem.since": "Since when it can be done, in UTC.",
  "WorklistItem.dueOn":
    "The day by which the law wants the balance paid back, in the product's time zone; absent where none is known.",
  "WorklistItem.reason": "Why the policy or the offer was parked.",
  "WorklistItem.permitted": "Whether the caller may do it on this policy.",
  "WorklistItem.command": "The request that does it.",
  "WorklistCommand.method": "The method of the request.",
  "WorklistCommand.path": "The path of the request.",
  "WorklistCommand.action": "The permission that the request needs on the policy.",
  "Worklist.counts": "How many there are of each kind, whichever kinds the page is of.",
  NOTICE_TO_SEND: "How many formal notices may be sent.",
  BALANCE_TO_PAY_BACK: "How many credit balances are to be paid back.",
  PARKED_POLICY: "How many policies and offers are parked.",
  DEBIT_TO_ANNOUNCE: "How many debits wait for people to tell their payers.",
  SMALL_BALANCE: "How many invoices lack no more than the product tolerates.",
  "order.by": "The order of the list.",
  "order.direction": "`ASC` for the smallest or earliest first, `DESC` for the largest or latest."
}

/** What the parameters of this area mean. */
export const accountingParameters: ParameterTerms = {
  kinds: {
    means: "Only what is to be done of these kinds; default: all.",
    example: "BALANCE_TO_PAY_BACK"
  },
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
