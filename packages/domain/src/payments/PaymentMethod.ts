/** Accounts of customers, as what they pay from and are paid to. */
import { Schema } from "effect"
import { InvalidPaymentMethod } from "../customers/InvalidPaymentMethod.ts"
import { CustomerId, PaymentMethodId } from "../values/Ids.ts"
import { Instant } from "../values/Instant.ts"
import { Bic, countryOf, needsAddress } from "./Iban.ts"
import { Country, HolderName, PartyAddress } from "./Party.ts"

/** The most active payment methods of a customer. */
export const maximumMethods = 20

export const PaymentMethodStatus = Schema.Literals(["ACTIVE", "DISABLED"]).annotate({
  identifier: "PaymentMethodStatus"
})

/** What is shown of a payment method; its number is shown by a route of its own, which is on record. */
export const CustomerPaymentMethod = Schema.Struct({
  id: PaymentMethodId,
  customerId: CustomerId,
  type: Schema.Literal("BANK_ACCOUNT"),
  status: PaymentMethodStatus,
  holderName: HolderName,
  holderAddress: Schema.optionalKey(PartyAddress),
  country: Country,
  last4: Schema.String,
  bic: Schema.optionalKey(Bic),
  createdAt: Instant,
  disabledAt: Schema.optionalKey(Instant)
}).annotate({ identifier: "PaymentMethod" })
export type CustomerPaymentMethod = typeof CustomerPaymentMethod.Type

export class PaymentMethodNotFound extends Schema.TaggedError<PaymentMethodNotFound>()(
  "PaymentMethodNotFound",
  { paymentMethodId: PaymentMethodId }
) {
  override get message() {
    return `Payment method ${this.paymentMethodId} does not exist; check the identifier and the tenant.`
  }
}

/** Why a new payment method can't be taken; `undefined` where it can. */
export const faultOf = (asked: {
  readonly iban: string
  /** Whether the national check digits fit. */
  readonly isSound: boolean
  /** The holder's name in the letters that banks take. */
  readonly writtenName: string
  readonly hasAddress: boolean
  /** How many active ones the customer has. */
  readonly active: number
}): InvalidPaymentMethod | undefined => {
  if (!asked.isSound) return new InvalidPaymentMethod({ reason: "IBAN" })
  if (asked.writtenName === "") return new InvalidPaymentMethod({ reason: "HOLDER_NAME" })
  if (!asked.hasAddress && needsAddress(countryOf(asked.iban))) {
    return new InvalidPaymentMethod({ reason: "ADDRESS_NEEDED" })
  }
  return asked.active >= maximumMethods
    ? new InvalidPaymentMethod({ reason: "TOO_MANY" })
    : undefined
}
