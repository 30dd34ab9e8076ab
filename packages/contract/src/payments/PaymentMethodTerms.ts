/** What the members of payment methods mean. */
import type { ParameterTerms } from "../requests/AreaReference.ts"
import { exampleId as id } from "../requests/Examples.ts"

export const paymentMethodTerms = {
  "PaymentMethod.id": "The payment method, by its identifier.",
  "PaymentMethod.customerId": "The owner.",
  "PaymentMethod.type": "The kind of payment method: an account at a bank.",
  "PaymentMethod.status": "A `DISABLED` one is neither collected from nor paid to.",
  holderName: "The name of the account holder, as their bank has it; at most 70 characters.",
  holderAddress: "The holder's address; banks outside the EEA want it.",
  "PaymentMethod.country": "The account's country, in two letters (ISO 3166).",
  last4: "The last four characters of the account's number.",
  "PaymentMethod.bic": "The code of its bank (BIC, ISO 9362).",
  "AddPaymentMethod.bic": "The code of its bank (BIC, ISO 9362); banks find it by the number, too.",
  "AddPaymentMethod.iban":
    "Its number, in SEPA; case and blanks do not count. It is stored sealed, and never changes.",
  "PaymentMethod.createdAt": "When it was added, in UTC.",
  disabledAt: "When it was disabled, in UTC; absent: it is active.",
  "RevealedAccount.iban": "Its number.",
  "InvalidPaymentMethod.details.reason": "The property of the payment method that does not fit.",
  "details.paymentMethodId": "The payment method that the tenant does not have."
}

/** What the parameters of this area mean. */
export const paymentMethodParameters: ParameterTerms = {
  paymentMethodId: {
    means: "The payment method, by its identifier.",
    example: id("payment_method")
  }
}
