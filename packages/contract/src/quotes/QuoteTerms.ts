/** What the members of quotes and of their explanation mean. */
import type { ParameterTerms } from "../requests/AreaReference.ts"
import { exampleId as id } from "../requests/Examples.ts"

export const quoteTerms = {
  "PolicyQuote.id": "The quote, by its identifier.",
  entityId: "The policy that the quote is for.",
  "PolicyQuote.provider": "Who worked the price out.",
  "provider.id": "The engine of the service, or the program that prices the product.",
  "provider.version": "The version of the product, or of that program's rates.",
  basePrice: "The price before any rate moved it, in the minor unit of the currency.",
  rates: "The rates that took part in the price.",
  totalPremium: "The sum of the components.",
  "PolicyQuote.components": "What the price is made of; they sum to `totalPremium`.",
  "ListedQuote.createdAt": "When the quote was given, in UTC.",
  "ListedQuote.expiresAt": "Until when the quote can be accepted, in UTC.",
  outdated: "Whether what is priced has changed since, or the quote has expired.",
  "QuoteRate.id": "The rate, by its identifier in the product.",
  "QuoteRate.rate": "The rate in ten-thousandths: 10,000 is ×1.",
  "QuoteRate.inputs": "What the rate was chosen by.",
  "inputs.id": "The input, by its identifier in the product.",
  "inputs.value": "What the input was.",
  "QuoteComponent.id": "The component, by its identifier in the product.",
  "QuoteComponent.type": "What kind of component it is.",
  "QuoteComponent.premium": "What the component costs.",
  quote: "The price of the whole term.",
  proratedQuote: "What comes again and again, for the first whole invoicing period.",
  selectedTier: "The tier that is chosen, with its perils.",
  "SelectedTier.id": "The tier, by its identifier in the product.",
  "SelectedTier.name": "What the tier is called.",
  "SelectedTier.perils": "The perils that are covered.",
  breakdown: "What the price of the tier is made of.",
  "SelectedPeril.id": "The peril, by its identifier in the product.",
  "SelectedPeril.name": "What the peril is called.",
  option: "The value of each option of the peril, by their identifiers.",
  "SelectedPeril.limit": "The most that is paid for a claim, in the minor unit of the currency.",
  deductible: "What the customer bears of a claim, in the minor unit of the currency.",
  "SelectedPeril.premium": "What the peril costs over the whole term.",
  explanation: "Why the price is what it is.",
  derogations: "The rules that have to be waived before it can be confirmed; absent: none.",
  "DerogationRequired.details.derogations": "The rules that prevent it.",
  "Derogation.id": "The rule, by its identifier in the product.",
  "Derogation.label": "What prevents it, for readers.",
  "Explanation.components": "The components, in the order of the quote.",
  "Explanation.components.componentId": "The component, by its identifier in the product.",
  "Explanation.components.label": "What the component is called.",
  steps: "The moves of the price, in order; they sum to it.",
  "ExplanationStep.part": "What the step moves: the net premium, a fee or a tax.",
  "ExplanationStep.kind": "What kind of step it is.",
  "ExplanationStep.id": "The factor, option, fee or tax that moved the price.",
  "ExplanationStep.label": "What that is called.",
  "ExplanationStep.rate": "The rate in ten-thousandths: 10,000 is ×1; absent where there is none.",
  "ExplanationStep.inputs": "What the step was chosen by.",
  "ExplanationStep.change": "What the step moves, in the minor unit of the currency.",
  "PreviewQuote.startedAt":
    "When cover is to start; the next midnight in the product's time zone unless it is said.",
  "PreviewQuote.customers": "Who would be on the policy; at most 100.",
  "PreviewQuote.customers.role": "What the customer would be: one of the product's customer roles.",
  "PreviewQuote.assets": "What would be insured; at most 1,000.",
  tierId:
    "The tier to be priced; absent: the one that was chosen before, else the product's default.",
  "PreviewQuote.tierId": "The tier to be priced; absent: the product's default.",
  perils: "What is chosen of the perils; what is not named stays as the tier has it.",
  "PerilChoice.id": "The peril, by its identifier in the product.",
  included: "Whether the peril is covered.",
  "PerilChoice.options": "The chosen value of each option, by their identifiers.",
  "AvailablePricing.tiers": "All tiers of the product, side by side.",
  "AvailablePricing.tiers.id": "The tier, by its identifier in the product.",
  "AvailablePricing.tiers.name": "What the tier is called.",
  unavailable: "Why the tier can't be had, in a sentence; absent where it can."
}

/** What the parameters of this area mean. */
export const quoteParameters: ParameterTerms = {
  "quotes.listByPolicy.branchId": {
    means: "The branch on which the quotes were given; default: all of them."
  },
  quoteId: { means: "The quote, by its identifier.", example: id("quote") }
}
