/** Deadlines of claims, as law or contract sets them. */
import { Schema } from "effect"
import { Duration } from "../../values/Duration.ts"

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
