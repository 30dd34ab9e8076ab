/** Reads a policy as of an instant, on a branch, as it was known then. */
import { type BranchId, BranchNotFound, InvalidBranch } from "@quittance/domain/Branch"
import type { CurrentCaller, Forbidden, UserNotFound } from "@quittance/domain/Caller"
import type { Change } from "@quittance/domain/Change"
import type { Lineage, View } from "@quittance/domain/ChangeView"
import type { Action } from "@quittance/domain/Grant"
import type { Instant } from "@quittance/domain/Instant"
import { InvalidEffectiveDate, type PolicyId, PolicyNotFound } from "@quittance/domain/Policy"
import type { PolicyHead } from "@quittance/domain/PolicyHead"
import type { PolicyState } from "@quittance/domain/PolicyState"
import type { Product } from "@quittance/domain/Product"
import type { CurrentTenant } from "@quittance/domain/Tenant"
import * as Validity from "@quittance/domain/Validity"
import { PoliciesRepo } from "@quittance/persistence/PoliciesRepo"
import { type BranchRow, PolicyLogRepo } from "@quittance/persistence/PolicyLogRepo"
import { ProductsRepo } from "@quittance/persistence/ProductsRepo"
import { Context, Effect, Layer } from "effect"
import { CurrentRequest } from "./CurrentRequest.ts"
import { etagOf, lineageOf, stateOf, stateOn } from "./OpenPolicy.ts"

/** Which view of a policy is asked for. */
export interface ViewRequest {
  readonly policyId: PolicyId
  readonly branchId?: BranchId | undefined
  readonly whenAt?: Instant | undefined
  readonly knownAt?: Instant | undefined
}

export interface PolicyView {
  readonly head: PolicyHead
  readonly now: Instant
  /** The instant the view is of: the one asked for, else now. */
  readonly whenAt: Instant
  readonly product: Product
  readonly branch: BranchRow
  readonly state: PolicyState
}

export type AccessFailure = Forbidden | PolicyNotFound | UserNotFound
export type ReadFailure = AccessFailure | BranchNotFound | InvalidBranch | InvalidEffectiveDate

export class PolicyReader extends Context.Service<
  PolicyReader,
  {
    read(
      action: Action,
      request: ViewRequest
    ): Effect.Effect<PolicyView, ReadFailure, CurrentTenant | CurrentCaller | CurrentRequest>

    /** The policy as it is now, on its default branch. */
    present(
      action: Action,
      policyId: PolicyId
    ): Effect.Effect<PolicyView, AccessFailure, CurrentTenant | CurrentCaller | CurrentRequest>

    /**
     * The same, with the customers and assets that only come onto it later as they are then, and the
     * stops that are recorded of assets.
     */
    presentWithLater(
      action: Action,
      policyId: PolicyId
    ): Effect.Effect<PolicyView, AccessFailure, CurrentTenant | CurrentCaller | CurrentRequest>
  }
>()("@quittance/operations/PolicyReader") {
  static readonly layer = Layer.effect(
    PolicyReader,
    Effect.gen(function* () {
      const policies = yield* PoliciesRepo
      const log = yield* PolicyLogRepo
      const products = yield* ProductsRepo

      const branchOf = Effect.fnUntraced(function* (
        head: PolicyHead,
        branches: ReadonlyArray<BranchRow>,
        request: ViewRequest
      ) {
        const { branchId, knownAt } = request
        const known = branches.filter(
          ({ createdAt }) => knownAt === undefined || createdAt <= knownAt
        )
        const branch =
          branchId === undefined
            ? (known.find(({ id }) => id === head.defaultBranchId) ?? known[0])
            : known.find(({ id }) => id === branchId)
        if (branch !== undefined) return branch
        if (branchId === undefined) return yield* new PolicyNotFound({ policyId: head.id })
        const elsewhere = yield* log.branch(branchId)
        // A branch of this policy that had not been opened by then is not there either.
        return yield* elsewhere === undefined || elsewhere.policyId === head.id
          ? new BranchNotFound({ branchId })
          : new InvalidBranch({ branchId })
      })

      const read = Effect.fn("PolicyReader.read")(function* (action: Action, request: ViewRequest) {
        const { head, now } = yield* policies.authorize(action, request.policyId)
        const { knownAt } = request
        if (knownAt !== undefined && knownAt > now) {
          return yield* new InvalidEffectiveDate({ field: "knownAt", latest: now })
        }
        const branches = yield* log.branches(head.id)
        const branch = yield* branchOf(head, branches, request)
        const present = request.whenAt === undefined && knownAt === undefined
        // A branch that is not merged yet is shown as if all of it had taken effect.
        const whenAt = request.whenAt ?? (branch.branchType === "BASE" ? now : undefined)
        const lineage = lineageOf(branches, branch)
        const isFolded = knownAt !== undefined || lineage.base !== undefined
        // What commands recorded has this shape by construction.
        const state = (isFolded
          ? folded(yield* log.changes(head.id), lineage, branch, { knownAt, now, whenAt })
          : Validity.toState(
              yield* log.validityAt(head.id, branch.id, whenAt)
            )) as unknown as PolicyState
        if (present) (yield* CurrentRequest).answer.etag = etagOf(branch)
        const version = state.productVersion ?? head.productVersion
        return {
          head,
          now,
          whenAt: whenAt ?? now,
          product: yield* products.version(head.productId, version),
          branch,
          state
        }
      })

      const present = (action: Action, policyId: PolicyId) =>
        // What only a branch or an instant of the request can be wrong about does not happen here.
        Effect.catchTag(
          read(action, { policyId }),
          ["BranchNotFound", "InvalidBranch", "InvalidEffectiveDate"],
          Effect.die
        )

      const presentWithLater = Effect.fn("PolicyReader.presentWithLater")(function* (
        action: Action,
        policyId: PolicyId
      ) {
        const view = yield* present(action, policyId)
        const rows = yield* log.validityAt(policyId, view.branch.id, undefined)
        // What commands recorded has this shape by construction.
        const later = Validity.toState(rows) as unknown as PolicyState
        const state = {
          ...view.state,
          customers: { ...later.customers, ...view.state.customers },
          assets: { ...later.assets, ...withStops(view.state.assets, later.assets) }
        }
        return { ...view, state }
      })

      return PolicyReader.of({ read, present, presentWithLater })
    })
  ).pipe(Layer.provide([PoliciesRepo.layer, PolicyLogRepo.layer]))
}

type Assets = PolicyState["assets"]

/** Assets as they are, and when they will stop. */
const withStops = (assets: Assets, later: Assets): Assets =>
  Object.fromEntries(
    Object.entries(assets).map(([id, asset]) => {
      const stoppedAt = asset.stoppedAt ?? later[id]?.stoppedAt
      return [id, stoppedAt === undefined ? asset : { ...asset, stoppedAt }]
    })
  )

/** A view that no validity rows are kept of: of what was known once, or of a branch beside the trunk. */
const folded = (
  changes: ReadonlyArray<Change>,
  lineage: Lineage,
  branch: BranchRow,
  { knownAt, now, whenAt }: { readonly now: Instant } & Pick<View, "knownAt" | "whenAt">
): PolicyState => {
  const known = changes.filter(({ recordedAt }) => knownAt === undefined || recordedAt <= knownAt)
  return whenAt === undefined
    ? stateOn(known, lineage, branch, now)
    : stateOf(known, lineage, whenAt)
}
