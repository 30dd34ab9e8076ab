/**
 * Why one price differs from another: their explanations side by side. What multiplies is exchanged
 * step by step, the base first, so a factor that stayed as it was moves nothing however much the amount
 * before it has grown. The parts sum to the difference of the prices, to the cent.
 */
import { add } from "@quittance/domain/values/Amount"
import type { Explanation, ExplanationStep } from "@quittance/domain/products/Quote"
import { chainDifferences } from "./ComparedChain.ts"
import {
  baseOf,
  type Cause,
  type Difference,
  ownCause,
  type Pair,
  pairs,
  sameTerms
} from "./ComparedSteps.ts"
import { round } from "../Exact.ts"

/** One reason for the difference of two prices. */
export interface PricePart extends Pair {
  readonly componentId: string
  /** What people call the component. */
  readonly label: string
  readonly cause: Cause
  /** How much of the difference it is, in minor units; never 0. */
  readonly change: number
}

type Explained = Explanation["components"][number]

/**
 * The parts of the difference between two prices: component by component in the order of the later
 * price, then what only the earlier one had.
 *
 * @throws AmountOverflow where the prices are further apart than money reaches
 */
export const compare = (before: Explanation, after: Explanation): ReadonlyArray<PricePart> => {
  const gone = new Map(before.components.map((one) => [one.componentId, one]))
  const present = after.components.flatMap((component) => {
    const was = gone.get(component.componentId)
    gone.delete(component.componentId)
    return named(component, was === undefined ? whole("ADDED", component) : inside(was, component))
  })
  const removed = [...gone.values()].flatMap((one) => named(one, whole("REMOVED", one)))
  return [...present, ...removed]
}

const named = ({ componentId, label }: Explained, differences: ReadonlyArray<Difference>) =>
  differences.flatMap((difference): ReadonlyArray<PricePart> =>
    difference.change === 0 ? [] : [{ componentId, label, ...difference }]
  )

const whole = (
  cause: "ADDED" | "REMOVED",
  { amountWithFeesAndTaxes }: Explained
): ReadonlyArray<Difference> => [
  { cause, change: cause === "ADDED" ? amountWithFeesAndTaxes : -amountWithFeesAndTaxes }
]

/** What moved inside a component that both prices have. */
const inside = (before: Explained, after: Explained): ReadonlyArray<Difference> => {
  const chain = chainDifferences(before.steps, after.steps)
  const told = new Set(chain.steps)
  const rest = ({ steps }: Explained) => steps.filter((step) => !told.has(step))
  const taxBases = { before: taxBase(before), after: taxBase(after) }
  const differences = [
    ...chain.differences,
    ...pairs(rest(before), rest(after)).flatMap((pair) => ofPair(pair, taxBases))
  ]
  const difference = add(after.amountWithFeesAndTaxes, -before.amountWithFeesAndTaxes)
  const left = differences.reduce((sum, { change }) => add(sum, -change), difference)
  return [...differences, { cause: "ROUNDING", change: left }]
}

/** What the taxes of a component are levied on. */
const taxBase = ({ amountPreFeesAndTaxes, steps }: Explained): number =>
  steps.reduce(
    (sum, { change, part }) => (part === "FEE" ? add(sum, change) : sum),
    amountPreFeesAndTaxes
  )

interface Bases {
  readonly before: number | undefined
  readonly after: number | undefined
}

const ofPair = ({ after, before }: Pair, taxBases: Bases): ReadonlyArray<Difference> => {
  if (before === undefined) {
    return after === undefined ? [] : [{ cause: "ADDED", after, change: after.change }]
  }
  if (after === undefined) return [{ cause: "REMOVED", before, change: -before.change }]
  const bases = after.part === "TAX" ? taxBases : { before: baseOf(before), after: baseOf(after) }
  const followed = followedBase(before, after, bases)
  const change = add(after.change, -before.change)
  return [
    { cause: "BASE", before, after, change: followed },
    { cause: ownCause(before, after), before, after, change: add(change, -followed) }
  ]
}

/** How much a step moved only because what it applies to did. */
const followedBase = (before: ExplanationStep, after: ExplanationStep, base: Bases): number => {
  if (base.before === undefined || base.after === undefined) return 0
  // The fill-up to a minimum price shrinks by what the price has grown by.
  if (after.kind === "MINIMUM") return add(base.before, -base.after)
  if (before.rate === undefined || after.rate === undefined) return 0
  if (sameTerms(before, after)) return add(after.change, -before.change)
  if (base.before === 0) return 0
  const sign = base.before < 0 ? -1n : 1n
  const grown = round(sign * BigInt(before.change) * BigInt(base.after), sign * BigInt(base.before))
  return add(grown, -before.change)
}
