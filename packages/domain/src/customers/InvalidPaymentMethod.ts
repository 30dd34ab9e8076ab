/** Payment methods that can't be used as they are meant. */
import { Schema } from "effect"

/**
 * `NOT_THEIRS`: no active payment method of this customer; `HOLDER_NAME`: nothing of the name can be
 * written in the letters that banks take; `IBAN`: the national check digits are wrong; `ADDRESS_NEEDED`:
 * banks of that country want the holder's address; `TOO_MANY`: the customer has as many as they may have.
 */
export const PaymentMethodFault = Schema.Literals([
  "NOT_THEIRS",
  "HOLDER_NAME",
  "IBAN",
  "ADDRESS_NEEDED",
  "TOO_MANY"
])
export type PaymentMethodFault = typeof PaymentMethodFault.Type

export class InvalidPaymentMethod extends Schema.TaggedError<InvalidPaymentMethod>()(
  "InvalidPaymentMethod",
  { reason: PaymentMethodFault }
) {
  override get message() {
    return {
      NOT_THEIRS:
        "Name an active payment method of this customer; GET /payment-methods lists them.",
      HOLDER_NAME: "Give the holder's name in Latin letters, as their bank has it.",
      IBAN: "Give the account number as the bank has printed it; its national check digits are wrong.",
      ADDRESS_NEEDED: "Give the holder's address; banks of that country want it.",
      TOO_MANY: "Disable a payment method that is no longer used first."
    }[this.reason]
  }
}
