/**
 * Conflicts between a branch and the base branch about the contract's status. A branch may revert a step, and
 * the base branch may have recorded later ones. Both together may be a sequence that the table of statuses
 * does not allow, such as a reactivation without its suspension.
 */
import type { Change } from "../policies/Change.ts"
import { unreverted } from "../policies/ChangeView.ts"
import { type Forked, moved } from "./Conflicts.ts"
import {
  isContractStep,
  type MisplacedStep,
  misplacedSteps,
  undo
} from "../policies/LifecycleCommands.ts"
import { rebase, type Rebased, type Resolution } from "./Merge.ts"
import type { Conflict } from "../policies/Branch.ts"

/**
 * Moves a branch's fork to the head of the base branch, with its data and with the steps of the contract.
 * `theirs` for `/contract` drops the branch's reverts of steps; `ours` keeps them, and also reverts later
 * steps of the base branch that no longer fit.
 */
export const rebaseContract = (
  changes: ReadonlyArray<Change>,
  branch: Forked,
  resolutions: ReadonlyArray<Resolution>
): Rebased => {
  const data = rebase(changes, branch, resolutions)
  const steps = rebaseSteps(changes, branch, resolutions)
  if ("drafts" in data && "drafts" in steps) return { drafts: [...data.drafts, ...steps.drafts] }
  return {
    undecided: [data, steps].flatMap((one) => ("undecided" in one ? one.undecided : []))
  }
}

const rebaseSteps = (
  changes: ReadonlyArray<Change>,
  branch: Forked,
  resolutions: ReadonlyArray<Resolution>
): Rebased => {
  const found = contradictions(changes, branch)
  const takes = found.map(
    ({ step }) =>
      resolutions.find(({ from, path }) => path === contractPath && from === step.effectiveAt)?.take
  )
  if (takes.includes("theirs")) return { drafts: stepReverts(changes, branch).map(undo) }
  const undecided = found.filter((_, index) => takes[index] === undefined)
  return undecided.length > 0
    ? { undecided: undecided.map(conflictOf) }
    : { drafts: found.flatMap(({ steps }) => steps.map(undo)) }
}

/** What the base branch has done and the branch leaves no sense in. */
const contradictions = (
  changes: ReadonlyArray<Change>,
  branch: Forked
): ReadonlyArray<MisplacedStep<Change>> =>
  // Only what takes a step back can make nonsense of another one.
  stepReverts(changes, branch).length === 0 ? [] : misplacedSteps(changes, moved(branch))

const contractPath = "/contract"

const conflictOf = ({ contract, step }: MisplacedStep<Change>): Conflict => {
  const entry = step.patch.find(({ path }) => path === contractPath)
  return {
    path: contractPath,
    from: step.effectiveAt,
    ...(entry !== undefined && "value" in entry ? { theirs: entry.value } : {}),
    ours: contract
  }
}

/** The contract's steps on the base branch that a branch reverts or restores. */
const stepReverts = (changes: ReadonlyArray<Change>, branch: Forked): ReadonlyArray<Change> => {
  const onTrunk = new Map(
    changes
      .filter(({ branchId }) => branchId === branch.base.branchId)
      .map((change) => [change.id, change])
  )
  const undoneBy = ({ reverts }: Change) =>
    reverts === undefined ? undefined : onTrunk.get(reverts)
  const isStep = (change: Change): boolean => {
    const undone = undoneBy(change)
    return undone === undefined ? isContractStep(change.kind) : isStep(undone)
  }
  return unreverted(changes, branch).filter((change) => {
    const undone = change.branchId === branch.branchId ? undoneBy(change) : undefined
    return undone !== undefined && isStep(undone)
  })
}
