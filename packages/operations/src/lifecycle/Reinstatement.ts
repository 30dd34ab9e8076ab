/** Until when a stopped policy can be taken up again. */
import { reinstatableUntil } from "@quittance/domain/policies/Reinstating"
import { type Instant, max } from "@quittance/domain/values/Instant"
import { refusal } from "@quittance/domain/policies/Lifecycle"
import type { Draft } from "@quittance/domain/policies/PolicyCommands"
import type { PolicyState } from "@quittance/domain/policies/PolicyState"
import { termEnd } from "@quittance/domain/policies/PolicyView"
import { Effect } from "effect"
import {
  type PolicyAggregate,
  positionOf,
  stateOf,
  withDrafts
} from "@quittance/domain/policies/aggregate/PolicyAggregate"
import {
  InvalidEffectiveDate,
  type InvalidTransition
} from "@quittance/domain/requests/RequestErrors"

/** A product says whether and how long after its stop a policy can be taken up again, and go on. */
export const withinReinstatement = Effect.fnUntraced(function* (
  policy: PolicyAggregate,
  state: PolicyState,
  from: Instant
): Effect.fn.Return<void, InvalidEffectiveDate | InvalidTransition> {
  const latest = reinstatableUntil(policy.product, state)
  // The table has the step, but the product does not.
  if (latest === undefined) return yield* refusal(positionOf(policy, state), "reinstate")
  if (max(policy.now, from) >= latest)
    return yield* new InvalidEffectiveDate({ field: "whenAt", latest })
})

/** A policy is reinstated only within an agreed term: after the last one nothing would be charged. */
export const withinTerm = Effect.fnUntraced(function* (
  policy: PolicyAggregate,
  drafts: ReadonlyArray<Draft>,
  from: Instant
): Effect.fn.Return<void, InvalidEffectiveDate> {
  const { changes, lineage } = withDrafts(policy, drafts)
  const state = stateOf(changes, lineage, from)
  const latest = termEnd(policy.productOf(state), state)
  if (from >= latest) return yield* new InvalidEffectiveDate({ field: "whenAt", latest })
})
