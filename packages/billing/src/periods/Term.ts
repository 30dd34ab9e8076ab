/** The terms of a policy: each counted from the first start, so that none drifts. */
import { type Duration, isSubDay } from "@quittance/domain/values/Duration"
import type { Instant } from "@quittance/domain/values/Instant"
import { addDays, dayOfMonth, LocalDate, max } from "@quittance/domain/values/LocalDate"
import { localDate, plus, type TimeZone } from "@quittance/domain/values/TimeZone"

/** A term as billing sees it: the start day is charged, the end day is not. */
export interface Term {
  /** From 1. */
  readonly number: number
  readonly start: LocalDate
  readonly end: LocalDate
  /** The day of the month of the policy's first start. */
  readonly anchorDay: number
  /** Shorter than a calendar day by its unit: one invoice, and no early payment. */
  readonly subDay: boolean
  /** A quote in force from this day on, or later, is new in this term and in none before it. */
  readonly newFrom: LocalDate
}

export interface TermRule {
  /** The planned, later the actual, first start. */
  readonly startedAt: Instant
  readonly periodDuration: Duration
  readonly timeZone: TimeZone
}

/** The `number`-th term. One that ends on the day on which it starts is charged that day. */
export const termOf = ({ periodDuration, startedAt, timeZone }: TermRule, number: number): Term => {
  const bound = (times: number) =>
    localDate(plus(startedAt, periodDuration, times, timeZone), timeZone)
  const start = bound(number - 1)
  // Several terms of hours may start on one day; a quote that begins on it is new in the first.
  const newFrom = number === 1 ? earliest : max(start, addDays(bound(number - 2), 1))
  return {
    number,
    start,
    end: max(bound(number), addDays(start, 1)),
    anchorDay: dayOfMonth(localDate(startedAt, timeZone)),
    subDay: isSubDay(periodDuration),
    newFrom
  }
}

const earliest = LocalDate.make("0001-01-01")
