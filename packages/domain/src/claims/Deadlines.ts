/** Deadlines of claims: when they begin, when they are over, what meets them, and by how many days they are missed. */
import { Schema } from "effect"
import { Duration } from "../values/Duration.ts"
import { Instant } from "../values/Instant.ts"
import { addDays, daysBetween, type LocalDate } from "../values/LocalDate.ts"
import { localDate, plus, startOfDay, type TimeZone } from "../values/TimeZone.ts"
import { addWorkingDays } from "./WorkingDays.ts"

/** What may happen in the life of a claim and begins or meets a deadline. */
export const ClaimFactKind = Schema.Literals([
  "INCIDENT",
  "INCIDENT_KNOWN",
  "DECLARED",
  "DECREE_PUBLISHED",
  "ESTIMATE_RECEIVED",
  "EXPERT_REPORT_RECEIVED",
  "VICTIM_CLAIMED",
  "CONSOLIDATION_KNOWN",
  "COVER_ANSWERED",
  "OFFER_MADE",
  "FINAL_OFFER_MADE",
  "REASONED_REPLY",
  "OFFER_ACCEPTED",
  "REPAIRER_ASSIGNED",
  "PAID"
])
export type ClaimFactKind = typeof ClaimFactKind.Type

export const ClaimFact = Schema.Struct({ fact: ClaimFactKind, at: Instant })
export type ClaimFact = typeof ClaimFact.Type

const Facts = Schema.Array(ClaimFactKind).check(Schema.isMinLength(1))

/** How long a deadline runs, in days of the calendar or longer; hours are no length of one. */
const DeadlineLength = Duration.check(
  Schema.makeFilter(({ unit }) => ["DAY", "WEEK", "MONTH", "YEAR"].includes(unit), {
    message: "Expected days, weeks, months or years"
  })
)

/** A deadline as law or contract sets it. */
export const DeadlineRule = Schema.Struct({
  /** The article that sets it, such as `L211-9`. */
  law: Schema.String,
  /** What begins it. */
  from: Facts,
  /** `LATEST` begins when all of them have happened, `EARLIEST` with the first. */
  take: Schema.Literals(["LATEST", "EARLIEST"]),
  /** Counted from the day after the one on which it begins. */
  duration: DeadlineLength,
  /** Whether only working days count; its duration is then one of days. */
  working: Schema.optionalKey(Schema.Boolean),
  /** Any one of them meets it. */
  metBy: Facts,
  /** Whether what happened before it began meets it, too: a loss may be declared before its decree. */
  metBefore: Schema.optionalKey(Schema.Boolean),
  /** Days before its last day on which people are reminded. */
  warnDays: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 365 }))
}).check(
  Schema.makeFilter(({ duration, working }) => working !== true || duration.unit === "DAY", {
    message: "Expected a duration of days where only working ones count"
  })
)
export type DeadlineRule = typeof DeadlineRule.Type

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
