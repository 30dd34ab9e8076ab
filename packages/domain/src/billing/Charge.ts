/** A manual charge, in addition to the quoted premium. */
import { Schema } from "effect"
import { Currency, Money } from "../values/Amount.ts"
import * as PrefixedId from "../values/PrefixedId.ts"
import { ChargeId, CustomerId, InvoiceId } from "../values/Ids.ts"

/** A `SPOT` charge, and the invoice that asks for it. */
export const Charge = Schema.Struct({
  id: ChargeId,
  policyId: PrefixedId.schema("policy"),
  customerId: CustomerId,
  componentId: Schema.String,
  label: Schema.String,
  /** In minor units. */
  amount: Money,
  currency: Currency,
  invoiceId: InvoiceId
}).annotate({ identifier: "Charge" })
export type Charge = typeof Charge.Type

/** The most that one charge asks for, in minor units: sums of many stay exact integers. */
export const largestCharge = 100_000_000_000
