/** What taking a change back records, on the base branch or on a branch that prices it again. */
import { BranchRequired, takesData } from "../policies/Branch.ts"
import {
  type Change,
  ChangeHasDependents,
  type ChangeNotFound,
  type ChangeNotRevertible
} from "../policies/Change.ts"
import { standing } from "../policies/ChangeView.ts"
import { contractFault, revert } from "../policies/LifecycleCommands.ts"
import { refusal } from "../policies/Lifecycle.ts"
import { type Draft, moveTo } from "../policies/PolicyCommands.ts"
import type { InvalidCustomField } from "../products/ProductFields.ts"
import { pricedDiffers } from "../policies/PricedTimeline.ts"
import { Result } from "effect"
import { writtenFields } from "../policies/aggregate/DataOverTime.ts"
import { hasHolder, movesTerm } from "../branches/BranchMerging.ts"
import {
  effectOf,
  lineageOf,
  type PolicyAggregate,
  positionOf,
  withDrafts
} from "../policies/aggregate/PolicyAggregate.ts"
import type { ChangeId } from "../values/Ids.ts"
import { InvalidEffectiveDate, type InvalidTransition } from "../requests/RequestErrors.ts"

export type RevertFailure =
  | BranchRequired
  | ChangeHasDependents
  | ChangeNotFound
  | ChangeNotRevertible
  | InvalidCustomField
  | InvalidEffectiveDate
  | InvalidTransition

export const reverted = (
  policy: PolicyAggregate,
  change: Change
): Result.Result<ReadonlyArray<Draft>, RevertFailure> => {
  const { branch, branches, changes, productOf, state } = policy
  const paths = change.patch.map(({ path }) => path)
  const elsewhere = () => Result.fail(new BranchRequired({ paths, branchType: "MTA" }))
  if (!takesData(branch.branchType)) return elsewhere()
  const lineage = lineageOf(branches, branch)
  const undone = revert(changes, lineage, change)
  if (Result.isFailure(undone)) return undone
  const from = effectOf(branches, branch)
  if (from !== undefined && change.effectiveAt < from) {
    return Result.fail(new InvalidEffectiveDate({ field: "whenAt", earliest: from }))
  }
  const drafts = undone.success
  const next = withDrafts(policy, drafts)
  const fault = contractFault(next.changes, next.lineage, {
    final: policy.product.reinstatement === undefined
  })
  if (fault !== undefined) return Result.fail(fault)
  const isOwn = lineage.base !== undefined && change.branchId === branch.id
  if (!isOwn && movesTerm(policy, next)) {
    return Result.fail(refusal(positionOf(policy, state), "revert"))
  }
  if (branch.branchType === "BASE" && hasHolder(state) && !hasHolder(next.state)) {
    const dependents = departures(policy, change)
    return Result.fail(new ChangeHasDependents({ changeId: change.id, dependents }))
  }
  const written = writtenFields(changes, { ...next, productOf })
  if (Result.isFailure(written)) return Result.fail(written.failure)
  const priced = pricedDiffers(changes, next.changes, lineage, productOf)
  if (!priced) return Result.succeed(drafts)
  if (branch.branchType === "BASE") return elsewhere()
  const position = positionOf(policy, state)
  if (position.stage === "CONFIRMED") return Result.fail(refusal(position, "revert"))
  return Result.succeed(
    position.stage === "QUOTED" ? [...drafts, moveTo("OUTDATE", "DRAFT")] : drafts
  )
}

/** The changes by which earlier customers have left the policy. */
const departures = (
  { branch, branches, changes }: PolicyAggregate,
  change: Change
): ReadonlyArray<ChangeId> =>
  standing(changes, lineageOf(branches, branch))
    .filter(({ patch }) =>
      patch.some((entry) => "removed" in entry && /^\/customers\/[^/]+$/u.test(entry.path))
    )
    .flatMap(({ id }) => (id === change.id ? [] : [id]))
