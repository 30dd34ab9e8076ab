/** What bringing a branch up to the base branch records on it. */
import type { StoredBranch } from "@quittance/domain/policies/aggregate/StoredBranch"
import { refusal } from "@quittance/domain/policies/Lifecycle"
import type { Resolution } from "@quittance/domain/branches/Merge"
import type { Draft } from "@quittance/domain/policies/PolicyCommands"
import { rebaseContract } from "@quittance/domain/branches/StepConflicts"
import { Result } from "effect"
import { isForked } from "@quittance/domain/branches/BranchMerging"
import {
  lineageOf,
  type PolicyAggregate,
  positionOf
} from "@quittance/domain/policies/aggregate/PolicyAggregate"
import type { InvalidTransition } from "@quittance/domain/requests/RequestErrors"
import { BranchConflict } from "@quittance/domain/policies/Branch"

/** The branch with its fork at the base branch's head, and the changes that decide what was in conflict. */
export interface Rebased {
  readonly row: StoredBranch
  readonly drafts: ReadonlyArray<Draft>
}

export const rebased = (
  policy: PolicyAggregate,
  resolutions: ReadonlyArray<Resolution>
): Result.Result<Rebased, BranchConflict | InvalidTransition> => {
  const { branch, branches, changes, head, now, state } = policy
  const forked = lineageOf(branches, branch)
  if (!isForked(forked)) return Result.fail(refusal(positionOf(policy, state), "rebase"))
  const result = rebaseContract(changes, forked, resolutions)
  return "undecided" in result
    ? Result.fail(new BranchConflict({ conflicts: result.undecided }))
    : Result.succeed({
        row: { ...branch, forkedAt: now, forkedSeq: head.changeSeq, aside: null },
        drafts: result.drafts
      })
}
