/** What law and calendar did to a contract, apart from what people did. */
import type { Change, ChangeKind } from "../policies/Change.ts"
import { jobName, offersJobName, renewalsJobName } from "../requests/Actor.ts"
import type { Instant } from "../values/Instant.ts"

/** A payment, or a return of one, that a person entered: no bank tells when it came. */
export interface MoneyByHand {
  /** When it came or went, as the person says. */
  readonly at: Instant
  readonly recordedAt: Instant
}

const jobs: ReadonlySet<string> = new Set([jobName, offersJobName, renewalsJobName])

/** What the worker records because money has come or was returned. */
const followsMoney: ReadonlySet<ChangeKind> = new Set<ChangeKind>([
  "FIRST_PAYMENT",
  "START",
  "REACTIVATE",
  "REINSTATE",
  "REVERT"
])

/**
 * Which changes of a log law or calendar brought about, seen from an instant: the worker's steps, and the ends
 * and renewals of terms. What no person is to decide after the instant is none of them:
 *
 * - a renewal that the worker merged, where a person changed or accepted its branch after the instant;
 * - what follows from money that a person entered after the instant and dated back past it.
 */
export const lawfulBy = (
  changes: ReadonlyArray<Change>,
  instant: Instant,
  byHand: ReadonlyArray<MoneyByHand>
): ((change: Change) => boolean) => {
  const datedBack = byHand
    .filter(({ at, recordedAt }) => at <= instant && recordedAt > instant)
    .map(({ recordedAt }) => recordedAt)
  return (change) => {
    if (change.author === renewalsJobName) {
      return change.kind === "STOP" || isMergedAsLeft(changes, change, instant)
    }
    if (change.author !== jobName) return false
    const { kind, recordedAt } = change
    return !(followsMoney.has(kind) && datedBack.some((entered) => entered <= recordedAt))
  }
}

/**
 * Whether people had left the branch that a change was merged from as it was by an instant. The worker brings a
 * branch up to the base branch and merges it at once: its last step on it stands before what is merged.
 */
const isMergedAsLeft = (
  changes: ReadonlyArray<Change>,
  merged: Change,
  instant: Instant
): boolean => {
  let at = changes.indexOf(merged)
  while (at > 0 && isOfOneMerge(changes[at - 1]!, changes[at]!)) at--
  const step = changes[at - 1]
  // A log without the branch does not tell what people did on it.
  if (step === undefined || step.author !== renewalsJobName || step.branchId === merged.branchId) {
    return false
  }
  return !changes
    .slice(0, at)
    .some(
      ({ author, branchId, recordedAt }) =>
        branchId === step.branchId && recordedAt > instant && !jobs.has(author)
    )
}

const isOfOneMerge = (before: Change, after: Change): boolean =>
  before.author === after.author &&
  before.branchId === after.branchId &&
  before.recordedAt === after.recordedAt
