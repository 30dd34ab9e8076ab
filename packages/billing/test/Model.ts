/// <reference lib="esnext.temporal" />
/**
 * A second opinion on grid, plan and slices: slow and obvious, day by day, on Temporal's calendar and
 * fractions of bigints. It shares no code with what it checks.
 */
import type { Frequency } from "@quittance/domain/products/InvoicingConfig"
import type { Alignment } from "@quittance/domain/products/ProductTerms"

type Day = Temporal.PlainDate

export interface ModelTerm {
  readonly frequency: Frequency
  readonly alignment: Alignment
  /** The day of the month of the policy's first start. */
  readonly anchorDay: number
  readonly start: string
  readonly end: string
}

export interface ModelPeriod {
  readonly start: string
  readonly end: string
  /** Every day of it, in order. */
  readonly days: ReadonlyArray<string>
  readonly wholeDays: number
}

const step: Record<Frequency, Temporal.DurationLike> = {
  WEEKLY: { weeks: 1 },
  MONTHLY: { months: 1 },
  QUARTERLY: { months: 3 },
  HALF_YEARLY: { months: 6 },
  YEARLY: { years: 1 },
  BIENNIAL: { years: 2 }
}

const day = (text: string): Day => Temporal.PlainDate.from(text)

const times = (duration: Temporal.DurationLike, count: number): Temporal.Duration => {
  const { months, weeks, years } = Temporal.Duration.from(duration)
  return Temporal.Duration.from({
    years: years * count,
    months: months * count,
    weeks: weeks * count
  })
}

/** The day of a month, or its last day. */
const inMonth = (month: Temporal.PlainYearMonth, dayOfMonth: number): Day =>
  month.toPlainDate({ day: Math.min(dayOfMonth, month.daysInMonth) })

/** The day to which the grid of a term returns after short months. */
const gridDay = ({ alignment, anchorDay, start }: ModelTerm): number => {
  if (alignment.kind === "DAY_OF_MONTH") return alignment.day
  const month = day(start).toPlainYearMonth()
  return inMonth(month, anchorDay).equals(start) ? anchorDay : day(start).day
}

/** Every grid date for years around a term. */
const gridDates = (term: ModelTerm): ReadonlyArray<Day> => {
  const month = day(term.start).toPlainYearMonth()
  const weekly = term.frequency === "WEEKLY"
  const anchor =
    weekly && term.alignment.kind === "START_DATE" ? day(term.start) : inMonth(month, gridDay(term))
  const count = weekly ? 300 : 72
  return Array.from({ length: 2 * count }, (_, index) => {
    const moved = times(step[term.frequency], index - count)
    return weekly ? anchor.add(moved) : inMonth(month.add(moved), gridDay(term))
  })
}

const isShort = (term: ModelTerm): boolean => {
  const start = day(term.start)
  const own: ModelTerm = { ...term, alignment: { kind: "START_DATE" } }
  const next =
    term.frequency === "WEEKLY"
      ? start.add(step.WEEKLY)
      : inMonth(start.toPlainYearMonth().add(step[term.frequency]), gridDay(own))
  return Temporal.PlainDate.compare(term.end, next) < 0
}

/** Remembers the last answers: histories ask for the same days again and again. */
const remembered = <A extends ReadonlyArray<unknown>, B>(
  answer: (...asked: A) => B
): ((...asked: A) => B) => {
  const known = new Map<string, B>()
  return (...asked) => {
    const text = JSON.stringify(asked)
    const before = known.get(text)
    if (before !== undefined) return before
    if (known.size > 200) known.clear()
    const found = answer(...asked)
    known.set(text, found)
    return found
  }
}

export const daysOf = remembered((start: string, end: string): ReadonlyArray<string> => {
  const days: Array<string> = []
  for (
    let each = day(start);
    Temporal.PlainDate.compare(each, end) < 0;
    each = each.add({ days: 1 })
  )
    days.push(each.toString())
  return days
})

/** The grid period that each day lies in, gathered. */
export const periodsOf = remembered((term: ModelTerm): ReadonlyArray<ModelPeriod> => {
  const all = daysOf(term.start, term.end)
  if (isShort(term)) {
    return [{ start: term.start, end: term.end, days: all, wholeDays: all.length }]
  }
  const dates = gridDates(term).map(String)
  const gathered = new Map<string, Array<string>>()
  for (const each of all) {
    const from = dates.findLast((date) => date <= each)!
    const days = gathered.get(from)
    if (days === undefined) gathered.set(from, [each])
    else days.push(each)
  }
  return [...gathered].map(([from, days]) => ({
    start: days[0]!,
    end: day(days.at(-1)!).add({ days: 1 }).toString(),
    days,
    wholeDays: day(from).until(dates.find((date) => date > from)!).days
  }))
})

/** Largest remainder on fractions days ÷ whole days, ties to the earliest. */
export const amountsOf = (
  periods: ReadonlyArray<ModelPeriod>,
  price: number
): ReadonlyArray<number> => {
  const common = periods.reduce((product, { wholeDays }) => product * BigInt(wholeDays), 1n)
  const weights = periods.map(
    ({ days, wholeDays }) => (common / BigInt(wholeDays)) * BigInt(days.length)
  )
  const total = weights.reduce((a, b) => a + b)
  const size = BigInt(Math.abs(price))
  const parts = weights.map((weight) => (size * weight) / total)
  const cutOff = weights.map((weight, index) => ({ index, rest: (size * weight) % total }))
  cutOff.sort((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest > b.rest ? -1 : 1))
  const left = Number(size - parts.reduce((a, b) => a + b))
  for (const { index } of cutOff.slice(0, left)) parts[index]! += 1n
  return parts.map((part) => (price < 0 ? 0 - Number(part) : Number(part)))
}

/** round(amount·days/of), half away from zero. */
export const roundedPart = (amount: number, days: number, of: number): number => {
  const doubled = 2n * BigInt(Math.abs(amount)) * BigInt(days) + BigInt(of)
  const part = Number(doubled / (2n * BigInt(of)))
  return amount < 0 ? 0 - part : part
}

/** What each day of a term costs. */
export const dayCosts = (
  periods: ReadonlyArray<ModelPeriod>,
  price: number
): ReadonlyMap<string, number> => {
  const amounts = amountsOf(periods, price)
  return new Map(
    periods.flatMap(({ days }, period) =>
      days.map((each, index): [string, number] => {
        const upTo = (count: number) => roundedPart(amounts[period]!, count, days.length)
        return [each, upTo(index + 1) - upTo(index)]
      })
    )
  )
}

export const costOf = (costs: ReadonlyMap<string, number>, days: ReadonlyArray<string>): number =>
  days.reduce((sum, each) => sum + costs.get(each)!, 0)
