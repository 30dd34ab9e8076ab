/**
 * The built-in price engine. A product is compiled once into closures over its tables; pricing then
 * reads no document. Every amount is exact until its one rounding, half away from zero: the net
 * premium of a peril (of each asset), each fee, each tax line. Sums are sums of rounded amounts.
 */
import { add, AmountOverflow, sum } from "@quittance/domain/Amount"
import type { Derogation } from "@quittance/domain/Derogation"
import { InvalidAmount } from "@quittance/domain/Payment"
import { InvalidEffectiveDate } from "@quittance/domain/Policy"
import { InvalidProduct, type Product, type Tier } from "@quittance/domain/Product"
import { InvalidCustomField } from "@quittance/domain/ProductFields"
import { faults } from "./Publishable.ts"
import type { PolicyQuote, QuoteId, QuoteLeaf, SelectedTier } from "@quittance/domain/Quote"
import type { PerilOption } from "@quittance/domain/ProductRating"
import { startOfDay } from "@quittance/domain/TimeZone"
import { Result } from "effect"
import { type Assembled, compileAssembly } from "./Assembly.ts"
import { rounded, start } from "./Exact.ts"
import { compileDerogations } from "./Derogations.ts"
import { extraFailures } from "./Extras.ts"
import { checkRecords, Issues } from "./Inputs.ts"
import type { PriceInput, PricingFailure, PricingFailures } from "./PriceInput.ts"
import { compileRating, type RatedPeril } from "./Rating.ts"
import { type ChosenOption, compileSelection, type Selected } from "./Selection.ts"
import { compileSpecials } from "./Specials.ts"
import { compileInputs, Values } from "./Values.ts"

/** The price of a whole term, before it is given an identifier. */
export interface Priced {
  readonly tier: Tier
  readonly quote: Omit<PolicyQuote, "id" | "entityId">
  readonly selectedTier: SelectedTier
  readonly leaves: ReadonlyArray<QuoteLeaf>
  /** How it came about, which `explain` tells. */
  readonly components: ReadonlyArray<Assembled>
  /** The rules of the product that refer it to somebody. */
  readonly derogations: ReadonlyArray<Derogation>
}

export type PriceResult = Result.Result<Priced, PricingFailures>

export interface Pricer {
  /** The price of one tier. Same input, same answer, to the byte. */
  price(input: PriceInput): PriceResult
  /** Every tier of the product with the same input, in the product's order. */
  tiers(
    input: Omit<PriceInput, "tierId">
  ): ReadonlyArray<{ readonly tier: Tier; readonly result: PriceResult }>
}

const compiled = new WeakMap<Product, Pricer>()

/**
 * The pricer of a product version. It is kept as long as the product object itself, so whoever holds
 * the versions decides how many there are.
 *
 * @throws InvalidProduct for a document that publishing would have refused
 */
export const compile = (product: Product): Pricer => {
  const present = compiled.get(product)
  if (present !== undefined) return present
  const found = faults(product)
  if (found.length > 0) throw new InvalidProduct({ faults: found })
  const pricer = make(product)
  compiled.set(product, pricer)
  return pricer
}

/** A price as a quote of its own. */
export const toQuote = (
  { quote }: Priced,
  identity: { readonly id: QuoteId; readonly entityId: string }
): PolicyQuote => ({ ...identity, ...quote })

const make = (product: Product): Pricer => {
  const select = compileSelection(product)
  const inputs = compileInputs(product)
  const rate = compileRating(product)
  const refer = compileDerogations(product)
  const specials = compileSpecials(product)
  const assemble = compileAssembly(product)

  const attempt = (input: PriceInput): PriceResult => {
    const failures: Array<PricingFailure> = []
    const issues = new Issues()
    checkRecords(product, input, issues)
    const selected = select(input.tierId, input.perils)
    const covered = "covered" in selected ? selected.covered : []
    failures.push(...("covered" in selected ? selected.failures : [selected]))
    const values = new Values(inputs, input, issues)
    const rated = rate(covered, input, values, issues)
    const derogations = refer(input, values)
    const applied = specials.applied(input, values)
    if (issues.list.length > 0) failures.push(new InvalidCustomField({ issues: issues.list }))
    if (input.startDate < product.validFrom) failures.push(tooEarly(product))
    failures.push(...extraFailures(product, input))
    const [first, ...others] = failures
    if (first !== undefined) return Result.fail([first, ...others])
    if (rated === undefined || !("covered" in selected)) throw new Error("A failure went untold.")
    const { components, rates } = assemble(rated, {
      day: input.startDate,
      brokerageFees: input.brokerageFees ?? [],
      additional: input.additionalQuoteComponents,
      specials: applied
    })
    return Result.succeed(
      checked({
        tier: selected.tier,
        quote: {
          provider: { id: "quittance", version: product.version },
          basePrice: basePrice(rated),
          rates: rates.list,
          totalPremium: sum(components.map(({ component }) => component.premium)),
          components: components.map(({ component }) => component)
        },
        selectedTier: selectedTier(selected, rated, components),
        leaves: components.flatMap(({ leaves }) => leaves),
        components,
        derogations
      })
    )
  }

  const price = (input: PriceInput): PriceResult => {
    try {
      return attempt(input)
    } catch (error) {
      // Sums insured and extras are a stranger's numbers; what they lead to may be too large.
      if (error instanceof AmountOverflow) return Result.fail([tooLarge])
      throw error
    }
  }

  return {
    price,
    tiers: (input) =>
      product.tiers.map((tier) => ({ tier, result: price({ ...input, tierId: tier.id }) }))
  }
}

/** What the perils would cost without any factor. */
const basePrice = (rated: ReadonlyArray<RatedPeril>): number =>
  rated.reduce(
    (sum, { units }) =>
      units.reduce((total, { base, fraction }) => add(total, rounded(start(base, fraction))), sum),
    0
  )

const selectedTier = (
  { tier: { id, name } }: Selected,
  rated: ReadonlyArray<RatedPeril>,
  components: ReadonlyArray<Assembled>
): SelectedTier => ({
  id,
  name,
  perils: rated.map(({ options, peril }, index) => ({
    id: peril.id,
    name: peril.name,
    ...(options.length === 0
      ? {}
      : { option: Object.fromEntries(options.map(({ option, value }) => [option.id, value.id])) }),
    ...amountOf("limit", "LIMIT", options),
    ...amountOf("deductible", "DEDUCTIBLE", options),
    // The first components are the rated perils, in their order.
    premium: components[index]!.component.premium
  })),
  breakdown: components.map(({ component }) => component)
})

const amountOf = <K extends string>(
  member: K,
  kind: PerilOption["kind"],
  options: ReadonlyArray<ChosenOption>
): { readonly [P in K]?: number } => {
  const amount = options.find(({ option }) => option.kind === kind)?.value.amount
  // A computed key widens to an index signature.
  return (amount === undefined ? {} : { [member]: amount }) as { readonly [P in K]?: number }
}

const tooEarly = ({ timeZone, validFrom }: Product) =>
  new InvalidEffectiveDate({ field: "startedAt", earliest: startOfDay(validFrom, timeZone) })

const tooLarge = new InvalidAmount({
  field: "totalPremium",
  minimum: -Number.MAX_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER
})

/** A price that does not add up is a bug, and stops here: it must never reach a customer. */
const checked = (priced: Priced): Priced => {
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
    [totalPremium.amountWithFeesAndTaxes, priced.leaves.reduce((sum, leaf) => sum + leaf.amount, 0)]
  ] as const
  if (sums.some(([total, parts]) => total !== parts)) {
    throw new Error(`A quote of ${priced.tier.id} does not add up.`)
  }
  return priced
}
