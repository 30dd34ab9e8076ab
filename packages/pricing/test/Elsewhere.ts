/** Products that another program prices, and answers that it may give. */
import type {
  GivenPrice,
  PriceAnswer,
  PricedComponent,
  PriceRequest
} from "@quittance/domain/products/PriceExchange"
import type { Product } from "@quittance/domain/products/Product"
import {
  type Field,
  fieldsOfRole,
  type FieldValues
} from "@quittance/domain/products/ProductFields"
import { Result } from "effect"
import { compile } from "../src/Engine.ts"
import { explain } from "../src/Explain.ts"
import type { PriceInput } from "../src/PriceInput.ts"

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
const givenPrice = (product: Product, input: PriceInput): GivenPrice => {
  const priced = Result.getOrThrow(compile(product).price(input))
  const { basePrice, components, rates, totalPremium } = priced.quote
  const reasons = explain(product, priced).components
  const { fees: _fees, taxes: _taxes, ...totals } = totalPremium
  return {
    ...(basePrice === undefined ? {} : { basePrice }),
    rates,
    totalPremium: totals,
    components: components.map((component, index): PricedComponent => {
      const net = reasons[index]!.steps.filter(({ part }) => part === "NET")
      return net.length === 0
        ? component
        : { ...component, steps: net.map(({ part: _, ...step }) => step) }
    })
  }
}

/** The risk that a question is about; what it does not tell, because it has no price, is any value. */
export const inputOf = (tariff: Product, request: PriceRequest, tierId: string): PriceInput => {
  const { fields, perils } = tariff
  const { additionalQuoteComponent, assets, brokerageFees, customers, startDate } = request
  const covered = request.tiers.find(({ id }) => id === tierId)?.perils ?? []
  return {
    startDate,
    tierId,
    brokerageFees,
    ...(additionalQuoteComponent === undefined
      ? {}
      : { additionalQuoteComponents: additionalQuoteComponent }),
    customFields: completed(fields.policy, request.customFields),
    customers: customers.map(({ customFields, role }) => ({
      role,
      customFields: completed(fieldsOfRole(fields.customer, role), customFields)
    })),
    assets: assets.map(({ customFields, ...asset }) => ({
      ...asset,
      customFields: completed(fields.asset, customFields)
    })),
    perils: perils.map(({ id }) => {
      const chosen = covered.find((peril) => peril.id === id)
      return chosen === undefined ? { id, included: false } : { ...chosen, included: true }
    })
  }
}

const completed = (fields: ReadonlyArray<Field>, values: FieldValues): FieldValues => ({
  ...Object.fromEntries(
    fields.filter(({ priced }) => !priced).map(({ example, key }) => [key, example])
  ),
  ...values
})

/** What a program answers that prices as the built-in engine would by the product's tariff. */
export const answerTo = (
  tariff: Product,
  request: PriceRequest,
  providerVersion = "7.1"
): PriceAnswer => ({
  requestId: request.requestId,
  providerVersion,
  currency: request.currency,
  tiers: request.tiers.map(({ id }) => ({
    id,
    price: givenPrice(tariff, inputOf(tariff, request, id))
  }))
})
