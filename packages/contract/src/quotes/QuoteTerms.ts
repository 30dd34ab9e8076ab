/** What the members of quotes and of their explanation mean. */
import type { ParameterTerms } from "../requests/AreaReference.ts"
import { exampleId as id } from "../requests/Examples.ts"

export const quoteTerms = {
  "PolicyQuote.id": "The quote, by its identifier.",
  entityId: "The policy that the quote is for.",
  "PolicyQuote.provider": "The source of the price.",
  "provider.id": "The engine of the service, or the program that prices the product.",
  "provider.version": "The version of the product, or of that program's rates.",
  basePrice: "The price before any rate moved it, in the minor unit of the currency.",
  rates: "The rates that took part in the price.",
  totalPremium: "The sum of the components.",
  "PolicyQuote.components": "The components of the price; they sum to `totalPremium`.",
  "ListedQuote.createdAt": "When the quote was given, in UTC.",
  "ListedQuote.expiresAt": "When the quote expires, in UTC.",
  outdated: "Whether what is priced has changed since, or the quote has expired.",
  "QuoteRate.id": "The rate, by its identifier in the product.",
  "QuoteRate.rate": "The rate in ten-thousandths: 10,000 is ×1.",
  "QuoteRate.inputs": "The inputs by which the rate was chosen.",
  "inputs.id": "The input, by its identifier in the product.",
  "inputs.value": "The input.",
  "QuoteComponent.id": "The component, by its identifier in the product.",
  "QuoteComponent.type": "The kind of component.",
  "QuoteComponent.premium": "The price of the component.",
  quote: "The price of the whole term.",
  proratedQuote: "The recurring charges of the first whole invoicing period.",
  selectedTier: "The tier that is chosen, with its perils.",
  "SelectedTier.id": "The tier, by its identifier in the product.",
  "SelectedTier.name": "The name of the tier.",
  "SelectedTier.perils": "The perils that are covered.",
  breakdown: "The components of the tier's price.",
  "SelectedPeril.id": "The peril, by its identifier in the product.",
  "SelectedPeril.name": "The name of the peril.",
  option: "The value of each option of the peril, by their identifiers.",
  "SelectedPeril.limit": "The most that is paid for a claim, in the minor unit of the currency.",
  deductible:
    "The deductible: the part of a claim that the customer bears, in the minor unit of the currency.",
  "SelectedPeril.premium": "The price of the peril over the whole term.",
  explanation: "Why the price is what it is.",
  derogations: "The rules that have to be waived before it can be confirmed; absent: none.",
  "DerogationRequired.details.derogations": "The rules that prevent it.",
  "Derogation.id": "The rule, by its identifier in the product.",
  "Derogation.label": "The obstacle, for readers.",
  "Explanation.components": "The components, in the order of the quote.",
  "Explanation.components.componentId": "The component, by its identifier in the product.",
  "Explanation.components.label": "The name of the component.",
  steps: "The moves of the price, in order; they sum to it.",
  "ExplanationStep.part":
    "The kind of amount that the step changes: the net premium, a fee or a tax.",
  "ExplanationStep.kind": "The kind of step.",
  "ExplanationStep.id": "The factor, option, fee or tax that moved the price.",
  "ExplanationStep.label": "Its name.",
  "ExplanationStep.rate": "The rate in ten-thousandths: 10,000 is ×1; absent where there is none.",
  "ExplanationStep.inputs": "The inputs by which the step was chosen.",
  "ExplanationStep.change":
    "The amount that the step adds or takes away, in the minor unit of the currency.",
  "PreviewQuote.startedAt":
    "When cover is to start; the next midnight in the product's time zone unless it is said.",
  "PreviewQuote.customers": "The customers who would be on the policy; at most 100.",
  "PreviewQuote.customers.role": "The customer's role: one of the product's customer roles.",
  "PreviewQuote.assets": "The assets that would be insured; at most 1,000.",
  tierId:
    "The tier to be priced; absent: the one that was chosen before, else the product's default.",
  "PreviewQuote.tierId": "The tier to be priced; absent: the product's default.",
  perils: "The choices of perils; perils that are not named stay as the tier has them.",
  "PerilChoice.id": "The peril, by its identifier in the product.",
  included: "Whether the peril is covered.",
  "PerilChoice.options": "The chosen value of each option, by their identifiers.",
  "AvailablePricing.tiers": "All tiers of the product, side by side.",
  "AvailablePricing.tiers.id": "The tier, by its identifier in the product.",
  "AvailablePricing.tiers.name": "The name of the tier.",
  unavailable: "Why the tier can't be had, in a sentence; absent where it can."
}

/** What the parameters of this area mean. */
export const quoteParameters: ParameterTerms = {
  "quotes.listByPolicy.branchId": {
    means: "The branch on which the quotes were given; default: all of them."
  },
  quoteId: { means: "The quote, by its identifier.", example: id("quote") }
}
