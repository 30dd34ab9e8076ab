/** A loaded policy with its branches and changes, and the functions that apply commands to it. */
import type { StoredBranch } from "./StoredBranch.ts"
import {
  isBookkeeping,
  apply,
  type Change,
  type Foldable,
  type JsonObject,
  origin
} from "../Change.ts"
import { type Lineage, stateAt, unreverted, visible } from "../ChangeView.ts"
import { reinstatableUntil } from "../Reinstating.ts"
import { type Instant, max } from "../../values/Instant.ts"
import { type Position, status } from "../Lifecycle.ts"
import type { Draft } from "../PolicyCommands.ts"
import type { PolicyStatus } from "../Policy.ts"
import type { PolicyHead } from "../PolicyHead.ts"
import type { PolicyState } from "../PolicyState.ts"
import { awaitsFirstPayment } from "../PolicyView.ts"
import type { ProductOf } from "../PricedMoments.ts"
import { needsSignature, type Product } from "../../products/Product.ts"
import * as Validity from "../Validity.ts"
import { stateIn, baseTimelineOf, baseState } from "./BaseTimeline.ts"
import type { BranchId } from "../../values/Ids.ts"

/**
 * A policy that a command has locked: one branch of it, and its log. Billing opens it without the changes of
 * branches that were merged or invalidated.
 */
export interface PolicyAggregate {
  readonly head: PolicyHead
  readonly now: Instant
  /** The version of the product that `state` is of. */
  readonly product: Product
  /** The version that any state of the policy is of: a renewal may have moved it. */
  readonly productOf: ProductOf
  readonly branches: ReadonlyArray<StoredBranch>
  readonly branch: StoredBranch
  readonly changes: ReadonlyArray<Change>
  /** The branch's state with every change that it shows in effect. */
  readonly state: PolicyState
}

/** What a command has decided: changes by branch, and branches that open, move or close. */
export interface Recorded {
  /** The command's name, for the audit record and the event. */
  readonly command: string
  readonly changes: ReadonlyArray<{ readonly branchId: BranchId; readonly draft: Draft }>
  readonly branches?: ReadonlyArray<StoredBranch>
  readonly defaultBranchId?: BranchId
}

/** The branch that the policy is read on by default: the sale, and from its signature on the base branch. */
export const baseBranch = ({
  branches,
  head
}: Pick<PolicyAggregate, "branches" | "head">): StoredBranch =>
  branches.find(({ id }) => id === head.defaultBranchId)!

/** The policy by default: on the base branch what has taken effect by now, of a sale all of it. */
export const presentState = (policy: PolicyAggregate): PolicyState => {
  const { branchType } = baseBranch(policy)
  // What a sale says holds from the beginning, so that a base branch has a state at any instant.
  return branchType === "BASE" ? stateIn(baseTimelineOf(policy), policy.now)! : baseState(policy)
}

/** When a command takes effect that says nothing of it. */
export const defaultEffect = ({ branchType, effectiveAt }: StoredBranch, now: Instant): Instant => {
  if (branchType === "BASE") return now
  return branchType === "NEW_BUSINESS" ? origin : (effectiveAt ?? now)
}

/** From when on a branch beside the base branch takes effect; a sale and the base branch have no such instant. */
export const effectOf = (
  branches: ReadonlyArray<StoredBranch>,
  branch: StoredBranch
): Instant | undefined =>
  lineageOf(branches, branch).base === undefined ? undefined : (branch.effectiveAt ?? undefined)

/** The status of a branch: that of the contract on the base branch, else that of its own sale. */
export const positionOf = (
  { branch, head, now, product }: Pick<PolicyAggregate, "branch" | "head" | "now" | "product">,
  state: PolicyState
): Position => {
  const { contract, stage } = state
  if (branch.branchType === "BASE" || branch.branchType === "NEW_BUSINESS") {
    const until = reinstatableUntil(product, state)
    return {
      stage,
      contract,
      gated: awaitsFirstPayment(product, state),
      final: until === undefined || now >= until
    }
  }
  const endorsement = needsSignature(product, branch.branchType) ? "SIGNED" : "UNSIGNED"
  return { stage, endorsement, inForce: head.status }
}

/** Changes that a command makes on the branch it works on. */
export const onBranch = (
  { branch }: PolicyAggregate,
  drafts: ReadonlyArray<Draft>
): Recorded["changes"] => drafts.map((draft) => ({ branchId: branch.id, draft }))

/** What the audit trail takes a policy for: its head, its branches, and what its own branch says. */
export const audited = ({ branches, head, state }: PolicyAggregate) => ({ head, branches, state })

/** The strong etag of a branch: the number of its last change. */
export const etagOf = (branch: StoredBranch): string => `"${branch.seq}"`

/** Whose changes a branch shows: one beside the base branch shows that too, as far as it has forked from it. */
export const lineageOf = (branches: ReadonlyArray<StoredBranch>, branch: StoredBranch): Lineage => {
  if (branch.branchType === "BASE" || branch.branchType === "NEW_BUSINESS") {
    return { branchId: branch.id }
  }
  // Such a branch is only opened beside a base branch.
  const base = branches.find(({ branchType }) => branchType === "BASE")!
  return { branchId: branch.id, base: { branchId: base.id, seq: branch.forkedSeq } }
}

/** The validity rows of the touched branches that have some: one beside the base branch is folded when read. */
export const validityOf = (
  { branches, changes, head }: PolicyAggregate,
  touched: ReadonlySet<BranchId>
): ReadonlyMap<BranchId, ReadonlyArray<Validity.Validity>> =>
  new Map(
    branches
      .filter(({ id }) => touched.has(id))
      .map((branch) => lineageOf(branches, branch))
      .filter(({ base }) => base === undefined)
      .map((lineage) => [lineage.branchId, Validity.ofBranch(changes, lineage, head.id)])
  )

/** What a lineage shows; what commands recorded has this shape by construction. */
export const stateOf = (
  changes: ReadonlyArray<Foldable>,
  lineage: Lineage,
  whenAt?: Instant
): PolicyState => stateAt(changes, { ...lineage, whenAt }) as unknown as PolicyState

/**
 * As of when a branch beside the base branch is shown that is asked for no instant: once its own changes have
 * taken effect. Which quote fits is no such change: quoting moves nothing that is shown.
 */
export const shownAt = (
  changes: ReadonlyArray<Foldable>,
  branch: StoredBranch,
  now: Instant
): Instant =>
  unreverted(changes, { branchId: branch.id }).reduce(
    (at, { effectiveAt, patch }) =>
      patch.some(({ path }) => !isBookkeeping(path)) ? max(at, effectiveAt) : at,
    max(now, branch.effectiveAt ?? now)
  )

/**
 * What a branch shows where no instant is asked for: all of a sale and of the base branch, else as `shownAt`.
 */
export const stateOn = (
  changes: ReadonlyArray<Foldable>,
  lineage: Lineage,
  branch: StoredBranch,
  now: Instant
): PolicyState =>
  lineage.base === undefined
    ? stateOf(changes, lineage)
    : stateOf(changes, lineage, shownAt(changes, branch, now))

/** The same policy, worked on on another of its branches. */
export const onto = (policy: PolicyAggregate, branchId: BranchId): PolicyAggregate => {
  const { branches, changes, now, productOf } = policy
  const branch = branches.find(({ id }) => id === branchId)!
  const state = stateOn(changes, lineageOf(branches, branch), branch, now)
  return { ...policy, branch, state, product: productOf(state) }
}

/** The policy with drafts in its log, to be judged before they are recorded. */
export const withDrafts = (
  policy: PolicyAggregate,
  drafts: ReadonlyArray<Draft>
): {
  readonly changes: ReadonlyArray<Foldable>
  readonly lineage: Lineage
  readonly state: PolicyState
} => {
  const { branch, branches, head, now } = policy
  const lineage = lineageOf(branches, branch)
  const changes: ReadonlyArray<Foldable> = [
    ...policy.changes,
    ...drafts.map((draft, index) => ({
      ...draft,
      branchId: branch.id,
      seq: head.changeSeq + 1 + index,
      recordedAt: now
    }))
  ]
  return { changes, lineage, state: stateOn(changes, lineage, branch, now) }
}

/** A state with a patch on it, to be judged before it is recorded. */
export const patched = (state: PolicyState, { patch }: Pick<Draft, "patch">): PolicyState =>
  apply(state as unknown as JsonObject, patch) as unknown as PolicyState

/** The policy with the decided changes in its log: numbered, dated, and its counters moved. */
export const applied = (
  policy: PolicyAggregate,
  recorded: Recorded,
  author: string,
  nextId: () => Change["id"]
): PolicyAggregate => {
  const { head, now } = policy
  // Recording time never runs back in a log, whatever the clocks of two machines say.
  const recordedAt = max(now, head.lastModifiedAt)
  const written = recorded.changes.map(({ branchId, draft }, index): Change => ({
    ...draft,
    id: nextId(),
    seq: head.changeSeq + 1 + index,
    branchId,
    recordedAt,
    author
  }))
  const changes = [...policy.changes, ...written]
  const branches = merged(policy.branches, recorded.branches ?? []).map((branch) => {
    const last = written.findLast(({ branchId }) => branchId === branch.id)
    if (last === undefined) return branch
    const { stage } = stateOf(changes, lineageOf(policy.branches, branch))
    return { ...branch, seq: last.seq, stage: branch.status === "OPEN" ? stage : branch.stage }
  })
  const defaultBranchId = recorded.defaultBranchId ?? head.defaultBranchId
  const workedOn = recorded.defaultBranchId ?? policy.branch.id
  const branch = branches.find(({ id }) => id === workedOn)!
  const state = stateOn(changes, lineageOf(branches, branch), branch, now)
  const after = {
    ...policy,
    branches,
    branch,
    changes,
    state,
    product: policy.productOf(state),
    head: {
      ...head,
      defaultBranchId,
      changeSeq: head.changeSeq + written.length,
      eventSeq: head.eventSeq + written.length,
      lastModifiedAt: recordedAt
    }
  }
  return { ...after, head: { ...after.head, status: statusOf(after) } }
}

const merged = (
  present: ReadonlyArray<StoredBranch>,
  moved: ReadonlyArray<StoredBranch>
): ReadonlyArray<StoredBranch> => [
  ...present.map((branch) => moved.find(({ id }) => id === branch.id) ?? branch),
  ...moved.filter(({ id }) => present.every((branch) => branch.id !== id))
]

/** The policy with the status that it has by now: time alone may have moved it. */
export const presented = (policy: PolicyAggregate): PolicyAggregate => {
  const status = statusOf(policy)
  return status === policy.head.status ? policy : { ...policy, head: { ...policy.head, status } }
}

/** When something that is recorded takes effect next. */
export const nextEffect = ({
  changes,
  head,
  now
}: Pick<PolicyAggregate, "changes" | "head" | "now">): Instant | undefined =>
  visible(changes, { branchId: head.defaultBranchId }).find(({ effectiveAt }) => effectiveAt > now)
    ?.effectiveAt

/** The status that the policy shows at an instant, by what is recorded of it. */
export const statusAt = (policy: PolicyAggregate, now: Instant): PolicyStatus =>
  statusOf({ ...policy, now })

const statusOf = (policy: PolicyAggregate): PolicyStatus => {
  const state = presentState(policy)
  return status({ ...state, gated: awaitsFirstPayment(policy.productOf(state), state) })
}
