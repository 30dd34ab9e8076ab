/** What is found out about a risk before it is priced, by the service or a provider. */
import type { Derogation } from "@quittance/domain/products/Derogation"
import type { Product, Tier } from "@quittance/domain/products/Product"
import { InvalidCustomField } from "@quittance/domain/products/ProductFields"
import { startOfDay } from "@quittance/domain/values/TimeZone"
import { Result } from "effect"
import { compileDerogations } from "./Derogations.ts"
import { extraFailures } from "./AdditionalCharges.ts"
import { checkRecords, Issues } from "./Inputs.ts"
import type { PriceInput, PricingFailure, PricingFailures } from "./PriceInput.ts"
import { compileJurisdictions, type Jurisdictions } from "./Jurisdictions.ts"
import { type CoveredPeril, compileSelection } from "@quittance/domain/products/sale/Selected"
import { type Applied, compileSpecials } from "./Specials.ts"
import type { Sliced } from "./Slices.ts"
import { compileInputs, Values } from "./Values.ts"
import { InvalidEffectiveDate } from "@quittance/domain/requests/RequestErrors"

/** A risk that can be priced. */
export interface RiskScreening<A> {
  readonly input: PriceInput
  readonly tier: Tier
  /** In the product's order. */
  readonly covered: ReadonlyArray<CoveredPeril>
  /** The specials that are in force, and whose condition is true. */
  readonly specials: Applied
  /** Where it lies, as far as fees and taxes ask. */
  readonly places: Jurisdictions
  /** The rules of the product that refer it to an underwriter. */
  readonly derogations: ReadonlyArray<Derogation>
  /** What the rating made of it. */
  readonly rated: A
}

/** Rates what is covered; what is missing for it is added to the issues. */
export type Rate<A> = (
  covered: ReadonlyArray<CoveredPeril>,
  given: PriceInput,
  values: Values,
  issues: Issues
) => Sliced<A>

/** Answers an input with the risk as it can be priced, or with all that stands in the way. */
export const compileScreening = <A>(product: Product, rate: Rate<A>) => {
  const select = compileSelection(product)
  const inputs = compileInputs(product)
  const refer = compileDerogations(product)
  const specials = compileSpecials(product)
  const placesOf = compileJurisdictions(product)
  return function* (input: PriceInput): Sliced<Result.Result<RiskScreening<A>, PricingFailures>> {
    const failures: Array<PricingFailure> = []
    const issues = new Issues()
    yield* checkRecords(product, input, issues)
    const selected = select(input.tierId, input.perils)
    const covered = "covered" in selected ? selected.covered : []
    failures.push(...("covered" in selected ? selected.failures : [selected]))
    const values = new Values(inputs, input, issues)
    const rated = yield* rate(covered, input, values, issues)
    const derogations = yield* refer(input, values)
    const applied = yield* specials.applied(input, values)
    const places = placesOf(values)
    if (issues.list.length > 0) failures.push(new InvalidCustomField({ issues: issues.list }))
    if (input.startDate < product.validFrom) failures.push(tooEarly(product))
    failures.push(...extraFailures(product, input))
    const [first, ...others] = failures
    if (first !== undefined) return Result.fail([first, ...others])
    if (!("covered" in selected)) throw new Error("A failure went untold.")
    const { tier } = selected
    return Result.succeed({ input, tier, covered, specials: applied, places, derogations, rated })
  }
}

const tooEarly = ({ timeZone, validFrom }: Product) =>
  new InvalidEffectiveDate({ field: "startedAt", earliest: startOfDay(validFrom, timeZone) })
