/** Descriptions of the members of payments and refunds, for the published document. */
import type { ParameterTerms } from "../requests/AreaReference.ts"
import { exampleId as id } from "../requests/Examples.ts"

export const paymentTerms = {
  "Payment.id": "The payment, by its identifier.",
  "Payment.policyId": "The policy that was paid for.",
  "Payment.customerId": "The customer who paid.",
  "Payment.invoiceId": "The invoice that the payment was made for.",
  "Payment.amount": "What was received, in the minor unit of the currency.",
  "RecordPayment.amount":
    "What was received, in the minor unit of the currency; what is more than due pays older invoices.",
  method: "How the money moved.",
  "Payment.reference": "What the payment is known by at the bank, or to people.",
  "RecordPayment.reference":
    "What the payment is known by at the bank, or to people; at most 200 characters.",
  "Refund.reference": "What the refund is known by at the bank, or to people.",
  "RecordRefund.reference":
    "What the refund is known by at the bank, or to people; at most 200 characters.",
  "Payment.paidAt": "When the money was received, in UTC.",
  "RecordPayment.paidAt": "When the money was received; now unless it is said.",
  "Payment.recordedAt": "When the payment was recorded, in UTC.",
  allocations: "The invoices that the payment settles, in whole or in part.",
  "allocations.invoiceId": "An invoice that it settles.",
  "allocations.amount":
    "What of the payment went to the invoice, in the minor unit of the currency.",
  creditBalance:
    "What no invoice took and is now the payer's credit, in the minor unit of the currency.",
  returned: "That the bank took the payment back; it settles nothing any more.",
  reasonCode: "The bank's own code for why, such as `AM04`.",
  "PaymentReturn.fee":
    "What the payer is charged for the return, in the minor unit of the currency; absent: nothing.",
  "ReturnPayment.fee":
    "What the payer is charged for the return, in the minor unit of the currency; absent: nothing.",
  "PaymentReturn.returnedAt": "When the bank took the payment back, in UTC.",
  "PaymentReturn.recordedAt": "When the return was recorded, in UTC.",
  "ReturnPayment.returnedAt": "When the bank took the payment back; now unless it is said.",
  "Refund.id": "The refund, by its identifier.",
  "Refund.policyId": "The policy whose credit was paid back.",
  "Refund.customerId": "The customer who was paid.",
  "Refund.amount": "What was paid back, in the minor unit of the currency; at least 1.",
  "Refund.recordedAt": "When the refund was recorded, in UTC.",
  "RecordRefund.amount": "What is to be paid back, in the minor unit of the currency; at least 1.",
  "RecordRefund.customerId":
    "Whose credit is paid back; needed only where several customers of the policy have one.",
  "details.paymentId": "The payment that the tenant does not have."
}

/** What the parameters of this area mean. */
export const paymentParameters: ParameterTerms = {
  paymentId: {
    means: "The payment that the bank returned, by its identifier.",
    example: id("payment")
  }
}
