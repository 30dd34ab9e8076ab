/** What follows from a change of a policy: its due steps, and the accounting summary. */
import { Effect, Layer } from "effect"
import * as AccountingProjection from "../accounting/AccountingProjection.ts"
import { FollowUp } from "../policies/FollowUp.ts"
import {
  baseBranch,
  onto,
  type PolicyAggregate
} from "@quittance/domain/policies/aggregate/PolicyAggregate"
import { DueSteps } from "./DueSteps.ts"

export const layer = Layer.effect(
  FollowUp,
  Effect.map(DueSteps, ({ afterCommand }) => {
    /** An offer of renewal that is accepted, or no longer, moves the start of the next term. */
    const renewal = (policy: PolicyAggregate) =>
      Effect.map(afterCommand(onto(policy, baseBranch(policy).id)), (settled) =>
        onto(settled, policy.branch.id)
      )
    const settle = (policy: PolicyAggregate) => {
      const { branchType } = policy.branch
      if (branchType === "BASE") return afterCommand(policy)
      return branchType === "RENEWAL" ? renewal(policy) : Effect.succeed(policy)
    }
    return FollowUp.of({ settle })
  })
).pipe(Layer.provide(DueSteps.layer), Layer.provideMerge(AccountingProjection.layer))
