/** Cash that the books have and no statement yet, or the other way round. */
import { Schema } from "effect"
import { Currency, Money } from "../values/Amount.ts"
import { Instant } from "../values/Instant.ts"
import { Page } from "../values/Page.ts"

/** A payment, refund, debit or file whose cash the books and the statements do not tell alike. */
export const AwaitedCash = Schema.Struct({
  recordId: Schema.String,
  /** In minor units: above nothing where money is to come in, below where it is to leave. */
  amount: Money,
  currency: Currency,
  /** When the books had it first; absent where only a statement has it. */
  since: Schema.optionalKey(Instant)
}).annotate({ identifier: "AwaitedCash" })
export type AwaitedCash = typeof AwaitedCash.Type

/** A page of them, the oldest first, and what all of them sum to. */
export const AwaitedPage = Schema.Struct({
  ...Page(AwaitedCash).fields,
  sum: Money
}).annotate({ identifier: "AwaitedPage" })
export type AwaitedPage = typeof AwaitedPage.Type
