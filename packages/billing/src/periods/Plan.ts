/**
 * How a price of a whole term falls on the term's periods, and what a part of a period costs.
 *
 * A period weighs its days ÷ the days of the whole period of the grid in which it lies. The price is
 * allocated over the periods by largest remainder, always for the whole term, whatever part of it is
 * billed. Inside a period of amount A and n days the first d days cost round(A·d/n). So any slicing of
 * the term sums to its price, and a later cut never moves what was billed before it.
 */
import { allocate, weightsOf } from "@quittance/domain/values/Allocation"
import type { Period } from "./BillingCalendar.ts"

export interface Plan {
  readonly periods: ReadonlyArray<Period>
  readonly weights: ReadonlyArray<number>
}

export const planOf = (periods: ReadonlyArray<Period>): Plan => ({
  periods,
  weights: weightsOf(
    periods.map(({ end, start, wholeDays }) => ({ numerator: end - start, denominator: wholeDays }))
  )
})

/** The amount of each period, for a price of the whole term in minor units. */
export const amountsOf = (plan: Plan, price: number): ReadonlyArray<number> =>
  allocate(price, plan.weights)

/** What the first `days` of a period of `of` days cost: amount·days/of, half away from zero. */
export const costOfDays = (amount: number, days: number, of: number): number => {
  if (days === of) return amount
  const magnitude = Math.abs(amount)
  const doubled = magnitude * days * 2 + of
  const cost = Number.isSafeInteger(doubled)
    ? (doubled - (doubled % (of * 2))) / (of * 2)
    : Number((BigInt(magnitude) * BigInt(days) * 2n + BigInt(of)) / BigInt(of * 2))
  return amount < 0 ? 0 - cost : cost
}

/** What the days `[from, to)` of a period cost, of which the whole costs `amount`. */
export const costOfSlice = (
  period: Pick<Period, "start" | "end">,
  amount: number,
  from: number,
  to: number
): number => {
  const days = period.end - period.start
  return costOfDays(amount, to - period.start, days) - costOfDays(amount, from - period.start, days)
}
