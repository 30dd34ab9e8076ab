/** When a contract ends by the law of its reason: moved there, or refused where another time was asked for. */
import type { PolicyReason } from "@quittance/domain/lifecycle/LifecycleRequests"
import { earliestEnd, mayEnd, StopNotPossible } from "@quittance/domain/lifecycle/StopRules"
import { hasBegun } from "@quittance/domain/policies/Lifecycle"
import { presentState } from "@quittance/domain/policies/aggregate/PolicyAggregate"
import { InvalidEffectiveDate } from "@quittance/domain/requests/RequestErrors"
import type { Instant } from "@quittance/domain/values/Instant"
import { Effect } from "effect"
import { type LifecycleInstant, momentOf } from "./LifecycleInstant.ts"

/** The moment of the stop. Cover that has not begun needs no notice. */
export const lawfulEnd = Effect.fnUntraced(function* (
  asked: LifecycleInstant,
  whenAt: Instant | undefined,
  { reason }: Pick<PolicyReason, "reason">,
  receivedAt: Instant | undefined
): Effect.fn.Return<LifecycleInstant, InvalidEffectiveDate | StopNotPossible> {
  const { policy } = asked
  const { now, product } = policy
  if (receivedAt !== undefined && receivedAt > now) {
    return yield* new InvalidEffectiveDate({ field: "receivedAt", latest: now })
  }
  const present = presentState(policy)
  const rule = product.stopReasons.find(({ id }) => id === reason)?.rule
  if (rule === undefined || present.signedAt === undefined || !hasBegun(present)) return asked
  const { timeZone } = product
  const { periodDuration, startedAt } = present
  const facts = { timeZone, startedAt, periodDuration, receivedAt: receivedAt ?? now }
  const earliest = earliestEnd(rule, facts)
  if (earliest === undefined || mayEnd(rule, facts, asked.effectiveAt)) return asked
  if (whenAt === undefined && earliest > now) return momentOf(policy, earliest)
  return yield* new StopNotPossible({ reason, earliest, article: rule.article })
})
