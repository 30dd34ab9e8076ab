/** Until when a stopped policy can be taken up again. */
import { reinstatableUntil } from "@quittance/domain/policies/LifecycleCommands"
import { type Instant, max } from "@quittance/domain/values/Instant"
import { type InvalidTransition, refusal } from "@quittance/domain/policies/Lifecycle"
import { InvalidEffectiveDate } from "@quittance/domain/policies/Policy"
import type { Draft } from "@quittance/domain/policies/PolicyCommands"
import type { PolicyState } from "@quittance/domain/policies/PolicyState"
import { termEnd } from "@quittance/domain/policies/PolicyView"
import { Effect } from "effect"
import { type OpenPolicy, positionOf, stateOf, withDrafts } from "../policies/PolicyAggregate.ts"

/** A product says whether and how long after its stop a policy can be taken up again, and go on. */
export const withinReinstatement = Effect.fnUntraced(function* (
  policy: OpenPolicy,
  state: PolicyState,
  from: Instant
): Effect.fn.Return<void, InvalidEffectiveDate | InvalidTransition> {
  const latest = reinstatableUntil(policy.product, state)
  // The table has the step, but the product does not.
  if (latest === undefined) return yield* refusal(positionOf(policy, state), "reinstate")
  if (max(policy.now, from) >= latest)
    return yield* new InvalidEffectiveDate({ field: "whenAt", latest })
})

/** A policy goes on only within a term that is agreed: behind its last one nobody would be charged. */
export const withinTerm = Effect.fnUntraced(function* (
  policy: OpenPolicy,
  drafts: ReadonlyArray<Draft>,
  from: Instant
): Effect.fn.Return<void, InvalidEffectiveDate> {
  const { changes, lineage } = withDrafts(policy, drafts)
  const state = stateOf(changes, lineage, from)
  const latest = termEnd(policy.productOf(state), state)
  if (from >= latest) return yield* new InvalidEffectiveDate({ field: "whenAt", latest })
})
