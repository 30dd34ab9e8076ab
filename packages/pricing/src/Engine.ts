/**
 * The built-in price engine. A product is compiled once into closures over its tables; pricing then
 * reads no document. Every amount is exact until its one rounding, half away from zero: the net
 * premium of a peril (of each asset), each fee, each tax line. Sums are sums of rounded amounts.
 */
import { add, AmountOverflow, largestPrice, sum } from "@quittance/domain/values/Amount"
import type { Derogation } from "@quittance/domain/products/Derogation"
import type { Product, Tier } from "@quittance/domain/products/Product"
import type { PolicyQuote, PremiumItem, SelectedTier } from "@quittance/domain/products/Quote"
import { builtInProvider } from "@quittance/domain/products/QuoteProvider"
import { Result } from "effect"
import { type Assembled, compileAssembly } from "./Assembly.ts"
import { compiledOnce } from "./Compiled.ts"
import { rounded, start } from "./Exact.ts"
import { compileScreening, type RiskScreening } from "./RiskScreening.ts"
import type { PriceInput, PricingFailures } from "./PriceInput.ts"
import { compileRating, type RatedPeril } from "./Rating.ts"
import { selectedTier } from "./Selection.ts"
import { atOnce, type Sliced } from "./Slices.ts"
import { amountOver, termLengthOf } from "./TermLength.ts"
import type { QuoteId } from "@quittance/domain/values/Ids"
import { InvalidAmount } from "@quittance/domain/requests/RequestErrors"

/** The price of a whole term, before it is given an identifier. */
export interface Priced {
  readonly tier: Tier
  readonly quote: Omit<PolicyQuote, "id" | "entityId">
  readonly selectedTier: SelectedTier
  readonly premiumItems: ReadonlyArray<PremiumItem>
  /** How it came about, which `explain` tells. */
  readonly components: ReadonlyArray<Assembled>
  /** The rules of the product that refer it to an underwriter. */
  readonly derogations: ReadonlyArray<Derogation>
}

export type PriceResult = Result.Result<Priced, PricingFailures>

export interface Pricer {
  /** The price of one tier. Same input, same answer, to the byte. */
  price(input: PriceInput): PriceResult
  /** The same, of a few assets at a time. */
  priceInSlices(input: PriceInput): Sliced<PriceResult>
  /** Every tier of the product with the same input, in the product's order. */
  tiers(
    input: Omit<PriceInput, "tierId">
  ): ReadonlyArray<{ readonly tier: Tier; readonly result: PriceResult }>
}

/**
 * The pricer of a product version, which the built-in engine prices.
 *
 * @throws InvalidProduct for a document that publishing would have refused
 */
export const compile = (product: Product): Pricer => compiled(product)

/** A price as a quote of its own. */
export const toQuote = (
  { quote }: Priced,
  identity: { readonly id: QuoteId; readonly entityId: string }
): PolicyQuote => ({ ...identity, ...quote })

const compiled = compiledOnce((product): Pricer => {
  if (product.quoteProvider !== undefined) {
    throw new Error(`${product.productId} is priced by ${product.quoteProvider.id}.`)
  }
  const inquire = compileScreening(product, compileRating(product))
  const assemble = compileAssembly(product)

  const priced = function* ({
    rated,
    ...inquiry
  }: RiskScreening<ReadonlyArray<RatedPeril> | undefined>): Sliced<Priced> {
    if (rated === undefined) throw new Error("A failure went untold.")
    const { derogations, input, places, specials, tier } = inquiry
    const length = termLengthOf(product, input.periodDuration)
    const { components, rates } = yield* assemble(rated, {
      day: input.startDate,
      length,
      brokerageFees: input.brokerageFees ?? [],
      additional: input.additionalQuoteComponents,
      places,
      specials
    })
    return checked({
      tier,
      quote: {
        provider: { id: builtInProvider, version: product.version },
        basePrice: amountOver(length, "RECURRING", basePrice(rated)),
        rates: rates.list,
        totalPremium: sum(components.map(({ component }) => component.premium)),
        components: components.map(({ component }) => component)
      },
      selectedTier: selectedTier(inquiry, components),
      premiumItems: components.flatMap(({ premiumItems }) => premiumItems),
      components,
      derogations
    })
  }

  const priceInSlices = function* (input: PriceInput): Sliced<PriceResult> {
    try {
      const screened = yield* inquire(input)
      return Result.isFailure(screened)
        ? Result.fail(screened.failure)
        : Result.succeed(yield* priced(screened.success))
    } catch (error) {
      // Sums insured and extras are a stranger's numbers; what they lead to may be too large.
      if (error instanceof AmountOverflow) return Result.fail([tooLarge])
      throw error
    }
  }

  const price = (input: PriceInput): PriceResult => atOnce(priceInSlices(input))

  return {
    price,
    priceInSlices,
    tiers: (input) =>
      product.tiers.map((tier) => ({ tier, result: price({ ...input, tierId: tier.id }) }))
  }
})

/** What the perils would cost without any factor. */
const basePrice = (rated: ReadonlyArray<RatedPeril>): number =>
  rated.reduce(
    (sum, { units }) =>
      units.reduce((total, { base, fraction }) => add(total, rounded(start(base, fraction))), sum),
    0
  )

const tooLarge = new InvalidAmount({
  field: "totalPremium",
  minimum: -largestPrice,
  maximum: largestPrice
})

/** Whether the premium items of a quote are more than a price may come to. */
export const isTooLarge = (premiumItems: ReadonlyArray<PremiumItem>): boolean =>
  premiumItems.reduce((sum, { amount }) => sum + BigInt(Math.abs(amount)), 0n) >
  BigInt(largestPrice)

/** A price that does not add up is a bug, and stops here: it must never reach a customer. */
const checked = (priced: Priced): Priced => {
  if (isTooLarge(priced.premiumItems)) throw new AmountOverflow({})
  const { components, totalPremium } = priced.quote
  const sums = [
    [
      totalPremium.amountWithFeesPreTaxes,
      totalPremium.amountPreFeesAndTaxes + totalPremium.totalFees
    ],
    [
      totalPremium.amountWithFeesAndTaxes,
      totalPremium.amountWithFeesPreTaxes + totalPremium.totalTaxes
    ],
    [
      totalPremium.amountWithFeesAndTaxes,
      components.reduce((sum, { premium }) => sum + premium.amountWithFeesAndTaxes, 0)
    ],
    [
      totalPremium.amountWithFeesAndTaxes,
      priced.premiumItems.reduce((sum, premiumItem) => sum + premiumItem.amount, 0)
    ]
  ] as const
  if (sums.some(([total, parts]) => total !== parts)) {
    throw new Error(`A quote of ${priced.tier.id} does not add up.`)
  }
  return priced
}
