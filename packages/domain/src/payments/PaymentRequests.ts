/** What requests about payments say. */
import { Schema } from "effect"
import { Money } from "../values/Amount.ts"
import { CustomerId } from "../values/Ids.ts"
import { InstantFromString } from "../values/Instant.ts"
import { Text } from "../values/Text.ts"
import { PaymentMethod } from "./Payment.ts"

/** Money that was received; more than is due pays older invoices, then becomes a credit balance. */
export const RecordPayment = Schema.Struct({
  /** In minor units. */
  amount: Money,
  method: PaymentMethod,
  reference: Text,
  /** When the money came; now where it is absent. */
  paidAt: Schema.optionalKey(InstantFromString)
}).annotate({ identifier: "RecordPayment" })
export type RecordPayment = typeof RecordPayment.Type

/** The bank took the payment back; the reason is the bank's own code, the fee has its own invoice. */
export const ReturnPayment = Schema.Struct({
  reasonCode: Text,
  /** What the payer is charged for it, in minor units. */
  fee: Schema.optionalKey(Money),
  /** When the bank returned it; now where it is absent. */
  returnedAt: Schema.optionalKey(InstantFromString)
}).annotate({ identifier: "ReturnPayment" })
export type ReturnPayment = typeof ReturnPayment.Type

/** Pays a credit balance back; whose it is has to be said where several customers have one. */
export const RecordRefund = Schema.Struct({
  /** In minor units. */
  amount: Money,
  method: PaymentMethod,
  reference: Text,
  customerId: Schema.optionalKey(CustomerId)
}).annotate({ identifier: "RecordRefund" })
export type RecordRefund = typeof RecordRefund.Type
