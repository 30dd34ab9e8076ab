/** What may be wrong with what a caller adds to a price: brokerage fees, a component of its own. */
import { make } from "@quittance/domain/values/Amount"
import { componentsOf, type Product } from "@quittance/domain/products/Product"
import { Name } from "@quittance/domain/products/ProductRating"
import { Schema } from "effect"
import { given } from "./Components.ts"
import type { PriceInput } from "./PriceInput.ts"
import { InvalidAmount, InvalidReference } from "@quittance/domain/requests/RequestErrors"

export const extraFailures = (
  product: Product,
  input: PriceInput
): ReadonlyArray<InvalidAmount | InvalidReference> => [
  ...brokerageFailures(input),
  ...additionalFailures(product, input)
]

function* brokerageFailures({ brokerageFees = [] }: PriceInput) {
  const firms = new Set<string>()
  for (const [index, { brokerageFirmId, fee }] of brokerageFees.entries()) {
    const field = `brokerageFees/${index}`
    if (firms.has(brokerageFirmId)) {
      yield new InvalidReference({ field: `${field}/brokerageFirmId`, value: brokerageFirmId })
    }
    firms.add(brokerageFirmId)
    if (!(fee >= 0 && fee <= 100)) {
      yield new InvalidAmount({ field: `${field}/fee`, minimum: 0, maximum: 100 })
    }
  }
}

const isName = Schema.is(Name)

/** An added component must have a name of its own and add up, as every other does. */
function* additionalFailures(product: Product, { additionalQuoteComponents: added }: PriceInput) {
  if (added === undefined) return
  const field = "additionalQuoteComponents"
  const { id, premium } = added
  if (!isName(id) || componentsOf(product).some((component) => component.id === id)) {
    yield new InvalidReference({ field: `${field}/id`, value: id })
  }
  const premiumItems = given(added).premiumItems.map((premiumItem) => premiumItem.id)
  const twice = premiumItems.find((premiumItem, index) => premiumItems.indexOf(premiumItem) < index)
  if (twice !== undefined) yield new InvalidReference({ field: `${field}/premium`, value: twice })
  const derived = make(premium.amountPreFeesAndTaxes, premium.fees, premium.taxes)
  for (const total of totals) {
    if (premium[total] !== derived[total]) {
      yield new InvalidAmount({
        field: `${field}/premium/${total}`,
        minimum: derived[total],
        maximum: derived[total]
      })
    }
  }
}

const totals = [
  "totalFees",
  "amountWithFeesPreTaxes",
  "totalTaxes",
  "amountWithFeesAndTaxes"
] as const
