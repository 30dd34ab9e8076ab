/** What the covered perils cost before fees and taxes, and every step on the way. */
import type { CustomFieldValue } from "@quittance/domain/values/CustomField"
import type { Product } from "@quittance/domain/products/Product"
import type {
  Factor,
  Peril,
  PerilRating,
  RatingInput
} from "@quittance/domain/products/ProductRating"
import {
  type Fraction,
  joined,
  parseFraction,
  plus,
  type ExactPrice,
  rounded,
  start,
  times,
  within
} from "./Exact.ts"
import type { Issues } from "./Inputs.ts"
import type { PriceInput } from "./PriceInput.ts"
import type { ChosenOption, CoveredPeril } from "@quittance/domain/products/sale/Selected"
import { SliceCount, type Sliced } from "./Slices.ts"
import { compileBase, compileFactor, type Lookup } from "./Tables.ts"
import type { Values } from "./Values.ts"

export interface UsedInput {
  readonly id: string
  readonly value: CustomFieldValue
}

/** A factor or an option at work on a price: it multiplies by `rate`, then adds `add`. */
export interface Move {
  readonly kind: "FACTOR" | "OPTION"
  readonly id: string
  readonly label: string
  readonly rate: number | undefined
  readonly add: number | undefined
  readonly inputs: ReadonlyArray<UsedInput>
}

/** A peril as rated for the policy, or for one asset. */
export interface RatedUnit {
  /** What the units before it come to, exactly, where it is their sum that is rounded. */
  readonly before: ExactPrice | undefined
  /** The amount that rating starts from; of a share, the amount that the share is of. */
  readonly base: number
  readonly fraction: Fraction | undefined
  readonly inputs: ReadonlyArray<UsedInput>
  readonly moves: ReadonlyArray<Move>
  readonly net: number
}

export interface RatedPeril {
  readonly peril: Peril
  readonly options: ReadonlyArray<ChosenOption>
  /** What its net premium is rounded to. */
  readonly to: number
  /** One, or one for each asset in the order given. */
  readonly units: ReadonlyArray<RatedUnit>
}

/** Rates what is covered; what is missing is added to the issues, and then nothing is answered. */
export type Rater = (
  covered: ReadonlyArray<CoveredPeril>,
  given: PriceInput,
  values: Values,
  issues: Issues
) => Sliced<ReadonlyArray<RatedPeril> | undefined>

interface CompiledFactor {
  readonly factor: Factor
  readonly input: RatingInput
  readonly lookup: Lookup
}

interface CompiledPeril {
  readonly per: PerilRating["per"]
  readonly factors: ReadonlyArray<CompiledFactor>
  readonly base:
    | { readonly amount: number }
    | {
        readonly input: RatingInput
        readonly lookup: Lookup
        readonly fraction: Fraction | undefined
      }
}

export const compileRating = (product: Product): Rater => {
  const inputs = new Map(product.rating.inputs.map((input) => [input.id, input]))
  const factors = new Map(
    product.rating.factors.map((factor): [string, CompiledFactor] => [
      factor.id,
      { factor, input: found(inputs, factor.input), lookup: compileFactor(factor) }
    ])
  )
  const perils = new Map<string, CompiledPeril>()
  for (const { id, rating } of product.perils) {
    if (rating !== undefined) perils.set(id, compilePeril(rating, inputs, factors))
  }
  const { at = "ASSET", to = 1 } = product.rounding?.premiums ?? {}
  return function* (covered, given, values, issues) {
    const outcomes = new Outcomes(given, values)
    const slice = new SliceCount()
    const rated: Array<RatedPeril> = []
    for (const { options, peril } of covered) {
      const compiled = found(perils, peril.id)
      const assets = compiled.per === "POLICY" ? [undefined] : [...given.assets.keys()]
      const units: Array<RatedUnit> = []
      let before = at === "PERIL" ? start(0) : undefined
      for (const asset of assets) {
        const { price, ...unit } = rateUnit(compiled, options, outcomes, asset)
        if (before === undefined) {
          units.push({ ...unit, before, net: bounded(rounded(price, to), peril) })
        } else {
          const exact = within(price, peril.rating?.min ?? 0, peril.rating?.max)
          units.push({ ...unit, before, net: comesTo(exact, before, to) })
          before = joined(before, exact)
        }
        if (slice.isFull()) yield
      }
      rated.push({ peril, options, to, units })
    }
    return issues.list.length === 0 ? rated : undefined
  }
}

const compilePeril = (
  { base, factors: names, per }: PerilRating,
  inputs: ReadonlyMap<string, RatingInput>,
  factors: ReadonlyMap<string, CompiledFactor>
): CompiledPeril => ({
  per,
  factors: names.map((name) => found(factors, name)),
  base:
    base.kind === "AMOUNT"
      ? { amount: base.amount }
      : {
          input: found(inputs, base.input),
          lookup: compileBase(base),
          fraction: base.kind === "SHARE" ? parseFraction(base.rate) : undefined
        }
})

const found = <A>(map: ReadonlyMap<string, A>, id: string): A => {
  const value = map.get(id)
  if (value === undefined) throw new Error(`The product has no ${id}; it was compiled unchecked.`)
  return value
}

interface Outcome {
  readonly outcome: number
  readonly inputs: ReadonlyArray<UsedInput>
}

/** What each table answers for this policy, looked up once for it or once for an asset. */
class Outcomes {
  readonly #given: PriceInput
  readonly #values: Values
  readonly #policy = new Map<Lookup, Outcome | undefined>()
  readonly #assets: Array<Map<Lookup, Outcome | undefined>> = []

  constructor(given: PriceInput, values: Values) {
    this.#given = given
    this.#values = values
  }

  /** `undefined` where a value is missing; that has then been added to the issues. */
  of(input: RatingInput, lookup: Lookup, asset: number | undefined): Outcome | undefined {
    const perAsset = input.of === "ASSET" && asset !== undefined
    const known = perAsset ? (this.#assets[asset] ??= new Map()) : this.#policy
    if (known.has(lookup)) return known.get(lookup)
    const values = this.#values.of(input, asset)
    const several = perAsset && this.#given.assets.length > 1
    const mark = several
      ? { id: "asset", value: this.#given.assets[asset]?.id ?? asset }
      : undefined
    const outcome = dearest(input, lookup, values, mark)
    known.set(lookup, outcome)
    return outcome
  }
}

const dearest = (
  input: RatingInput,
  lookup: Lookup,
  values: ReadonlyArray<CustomFieldValue>,
  /** Says which of several assets it is. */
  mark: UsedInput | undefined
): Outcome | undefined => {
  let best: { readonly outcome: number; readonly value: CustomFieldValue } | undefined
  for (const value of values) {
    const outcome = lookup(value)
    if (outcome === undefined) {
      throw new Error(`A table of ${input.id} has no row for a value that its field allows.`)
    }
    if (best === undefined || outcome > best.outcome) best = { outcome, value }
  }
  if (best === undefined) return undefined
  const used = { id: input.id, value: best.value }
  return { outcome: best.outcome, inputs: mark === undefined ? [used] : [used, mark] }
}

const rateUnit = (
  { base, factors }: CompiledPeril,
  options: ReadonlyArray<ChosenOption>,
  outcomes: Outcomes,
  asset: number | undefined
): Omit<RatedUnit, "before" | "net"> & { readonly price: ExactPrice } => {
  const found = "amount" in base ? undefined : outcomes.of(base.input, base.lookup, asset)
  const amount = "amount" in base ? base.amount : (found?.outcome ?? 0)
  const fraction = "amount" in base ? undefined : base.fraction
  const moves: Array<Move> = []
  for (const { factor, input, lookup } of factors) {
    const outcome = outcomes.of(input, lookup, asset)
    if (outcome === undefined) continue
    const { id, label } = factor
    const { inputs, outcome: rate } = outcome
    moves.push({ kind: "FACTOR", id, label, rate, add: undefined, inputs })
  }
  for (const { option, value } of options) {
    if (value.multiply === undefined && value.add === undefined) continue
    moves.push({
      kind: "OPTION",
      id: option.id,
      label: `${option.name}: ${value.name}`,
      rate: value.multiply,
      add: value.add,
      inputs: [{ id: option.id, value: value.id }]
    })
  }
  const price = moves.reduce(multiplied, start(amount, fraction))
  return {
    base: amount,
    fraction,
    inputs: found?.inputs ?? [],
    moves,
    price: moves.reduce(added, price)
  }
}

/** What a price comes to when it is rounded by itself, or what it adds to the ones before it. */
export const comesTo = (price: ExactPrice, before: ExactPrice | undefined, to: number): number =>
  before === undefined
    ? rounded(price, to)
    : rounded(joined(before, price), to) - rounded(before, to)

/** Everything multiplies before anything is added, so the order of options does not matter. */
export const multiplied = (price: ExactPrice, { rate }: Move): ExactPrice =>
  rate === undefined ? price : times(price, rate)

export const added = (price: ExactPrice, { add }: Move): ExactPrice =>
  add === undefined ? price : plus(price, add)

/** A peril costs at least its `min`, never less than nothing, and at most its `max`. */
const bounded = (net: number, { rating }: Peril): number =>
  Math.min(Math.max(net, rating?.min ?? 0), rating?.max ?? Infinity)
