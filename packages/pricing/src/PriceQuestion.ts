/** A price as a quote provider is asked for it: only what may matter to the price, and no names. */
import type { Duration } from "@quittance/domain/values/Duration"
import type { PriceRequest } from "@quittance/domain/products/PriceExchange"
import { priceExchangeVersion } from "@quittance/domain/products/PriceExchange"
import type { Product } from "@quittance/domain/products/Product"
import {
  type Field,
  fieldsOfRole,
  type FieldValues,
  valueOf
} from "@quittance/domain/products/ProductFields"
import { compiledOnce } from "./Compiled.ts"
import { compileScreening, type RiskScreening } from "./RiskScreening.ts"
import type { PriceInput, RatedCustomer } from "./PriceInput.ts"
import { valuesOf } from "./Selection.ts"
import type { Sliced } from "./Slices.ts"

/** What a price is wanted of. */
export interface PriceQuestion {
  readonly product: Product
  readonly input: PriceInput
  /** The term that is priced. */
  readonly periodDuration: Duration
}

/** A tier of a risk that can be priced elsewhere. */
export type AskedTier = RiskScreening<void>

/** Another program rates it. */
const unrated = function* (): Sliced<void> {
  yield
}

/** Finds out about a risk that another program is to price. */
export const screener = compiledOnce((product) => compileScreening(product, unrated))

/** A question about tiers of one risk. */
export const requestOf = (
  { input, periodDuration, product }: PriceQuestion,
  tiers: ReadonlyArray<AskedTier>,
  requestId: string
): PriceRequest => {
  const { additionalQuoteComponents: additional, brokerageFees = [], startDate } = input
  return {
    version: priceExchangeVersion,
    requestId,
    product: { id: product.productId, version: product.version },
    currency: product.currency,
    startDate,
    periodDuration,
    customFields: priced(product.fields.policy, input.customFields),
    customers: askedCustomers(product, input).map(({ customFields, role }) => ({
      role,
      customFields: priced(fieldsOfRole(product.fields.customer, role), customFields)
    })),
    assets: input.assets.map(({ customFields, id }) => ({
      ...(id === undefined ? {} : { id }),
      customFields: priced(product.fields.asset, customFields)
    })),
    tiers: tiers.map(({ covered, tier }) => ({
      id: tier.id,
      perils: covered.map(({ options, peril }) => ({ id: peril.id, options: valuesOf(options) }))
    })),
    brokerageFees,
    ...(additional === undefined ? {} : { additionalQuoteComponent: additional })
  }
}

/** The customers that the price may depend on: they are what a policy's priced state has of them. */
export const askedCustomers = (
  { fields }: Product,
  { customers }: PriceInput
): ReadonlyArray<RatedCustomer> =>
  customers.filter(({ role }) => fieldsOfRole(fields.customer, role).some(isPriced))

const isPriced = ({ priced }: Field) => priced

const priced = (fields: ReadonlyArray<Field>, values: FieldValues): FieldValues =>
  Object.fromEntries(
    fields.filter(isPriced).flatMap(({ key }) => {
      const value = valueOf(values, key)
      return value === undefined ? [] : [[key, value]]
    })
  )
