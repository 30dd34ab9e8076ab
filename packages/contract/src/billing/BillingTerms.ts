/** What the members of invoices, charges and the ledger mean. */
import type { ParameterTerms } from "../requests/AreaReference.ts"
import { exampleId as id } from "../requests/Examples.ts"

export const billingTerms = {
  "Invoice.id": "The invoice or credit note, by its identifier.",
  "Invoice.type": "Whether it asks for money or gives it back.",
  number: "The number that people read; each series has no gaps.",
  "Invoice.policyId": "The policy that is invoiced.",
  "Invoice.customerId": "The customer who pays.",
  "Invoice.status": "The invoice's status.",
  "Invoice.issuedAt": "When it was issued, in UTC.",
  dueOn: "The day on which it is due, in the product's time zone.",
  "Invoice.period": "The days that it is for.",
  start: "The first day, in the product's time zone.",
  end: "The day after the last one, in the product's time zone.",
  lines: "Its charges, by component and time.",
  "Invoice.total": "The amount.",
  amountPaid: "The amount paid of it, in the minor unit of the currency.",
  amountDue: "The amount still to be paid, in the minor unit of the currency.",
  "Invoice.paidAt": "When it was paid in full, in UTC; absent until then.",
  creditedInvoiceId: "The invoice that the credit note corrects; absent where it corrects several.",
  "InvoiceLine.componentId": "The component, by its identifier in the product.",
  "InvoiceLine.label": "The name of the component.",
  slice: "The days that the line is for.",
  "InvoiceLine.amount": "The amount of the line.",
  corrects: "The invoice or credit note that the line corrects; absent where it corrects none.",
  "InvoiceReason.reason": "The reason, for readers; at most 200 characters.",
  "Charge.id": "The charge, by its identifier.",
  "Charge.policyId": "The policy that is charged.",
  "Charge.customerId": "The customer who pays.",
  "Charge.componentId": "The booking key of the charge.",
  "Charge.label": "The text on the invoice.",
  "Charge.amount": "The amount charged, in the minor unit of the currency.",
  "Charge.invoiceId": "The invoice that asks for it.",
  "MakeCharge.componentId":
    "The booking key of the charge: 1 to 100 letters, digits, points, hyphens and underscores.",
  "MakeCharge.label": "The text on the invoice; at most 200 characters.",
  "MakeCharge.amount":
    "The amount to charge, in the minor unit of the currency; 1 to 100,000,000,000.",
  instalments: "The instalments to come.",
  "Instalment.payerCustomerId": "The customer who will pay.",
  periodEnd: "The day after the last one of the period, in the product's time zone.",
  issueOn: "The day on which it is planned to be issued, in the product's time zone.",
  "Instalment.amount": "Its future amount.",
  "Instalment.components": "Its future charges, by component and time.",
  "ParkedPolicy.policyId": "The policy that waits, or whose offer does.",
  "ParkedPolicy.branchId":
    "The renewal or repricing that waits; absent where the policy itself does.",
  "ParkedPolicy.reason": "Why it waits.",
  parkedAt: "Since when it waits, in UTC.",
  "RetriedPolicy.policyId": "The policy that was tried again.",
  "RetriedPolicy.status": "Whether it went through, or waits again.",
  "RetriedPolicy.reason": "Why it waits again; absent where it went through.",
  "Ledger.data": "The entries of this page, the newest first.",
  balances: "The balance of each account of the policy, over all entries.",
  "AccountBalance.account": "The account of the tenant's books.",
  balance: "The sum of the account, in the minor unit of the currency; a debit is positive.",
  "LedgerEntry.id": "The entry, by its identifier.",
  "LedgerEntry.kind": "The way in which the money moved.",
  postings: "The postings of the entry; they sum to zero.",
  "LedgerEntry.customerId": "The customer of the entry.",
  sourceId: "The invoice, payment or refund behind the entry.",
  occurredAt: "When it happened, in UTC.",
  "LedgerEntry.recordedAt": "When it was recorded, in UTC.",
  "Posting.account": "The account of the tenant's books.",
  "Posting.amount": "The amount posted, in the minor unit of the currency; a debit is positive.",
  "details.invoiceId": "The invoice that the tenant does not have."
}

/** What the parameters of this area mean. */
export const billingParameters: ParameterTerms = {
  "billing.getInvoice.invoiceId": { means: "The invoice or credit note, by its identifier." },
  invoiceId: { means: "The invoice, by its identifier.", example: id("invoice") }
}
