/** What the members of debits mean. */
import type { ParameterTerms } from "../requests/AreaReference.ts"
import { exampleId as id } from "../requests/Examples.ts"

export const collectionTerms = {
  "Debit.id": "The debit, by its identifier.",
  "Debit.policyId": "The policy whose invoices it collects.",
  "Debit.customerId": "The payer.",
  "Debit.bankAccountId": "The account of the tenant that it is collected to.",
  "Debit.paymentMethodId": "The payer's account that it is collected from.",
  "Debit.mandateId": "The mandate that it is collected by.",
  "Debit.scheme": "The scheme of its mandate.",
  "Debit.endToEndId": "The number that travels with the money; it is used once.",
  "Debit.status": "How far it is.",
  "Debit.items": "The invoices that it collects.",
  "DebitItem.invoiceId": "The invoice.",
  "DebitItem.notified":
    "The most that is taken for the invoice, in the minor unit of the currency: what the payer is told of it.",
  "DebitItem.amount":
    "What is taken for the invoice, in the minor unit of the currency, once it is in a file.",
  "Debit.notificationDays": "How many days before the collection the payer is told.",
  announcement:
    "How the payer is told: `EMAIL`, or `BY_HAND`, by people, who have to while `notifiedOn` is absent.",
  notifiedOn: "The local day on which the payer was told; absent: not yet.",
  earliest: "The first day on which it may be collected.",
  submitOn: "The day on which the bank is given its file.",
  collectOn: "The day on which the payer's account is charged.",
  attempt: "How often its money was tried, itself included.",
  "Debit.amount": "What it takes in all, in the minor unit of the currency, once it is in a file.",
  cancellation: "Why it was cancelled.",
  "PostponeDebit.collectOn":
    "The day on which it is collected; where banks are closed, the next one that they are open.",
  "Debit.paymentFileId": "The file that it is in.",
  "Debit.paymentId": "What was recorded once it was collected.",
  "Debit.flag": "`DOUBLE_PAYMENT`: its invoices were paid otherwise while the bank had it.",
  "Debit.reasonCode": "Why the bank refused or returned it, in its own code.",
  failedOn: "The local day on which the bank refused or returned it.",
  "Debit.replaces": "The debit whose money it collects once more.",
  plannedAt: "When it was planned, in UTC.",
  "Invoice.collection":
    "How its money is to come; absent where the product does not say how it is collected.",
  "InvoiceCollection.mode":
    "`DIRECT_DEBIT`: a debit collects it. `BANK_TRANSFER`: the payer transfers it.",
  "InvoiceCollection.because": "Why it is to be transferred, though its payer pays by debit.",
  "ProductConfig.payments":
    "How the product is paid for; absent: by transfers, and what people record.",
  "PaymentConfig.modes": "The ways in which customers may pay.",
  "PaymentConfig.schemes": "The debit schemes whose mandates are taken.",
  "PaymentConfig.notificationDays": "How many days before a debit the payer is told.",
  "details.debitId": "The debit.",
  "DebitNotRetriable.details.reason":
    "`NOTHING_DUE`: its invoices are paid or credited. `BEING_COLLECTED`: another debit collects one of them. `KNOWN_TO_BANK`: the bank refused it as one that it had already (AM05). `RETRIED`: another debit tried it once more; that one is retried."
}

/** What the parameters of this area mean. */
export const collectionParameters: ParameterTerms = {
  debitId: { means: "The debit, by its identifier.", example: id("debit") },
  "debits.list.statuses": { means: "Only debits in one of these statuses." },
  collectOnFrom: { means: "Only debits collected on this day or later.", example: "2026-05-01" },
  collectOnTo: { means: "Only debits collected on this day or earlier.", example: "2026-05-31" },
  "debits.list.policyId": { means: "Only debits of this policy.", example: id("policy") },
  "debits.list.bankAccountId": {
    means: "Only debits that are collected to this account.",
    example: id("bank_account")
  }
}
