/** Quotes as lists and comparisons show them. */
import { Schema } from "effect"
import { Instant } from "../values/Instant.ts"
import { PolicyQuote, QuoteResult } from "./Quote.ts"

/** A quote of a policy's past or present: whether it still is the policy's price. */
export const ListedQuote = Schema.Struct({
  ...PolicyQuote.fields,
  createdAt: Instant,
  expiresAt: Instant,
  /** What is priced has changed since, or the quote has expired. */
  outdated: Schema.Boolean
}).annotate({ identifier: "ListedQuote" })
export type ListedQuote = typeof ListedQuote.Type

const { explanation: _explanation, ...calculated } = QuoteResult.fields

/** A price without a record. */
export const CalculatedQuote = Schema.Struct(calculated).annotate({ identifier: "CalculatedQuote" })
export type CalculatedQuote = typeof CalculatedQuote.Type

/** All tiers of a product side by side; one that can't be had says why. */
export const AvailablePricing = Schema.Struct({
  tiers: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      name: Schema.String,
      quote: Schema.optionalKey(PolicyQuote),
      proratedQuote: Schema.optionalKey(PolicyQuote),
      unavailable: Schema.optionalKey(Schema.String)
    })
  )
}).annotate({ identifier: "AvailablePricing" })
export type AvailablePricing = typeof AvailablePricing.Type
