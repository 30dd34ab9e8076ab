/** The pieces into which cuts divide a plan, each in one period. */
import type { Period } from "./Grid.ts"

export interface Slice {
  readonly start: number
  readonly end: number
  /** The index of the period it lies in. */
  readonly period: number
}

/** Periods cut at the given epoch days, in order; cuts on a bound or outside the term do nothing. */
export const slicesOf = (
  periods: ReadonlyArray<Period>,
  cuts: ReadonlyArray<number>
): ReadonlyArray<Slice> => {
  const ordered = [...cuts].sort((a, b) => a - b)
  return periods.flatMap(({ end, start }, period) => {
    const bounds = [start, ...ordered.filter((cut) => cut > start && cut < end), end]
    const distinct = bounds.filter((bound, index) => bound !== bounds[index - 1])
    return distinct
      .slice(1)
      .map((bound, index) => ({ start: distinct[index]!, end: bound, period }))
  })
}
