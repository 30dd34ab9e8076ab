import { Schema } from "effect"
import { Duration, isSubDay } from "../values/Duration.ts"

/** The product does not offer this way of invoicing, or its parts do not go together. */
export class InvalidInvoicingConfig extends Schema.TaggedError<InvalidInvoicingConfig>()(
  "InvalidInvoicingConfig",
  { reason: Schema.String }
) {
  override get message() {
    return this.reason
  }
}

export const Frequency = Schema.Literals([
  "YEARLY",
  "HALF_YEARLY",
  "QUARTERLY",
  "MONTHLY",
  "BIENNIAL",
  "WEEKLY"
])
export type Frequency = typeof Frequency.Type

export const Timing = Schema.Literals(["IN_ADVANCE", "IN_ARREAR"])
export type Timing = typeof Timing.Type

export const FirstPayment = Schema.Literals([
  "NONE",
  "EARLY_PAYMENT_AT_SIGNATURE",
  "FULL_AT_SIGNATURE",
  "EARLY_PAYMENT_AT_START_DATE",
  "FULL_AT_START_DATE"
])
export type FirstPayment = typeof FirstPayment.Type

/** How a policy's premium is turned into invoices. */
export const InvoicingConfig = Schema.Struct({
  frequency: Frequency,
  timing: Timing,
  firstPayment: FirstPayment,
  /** The part of the first term that an early payment is for; whole days at least. */
  earlyPayment: Schema.optionalKey(Duration)
})
  .check(
    Schema.makeFilter(({ earlyPayment, firstPayment }) =>
      firstPayment.startsWith("EARLY_PAYMENT") && earlyPayment === undefined
        ? { path: ["earlyPayment"], issue: "Expected the duration that the early payment is for" }
        : earlyPayment !== undefined && isSubDay(earlyPayment)
          ? { path: ["earlyPayment", "unit"], issue: "Expected a unit of a day or more" }
          : undefined
    )
  )
  .annotate({ identifier: "InvoicingConfig" })
export type InvoicingConfig = typeof InvoicingConfig.Type
