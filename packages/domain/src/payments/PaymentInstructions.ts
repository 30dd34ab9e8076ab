/** How a payer transfers what an invoice asks for. */
import { Schema } from "effect"
import { Currency, Money } from "../values/Amount.ts"

export const PaymentInstructions = Schema.Struct({
  iban: Schema.String,
  bic: Schema.optionalKey(Schema.String),
  holder: Schema.String,
  amount: Money,
  currency: Currency,
  reference: Schema.String,
  epcQr: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "PaymentInstructions" })
export type PaymentInstructions = typeof PaymentInstructions.Type

/** The tenant has no open account to which a product's money is collected. */
export class NoCollectingAccount extends Schema.TaggedError<NoCollectingAccount>()(
  "NoCollectingAccount",
  { productId: Schema.String }
) {
  override get message() {
    return `No bank account collects for ${this.productId}; set one with the usage COLLECT by PUT /admin/bank-accounts/{name}.`
  }
}
