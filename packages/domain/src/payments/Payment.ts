import { Schema } from "effect"
import { Currency, Money } from "../values/Amount.ts"
import { Instant } from "../values/Instant.ts"
import * as PrefixedId from "../values/PrefixedId.ts"
import { CustomerId, InvoiceId, PaymentId } from "../values/Ids.ts"

export const PaymentMethod = Schema.Literals([
  "DIRECT_DEBIT",
  "BANK_TRANSFER",
  "CARD",
  "CHEQUE",
  "CASH"
])
export type PaymentMethod = typeof PaymentMethod.Type

/** The state of a payment: recorded, or returned by the bank. */
export const PaymentStatus = Schema.Literals(["RECORDED", "RETURNED"])

/** That the bank took a payment back, and why; `fee` is what the payer is charged for it. */
export const PaymentReturn = Schema.Struct({
  /** As the bank gives it: `AM04`, `MD06`, … */
  reasonCode: Schema.String,
  fee: Schema.optionalKey(Money),
  returnedAt: Instant,
  recordedAt: Instant
}).annotate({ identifier: "PaymentReturn" })
export type PaymentReturn = typeof PaymentReturn.Type

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
  creditBalance: Money,
  /** Set once the bank has returned it: it settles nothing any more. */
  returned: Schema.optionalKey(PaymentReturn)
}).annotate({ identifier: "Payment" })
export type Payment = typeof Payment.Type

export class PaymentNotFound extends Schema.TaggedError<PaymentNotFound>()("PaymentNotFound", {
  paymentId: Schema.String
}) {
  override get message() {
    return `Payment ${this.paymentId} does not exist; check the identifier and the tenant.`
  }
}
