/** A credit balance that is paid back to who has it. */
import { Schema } from "effect"
import { Currency, Money } from "../values/Amount.ts"
import { Instant } from "../values/Instant.ts"
import { PaymentMethod } from "./Payment.ts"
import * as PrefixedId from "../values/PrefixedId.ts"
import { CustomerId } from "../values/Ids.ts"

export const RefundId = PrefixedId.schema("refund")
export type RefundId = typeof RefundId.Type

/** That the money came back, or never left: it is on the balance again. */
export const RefundReturn = Schema.Struct({
  returnedAt: Instant,
  recordedAt: Instant
}).annotate({ identifier: "RefundReturn" })
export type RefundReturn = typeof RefundReturn.Type

export const Refund = Schema.Struct({
  id: RefundId,
  policyId: PrefixedId.schema("policy"),
  customerId: CustomerId,
  /** In minor units, at least 1. */
  amount: Money,
  currency: Currency,
  method: PaymentMethod,
  reference: Schema.String,
  recordedAt: Instant,
  returned: Schema.optionalKey(RefundReturn)
}).annotate({ identifier: "Refund" })
export type Refund = typeof Refund.Type
