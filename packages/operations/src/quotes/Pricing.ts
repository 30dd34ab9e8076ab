/** Prices for policies and previews: what the engine is asked, and how its answer is shown. */
import type { QuoteComponent } from "@quittance/domain/values/Amount"
import type { Instant } from "@quittance/domain/values/Instant"
import type { CustomerId } from "@quittance/domain/customers/Customer"
import { inOrder, type PolicyState, runningAssets } from "@quittance/domain/policies/PolicyState"
import type { Product } from "@quittance/domain/products/Product"
import type { PerilChoice, QuoteId, StoredQuote } from "@quittance/domain/products/Quote"
import type { BrokerageFee } from "@quittance/domain/policies/Policy"
import { localDate } from "@quittance/domain/values/TimeZone"
import { type Priced, toQuote } from "@quittance/pricing/Engine"
import { explain } from "@quittance/pricing/Explain"
import type { PriceInput } from "@quittance/pricing/PriceInput"
import type { PriceQuestion } from "@quittance/pricing/PriceQuestion"
import { prorated } from "../policies/ProratedQuote.ts"

/** What a quote request chooses; what it leaves out stays as it was, else is the product's default. */
export interface QuoteChoice {
  readonly tierId?: string
  readonly perils?: ReadonlyArray<PerilChoice>
  readonly additionalQuoteComponents?: QuoteComponent
  readonly brokerageFees?: ReadonlyArray<BrokerageFee>
}

/** What the engine is asked about a policy in a state, priced as of an instant. */
export const priceInput = (product: Product, state: PolicyState, from: Instant): PriceInput => ({
  startDate: localDate(from, product.timeZone),
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

/** A price as a quote that is kept. */
export const document = (
  product: Product,
  state: Pick<PolicyState, "startedAt" | "periodDuration" | "invoicingConfig">,
  priced: Priced,
  identity: { readonly id: QuoteId; readonly entityId: string }
): StoredQuote => {
  const quote = toQuote(priced, identity)
  return {
    quote,
    proratedQuote: prorated(quote, priced.leaves, product, state),
    selectedTier: priced.selectedTier,
    explanation: explain(product, priced),
    ...(priced.derogations.length === 0 ? {} : { derogations: priced.derogations }),
    leaves: priced.leaves
  }
}
