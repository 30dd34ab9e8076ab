/** What a price is on the wire, why it is what it is, and what of it billing keeps. */
import { Schema } from "effect"
import { Amount, ChargeType, Money, QuoteComponent } from "../values/Amount.ts"
import { CustomFieldValue } from "../values/CustomField.ts"
import { Derogation } from "./Derogation.ts"
import { BrokerageFirmId, QuoteId } from "../values/Ids.ts"

const RateInput = Schema.Struct({
  id: Schema.String,
  value: Schema.Union([Schema.String, Schema.Finite])
})

/** A rate that took part in a price: 10 000 is ×1. What it was chosen by is in `inputs`. */
export const QuoteRate = Schema.Struct({
  id: Schema.String,
  rate: Schema.Int,
  inputs: Schema.Array(RateInput)
}).annotate({ identifier: "QuoteRate" })
export type QuoteRate = typeof QuoteRate.Type

/** The price of a whole term. Same product version and inputs: the same bytes. */
export const PolicyQuote = Schema.Struct({
  id: QuoteId,
  /** The policy that the quote is for. */
  entityId: Schema.String,
  provider: Schema.Struct({ id: Schema.String, version: Schema.String }),
  basePrice: Schema.optionalKey(Money),
  rates: Schema.Array(QuoteRate),
  totalPremium: Amount,
  components: Schema.Array(QuoteComponent)
}).annotate({ identifier: "PolicyQuote" })
export type PolicyQuote = typeof PolicyQuote.Type

/** What a customer chose of a peril; what is not named stays as the tier has it. */
export const PerilChoice = Schema.Struct({
  id: Schema.String,
  included: Schema.optionalKey(Schema.Boolean),
  /** The chosen value of each option, by their identifiers. */
  options: Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
}).annotate({ identifier: "PerilChoice" })
export type PerilChoice = typeof PerilChoice.Type

/** A peril as it is covered: the value of each of its options, its limit and deductible as amounts. */
export const SelectedPeril = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  option: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
  limit: Schema.optionalKey(Money),
  deductible: Schema.optionalKey(Money),
  premium: Amount
}).annotate({ identifier: "SelectedPeril" })
export type SelectedPeril = typeof SelectedPeril.Type

export const SelectedTier = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  perils: Schema.Array(SelectedPeril),
  breakdown: Schema.Array(QuoteComponent)
}).annotate({ identifier: "SelectedTier" })
export type SelectedTier = typeof SelectedTier.Type

/**
 * One move of a component's price. The moves of a component sum to its `amountWithFeesAndTaxes`, those
 * of part `NET` to its `amountPreFeesAndTaxes`.
 */
export const ExplanationStep = Schema.Struct({
  part: Schema.Literals(["NET", "FEE", "TAX"]),
  kind: Schema.Literals([
    "BASE",
    "FACTOR",
    "OPTION",
    "MINIMUM",
    "MAXIMUM",
    "SHARE",
    "DISCOUNT",
    "GIVEN",
    "FEE",
    "TAX"
  ]),
  /** The factor, option, fee or tax that moved the price. */
  id: Schema.String,
  label: Schema.String,
  rate: Schema.optionalKey(Schema.Int),
  inputs: Schema.Array(Schema.Struct({ id: Schema.String, value: CustomFieldValue })),
  change: Money
}).annotate({ identifier: "ExplanationStep" })
export type ExplanationStep = typeof ExplanationStep.Type

/** Why the price is what it is, component by component, in the order of the quote. */
export const Explanation = Schema.Struct({
  components: Schema.Array(
    Schema.Struct({
      componentId: Schema.String,
      label: Schema.String,
      steps: Schema.Array(ExplanationStep),
      amountPreFeesAndTaxes: Money,
      amountWithFeesAndTaxes: Money
    })
  )
}).annotate({ identifier: "Explanation" })
export type Explanation = typeof Explanation.Type

/** What a quote answers. */
export const QuoteResult = Schema.Struct({
  quote: PolicyQuote,
  proratedQuote: PolicyQuote,
  selectedTier: SelectedTier,
  explanation: Explanation,
  /** The rules that have to be waived before it can be confirmed; absent where there are none. */
  derogations: Schema.optionalKey(Schema.Array(Derogation))
}).annotate({ identifier: "QuoteResult" })
export type QuoteResult = typeof QuoteResult.Type

/**
 * The smallest piece of a price, and what billing charges by: a component's net premium, or one fee or
 * tax of it. Identifiers are stable between quotes of one product: `RC`, `RC/fee/<id>`, `RC/tax/<id>`,
 * and `<component>/fee/<id>/<firm>` for a brokerage firm's fee. The premium items of a quote sum to its
 * `totalPremium`.
 */
export const PremiumItem = Schema.Struct({
  id: Schema.String,
  componentId: Schema.String,
  kind: Schema.Literals(["NET", "FEE", "TAX"]),
  /** The identifier of the fee or tax. */
  refId: Schema.optionalKey(Schema.String),
  brokerageFirmId: Schema.optionalKey(BrokerageFirmId),
  chargeType: ChargeType,
  amount: Money,
  /** A `ONE_TIME` premium item that comes again on each term's first invoice. */
  everyTerm: Schema.Boolean,
  /** Whether a stop gives back what is not used of it. */
  refundable: Schema.Boolean
}).annotate({ identifier: "PremiumItem" })
export type PremiumItem = typeof PremiumItem.Type

/** A quote as it is kept: what was answered, and the premium items that billing works on. */
export const StoredQuote = Schema.Struct({
  ...QuoteResult.fields,
  premiumItems: Schema.Array(PremiumItem)
})
export type StoredQuote = typeof StoredQuote.Type

export class QuoteOutdated extends Schema.TaggedError<QuoteOutdated>()("QuoteOutdated", {
  reason: Schema.Literals(["CHANGED", "EXPIRED"])
}) {
  override get message() {
    return this.reason === "CHANGED"
      ? "What the price depends on has changed since the quote; quote again."
      : "The quote has expired; quote again."
  }
}

export class QuoteNotFound extends Schema.TaggedError<QuoteNotFound>()("QuoteNotFound", {
  quoteId: QuoteId
}) {
  override get message() {
    return `Quote ${this.quoteId} does not exist; list the policy's quotes.`
  }
}
