/** Topics of `packages/billing`, and of the calendars and shares that it stands on. */
import {
  gridOf,
  type GridRule,
  type Period,
  periodsOfTerm,
  periodsBetween
} from "@quittance/billing/periods/BillingCalendar"
import { amountsOf, costOfSlice, planOf } from "@quittance/billing/periods/Plan"
import { slicesOf } from "@quittance/billing/periods/Slices"
import { allocate, allocateExact, gcd } from "@quittance/domain/values/Allocation"
import { Frequency, Timing } from "@quittance/domain/products/InvoicingConfig"
import {
  addDays,
  dayOfMonth,
  fromEpochDay,
  LocalDate,
  toEpochDay
} from "@quittance/domain/values/LocalDate"
import { startOfDay, TimeZone } from "@quittance/domain/values/TimeZone"
import { Schema } from "effect"
import { type Topic, topic } from "./Topic.ts"

const Integer = Schema.Union([Schema.Int, Schema.BigInt])
const Day = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 31 }))

const PlanInput = Schema.Struct({
  frequency: Frequency,
  start: LocalDate,
  end: LocalDate,
  anchorDay: Schema.NullOr(Day),
  price: Schema.Int
})

/** A vector's `anchorDay` is the grid's day of the month; without one the grid starts on the start day. */
const ruleOf = (frequency: Frequency, anchorDay: number | null, start: LocalDate): GridRule => ({
  frequency,
  anchorDay: dayOfMonth(start),
  alignment: anchorDay === null ? { kind: "START_DATE" } : { kind: "DAY_OF_MONTH", day: anchorDay }
})

const range = ({ end, start }: { readonly start: number; readonly end: number }) => ({
  start: fromEpochDay(start),
  end: fromEpochDay(end)
})

const fractionOf = ({ end, start, wholeDays }: Period): string => {
  const divisor = gcd(end - start, wholeDays)
  return wholeDays === divisor && end - start === divisor
    ? "1"
    : `${(end - start) / divisor}/${wholeDays / divisor}`
}

/** No period of the grid is longer: two years with a leap day. */
const longestPeriod = 731

export const billingTopics: ReadonlyArray<readonly [string, Topic]> = [
  [
    "periods",
    topic(
      Schema.Struct({ anchor: LocalDate, frequency: Frequency, count: Schema.Int }),
      ({ anchor, count, frequency }) => {
        const grid = gridOf(ruleOf(frequency, null, anchor), anchor)
        return { starts: Array.from({ length: count }, (_, k) => fromEpochDay(grid.at(k + 1))) }
      }
    )
  ],
  [
    "allocation",
    topic(
      Schema.Struct({
        amount: Integer,
        weights: Schema.Array(Schema.Union([Schema.Finite, Schema.BigInt]))
      }),
      ({ amount, weights }) => ({ parts: allocated(amount, integers(weights)) })
    )
  ],
  [
    "proration",
    topic(
      Schema.Struct({
        frequency: Frequency,
        timing: Timing,
        anchorDay: Schema.NullOr(Day),
        start: LocalDate,
        end: Schema.NullOr(LocalDate),
        until: LocalDate
      }),
      ({ anchorDay, end, frequency, start, timing, until }) => {
        const last = toEpochDay(until)
        const grid = gridOf(ruleOf(frequency, anchorDay, start), start)
        const limit = last + longestPeriod + 1
        const bound = end === null ? limit : Math.min(toEpochDay(end), limit)
        const items = periodsBetween(grid, toEpochDay(start), bound)
          .filter((period) => (timing === "IN_ADVANCE" ? period.start : period.end) <= last)
          .map((period) => ({ ...range(period), fraction: fractionOf(period) }))
        return { items }
      }
    )
  ],
  [
    "local-day",
    topic(Schema.Struct({ zone: TimeZone, date: LocalDate }), ({ date, zone }) => {
      const seconds = (day: LocalDate) => startOfDay(day, zone).replace(".000Z", "Z")
      return { start: seconds(date), end: seconds(addDays(date, 1)) }
    })
  ],
  [
    "plan",
    topic(PlanInput, ({ anchorDay, end, frequency, price, start }) => {
      const plan = planOf(periodsOfTerm(ruleOf(frequency, anchorDay, start), start, end))
      const amounts = amountsOf(plan, price)
      return {
        periods: plan.periods.map((period, index) => ({ ...range(period), amount: amounts[index] }))
      }
    })
  ],
  [
    "slices",
    topic(
      Schema.Struct({ ...PlanInput.fields, cuts: Schema.Array(LocalDate) }),
      ({ anchorDay, cuts, end, frequency, price, start }) => {
        const plan = planOf(periodsOfTerm(ruleOf(frequency, anchorDay, start), start, end))
        const amounts = amountsOf(plan, price)
        return {
          slices: slicesOf(plan.periods, cuts.map(toEpochDay)).map((slice) => ({
            ...range(slice),
            amount: costOfSlice(
              plan.periods[slice.period]!,
              amounts[slice.period]!,
              slice.start,
              slice.end
            )
          }))
        }
      }
    )
  ]
]

const allocated = (
  amount: number | bigint,
  weights: ReadonlyArray<number | bigint>
): ReadonlyArray<number | bigint> =>
  typeof amount === "number" && weights.every((weight) => typeof weight === "number")
    ? allocate(amount, weights)
    : allocateExact(BigInt(amount), weights.map(BigInt))

/** Decimal weights as integers in the same proportion. */
const integers = (weights: ReadonlyArray<number | bigint>): ReadonlyArray<number | bigint> => {
  const decimals = Math.max(
    0,
    ...weights.map((weight) => (String(weight).split(".")[1] ?? "").length)
  )
  return decimals === 0
    ? weights
    : weights.map((weight) => BigInt(shifted(String(weight), decimals)))
}

const shifted = (decimal: string, places: number): string => {
  const [whole, fraction = ""] = decimal.split(".")
  return `${whole}${fraction.padEnd(places, "0")}`
}
