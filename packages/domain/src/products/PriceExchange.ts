/**
 * What a quote provider is asked, and what it answers: the published form of both. They are closed: a
 * member that is not known might matter to the price.
 */
import { Schema } from "effect"
import {
  Amount,
  ChargeType,
  ComponentType,
  Currency,
  Money,
  QuoteComponent
} from "../values/Amount.ts"
import { CustomFieldValue } from "../values/CustomField.ts"
import { Duration } from "../values/Duration.ts"
import { LocalDate } from "../values/LocalDate.ts"
import { ExplanationStep, QuoteRate } from "./Quote.ts"
import { BrokerageFee } from "./ProductCharges.ts"

/** Grows by one when a request or an answer that was good would no longer be. */
export const priceExchangeVersion = 1

const Values = Schema.Record(Schema.String, CustomFieldValue)

/** A tier to be priced: the perils that it covers here, with the chosen value of each option. */
const AskedTier = Schema.Struct({
  id: Schema.String,
  perils: Schema.Array(
    Schema.Struct({ id: Schema.String, options: Schema.Record(Schema.String, Schema.String) })
  )
})

/**
 * All that the price may depend on. Of the custom fields it has only those that the product prices, and no
 * names or addresses.
 */
export const PriceRequest = Schema.Struct({
  version: Schema.Literal(priceExchangeVersion),
  /** Of this question alone; the answer repeats it. A second try of the same question has the same. */
  requestId: Schema.String,
  product: Schema.Struct({ id: Schema.String, version: Schema.String }),
  /** Amounts are integers in its minor unit. */
  currency: Currency,
  /** The local day on which the priced term starts. */
  startDate: LocalDate,
  /** The term that is priced, whole. */
  periodDuration: Duration,
  customFields: Values,
  /** Those whose role has a priced field. */
  customers: Schema.Array(Schema.Struct({ role: Schema.String, customFields: Values })),
  /** Of a policy each has its identifier, by which rates and steps may name it. */
  assets: Schema.Array(
    Schema.Struct({ id: Schema.optionalKey(Schema.String), customFields: Values })
  ),
  tiers: Schema.Array(AskedTier),
  /** Percentages of `amountPreFeesAndTaxes` of all components. */
  brokerageFees: Schema.Array(BrokerageFee),
  /** A component that is already priced: the answer has it as it is. */
  additionalQuoteComponent: Schema.optionalKey(QuoteComponent)
}).annotate({ identifier: "PriceRequest" })
export type PriceRequest = typeof PriceRequest.Type

const { change, id, inputs, kind, label, rate } = ExplanationStep.fields

/** One move of a component's net premium. */
export const PricedStep = Schema.Struct({ kind, id, label, rate, inputs, change })

export const PricedComponent = Schema.Struct({
  id: Schema.String,
  type: ComponentType,
  chargeType: ChargeType,
  premium: Amount,
  /** Why: they sum to `amountPreFeesAndTaxes`. */
  steps: Schema.optionalKey(Schema.Array(PricedStep))
})
export type PricedComponent = typeof PricedComponent.Type

/** The five sums of all components. */
export const PricedTotals = Schema.Struct({
  amountPreFeesAndTaxes: Money,
  totalFees: Money,
  amountWithFeesPreTaxes: Money,
  totalTaxes: Money,
  amountWithFeesAndTaxes: Money
})

export const GivenPrice = Schema.Struct({
  /** What the perils would cost without any factor. */
  basePrice: Schema.optionalKey(Money),
  /** Every rate that took part, for the record. */
  rates: Schema.optionalKey(Schema.Array(QuoteRate)),
  components: Schema.Array(PricedComponent),
  totalPremium: PricedTotals
}).annotate({ identifier: "GivenPrice" })
export type GivenPrice = typeof GivenPrice.Type

/** Why a risk has no price, for the caller. */
export const ProviderRefusal = Schema.Struct({
  /** A JSON pointer into the request; absent: the risk as a whole. */
  path: Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(/^(?:\/[^/]+)+$/u, { message: "Expected a JSON pointer" }),
      Schema.isMaxLength(500)
    )
  ),
  message: Schema.String.check(Schema.isPattern(/^[^\p{Cc}]{1,500}$/u))
})
export type ProviderRefusal = typeof ProviderRefusal.Type

const AnsweredTier = Schema.Union([
  Schema.Struct({ id: Schema.String, price: GivenPrice }),
  Schema.Struct({
    id: Schema.String,
    refusals: Schema.Array(ProviderRefusal).check(Schema.isMinLength(1), Schema.isMaxLength(50))
  })
])
export type AnsweredTier = typeof AnsweredTier.Type

export const PriceAnswer = Schema.Struct({
  requestId: Schema.String,
  /** Of the provider's rates and program; it stands on the quote. */
  providerVersion: Schema.String.check(
    Schema.isPattern(/^[\x21-\x7E]{1,64}$/u, { message: "Expected 1 to 64 visible characters" })
  ),
  currency: Currency,
  /** Each tier that was asked for, once. */
  tiers: Schema.Array(AnsweredTier)
}).annotate({ identifier: "PriceAnswer" })
export type PriceAnswer = typeof PriceAnswer.Type

/** The published schema of both, JSON Schema, draft 2020-12. */
export const priceExchangeSchema = (): Readonly<Record<string, unknown>> => {
  const { definitions } = Schema.toJsonSchemaDocument(
    Schema.Struct({ request: PriceRequest, answer: PriceAnswer }),
    { onExcessProperty: "error", generateDescriptions: true }
  )
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: `urn:quittance:price-exchange:${priceExchangeVersion}`,
    title: "A request to a quote provider, or its answer",
    anyOf: [{ $ref: "#/$defs/PriceRequest" }, { $ref: "#/$defs/PriceAnswer" }],
    $defs: definitions
  }
}
