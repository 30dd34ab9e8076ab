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

/** A hundred years, in each unit. */
const longest: Record<DurationUnit, number> = {
  YEAR: 100,
  MONTH: 1_200,
  WEEK: 5_200,
  DAY: 36_500,
  HOUR: 876_000,
  MINUTE: 52_560_000,
  SECOND: 3_153_600_000
}

/** A length of time on the calendar: one month is a month, never thirty days. */
export const Duration = Schema.Struct({
  amount: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)),
  unit: DurationUnit
})
  .check(
    Schema.makeFilter(({ amount, unit }) => amount <= longest[unit], {
      message: "Expected at most a hundred years"
    })
  )
  .annotate({ identifier: "Duration" })
export type Duration = typeof Duration.Type

/** Whether the duration is shorter than a calendar day by its unit. */
export const isSubDay = ({ unit }: Duration): boolean =>
  unit === "HOUR" || unit === "MINUTE" || unit === "SECOND"
