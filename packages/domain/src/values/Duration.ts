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
