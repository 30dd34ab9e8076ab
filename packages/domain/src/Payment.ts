import { Schema } from "effect"
import { Currency, Money } from "./Amount.ts"
import { CustomerId } from "./Customer.ts"
import { Instant } from "./Instant.ts"
import { InvoiceId } from "./Invoice.ts"
import * as PrefixedId from "./PrefixedId.ts"

export const PaymentId = PrefixedId.schema("payment")
export type PaymentId = typeof PaymentId.Type

export const PaymentMethod = Schema.Literals([
  "DIRECT_DEBIT",
  "BANK_TRANSFER",
  "CARD",
  "CHEQUE",
  "CASH"
])
export type PaymentMethod = typeof PaymentMethod.Type

/** Money received, and the invoices it settles; what no invoice takes is credit balance. */
export const Payment = Schema.Struct({
  id: PaymentId,
  policyId: PrefixedId.schema("policy"),
  customerId: CustomerId,
  invoiceId: InvoiceId,
  amount: Money,
  currency: Currency,
  method: PaymentMethod,
  reference: Schema.String,
  paidAt: Instant,
  recordedAt: Instant,
  allocations: Schema.Array(Schema.Struct({ invoiceId: InvoiceId, amount: Money })),
  creditBalance: Money
}).annotate({ identifier: "Payment" })
export type Payment = typeof Payment.Type

export class InvalidAmount extends Schema.TaggedError<InvalidAmount>()("InvalidAmount", {
  field: Schema.String,
  minimum: Money,
  maximum: Money
}) {
  override get message() {
    return `Choose \`${this.field}\` between the bounds shown in details, in minor units.`
  }
}
