/**
 * A peril's price as a chain: its base, then what multiplies it. The chain of one price becomes that of
 * the other link by link, and each link moves the price by what its exchange does.
 */
import { add } from "@quittance/domain/values/Amount"
import type { ExplanationStep } from "@quittance/domain/products/Quote"
import { type Cause, type Difference, ownCause, type Pair, pairs } from "./ComparedSteps.ts"
import { one, round } from "../Exact.ts"

interface Ratio {
  readonly numerator: bigint
  readonly denominator: bigint
}

interface Chain {
  readonly base: ExplanationStep
  readonly moves: ReadonlyArray<ExplanationStep>
  /** By how much each step multiplies. */
  readonly ratios: ReadonlyMap<ExplanationStep, Ratio>
}

export interface ChainDifferences {
  /** The steps that are told by it, of both prices. */
  readonly steps: ReadonlyArray<ExplanationStep>
  readonly differences: ReadonlyArray<Difference>
}

/** What the links of two chains moved; nothing is told where one of the prices is no chain. */
export const chainDifferences = (
  before: ReadonlyArray<ExplanationStep>,
  after: ReadonlyArray<ExplanationStep>
): ChainDifferences => {
  const [was, is] = [chainOf(before), chainOf(after)]
  if (was === undefined || is === undefined) return { steps: [], differences: [] }
  const moves = pairs(was.moves, is.moves)
  const amounts = new Running(
    was.base.change,
    moves.map(({ before }) => ratioIn(was, before))
  )
  const differences = [
    { ...linkOf({ before: was.base, after: is.base }), change: amounts.start(is.base.change) },
    ...moves.map((pair, index) => ({
      ...linkOf(pair),
      change: amounts.exchange(index, ratioIn(is, pair.after))
    }))
  ]
  return { steps: [was.base, ...was.moves, is.base, ...is.moves], differences }
}

const linkOf = (pair: Pair): Pair & { readonly cause: Cause } => {
  const { after, before } = pair
  if (before === undefined) return { ...pair, cause: "ADDED" }
  return { ...pair, cause: after === undefined ? "REMOVED" : ownCause(before, after) }
}

const unchanged: Ratio = { numerator: 1n, denominator: 1n }

const ratioIn = ({ ratios }: Chain, step: ExplanationStep | undefined): Ratio =>
  (step === undefined ? undefined : ratios.get(step)) ?? unchanged

/** The price of a chain while its links are exchanged, and by how much each exchange moves it. */
class Running {
  #base: bigint
  readonly #ratios: Array<Ratio>
  #amount: number

  constructor(base: number, ratios: Array<Ratio>) {
    this.#base = BigInt(base)
    this.#ratios = ratios
    this.#amount = this.#price()
  }

  start(base: number): number {
    this.#base = BigInt(base)
    return this.#moved()
  }

  exchange(index: number, ratio: Ratio): number {
    this.#ratios[index] = ratio
    return this.#moved()
  }

  #moved(): number {
    const before = this.#amount
    this.#amount = this.#price()
    return add(this.#amount, -before)
  }

  #price(): number {
    const { denominator, numerator } = this.#ratios.reduce(
      (product, ratio) => ({
        numerator: product.numerator * ratio.numerator,
        denominator: product.denominator * ratio.denominator
      }),
      { numerator: this.#base, denominator: 1n }
    )
    return round(numerator, denominator)
  }
}

/** A step that multiplies: an option that only adds has no rate. */
const multiplies = ({ kind, part, rate }: ExplanationStep): boolean =>
  part === "NET" && (kind === "FACTOR" || (kind === "OPTION" && rate !== undefined))

const chainOf = (steps: ReadonlyArray<ExplanationStep>): Chain | undefined => {
  const [base] = steps
  if (base?.kind !== "BASE" || base.part !== "NET") return undefined
  const moves = steps.filter(multiplies)
  const ratios = new Map<ExplanationStep, Ratio>()
  let amount = base.change
  for (const step of moves) {
    const next = add(amount, step.change)
    const ratio = ratioOf(amount, next, step.rate)
    if (ratio === undefined) return undefined
    ratios.set(step, ratio)
    amount = next
  }
  return { base, moves, ratios }
}

/**
 * The rate that a step tells, if that explains it to the rounding of both amounts; else, as for several
 * assets together, what the amounts themselves say. `undefined` where nothing multiplies to it.
 */
const ratioOf = (from: number, to: number, rate: number | undefined): Ratio | undefined => {
  const unit = BigInt(one)
  if (rate !== undefined) {
    const error = BigInt(from) * BigInt(rate) - BigInt(to) * unit
    const size = error < 0n ? -error : error
    const told = { numerator: BigInt(rate), denominator: unit }
    if (2n * size <= BigInt(rate) + unit) return told
  }
  if (from > 0 && to >= 0) return { numerator: BigInt(to), denominator: BigInt(from) }
  return from === to ? unchanged : undefined
}
