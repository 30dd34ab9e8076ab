/** When a step of the policy lifecycle takes effect, and the policy then. */
import { type Position, refusal } from "@quittance/domain/policies/Lifecycle"
import {
  lineageOf,
  type PolicyAggregate,
  positionOf,
  stateOf
} from "@quittance/domain/policies/aggregate/PolicyAggregate"
import type { PolicyState } from "@quittance/domain/policies/PolicyState"
import type { Product } from "@quittance/domain/products/Product"
import {
  InvalidEffectiveDate,
  type InvalidTransition
} from "@quittance/domain/requests/RequestErrors"
import type { Instant } from "@quittance/domain/values/Instant"
import { Effect } from "effect"
import { withinWindow } from "../policies/PolicyChecks.ts"

/** A policy at the instant at which a step takes effect. */
export interface LifecycleInstant {
  readonly policy: PolicyAggregate
  readonly effectiveAt: Instant
  readonly state: PolicyState & Pick<Position, "final" | "gated">
}

export const momentOf = (policy: PolicyAggregate, effectiveAt: Instant): LifecycleInstant => {
  const { branch, branches, changes } = policy
  const state =
    branch.branchType === "BASE"
      ? stateOf(changes, lineageOf(branches, branch), effectiveAt)
      : policy.state
  const { final, gated } = positionOf(policy, state)
  return { policy, effectiveAt, state: { ...state, final, gated } }
}

/** When a step takes effect; the contract's steps are taken on what is in force, after its signature. */
export const instantOf = Effect.fnUntraced(function* (
  policy: PolicyAggregate,
  name: string,
  window: keyof Product["limits"],
  whenAt: Instant | undefined
): Effect.fn.Return<Instant, InvalidEffectiveDate | InvalidTransition> {
  const { branch, branches, changes, now, product, state } = policy
  if (lineageOf(branches, branch).base !== undefined) {
    return yield* refusal(positionOf(policy, state), name)
  }
  // A withdrawn sale has no start yet.
  if (whenAt === undefined || state.signedAt === undefined) return now
  yield* withinWindow(product, window, "whenAt", whenAt, now)
  const { effectiveAt: earliest } = changes.find(
    ({ branchId, kind }) => branchId === branch.id && kind === "SIGN"
  )!
  if (whenAt < earliest) return yield* new InvalidEffectiveDate({ field: "whenAt", earliest })
  return whenAt
})
