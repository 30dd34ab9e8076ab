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

/** A length of time on the calendar: one month is a month, never thirty days. */
export const Duration = Schema.Struct({
  amount: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 })),
  unit: DurationUnit
}).annotate({ identifier: "Duration" })
export type Duration = typeof Duration.Type

/** Whether the duration is shorter than a calendar day by its unit. */
export const isSubDay = ({ unit }: Duration): boolean =>
  unit === "HOUR" || unit === "MINUTE" || unit === "SECOND"
