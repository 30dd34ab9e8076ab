/** Descriptions of the members of payments and refunds, for the published document. */
import type { ParameterTerms } from "../requests/AreaReference.ts"
import { exampleId as id } from "../requests/Examples.ts"

export const paymentTerms = {
  "Payment.id": "The payment, by its identifier.",
  "Payment.policyId": "The policy that was paid for.",
  "Payment.customerId": "The customer who paid.",
  "Payment.invoiceId": "The invoice that the payment was made for.",
  "Payment.amount": "The amount received, in the minor unit of the currency.",
  "RecordPayment.amount":
    "The amount received, in the minor unit of the currency; a surplus pays older invoices.",
  method: "How the money moved.",
  "Payment.reference": "The reference of the payment at the bank, or among people.",
  "RecordPayment.reference":
    "The reference of the payment at the bank, or among people; at most 200 characters.",
  "Refund.reference": "The reference of the refund at the bank, or among people.",
  "RecordRefund.reference":
    "The reference of the refund at the bank, or among people; at most 200 characters.",
  "Payment.paidAt": "When the money was received, in UTC.",
  "RecordPayment.paidAt": "When the money was received; now unless it is said.",
  "Payment.recordedAt": "When the payment was recorded, in UTC.",
  allocations: "The invoices that the payment settles, in whole or in part.",
  "allocations.invoiceId": "An invoice that it settles.",
  "allocations.amount":
    "The part of the payment that went to the invoice, in the minor unit of the currency.",
  creditBalance: "The surplus, which is now the payer's credit, in the minor unit of the currency.",
  returned: "That the bank took the payment back; it settles nothing any more.",
  reasonCode: "The bank's own code for why, such as `AM04`.",
  "PaymentReturn.fee":
    "The fee that the payer is charged for the return, in the minor unit of the currency; absent: none.",
  "ReturnPayment.fee":
    "The fee that the payer is charged for the return, in the minor unit of the currency; absent: none.",
  "PaymentReturn.returnedAt": "When the bank took the payment back, in UTC.",
  "PaymentReturn.recordedAt": "When the return was recorded, in UTC.",
  "ReturnPayment.returnedAt": "When the bank took the payment back; now unless it is said.",
  "Refund.id": "The refund, by its identifier.",
  "Refund.policyId": "The policy whose credit was paid back.",
  "Refund.customerId": "The customer who was paid.",
  "Refund.amount": "The amount paid back, in the minor unit of the currency; at least 1.",
  "Refund.recordedAt": "When the refund was recorded, in UTC.",
  "RecordRefund.amount": "The amount to pay back, in the minor unit of the currency; at least 1.",
  "RecordRefund.customerId":
    "The customer whose credit is paid back; needed only where several customers of the policy have one.",
  "PaymentInstructions.iban": "The number of the account to which the invoice is paid.",
  "PaymentInstructions.bic": "The bank of that account; absent: not known, and not needed in SEPA.",
  "PaymentInstructions.holder": "The holder of that account, in letters that every bank takes.",
  "PaymentInstructions.amount":
    "What is left to pay, in the minor unit of the currency; 0 where nothing is.",
  "PaymentInstructions.reference":
    "The creditor reference (ISO 11649) by which the transfer is found again.",
  epcQr:
    "The text of a QR code for the transfer (EPC069-12), with error correction M; absent where nothing is due, or not in euros.",
  "details.paymentId": "The payment that the tenant does not have."
}

/** What the parameters of this area mean. */
export const paymentParameters: ParameterTerms = {
  paymentId: {
    means: "The payment that the bank returned, by its identifier.",
    example: id("payment")
  }
}
