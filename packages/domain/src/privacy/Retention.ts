/**
 * Retention clocks: how long data stay in use, how long they are archived, and when they are to be erased.
 * The rules are data with their sources; the defaults are those of France.
 */
import { Schema } from "effect"
import { Instant } from "../values/Instant.ts"
import { addDays, addMonths, type LocalDate, toCivil } from "../values/LocalDate.ts"
import * as LocalDates from "../values/LocalDate.ts"
import { localDate, startOfDay, type TimeZone } from "../values/TimeZone.ts"

/** What a clock is for. `PROSPECT` goes before `CONTRACT` for a person who has never signed. */
export const RetentionClass = Schema.Literals([
  "PROSPECT",
  "CONTRACT",
  "BODILY_INJURY",
  "ACCOUNTING",
  "MANDATE",
  "HEALTH",
  "MARKETING",
  "PRIVACY_REQUEST",
  "UPLOAD",
  "TECHNICAL",
  "AUDIT"
])
export type RetentionClass = typeof RetentionClass.Type

const whole = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** A length of time on the calendar, or none. */
export const RetentionPeriod = Schema.Struct({
  amount: whole,
  unit: Schema.Literals(["YEAR", "DAY"])
}).annotate({ identifier: "RetentionPeriod" })
export type RetentionPeriod = typeof RetentionPeriod.Type

export const RetentionRule = Schema.Struct({
  class: RetentionClass,
  /** From what the clock counts, in words. */
  from: Schema.String,
  active: RetentionPeriod,
  archive: RetentionPeriod,
  /** The law or recommendation that it follows. */
  source: Schema.String
}).annotate({ identifier: "RetentionRule" })
export type RetentionRule = typeof RetentionRule.Type

const years = (amount: number): RetentionPeriod => ({ amount, unit: "YEAR" })
const none: RetentionPeriod = { amount: 0, unit: "DAY" }

const rule = (
  name: RetentionClass,
  from: string,
  periods: Pick<RetentionRule, "active" | "archive">,
  source: string
): RetentionRule => ({ class: name, from, ...periods, source })

/** The defaults for France. */
export const frenchRetention: ReadonlyArray<RetentionRule> = [
  rule(
    "PROSPECT",
    "the last act of a person who never signed",
    { active: years(3), archive: none },
    "CNIL, insurance; SAN-2021-010"
  ),
  rule(
    "CONTRACT",
    "the end of the contract and of its last claim or debt",
    { active: none, archive: years(5) },
    "Code civil art. 2224; Code des assurances art. L114-1 (2 years) lies within"
  ),
  rule(
    "BODILY_INJURY",
    "the consolidation of the injury, or the closing of its claim",
    { active: none, archive: years(10) },
    "Code civil art. 2226"
  ),
  rule(
    "ACCOUNTING",
    "the end of the accounting year",
    { active: none, archive: years(10) },
    "Code de commerce art. L123-22"
  ),
  rule("MANDATE", "the last collection", { active: none, archive: years(5) }, "SEPA rulebook"),
  rule(
    "HEALTH",
    "the collection of health answers without a contract",
    { active: years(2), archive: years(3) },
    "CNIL NS16"
  ),
  rule("MARKETING", "the withdrawal", { active: years(3), archive: none }, "CNIL"),
  rule(
    "PRIVACY_REQUEST",
    "the closing of the request",
    { active: none, archive: years(5) },
    "Proof: RGPD art. 5(2)"
  ),
  rule(
    "UPLOAD",
    "the receipt of a file that was refused or never used",
    { active: { amount: 30, unit: "DAY" }, archive: none },
    "RGPD art. 5(1)(c)"
  ),
  rule("TECHNICAL", "the creation", { active: years(1), archive: none }, "CNIL"),
  rule("AUDIT", "the creation", { active: years(10), archive: none }, "Proof: RGPD art. 5(2)")
]

/** Why a clock does not run yet. */
export const ClockWait = Schema.Literals(["CONTRACT_OPEN", "DEBT_OPEN"])
export type ClockWait = typeof ClockWait.Type

/** What is known of one thing that a class holds for: a contract, a mandate, a request. */
export interface RetentionFact {
  readonly class: RetentionClass
  /** The record that it is about. */
  readonly recordId: string
  /** The instant whose local day the clock counts from; absent while it waits. */
  readonly startsAt?: Instant | undefined
  readonly waitsFor?: ClockWait | undefined
}

/** One clock. While it waits it has no start and no end. */
export const RetentionClock = Schema.Struct({
  class: RetentionClass,
  recordId: Schema.String,
  startsAt: Schema.optionalKey(Instant),
  /** From then on the data are archived: no longer in use. */
  archivedAt: Schema.optionalKey(Instant),
  /** From then on the data are to be erased. */
  erasedAt: Schema.optionalKey(Instant),
  waitsFor: Schema.optionalKey(ClockWait),
  source: Schema.String
}).annotate({ identifier: "RetentionClock" })
export type RetentionClock = typeof RetentionClock.Type

/** The clocks of a person, and when the longest of them ends. */
export const RetentionClocks = Schema.Struct({
  data: Schema.Array(RetentionClock),
  erasableAt: Schema.optionalKey(Instant)
}).annotate({ identifier: "RetentionClocks" })
export type RetentionClocks = typeof RetentionClocks.Type

/** The day after a length of time that begins on a day: 29 February and a year lead to 1 March. */
const dayAfter = (day: LocalDate, periods: ReadonlyArray<RetentionPeriod>): LocalDate => {
  const sumOf = (unit: RetentionPeriod["unit"]) =>
    periods.reduce((sum, period) => (period.unit === unit ? sum + period.amount : sum), 0)
  // From the anchor in one step, so that no month's end is lost on the way.
  return addDays(addMonths(day, sumOf("YEAR") * 12), sumOf("DAY") + 1)
}

/** The last day of the accounting year that a day lies in: the calendar's. */
const yearEnd = (day: LocalDate): LocalDate =>
  LocalDates.fromEpochDay(LocalDates.civilToEpochDay(toCivil(day).year, 12, 31))

/**
 * The clock of each fact that a rule is for. A period ends at 00:00 local time of the day after its last
 * one; archiving begins where the active period ends.
 */
export const clocks = (
  facts: ReadonlyArray<RetentionFact>,
  rules: ReadonlyArray<RetentionRule>,
  zone: TimeZone
): ReadonlyArray<RetentionClock> =>
  facts.flatMap(({ class: name, recordId, startsAt, waitsFor }) => {
    const found = rules.find((one) => one.class === name)
    if (found === undefined) return []
    const { active, archive, source } = found
    const clock = { class: name, recordId, source }
    if (startsAt === undefined) {
      return [{ ...clock, ...(waitsFor === undefined ? {} : { waitsFor }) }]
    }
    const first = localDate(startsAt, zone)
    const day = name === "ACCOUNTING" ? yearEnd(first) : first
    return [
      {
        ...clock,
        startsAt,
        archivedAt: startOfDay(dayAfter(day, [active]), zone),
        erasedAt: startOfDay(dayAfter(day, [active, archive]), zone)
      }
    ]
  })

/**
 * When data that several clocks hold may be erased: at the end of the longest. `undefined` while one of
 * them waits.
 */
export const erasableAt = (running: ReadonlyArray<RetentionClock>): Instant | undefined => {
  const ends = running.map(({ erasedAt }) => erasedAt)
  if (ends.length === 0) return undefined
  return ends.reduce((one, other) =>
    one === undefined || other === undefined ? undefined : one >= other ? one : other
  )
}
