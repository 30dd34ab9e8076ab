/** When the law lets a contract end for a reason, by the product's rule: decided from days alone. */
import { Schema } from "effect"
import type { StopRule } from "../products/ProductTerms.ts"
import type { Duration } from "../values/Duration.ts"
import { Instant } from "../values/Instant.ts"
import { addDays, addMonths, type LocalDate, max } from "../values/LocalDate.ts"
import { localDate, plus, startOfDay, type TimeZone } from "../values/TimeZone.ts"

export interface StopFacts {
  readonly timeZone: TimeZone
  /** When cover first began, or is to begin. */
  readonly startedAt: Instant
  readonly periodDuration: Duration
  /** When the notice reached who has to have it. */
  readonly receivedAt: Instant
}

/** A stop for a reason of the law before the product's rule lets the contract end. */
export class StopNotPossible extends Schema.TaggedError<StopNotPossible>()("StopNotPossible", {
  reason: Schema.String,
  /** The first instant at which the contract may end. */
  earliest: Instant,
  /** The article of the law that says so. */
  article: Schema.String
}) {
  override get message() {
    return `By ${this.article} this contract may end for ${this.reason} at ${this.earliest}; leave \`whenAt\` out, or name a time that the article allows.`
  }
}

/**
 * The first instant without cover, at the earliest; absent where the reason has an end at any time.
 *
 * The day of the notice does not count, and the last day counts as a whole: one month from 15 March ends with
 * 15 April, so that the contract ends at 00:00 of 16 April (articles 641 and 642 code de procédure civile).
 * A notice that comes before `notBefore` is over counts from the day on which it is. A contract that ends with
 * a term does so with the first one that the whole notice precedes: given by 30 April for 1 July, by two months.
 *
 * @throws DateOutOfRange beyond the year 9999
 */
export const earliestEnd = (rule: StopRule, facts: StopFacts): Instant | undefined => {
  const { receivedAt, startedAt, timeZone } = facts
  if (rule.end === "ANY_DAY") return undefined
  const received = localDate(receivedAt, timeZone)
  const from =
    rule.notBefore === undefined
      ? received
      : max(received, after(localDate(startedAt, timeZone), rule.notBefore))
  const lastDay = rule.notice === undefined ? from : after(from, rule.notice)
  const free = startOfDay(addDays(lastDay, 1), timeZone)
  return rule.end === "NOTICE" ? free : termEnd(free, facts)
}

/** Whether the contract may end then: at an end of a term, or at any time from the earliest on. */
export const mayEnd = (rule: StopRule, facts: StopFacts, at: Instant): boolean => {
  const earliest = earliestEnd(rule, facts)
  if (earliest === undefined) return true
  return at >= earliest && (rule.end !== "TERM" || endsTerm(facts, at))
}

/** The first end of a term at the instant or later; found in few steps, however short the terms are. */
const termEnd = (from: Instant, facts: StopFacts): Instant => {
  let late = 1
  while (endOf(facts, late) < from) late *= 2
  let early = 1
  while (early < late) {
    const between = Math.floor((early + late) / 2)
    if (endOf(facts, between) < from) early = between + 1
    else late = between
  }
  return endOf(facts, late)
}

const endsTerm = (facts: StopFacts, at: Instant): boolean => termEnd(at, facts) === at

const endOf = ({ periodDuration, startedAt, timeZone }: StopFacts, term: number): Instant =>
  plus(startedAt, periodDuration, term, timeZone)

/** The day so long after another one; notices are counted in days, weeks, months and years. */
const after = (day: LocalDate, { amount, unit }: Duration): LocalDate => {
  switch (unit) {
    case "YEAR":
      return addMonths(day, amount * 12)
    case "MONTH":
      return addMonths(day, amount)
    case "WEEK":
      return addDays(day, amount * 7)
    default:
      return addDays(day, amount)
  }
}
