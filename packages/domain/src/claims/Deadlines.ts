/** Deadlines of claims: when they begin, when they are over, what meets them, and by how many days they are missed. */
import { Schema } from "effect"
import { ClaimFactKind, type DeadlineRule } from "../products/claims/DeadlineRule.ts"
import { Instant } from "../values/Instant.ts"
import { addDays, daysBetween, type LocalDate } from "../values/LocalDate.ts"
import { localDate, plus, startOfDay, type TimeZone } from "../values/TimeZone.ts"
import { addWorkingDays } from "./WorkingDays.ts"

export const ClaimFact = Schema.Struct({ fact: ClaimFactKind, at: Instant })
export type ClaimFact = typeof ClaimFact.Type

/** A deadline that runs or ran, by the calendar of the claim. */
export interface Deadline {
  /** The last day on which it is met in time. */
  readonly dueOn: LocalDate
  /** The day on which people are reminded. */
  readonly warnOn: LocalDate
  /** The first instant that is too late: 00:00 of the day after. */
  readonly overdueFrom: Instant
  /** The first day on which it was met; absent while it is not. */
  readonly metOn?: LocalDate
  /** Days after `dueOn` on which it was met, or those that have begun since; 0 in time. */
  readonly daysLate: number
}

/**
 * A deadline by what has happened; `undefined` while it has not begun. N months end on the same day of the month, or
 * the month's last one; N days on the N-th day after. Facts that move, or come to be known, move it.
 *
 * @param facts in any order; of a kind that happened more than once the first begins it
 * @param now until when a deadline that is not met is late
 */
export const deadlineOf = (
  rule: DeadlineRule,
  facts: ReadonlyArray<ClaimFact>,
  timeZone: TimeZone,
  now: Instant
): Deadline | undefined => {
  const begun = beginOf(rule, facts)
  if (begun === undefined) return undefined
  const dueOn = lastDay(rule, begun, timeZone)
  const met = firstOf(
    facts.filter(
      ({ at, fact }) => rule.metBy.includes(fact) && (rule.metBefore === true || at >= begun)
    )
  )
  const reached = localDate(met ?? now, timeZone)
  return {
    dueOn,
    warnOn: addDays(dueOn, -rule.warnDays),
    overdueFrom: startOfDay(addDays(dueOn, 1), timeZone),
    ...(met === undefined ? {} : { metOn: reached }),
    daysLate: Math.max(0, daysBetween(dueOn, reached))
  }
}

const beginOf = (
  { from, take }: DeadlineRule,
  facts: ReadonlyArray<ClaimFact>
): Instant | undefined => {
  const firsts = from.map((kind) => firstOf(facts.filter(({ fact }) => fact === kind)))
  const known = firsts.filter((at) => at !== undefined).toSorted()
  if (take === "EARLIEST") return known[0]
  return known.length === firsts.length ? known.at(-1) : undefined
}

const firstOf = (facts: ReadonlyArray<ClaimFact>): Instant | undefined =>
  facts.map(({ at }) => at).toSorted()[0]

const lastDay = (rule: DeadlineRule, begun: Instant, timeZone: TimeZone): LocalDate => {
  const { duration, working } = rule
  const on = localDate(begun, timeZone)
  return working === true
    ? addWorkingDays(on, duration.amount)
    : localDate(plus(startOfDay(on, timeZone), duration, 1, timeZone), timeZone)
}
