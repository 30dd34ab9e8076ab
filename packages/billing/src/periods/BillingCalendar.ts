/**
 * The grid of invoicing periods: start(k) = anchor + k·step on the calendar, the day clamped to the
 * month and restored after it. Periods are half open and periodsBetween the term.
 *
 * Days are epoch days here, so that laying a grid costs additions and comparisons only.
 */
import type { Frequency } from "@quittance/domain/products/InvoicingConfig"
import {
  dayOfMonth,
  epochDayInMonth,
  type LocalDate,
  toCivil,
  toEpochDay
} from "@quittance/domain/values/LocalDate"
import type { Alignment } from "@quittance/domain/products/ProductTerms"

export interface GridRule {
  readonly frequency: Frequency
  readonly alignment: Alignment
  /** The day of the month of the policy's first start, 1 to 31. */
  readonly anchorDay: number
}

/** A stretch of epoch days `[start, end)` that lies in one period of the grid. */
export interface Period {
  readonly start: number
  readonly end: number
  /** The days of the whole period of the grid in which it lies. */
  readonly wholeDays: number
}

const monthsOf: Record<Exclude<Frequency, "WEEKLY">, number> = {
  MONTHLY: 1,
  QUARTERLY: 3,
  HALF_YEARLY: 6,
  YEARLY: 12,
  BIENNIAL: 24
}

const daysOfWeek = 7

/** The grid dates of a rule for a term that starts on `start`; `at(0)` is the last one not after it. */
export interface Grid {
  readonly at: (k: number) => number
}

export const gridOf = (rule: GridRule, start: LocalDate): Grid => {
  const { month, year } = toCivil(start)
  const startMonth = year * 12 + month - 1
  const startDay = toEpochDay(start)
  const day =
    rule.alignment.kind === "DAY_OF_MONTH" ? rule.alignment.day : restoredDay(rule.anchorDay, start)
  const anchor = epochDayInMonth(startMonth, day)
  if (rule.frequency === "WEEKLY") {
    const first =
      rule.alignment.kind === "START_DATE"
        ? startDay
        : startDay - modulo(startDay - anchor, daysOfWeek)
    return { at: (k) => first + k * daysOfWeek }
  }
  const step = monthsOf[rule.frequency]
  const firstMonth = anchor <= startDay ? startMonth : startMonth - step
  return { at: (k) => epochDayInMonth(firstMonth + k * step, day) }
}

/** The stretches of `[start, end)` between grid dates, in order. */
export const periodsBetween = (grid: Grid, start: number, end: number): Array<Period> => {
  const periods: Array<Period> = []
  let lower = grid.at(0)
  for (let k = 1; lower < end; k++) {
    const upper = grid.at(k)
    if (upper > start) {
      periods.push({
        start: Math.max(lower, start),
        end: Math.min(upper, end),
        wholeDays: upper - lower
      })
    }
    lower = upper
  }
  return periods
}

/** The periods of a term: the grid's, or one where the term is shorter than the grid's step. */
export const periodsOfTerm = (rule: GridRule, start: LocalDate, end: LocalDate): Array<Period> => {
  const [startDay, endDay] = [toEpochDay(start), toEpochDay(end)]
  const ownGrid = gridOf({ ...rule, alignment: { kind: "START_DATE" } }, start)
  if (endDay < ownGrid.at(1)) return [onePeriod(startDay, endDay)]
  const grid = rule.alignment.kind === "START_DATE" ? ownGrid : gridOf(rule, start)
  return periodsBetween(grid, startDay, endDay)
}

export const onePeriod = (start: number, end: number): Period => ({
  start,
  end,
  wholeDays: end - start
})

/**
 * The day of the month to which a grid returns after short months: the policy's, where the term starts
 * on it or on the last day of a month that lacks it. Terms of weeks or days wander through the month,
 * and then the term's own day counts.
 */
const restoredDay = (anchorDay: number, start: LocalDate): number => {
  const { month, year } = toCivil(start)
  return epochDayInMonth(year * 12 + month - 1, anchorDay) === toEpochDay(start)
    ? anchorDay
    : dayOfMonth(start)
}

const modulo = (a: number, n: number): number => ((a % n) + n) % n
