/** Whether a contract may be ended for unpaid premiums: not before its rule of dunning lets it end. */
import { TerminationNotPossible } from "@quittance/domain/dunning/Dunning"
import {
  earliest,
  type Instant,
  max as later,
  min as earlier
} from "@quittance/domain/values/Instant"
import { Result } from "effect"
import {
  dunningTimelinesOf,
  type DunningFacts,
  isRevivedBy,
  outsideHolds
} from "./DunningTimeline.ts"

/** When the contract may be ended: `[from, to)`, without `to` until a payment. */
interface Terminable {
  readonly from: Instant
  readonly to?: Instant | undefined
}

/**
 * Passes where the premium of some timeline is unpaid and its time has come, as of now and as of the stop's
 * instant: a stop in the past forestalls no payment, and one to come is not announced early.
 *
 * @param waivers when cover that rested was resumed by hand: what had been noticed until then is over
 */
export const permitTermination = (
  facts: DunningFacts,
  waivers: ReadonlyArray<Instant>,
  { effectiveAt, now }: { readonly effectiveAt: Instant; readonly now: Instant }
): Result.Result<void, TerminationNotPossible> => {
  const { holds, rule } = facts
  const [first, last] = [earlier(effectiveAt, now), later(effectiveAt, now)]
  const isFree = [first, last].every((at) => outsideHolds(at, holds) === at)
  const open = terminableTimes(facts, waivers).filter(({ to }) => to === undefined || last < to)
  if (isFree && open.some(({ from }) => from <= first)) return Result.void
  const possible = earliest(
    open.flatMap(({ from, to }) => {
      const at = outsideHolds(later(from, first), holds)
      return at === undefined || (to !== undefined && to <= at) ? [] : [at]
    })
  )
  return Result.fail(
    new TerminationNotPossible({
      reason: rule.stopReason,
      ...(possible === undefined ? {} : { earliest: possible })
    })
  )
}

/**
 * Whether payments have undone a termination by hand: all that it could be for was paid before its instant,
 * or soon enough after it where the law then revives the contract. A contract that has not ended goes on
 * with the payment (art. L113-3 code des assurances); credits and write-offs undo nothing.
 */
export const isUndoneByPayment = (facts: DunningFacts, terminatedAt: Instant): boolean => {
  const timelines = dunningTimelinesOf(facts)
  // The timelines of the same debts as if they were unpaid, in the same order.
  const debts = facts.debts.map((debt) => ({ ...debt, settledAt: undefined }))
  const grounds = dunningTimelinesOf({ ...facts, debts }).flatMap(({ terminableAt }, index) =>
    terminableAt !== undefined && terminableAt <= terminatedAt ? [timelines[index]!.paidAt] : []
  )
  return (
    grounds.length > 0 &&
    grounds.every(
      (paidAt) =>
        paidAt !== undefined && (paidAt < terminatedAt || isRevivedBy(facts, paidAt, terminatedAt))
    )
  )
}

const terminableTimes = (
  facts: DunningFacts,
  waivers: ReadonlyArray<Instant>
): ReadonlyArray<Terminable> =>
  dunningTimelinesOf(facts).flatMap(({ reactivatedAt, settledAt, suspendedAt, terminableAt }) => {
    if (suspendedAt === undefined || terminableAt === undefined) return []
    const ends = [settledAt, reactivatedAt, waivers.find((at) => at >= suspendedAt)]
    return [{ from: terminableAt, to: earliest(ends) }]
  })
