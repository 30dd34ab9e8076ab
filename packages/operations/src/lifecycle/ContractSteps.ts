/** Steps of a contract as they are recorded: on the base branch, with the branches that end with them. */
import { branchesStopped } from "@quittance/domain/policies/aggregate/InvalidatedBranches"
import {
  onBranch,
  type PolicyAggregate,
  type Recorded,
  withDrafts
} from "@quittance/domain/policies/aggregate/PolicyAggregate"
import { contractFault } from "@quittance/domain/policies/LifecycleCommands"
import type { Draft } from "@quittance/domain/policies/PolicyCommands"
import { Effect } from "effect"

/** Fails where what follows them makes no sense any more. */
export const contractSteps = Effect.fnUntraced(function* (
  policy: PolicyAggregate,
  drafts: ReadonlyArray<Draft>
) {
  const { changes, lineage } = withDrafts(policy, drafts)
  const final = policy.product.reinstatement === undefined
  const fault = contractFault(changes, lineage, { final })
  if (fault !== undefined) return yield* fault
  const recorded: Omit<Recorded, "command"> = {
    changes: onBranch(policy, drafts),
    branches: branchesStopped(policy, drafts)
  }
  return recorded
})
