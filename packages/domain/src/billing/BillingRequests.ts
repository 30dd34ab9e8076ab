/** What requests about charges and invoices say. */
import { Schema } from "effect"
import { Money } from "../values/Amount.ts"
import { Text } from "../values/Text.ts"

/** A charge in addition to the quoted premium; the payer of the component pays it. */
export const MakeCharge = Schema.Struct({
  /** It names an account too. */
  componentId: Schema.String.check(
    Schema.isPattern(/^[A-Za-z0-9_.-]{1,100}$/u, {
      message: "Expected 1 to 100 letters, digits, points, hyphens and underscores"
    })
  ),
  label: Text,
  /** In minor units. */
  amount: Money
}).annotate({ identifier: "MakeCharge" })
export type MakeCharge = typeof MakeCharge.Type

/** Why an invoice is adjusted manually. */
export const InvoiceReason = Schema.Struct({ reason: Text }).annotate({
  identifier: "InvoiceReason"
})
export type InvoiceReason = typeof InvoiceReason.Type
