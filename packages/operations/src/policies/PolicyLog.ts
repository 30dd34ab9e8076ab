/** Opens a policy with all its versions, and records what a command decided about it. */
import { BranchClosed, BranchNotFound, InvalidBranch } from "@quittance/domain/policies/Branch"
import type { Change } from "@quittance/domain/policies/Change"
import { told } from "@quittance/domain/policies/aggregate/PolicyEffects"
import { happeningsOf } from "@quittance/domain/policies/aggregate/PolicyHappenings"
import { Conflict } from "@quittance/domain/requests/RequestErrors"
import { Ids } from "@quittance/persistence/sql/Ids"
import { type AuthorizedPolicy, PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { PolicyLogRepo } from "@quittance/persistence/policies/PolicyLogRepo"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import { EventsRepo } from "@quittance/persistence/requests/EventsRepo"
import { pipelineBoth, pipelineAll } from "@quittance/persistence/sql/Pipelining"
import { Context, Effect, Layer } from "effect"
import type { Actor } from "../requests/Actor.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { OpenSignatures, PolicyProjections } from "./FollowUp.ts"
import { membershipsOf } from "@quittance/domain/policies/aggregate/PolicyMembers"
import {
  applied,
  audited,
  etagOf,
  lineageOf,
  type PolicyAggregate,
  presentState,
  type Recorded,
  baseBranch,
  stateOn,
  validityOf
} from "@quittance/domain/policies/aggregate/PolicyAggregate"
import { productsOf } from "./ProductVersions.ts"
import { shownColumns } from "@quittance/domain/policies/aggregate/ListColumns"
import type { AssetId, BranchId } from "@quittance/domain/values/Ids"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Action } from "@quittance/domain/requests/Action"

export class PolicyLog extends Context.Service<
  PolicyLog,
  {
    /** The policy on the branch that the request names, else on its default branch. */
    open(
      authorized: AuthorizedPolicy<Action>,
      branchId: BranchId | undefined
    ): Effect.Effect<
      PolicyAggregate,
      BranchClosed | BranchNotFound | InvalidBranch | Conflict,
      CurrentTenant | CurrentRequest
    >
    /** Writes what was decided, and answers the policy as it is now. */
    record(
      policy: PolicyAggregate,
      recorded: Recorded,
      actor: Actor
    ): Effect.Effect<PolicyAggregate, never, CurrentTenant>
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
      const projections = yield* PolicyProjections
      const signatures = yield* OpenSignatures
      const events = yield* EventsRepo

      const open = Effect.fn("PolicyLog.open")(function* (
        { head, now }: AuthorizedPolicy<Action>,
        branchId: BranchId | undefined
      ) {
        const [branches, changes] = yield* pipelineBoth(log.branches(head.id), log.changes(head.id))
        const branch = branches.find(({ id }) => id === (branchId ?? head.defaultBranchId))
        // Only a branch that the request names can be missing.
        if (branch === undefined) return yield* missing(branchId!)
        // A withdrawn sale is refused by its state, which allows no command any more.
        if (branchId !== undefined && branch.status !== "OPEN") {
          return yield* new BranchClosed({ branchId: branch.id, status: branch.status })
        }
        const { ifMatch } = yield* CurrentRequest
        if (ifMatch !== undefined && ifMatch !== etagOf(branch)) {
          return yield* new Conflict({ etag: etagOf(branch) })
        }
        const productOf = yield* productsOf(products, head, changes)
        const state = stateOn(changes, lineageOf(branches, branch), branch, now)
        const product = productOf(state)
        return { head, now, product, productOf, branches, branch, changes, state }
      })

      const missing = Effect.fnUntraced(function* (branchId: BranchId) {
        const elsewhere = yield* log.branch(branchId)
        return yield* elsewhere === undefined
          ? new BranchNotFound({ branchId })
          : new InvalidBranch({ branchId })
      })

      const record = Effect.fn("PolicyLog.record")(function* (
        policy: PolicyAggregate,
        recorded: Recorded,
        actor: Actor
      ) {
        const decided = applied(policy, recorded, actor.id, () => ids.next("change"))
        const written = decided.changes.slice(policy.changes.length)
        const happened = happeningsOf({ before: policy, after: decided })
        const head = told(policy, decided, happened.length)
        const after = { ...decided, head }
        const touched = new Set(written.map(({ branchId }) => branchId))
        const validity = validityOf(after, touched)
        const { startedAt } = presentState(after)
        const assetIds = assetsOf(written)
        // Only what is in force has invoices, and then the accounting summary shows its data.
        const { branchType } = baseBranch(after)
        const isBilled = branchType === "BASE" && touched.has(head.defaultBranchId)
        yield* pipelineAll([
          log.record({
            policyId: head.id,
            branches: after.branches.filter(
              (branch) => touched.has(branch.id) || !policy.branches.includes(branch)
            ),
            changes: written,
            validity,
            memberships: membershipsOf(policy, after, validity)
          }),
          policies.update({ ...head, ...shownColumns(after), startedAt }),
          ...(assetIds.length > 0 ? [log.touchAssets(assetIds, head.lastModifiedAt)] : []),
          ...(isBilled ? [projections.refresh([head.id])] : []),
          events.insertOfPolicies(
            happened.map(({ at, kind, payload }, index) => ({
              policyId: head.id,
              seq: policy.head.eventSeq + 1 + index,
              kind,
              occurredAt: at,
              recordedAt: head.lastModifiedAt,
              payload
            }))
          ),
          audit.recordAll(actor, [
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
        ])
        if (policy.product.signature?.method === "REQUEST") {
          yield* signatures.outdate(policy, after, { actor, command: recorded.command })
        }
        return after
      })

      return PolicyLog.of({ open, record })
    })
  ).pipe(
    Layer.provide([AuditTrail.layer, PolicyLogRepo.layer, PoliciesRepo.layer, EventsRepo.layer])
  )
}

/** The assets that changes say something of. */
const assetsOf = (changes: ReadonlyArray<Change>): ReadonlyArray<AssetId> => [
  ...new Set(
    changes.flatMap(({ patch }) =>
      patch.flatMap(({ path }) => {
        const [, first, id] = path.split("/")
        // Commands record assets by their identifiers.
        return first === "assets" && id !== undefined ? [id as AssetId] : []
      })
    )
  )
]
