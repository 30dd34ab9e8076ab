/** The pieces into which cuts divide a plan, each in one period. */
import type { Period } from "./BillingCalendar.ts"

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
  const slices: Array<Slice> = []
  let next = 0
  for (let period = 0; period < periods.length; period++) {
    let { start } = periods[period]!
    const { end } = periods[period]!
    for (; next < ordered.length && ordered[next]! < end; next++) {
      const cut = ordered[next]!
      if (cut <= start) continue
      slices.push({ start, end: cut, period })
      start = cut
    }
    slices.push({ start, end, period })
  }
  return slices
}
