/** Products that another program prices, and answers that it may give. */
import type { PriceAnswer, PriceRequest, PricedComponent } from "@quittance/domain/PriceExchange"
import type { Product } from "@quittance/domain/Product"
import { compile, type Priced } from "../src/Engine.ts"
import { explain } from "../src/Explain.ts"
import type { PriceInput } from "../src/PriceInput.ts"
import { Result } from "effect"

/** The same product without its tariff. */
export const elsewhere = (product: Product, id = "rates"): Product => ({
  ...product,
  quoteProvider: { type: "HTTP", id },
  perils: product.perils.map(({ rating: _, ...peril }) => ({
    ...peril,
    options: peril.options.map((option) => ({
      ...option,
      values: option.values.map(({ add: _add, multiply: _multiply, ...value }) => value)
    }))
  })),
  rating: { ...product.rating, factors: [] },
  specials: product.specials.map(({ charges: _, ...special }) => special),
  fees: product.fees.map(({ charges: _, ...fee }) => fee),
  taxes: product.taxes.map(({ charges: _, ...tax }) => tax)
})

/** A price of the built-in engine, in the form in which another program would give it. */
export const givenPrice = (product: Product, { quote }: Priced, told: Priced) => {
  const reasons = explain(product, told).components
  const { fees: _fees, taxes: _taxes, ...totalPremium } = quote.totalPremium
  return {
    ...(quote.basePrice === undefined ? {} : { basePrice: quote.basePrice }),
    rates: quote.rates,
    totalPremium,
    components: quote.components.map((component, index): PricedComponent => {
      const net = reasons[index]!.steps.filter(({ part }) => part === "NET")
      return net.length === 0
        ? component
        : { ...component, steps: net.map(({ part: _, ...step }) => step) }
    })
  }
}

/** What a program answers that prices as the built-in engine would by the product's tariff. */
export const answerTo = (
  tariff: Product,
  request: PriceRequest,
  input: PriceInput,
  providerVersion = "7.1"
): PriceAnswer => ({
  requestId: request.requestId,
  providerVersion,
  currency: request.currency,
  tiers: request.tiers.map(({ id }) => {
    const priced = Result.getOrThrow(compile(tariff).price({ ...input, tierId: id }))
    return { id, price: givenPrice(tariff, priced, priced) }
  })
})
