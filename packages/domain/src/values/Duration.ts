import { Schema } from "effect"

export const DurationUnit = Schema.Literals([
  "YEAR",
  "MONTH",
  "WEEK",
  "DAY",
  "HOUR",
  "MINUTE",
  "SECOND"
])
export type DurationUnit = typeof DurationUnit.Type

/** Ten years, in each unit: the invoices of a term, one a week, stay a few hundred. */
const longest: Record<DurationUnit, number> = {
  YEAR: 10,
  MONTH: 120,
  WEEK: 520,
  DAY: 3_650,
  HOUR: 87_600,
  MINUTE: 5_256_000,
  SECOND: 315_360_000
}

/** A length of time on the calendar: one month is a month, never thirty days. */
export const Duration = Schema.Struct({
  amount: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)),
  unit: DurationUnit
})
  .check(
    Schema.makeFilter(({ amount, unit }) => amount <= longest[unit], {
      message: "Expected at most ten years"
    })
  )
  .annotate({ identifier: "Duration" })
export type Duration = typeof Duration.Type

/** Whether the duration is shorter than a calendar day by its unit. */
export const isSubDay = ({ unit }: Duration): boolean =>
  unit === "HOUR" || unit === "MINUTE" || unit === "SECOND"

/** The seconds of each unit, where lengths are compared: a year has 365 days, a month a twelfth of them. */
const seconds: Record<DurationUnit, number> = {
  YEAR: 31_536_000,
  MONTH: 2_628_000,
  WEEK: 604_800,
  DAY: 86_400,
  HOUR: 3_600,
  MINUTE: 60,
  SECOND: 1
}

/**
 * How long one duration is beside another, in lowest terms: six months are 1/2 of a year, 30 days 6/73. It
 * doesn't depend on where in the calendar they begin, so that a price by it doesn't either.
 */
export const lengthRatio = (
  length: Duration,
  beside: Duration
): { readonly numerator: number; readonly denominator: number } => {
  const [a, b] = [length.amount * seconds[length.unit], beside.amount * seconds[beside.unit]]
  let [common, rest] = [a, b]
  while (rest > 0) [common, rest] = [rest, common % rest]
  return { numerator: a / common, denominator: b / common }
}

/** Whether two durations count as one length: twelve months and a year do. */
export const isSameLength = (a: Duration, b: Duration): boolean =>
  a.amount * seconds[a.unit] === b.amount * seconds[b.unit]
