/** Prices for policies and previews: what the engine is asked, and how its answer is shown. */
import type { QuotePolicy } from "@quittance/domain/policies/PolicyRequests"
import type { Action } from "@quittance/domain/requests/Action"
import type { Instant } from "@quittance/domain/values/Instant"
import { inOrder, type PolicyState, runningAssets } from "@quittance/domain/policies/PolicyState"
import type { Product } from "@quittance/domain/products/Product"
import type { StoredQuote } from "@quittance/domain/products/Quote"
import { localDate } from "@quittance/domain/values/TimeZone"
import { type Priced, toQuote } from "@quittance/pricing/Engine"
import { explainInSlices } from "@quittance/pricing/Explain"
import type { PriceInput } from "@quittance/pricing/PriceInput"
import type { PriceQuestion } from "@quittance/pricing/PriceQuestion"
import { Effect } from "effect"
import { inTurns } from "../values/InTurns.ts"
import { prorated } from "../policies/ProratedQuote.ts"
import type { CustomerId, QuoteId } from "@quittance/domain/values/Ids"

/** What the caller needs beyond quoting because of what the request sets. */
export const actionsFor = (choice: QuotePolicy): ReadonlyArray<Action> => [
  ...(choice.additionalQuoteComponents === undefined ? [] : (["quote.override"] as const)),
  ...(choice.brokerageFees === undefined ? [] : (["quote.fee"] as const))
]

/** What the engine is asked about a policy in a state, priced as of an instant. */
export const priceInput = (product: Product, state: PolicyState, from: Instant): PriceInput => ({
  startDate: localDate(from, product.timeZone),
  periodDuration: state.periodDuration,
  customFields: state.customFields,
  customers: inOrder<PolicyState["customers"][CustomerId], CustomerId>(state.customers).map(
    ([id, { customFields, role }]) => ({ id, role, customFields })
  ),
  assets: runningAssets(state).map(([id, { customFields }]) => ({ id, customFields })),
  tierId: state.selection?.tierId,
  perils: state.selection?.perils,
  brokerageFees: state.brokerageFees,
  additionalQuoteComponents: state.additionalQuoteComponents
})

/** What is asked about a policy in a state, priced as of an instant. */
export const questionOf = (product: Product, state: PolicyState, from: Instant): PriceQuestion => ({
  product,
  input: priceInput(product, state, from),
  periodDuration: state.periodDuration
})

type PricedTerm = Pick<PolicyState, "startedAt" | "periodDuration" | "invoicingConfig">

interface Identity {
  readonly id: QuoteId
  readonly entityId: string
}

/** A price as a quote, without the reasons for it. */
export const unexplained = (
  product: Product,
  state: PricedTerm,
  priced: Priced,
  identity: Identity
): Omit<StoredQuote, "explanation"> => {
  const quote = toQuote(priced, identity)
  return {
    quote,
    proratedQuote: prorated(quote, priced.premiumItems, product, state),
    selectedTier: priced.selectedTier,
    ...(priced.derogations.length === 0 ? {} : { derogations: priced.derogations }),
    premiumItems: priced.premiumItems
  }
}

/** A price as a quote that is kept; that of a fleet is explained in turns with others. */
export const quoteContent = (
  product: Product,
  state: PricedTerm,
  priced: Priced,
  identity: Identity
): Effect.Effect<StoredQuote> =>
  Effect.map(
    inTurns(() => explainInSlices(product, priced)),
    (explanation) => ({ ...unexplained(product, state, priced, identity), explanation })
  )
