/** The steps of two explanations of one component, side by side. */
import type { ExplanationStep } from "@quittance/domain/products/Quote"

/**
 * `ADDED` and `REMOVED`: only one of the prices has it. `INPUT`: it was chosen by other values. `RATE`:
 * by the same values, at another rate. `AMOUNT`: another amount. `BASE`: its terms are the same, what
 * they apply to is not. `ROUNDING`: cents that no step has for itself.
 */
export type Cause = "ADDED" | "REMOVED" | "INPUT" | "RATE" | "AMOUNT" | "BASE" | "ROUNDING"

/** A step as the earlier price and as the later one has it. */
export interface Pair {
  readonly before?: ExplanationStep
  readonly after?: ExplanationStep
}

/** What a pair of steps moved; a component as a whole, or rounding, has no steps. */
export interface Difference extends Pair {
  readonly cause: Cause
  /** In minor units. */
  readonly change: number
}

/** Matches steps by what they are: those of the later price in their order, then what is gone. */
export const pairs = (
  before: ReadonlyArray<ExplanationStep>,
  after: ReadonlyArray<ExplanationStep>
): ReadonlyArray<Pair> => {
  const gone = keyed(before)
  const matched = [...keyed(after)].map(([key, step]): Pair => {
    const was = gone.get(key)
    gone.delete(key)
    return was === undefined ? { after: step } : { before: was, after: step }
  })
  return [...matched, ...[...gone.values()].map((step): Pair => ({ before: step }))]
}

/** Steps that are otherwise alike are matched in their order. */
const keyed = (steps: ReadonlyArray<ExplanationStep>): Map<string, ExplanationStep> => {
  const counts = new Map<string, number>()
  return new Map(
    steps.map((step) => {
      const name = nameOf(step)
      const count = counts.get(name) ?? 0
      counts.set(name, count + 1)
      return [`${name} ${count}`, step]
    })
  )
}

/** An option may multiply and add: two steps. A fee is that of a firm. */
const nameOf = (step: ExplanationStep): string => {
  const { id, inputs, kind, part, rate } = step
  const own = kind === "OPTION" ? rate === undefined : kind === "FEE" ? inputs : ""
  return JSON.stringify([part, kind, id, own])
}

/** Inputs of a step that did not choose it: what a share is of, and the share itself, exact. */
const derived = { base: "base", share: "share" } as const

/** What a share, a discount or a least premium was worked out on. */
export const baseOf = ({ inputs }: ExplanationStep): number | undefined => {
  const value = inputs.find(({ id }) => id === derived.base)?.value
  return typeof value === "number" ? value : undefined
}

/** Whether two steps come to the same on the same base. */
export const sameTerms = (before: ExplanationStep, after: ExplanationStep): boolean =>
  sameInputs(before, after) && sameRate(before, after)

/** Why a step that both prices have comes to something else, its base apart. */
export const ownCause = (before: ExplanationStep, after: ExplanationStep): Cause => {
  if (!sameInputs(before, after)) return "INPUT"
  return sameRate(before, after) ? "AMOUNT" : "RATE"
}

const sameInputs = (before: ExplanationStep, after: ExplanationStep): boolean =>
  chosenBy(before) === chosenBy(after)

const chosenBy = ({ inputs }: ExplanationStep): string =>
  JSON.stringify(
    inputs.filter(({ id }) => !Object.hasOwn(derived, id)).map(({ id, value }) => [id, value])
  )

const sameRate = (before: ExplanationStep, after: ExplanationStep): boolean =>
  before.rate === after.rate && exactShare(before) === exactShare(after)

const exactShare = ({ inputs }: ExplanationStep) =>
  inputs.find(({ id }) => id === derived.share)?.value
