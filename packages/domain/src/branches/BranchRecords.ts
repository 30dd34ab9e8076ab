/** Branches as rows: opened beside what is in force, forked, and shown. */
import type { StoredBranch } from "../policies/aggregate/StoredBranch.ts"
import type { Branch, Stage } from "../policies/Branch.ts"
import { origin } from "../policies/Change.ts"
import type { Instant } from "../values/Instant.ts"
import { refusal } from "../policies/Lifecycle.ts"
import { ownChanges } from "./Merge.ts"
import { type Draft, moveTo } from "../policies/PolicyCommands.ts"
import { Result } from "effect"
import {
  lineageOf,
  type PolicyAggregate,
  positionOf,
  type Recorded,
  stateOf
} from "../policies/aggregate/PolicyAggregate.ts"
import type { BranchId } from "../values/Ids.ts"
import type { InvalidTransition } from "../requests/RequestErrors.ts"
import type { BranchType } from "../products/ProductTerms.ts"

export const toBranch = ({
  aside: _aside,
  effectiveAt,
  forkedSeq: _forkedSeq,
  invalidatedAt,
  invalidationReason,
  mergedAt,
  seq: _seq,
  ...row
}: StoredBranch): Branch => ({
  ...row,
  ...(effectiveAt === null ? {} : { effectiveAt }),
  ...(mergedAt === null ? {} : { mergedAt }),
  ...(invalidatedAt === null || invalidationReason === null
    ? {}
    : { invalidation: { reason: invalidationReason, invalidatedAt } })
})

/** A branch to be opened, with the first of its changes. */
export interface NewBranch {
  readonly row: StoredBranch
  readonly changes: Recorded["changes"]
}

interface Opening {
  readonly id: BranchId
  readonly name: string | undefined
  readonly author: string
}

/**
 * A branch beside the base branch of a signed policy; before the signature another offer, with what the sale
 * holds so far.
 */
export const newBranch = (
  policy: PolicyAggregate,
  opening: Opening & {
    readonly branchType: Exclude<BranchType, "BASE">
    readonly effectiveAt: Instant
  }
): Result.Result<NewBranch, InvalidTransition> => {
  const { branch, branches, changes, head, now, state } = policy
  const { branchType, effectiveAt } = opening
  const isSale = branch.branchType === "NEW_BUSINESS"
  const at = isSale ? state : stateOf(changes, lineageOf(branches, branch), effectiveAt)
  // What stands on another endorsement is a fork of that one.
  const fromTrunk = branch.branchType === "BASE" && branchType !== "NEW_BUSINESS"
  const fits = at.contract !== "STOPPED" && (isSale ? branchType === "NEW_BUSINESS" : fromTrunk)
  if (!fits) return Result.fail(refusal(positionOf(policy, at), `open ${branchType}`))
  if (isSale) return Result.succeed(forkOf(policy, opening))
  const row: StoredBranch = {
    ...blank(policy, opening),
    branchType,
    effectiveAt,
    forkedAt: now,
    forkedSeq: head.changeSeq
  }
  return Result.succeed({ row, changes: [{ branchId: row.id, draft: moveTo("CREATE", "DRAFT") }] })
}

/**
 * Another branch with what one holds. What is in force is no proposal: a policy has one base branch, and what
 * changes it is opened beside it.
 */
export const fork = (
  policy: PolicyAggregate,
  opening: Opening
): Result.Result<NewBranch, InvalidTransition> =>
  policy.branch.branchType === "BASE"
    ? Result.fail(refusal(positionOf(policy, policy.state), "fork"))
    : Result.succeed(forkOf(policy, opening))

/** The same changes once more: data as it is, and quotes to be given again. */
const forkOf = (policy: PolicyAggregate, opening: Opening): NewBranch => {
  const { branch, branches, changes } = policy
  const { branchType, effectiveAt, forkedAt, forkedSeq } = branch
  const row: StoredBranch = {
    ...blank(policy, opening),
    branchType,
    effectiveAt,
    forkedAt,
    forkedSeq
  }
  const own = ownChanges(changes, lineageOf(branches, branch))
  // A reverted change of the branch itself is not copied, so its revert is not copied either.
  const mine = new Set(
    changes.flatMap((change) => (change.branchId === branch.id ? [change.id] : []))
  )
  const copies = own
    .filter(({ reverts }) => reverts === undefined || !mine.has(reverts))
    .map(({ effectiveAt, kind, patch, reverts }): Draft => ({
      kind,
      effectiveAt,
      patch: patch.filter(({ path }) => path !== "/quoteId" && path !== "/stage"),
      ...(reverts === undefined ? {} : { reverts })
    }))
    .filter(({ patch, reverts }) => patch.length > 0 || reverts !== undefined)
  const drafts = [...copies, moveTo("CREATE", "DRAFT")]
  return { row, changes: drafts.map((draft) => ({ branchId: row.id, draft })) }
}

const blank = ({ branch, head, now }: PolicyAggregate, { author, id, name }: Opening) =>
  ({
    id,
    policyId: head.id,
    name: name ?? branch.name,
    status: "OPEN",
    stage: "DRAFT",
    seq: 0,
    author,
    createdAt: now,
    mergedAt: null,
    invalidatedAt: null,
    invalidationReason: null,
    aside: null
  }) as const

/** A rebase as the branch's last change: its quotes still fit, or the sale starts over. */
export const stageAfterRebase = (stage: Stage, fits: boolean): Draft => ({
  kind: "REBASE",
  effectiveAt: origin,
  patch: [{ path: "/stage", value: fits ? stage : "DRAFT" }]
})
