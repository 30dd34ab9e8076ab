/** What bringing a branch up to the base branch records on it. */
import type { StoredBranch } from "../policies/aggregate/StoredBranch.ts"
import { refusal } from "../policies/Lifecycle.ts"
import type { Resolution } from "./Merge.ts"
import type { Draft } from "../policies/PolicyCommands.ts"
import { rebaseContract } from "./StepConflicts.ts"
import { Result } from "effect"
import { isForked } from "./BranchMerging.ts"
import {
  lineageOf,
  type PolicyAggregate,
  positionOf
} from "../policies/aggregate/PolicyAggregate.ts"
import type { InvalidTransition } from "../requests/RequestErrors.ts"
import { BranchConflict } from "../policies/Branch.ts"

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
