/** Opens a policy with all its versions, and records what a command decided about it. */
import {
  BranchClosed,
  type BranchId,
  BranchNotFound,
  InvalidBranch
} from "@quittance/domain/Branch"
import {
  apply,
  type Change,
  fold,
  type Foldable,
  type JsonObject,
  visible
} from "@quittance/domain/Change"
import type { Action } from "@quittance/domain/Grant"
import { type Instant, max } from "@quittance/domain/Instant"
import { status } from "@quittance/domain/Lifecycle"
import type { Draft } from "@quittance/domain/PolicyCommands"
import type { PolicyHead } from "@quittance/domain/PolicyHead"
import type { PolicyState } from "@quittance/domain/PolicyState"
import { isGated } from "@quittance/domain/PolicyView"
import type { Product } from "@quittance/domain/Product"
import { Conflict } from "@quittance/domain/RequestErrors"
import type { CurrentTenant } from "@quittance/domain/Tenant"
import * as Validity from "@quittance/domain/Validity"
import { Ids } from "@quittance/persistence/Ids"
import { type AuthorizedPolicy, PoliciesRepo } from "@quittance/persistence/PoliciesRepo"
import { type BranchRow, PolicyLogRepo } from "@quittance/persistence/PolicyLogRepo"
import { ProductsRepo } from "@quittance/persistence/ProductsRepo"
import { ReceivablesRepo } from "@quittance/persistence/ReceivablesRepo"
import { RecordsRepo } from "@quittance/persistence/RecordsRepo"
import { Context, Effect, Layer } from "effect"
import type { Actor } from "./Actor.ts"
import { AuditTrail } from "./AuditTrail.ts"
import { CurrentRequest } from "./CurrentRequest.ts"

/** A policy held by the command that locked it: one branch of it, and what the whole log says. */
export interface OpenPolicy {
  readonly head: PolicyHead
  readonly now: Instant
  readonly product: Product
  readonly branches: ReadonlyArray<BranchRow>
  readonly branch: BranchRow
  readonly changes: ReadonlyArray<Change>
  /** The branch's state with every change of it in effect. */
  readonly state: PolicyState
}

/** What a command has decided: changes by branch, and branches that open, move or close. */
export interface Recorded {
  /** The command's name, for the audit record and the event. */
  readonly command: string
  readonly changes: ReadonlyArray<{ readonly branchId: BranchId; readonly draft: Draft }>
  readonly branches?: ReadonlyArray<BranchRow>
  readonly defaultBranchId?: BranchId
}

export class PolicyLog extends Context.Service<
  PolicyLog,
  {
    /** The policy on the branch that the request names, else on its default branch. */
    open(
      authorized: AuthorizedPolicy<Action>,
      branchId: BranchId | undefined
    ): Effect.Effect<
      OpenPolicy,
      BranchClosed | BranchNotFound | InvalidBranch | Conflict,
      CurrentTenant | CurrentRequest
    >
    /** Writes what was decided, and answers the policy as it is now. */
    record(
      policy: OpenPolicy,
      recorded: Recorded,
      actor: Actor
    ): Effect.Effect<OpenPolicy, never, CurrentTenant>
  }
>()("@quittance/operations/PolicyLog") {
  static readonly layer = Layer.effect(
    PolicyLog,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const ids = yield* Ids
      const log = yield* PolicyLogRepo
      const policies = yield* PoliciesRepo
      const products = yield* ProductsRepo
      const receivables = yield* ReceivablesRepo
      const records = yield* RecordsRepo

      const open = Effect.fn("PolicyLog.open")(function* (
        { head, now }: AuthorizedPolicy<Action>,
        branchId: BranchId | undefined
      ) {
        const branches = yield* log.branches(head.id)
        const branch = branches.find(({ id }) => id === (branchId ?? head.defaultBranchId))
        // Only a branch that the request names can be missing.
        if (branch === undefined) return yield* missing(branchId!)
        if (branch.status !== "OPEN") {
          return yield* new BranchClosed({ branchId: branch.id, status: branch.status })
        }
        const { ifMatch } = yield* CurrentRequest
        if (ifMatch !== undefined && ifMatch !== etagOf(branch)) {
          return yield* new Conflict({ etag: etagOf(branch) })
        }
        const changes = yield* log.changes(head.id)
        const product = yield* products.version(head.productId, head.productVersion)
        const state = stateOf(changes, branch.id)
        return { head, now, product, branches, branch, changes, state }
      })

      const missing = Effect.fnUntraced(function* (branchId: BranchId) {
        const elsewhere = yield* log.branch(branchId)
        return yield* elsewhere === undefined
          ? new BranchNotFound({ branchId })
          : new InvalidBranch({ branchId })
      })

      const record = Effect.fn("PolicyLog.record")(function* (
        policy: OpenPolicy,
        recorded: Recorded,
        actor: Actor
      ) {
        const after = applied(policy, recorded, actor.id, () => ids.next("change"))
        const { head } = after
        const written = after.changes.slice(policy.changes.length)
        const touched = new Set(written.map(({ branchId }) => branchId))
        yield* log.record({
          policyId: head.id,
          branches: after.branches.filter(
            (branch) => touched.has(branch.id) || !policy.branches.includes(branch)
          ),
          changes: written,
          validity: new Map(
            [...touched].map((id) => [id, Validity.ofBranch(after.changes, id, head.id)])
          )
        })
        yield* policies.update({
          ...head,
          name: after.state.name,
          startedAt: after.state.startedAt,
          stopReason: after.state.stop?.reason
        })
        // Only what is in force has invoices, and then the accounting summary shows its data.
        if (after.branch.branchType === "BASE") yield* receivables.refresh([head.id])
        yield* records.events(
          written.map((change, index) => ({
            policyId: head.id,
            seq: policy.head.eventSeq + 1 + index,
            kind: `policy.${change.kind.toLowerCase()}`,
            occurredAt: change.effectiveAt,
            recordedAt: change.recordedAt,
            payload: { changeId: change.id, branchId: change.branchId }
          }))
        )
        yield* audit.recordAll(actor, [
          {
            businessAt: policy.now,
            action: recorded.command,
            recordId: head.id,
            // What has no change yet was not there before.
            ...(policy.changes.length === 0 ? {} : { before: audited(policy) }),
            after: audited(after),
            detail: { changeIds: written.map(({ id }) => id) }
          }
        ])
        return after
      })

      return PolicyLog.of({ open, record })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      PolicyLogRepo.layer,
      PoliciesRepo.layer,
      ReceivablesRepo.layer,
      RecordsRepo.layer
    ])
  )
}

/** Changes that a command makes on the branch it works on. */
export const onBranch = (
  { branch }: OpenPolicy,
  drafts: ReadonlyArray<Draft>
): Recorded["changes"] => drafts.map((draft) => ({ branchId: branch.id, draft }))

/** What the audit trail takes a policy for: its head, its branches, and what its own branch says. */
export const audited = ({ branches, head, state }: OpenPolicy) => ({ head, branches, state })

/** The strong etag of a branch: the number of its last change. */
export const etagOf = (branch: BranchRow): string => `"${branch.seq}"`

/** The fold of a branch; what commands recorded has this shape by construction. */
export const stateOf = (
  changes: ReadonlyArray<Foldable>,
  branchId: BranchId,
  whenAt?: Instant
): PolicyState => fold(visible(changes, { branchId, whenAt })) as unknown as PolicyState

/** The branch's state with a change to be judged, where its effective time puts it. */
export const stateWith = (
  { branch, changes, head, now }: OpenPolicy,
  change: Pick<Draft, "effectiveAt" | "patch">
): PolicyState => {
  const next = { ...change, branchId: branch.id, seq: head.changeSeq + 1, recordedAt: now }
  return stateOf([...changes, next], branch.id)
}

/** A state with a patch on it, to be judged before it is recorded. */
export const patched = (state: PolicyState, { patch }: Pick<Draft, "patch">): PolicyState =>
  apply(state as unknown as JsonObject, patch) as unknown as PolicyState

/** The policy with the decided changes in its log: numbered, dated, and its counters moved. */
export const applied = (
  policy: OpenPolicy,
  recorded: Recorded,
  author: string,
  nextId: () => Change["id"]
): OpenPolicy => {
  const { head, now } = policy
  // Recording time never runs back in a log, whatever the clocks of two machines say.
  const recordedAt = max(now, policy.changes.at(-1)?.recordedAt ?? now)
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
    const { stage } = stateOf(changes, branch.id)
    return { ...branch, seq: last.seq, stage: branch.status === "OPEN" ? stage : branch.stage }
  })
  const defaultBranchId = recorded.defaultBranchId ?? head.defaultBranchId
  const branch = branches.find(({ id }) => id === defaultBranchId)!
  const state = stateOf(changes, defaultBranchId)
  return {
    ...policy,
    branches,
    branch: recorded.defaultBranchId === undefined ? current(branches, policy.branch) : branch,
    changes,
    state,
    head: {
      ...head,
      defaultBranchId,
      changeSeq: head.changeSeq + written.length,
      eventSeq: head.eventSeq + written.length,
      status: statusAt(policy.product, changes, defaultBranchId, now),
      lastModifiedAt: recordedAt
    }
  }
}

const current = (branches: ReadonlyArray<BranchRow>, branch: BranchRow): BranchRow =>
  branches.find(({ id }) => id === branch.id)!

const merged = (
  present: ReadonlyArray<BranchRow>,
  moved: ReadonlyArray<BranchRow>
): ReadonlyArray<BranchRow> => [
  ...present.map((branch) => moved.find(({ id }) => id === branch.id) ?? branch),
  ...moved.filter(({ id }) => present.every((branch) => branch.id !== id))
]

const statusAt = (
  product: Product,
  changes: ReadonlyArray<Change>,
  branchId: BranchId,
  now: Instant
) => {
  const state = stateOf(changes, branchId, now)
  return status({ ...state, gated: isGated(product, state) })
}
