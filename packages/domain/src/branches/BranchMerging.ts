/** What merging a branch records: the sale as the first of the base branch, an endorsement on it. */
import type { StoredBranch } from "../policies/aggregate/StoredBranch.ts"
import { branchesStopped, invalidated } from "../policies/aggregate/InvalidatedBranches.ts"
import { BranchConflict, BranchRequired } from "../policies/Branch.ts"
import { broughtBack } from "../policies/LifecycleCommands.ts"
import { ComplianceGateNotMet, policyholderMissing } from "../policies/Compliance.ts"
import type { Instant } from "../values/Instant.ts"
import { hasBegun, refusal } from "../policies/Lifecycle.ts"
import type { Forked } from "./Conflicts.ts"
import { mergeDrafts } from "./Merge.ts"
import * as Commands from "../policies/PolicyCommands.ts"
import { standing, stoppedFrom } from "../policies/ChangeView.ts"
import type { PolicyState } from "../policies/PolicyState.ts"
import { type PricedSegment, pricedSegments } from "../policies/PricedTimeline.ts"
import type { InvalidCustomField } from "../products/ProductFields.ts"
import { rebaseContract } from "./StepConflicts.ts"
import { Result } from "effect"
import { writtenFields } from "../policies/aggregate/DataOverTime.ts"
import {
  lineageOf,
  type PolicyAggregate,
  positionOf,
  presentState,
  type Recorded,
  baseBranch,
  withDrafts
} from "../policies/aggregate/PolicyAggregate.ts"
import type { BranchId } from "../values/Ids.ts"
import type { InvalidTransition } from "../requests/RequestErrors.ts"

/** What is recorded, and what the base branch's prices are with it from the branch's effect on. */
export interface Merged {
  readonly recorded: Required<Omit<Recorded, "command">>
  readonly segments: ReadonlyArray<PricedSegment>
}

/** A signed sale opens the base branch; all other sale branches are invalidated. */
export const mergedSale = (
  policy: PolicyAggregate,
  trunkId: BranchId
): Result.Result<Merged["recorded"], InvalidTransition> => {
  const { branch, branches, changes, now, state } = policy
  return Result.map(Commands.sign(state, now), (signature) => {
    const base: StoredBranch = {
      ...branch,
      id: trunkId,
      branchType: "BASE",
      name: "In force",
      stage: "SIGNED",
      forkedAt: now,
      createdAt: now
    }
    const drafts = [...mergeDrafts(changes, { branchId: branch.id }), signature]
    const rivals = branches.filter(({ id, status }) => id !== branch.id && status === "OPEN")
    return {
      branches: [
        base,
        mergedBranch(branch, now),
        ...rivals.map((rival) => invalidated(rival, "CONCURRENT_BRANCH_MERGED", now))
      ],
      changes: drafts.map((draft) => ({ branchId: trunkId, draft })),
      defaultBranchId: trunkId
    }
  })
}

/**
 * An endorsement takes effect on the current base branch. It is refused where the two conflict, where it
 * would take effect after a stop, where it would move the bounds of a term that has begun since, or where
 * both have removed policyholders and none is left.
 */
export const mergedEndorsement = (
  policy: PolicyAggregate
): Result.Result<
  Merged,
  BranchConflict | BranchRequired | ComplianceGateNotMet | InvalidCustomField | InvalidTransition
> => {
  const { branch, branches, head, now, productOf } = policy
  const forked = lineageOf(branches, branch)
  if (!isForked(forked)) {
    return Result.fail(new BranchRequired({ paths: [], branchType: "MTA" }))
  }
  const base = baseBranch(policy)
  const from = branch.effectiveAt ?? now
  const stopped = stoppedFrom(standing(policy.changes, { branchId: base.id }))
  if (stopped !== undefined && from >= stopped) {
    return Result.fail(refusal(positionOf(policy, policy.state), "merge"))
  }
  const rebased = rebaseContract(policy.changes, forked, [])
  if ("undecided" in rebased)
    return Result.fail(new BranchConflict({ conflicts: rebased.undecided }))
  const own = withDrafts(policy, rebased.drafts)
  const lineage = { ...forked, base: { ...forked.base, seq: head.changeSeq } }
  const drafts = mergeDrafts(own.changes, lineage)
  const after = withDrafts({ ...policy, branch: base }, drafts)
  if (movesTerm(policy, after)) {
    return Result.fail(refusal(positionOf(policy, policy.state), "merge"))
  }
  const written = writtenFields(policy.changes, { ...after, productOf })
  if (Result.isFailure(written)) return Result.fail(written.failure)
  if (!hasHolder(after.state)) {
    return Result.fail(new ComplianceGateNotMet({ gates: [policyholderMissing] }))
  }
  const closed = [
    mergedBranch(branch, now),
    ...rivalsOf(policy).map((rival) => invalidated(rival, "CONCURRENT_BRANCH_MERGED", now))
  ]
  const hidden = branchesStopped(policy, broughtBack(policy.changes, drafts))
  return Result.succeed({
    recorded: {
      branches: [...closed, ...hidden.filter(({ id }) => closed.every((row) => row.id !== id))],
      changes: drafts.map((draft) => ({ branchId: base.id, draft })),
      defaultBranchId: base.id
    },
    segments: pricedSegments(after.changes, after.lineage, productOf).filter(
      ({ to }) => to === undefined || to > from
    )
  })
}

/** Whether what is to be recorded moves the start or period of a term that has begun. */
export const movesTerm = (
  policy: PolicyAggregate,
  { changes, lineage }: Pick<ReturnType<typeof withDrafts>, "changes" | "lineage">
): boolean =>
  hasBegun(presentState(policy)) &&
  Commands.boundsOf(policy.changes, lineage) !== Commands.boundsOf(changes, lineage)

/** A signed policy keeps a policyholder: its invoices need a payer. */
export const hasHolder = ({ customers }: PolicyState): boolean =>
  Object.values(customers).some(({ role }) => role === "POLICYHOLDER")

export const isForked = (lineage: ReturnType<typeof lineageOf>): lineage is Forked =>
  lineage.base !== undefined

/** The other offers of the term that a renewal brings; endorsements leave each other be. */
const rivalsOf = ({ branch, branches }: PolicyAggregate): ReadonlyArray<StoredBranch> =>
  branch.branchType === "RENEWAL"
    ? branches.filter(
        ({ branchType, effectiveAt, id, status }) =>
          id !== branch.id &&
          status === "OPEN" &&
          branchType === "RENEWAL" &&
          effectiveAt === branch.effectiveAt
      )
    : []

/** A branch stays merged when it first was. */
const mergedBranch = (branch: StoredBranch, now: Instant): StoredBranch => ({
  ...branch,
  status: "MERGED",
  stage: "SIGNED",
  mergedAt: branch.mergedAt ?? now
})
