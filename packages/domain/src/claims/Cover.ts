/**
 * Whether a line of a claim is covered: by the policy as it was at the instant of the loss, read twice. Once
 * with all that is known now, and once with what was known then and what law and calendar did by then,
 * whenever that was recorded. Where people recorded later what makes the two differ, a person decides.
 */
import { Schema } from "effect"
import { lawfulBy } from "./ByLaw.ts"
import { ClaimAmount, Deductible } from "../products/claims/Deductible.ts"
import { type CoverReading, read } from "./CoverReading.ts"
import { CoverCheck } from "./CoverCheck.ts"
import type { CoverQuestion } from "./CoverTerms.ts"
import type { Change } from "../policies/Change.ts"
import { Instant } from "../values/Instant.ts"

export const CoverVerdict = Schema.Literals(["COVERED", "NOT_COVERED", "REFER"])
export type CoverVerdict = typeof CoverVerdict.Type

export const Cover = Schema.Struct({
  /** `NOT_COVERED` where a check fails, else `REFER` where a person has to decide, else `COVERED`. */
  verdict: CoverVerdict,
  /** The verdict by all that is known, and by what was known at the incident. */
  byTime: Schema.Struct({ known: CoverVerdict, knownThen: CoverVerdict }),
  checks: Schema.Array(CoverCheck),
  deductible: Schema.optionalKey(Deductible),
  limit: Schema.optionalKey(ClaimAmount),
  limitLeft: Schema.optionalKey(ClaimAmount),
  /** The version of the product that decided. */
  productVersion: Schema.String,
  /** The instant of the loss, and until when what was recorded counts. */
  whenAt: Instant,
  knownAt: Instant,
  /** The number of the last change that was known. */
  upToChange: Schema.Int
}).annotate({ identifier: "Cover" })
export type Cover = typeof Cover.Type

/** Decides on one line; the same question has the same answer for ever. */
export const cover = (question: CoverQuestion): Cover => {
  const { changes, incident, knownAt, used = 0 } = question
  const known = changes.filter(({ recordedAt }) => recordedAt <= knownAt)
  const isLawful = lawfulBy(known, incident.at, question.moneyByHand)
  const later = known.filter((change) => change.recordedAt > incident.at && !isLawful(change))
  const now = read(question, known)
  const then = later.length === 0 ? now : read(question, without(known, later))
  const named = textOf(now) === textOf(then) ? [] : decisive(question, known, later)
  const checks = [
    ...now.checks.map((check) => agreed(check, then)),
    ...onlyIn(then, now),
    recordedAfter(named)
  ]
  return {
    verdict: verdictOf(checks),
    byTime: { known: verdictOf(now.checks), knownThen: verdictOf(then.checks) },
    checks,
    ...(now.deductible === undefined ? {} : { deductible: now.deductible }),
    ...(now.limit === undefined
      ? {}
      : { limit: now.limit, limitLeft: Math.max(0, now.limit - used) }),
    productVersion: now.productVersion,
    whenAt: incident.at,
    knownAt,
    upToChange: known.at(-1)?.seq ?? 0
  }
}

const without = (
  changes: ReadonlyArray<Change>,
  some: ReadonlyArray<Change>
): ReadonlyArray<Change> => {
  const left = new Set(some)
  return changes.filter((change) => !left.has(change))
}

/** What of a reading cover goes by; another version of the product that says the same is no difference. */
const textOf = ({ checks, deductible, limit }: CoverReading): string =>
  JSON.stringify({ checks, deductible, limit })

const verdictOf = (checks: ReadonlyArray<CoverCheck>): CoverVerdict => {
  if (checks.some(({ outcome }) => outcome === "FAIL")) return "NOT_COVERED"
  return checks.some(({ outcome }) => outcome === "REFER") ? "REFER" : "COVERED"
}

/**
 * A check fails or passes where it does so at both times; else a person decides. What one of them does not know,
 * such as an exclusion of another version of the product, passes there.
 */
const agreed = (check: CoverCheck, then: CoverReading): CoverCheck =>
  (counterpart(check, then)?.outcome ?? "PASS") === check.outcome
    ? check
    : { ...check, outcome: "REFER" }

/** What only one reading checks, and does not pass. */
const onlyIn = (one: CoverReading, other: CoverReading): ReadonlyArray<CoverCheck> =>
  one.checks
    .filter((check) => check.outcome !== "PASS" && counterpart(check, other) === undefined)
    .map((check) => ({ ...check, outcome: "REFER" }))

const counterpart = (check: CoverCheck, { checks }: CoverReading): CoverCheck | undefined =>
  checks.find(({ id, ruleId }) => id === check.id && ruleId === check.ruleId)

/**
 * Which later changes of people make the two readings differ: each that does so alone, added to what was known
 * then or taken from what is known now. Where only several together do, those that take effect by the loss.
 */
const decisive = (
  question: CoverQuestion,
  known: ReadonlyArray<Change>,
  later: ReadonlyArray<Change>
): ReadonlyArray<Change> => {
  const textWithout = (some: ReadonlyArray<Change>) => textOf(read(question, without(known, some)))
  const now = textWithout([])
  const then = textWithout(later)
  const alone = later.filter(
    (one) =>
      textWithout([one]) !== now || textWithout(later.filter((other) => other !== one)) !== then
  )
  return alone.length > 0
    ? alone
    : later.filter(({ effectiveAt }) => effectiveAt <= question.incident.at)
}

const recordedAfter = (late: ReadonlyArray<Change>): CoverCheck =>
  late.length === 0
    ? {
        id: "RECORDED_AFTER",
        outcome: "PASS",
        because: "Nothing that people recorded after the loss changes its cover.",
        source: "POLICY"
      }
    : {
        id: "RECORDED_AFTER",
        outcome: "REFER",
        because: "People recorded changes after the loss that change its cover.",
        source: "POLICY",
        changes: late.map(({ seq }) => seq)
      }
