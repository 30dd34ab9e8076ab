/** Reads a policy as of an instant, on a branch, as it was known then. */
import type { EntityState } from "@quittance/domain/policies/Validity"
import type { StoredBranch } from "@quittance/domain/policies/aggregate/StoredBranch"
import { BranchNotFound, InvalidBranch } from "@quittance/domain/policies/Branch"
import type { CurrentCaller, Forbidden, UserNotFound } from "@quittance/domain/requests/Caller"
import type { Change } from "@quittance/domain/policies/Change"
import type { Instant } from "@quittance/domain/values/Instant"
import { PolicyNotFound } from "@quittance/domain/policies/Policy"
import type { PolicyHead } from "@quittance/domain/policies/PolicyHead"
import type { PolicyState } from "@quittance/domain/policies/PolicyState"
import type { Product } from "@quittance/domain/products/Product"
import * as Validity from "@quittance/domain/policies/Validity"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { PolicyLogRepo } from "@quittance/persistence/policies/PolicyLogRepo"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { pipelineBoth } from "@quittance/persistence/sql/Pipelining"
import { Context, Effect, Layer } from "effect"
import { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { asKnownAt } from "@quittance/domain/policies/aggregate/PolicyAsKnown"
import {
  etagOf,
  lineageOf,
  type PolicyAggregate,
  stateOf,
  stateOn
} from "@quittance/domain/policies/aggregate/PolicyAggregate"
import { productsOf } from "./ProductVersions.ts"
import type { BranchId, PolicyId } from "@quittance/domain/values/Ids"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { InvalidEffectiveDate } from "@quittance/domain/requests/RequestErrors"
import type { Action } from "@quittance/domain/requests/Action"

/** Of whose record: a policy's as it is now, or as it was known once. */
export interface RecordRequest {
  readonly policyId: PolicyId
  readonly knownAt?: Instant | undefined
}

/** The same, as one of its branches shows it. */
export interface BranchRequest extends RecordRequest {
  readonly branchId?: BranchId | undefined
}

/** Which view of a policy is asked for: what had taken effect on a branch, of what was known. */
export interface ViewRequest extends BranchRequest {
  readonly whenAt?: Instant | undefined
}

/** A policy as one reads it; of what was known once also its head and its clock are those of then. */
export interface PolicyView {
  readonly head: PolicyHead
  readonly now: Instant
  /** The instant the view is of: the one asked for, else now. */
  readonly whenAt: Instant
  readonly product: Product
  readonly branch: StoredBranch
  readonly state: PolicyState
  /** What was recorded by then, where `knownAt` is asked for. */
  readonly known?: ReadonlyArray<Change>
}

export type AccessFailure = Forbidden | PolicyNotFound | UserNotFound
export type ReadFailure = AccessFailure | BranchNotFound | InvalidBranch | InvalidEffectiveDate

type Scoped = CurrentTenant | CurrentCaller | CurrentRequest

export class PolicyReader extends Context.Service<
  PolicyReader,
  {
    read(action: Action, request: ViewRequest): Effect.Effect<PolicyView, ReadFailure, Scoped>
    /**
     * The same; where no instant is asked for with the customers and assets that only come onto it later
     * as they are then, and the stops that are recorded of assets.
     */
    readWithLater(
      action: Action,
      request: ViewRequest
    ): Effect.Effect<PolicyView, ReadFailure, Scoped>
    /** The same of a policy that the caller was found to be allowed to see. */
    readCovered(
      request: ViewRequest
    ): Effect.Effect<
      PolicyView,
      Exclude<ReadFailure, Forbidden | UserNotFound>,
      CurrentTenant | CurrentRequest
    >
    /** The policy with its log, as a command has it: on a branch, with all that shows there in effect. */
    open(
      action: Action,
      request: BranchRequest
    ): Effect.Effect<PolicyAggregate, ReadFailure, Scoped>
    /** What is recorded of a policy, on all branches; or what one of them is folded from. */
    changes(
      action: Action,
      request: BranchRequest
    ): Effect.Effect<ReadonlyArray<Change>, ReadFailure, Scoped>
    /** The branches of a policy. */
    branches(
      action: Action,
      request: RecordRequest
    ): Effect.Effect<ReadonlyArray<StoredBranch>, AccessFailure | InvalidEffectiveDate, Scoped>
  }
>()("@quittance/operations/PolicyReader") {
  static readonly layer = Layer.effect(
    PolicyReader,
    Effect.gen(function* () {
      const policies = yield* PoliciesRepo
      const log = yield* PolicyLogRepo
      const products = yield* ProductsRepo
      const clock = yield* TenantClockRepo

      /** What was known once is read when no command can add to it any more. */
      const settle = Effect.fnUntraced(function* ({ knownAt, policyId }: RecordRequest) {
        return knownAt === undefined ? undefined : yield* policies.settled([policyId])
      })

      const requirePast = (knownAt: Instant | undefined, latest: Instant | undefined) =>
        knownAt !== undefined && latest !== undefined && knownAt > latest
          ? Effect.fail(new InvalidEffectiveDate({ field: "knownAt", latest }))
          : Effect.void

      const access = Effect.fnUntraced(function* (action: Action, request: RecordRequest) {
        const settled = yield* settle(request)
        const authorized = yield* policies.authorize(action, request.policyId)
        yield* requirePast(request.knownAt, settled)
        return authorized
      })

      /** The whole record; of what was known once, as if it were that instant. */
      const recordOf = Effect.fnUntraced(function* (
        { head, now }: Authorized,
        knownAt: Instant | undefined
      ) {
        const [branches, changes] = yield* pipelineBoth(log.branches(head.id), log.changes(head.id))
        if (knownAt === undefined) return { head, now, branches, changes }
        const forks = yield* log.firstForks([head.id])
        const known = asKnownAt({ head, branches, changes }, forks, knownAt)
        if (known === undefined) return yield* new PolicyNotFound({ policyId: head.id })
        return { ...known, now: knownAt }
      })

      const branchOf = Effect.fnUntraced(function* (
        { branches, head }: Pick<PolicyAggregate, "branches" | "head">,
        branchId: BranchId | undefined
      ) {
        const branch = branches.find(({ id }) => id === (branchId ?? head.defaultBranchId))
        if (branch !== undefined) return branch
        // Only a branch that the request names can be missing.
        const named = branchId!
        const elsewhere = yield* log.branch(named)
        // A branch of this policy that had not been opened by then is not there either.
        return yield* elsewhere === undefined || elsewhere.policyId === head.id
          ? new BranchNotFound({ branchId: named })
          : new InvalidBranch({ branchId: named })
      })

      /** What a request is about: the log only where no validity rows are kept of what it asks for. */
      const find = Effect.fnUntraced(function* (
        authorized: Authorized,
        { branchId, knownAt, policyId }: BranchRequest
      ) {
        if (knownAt !== undefined) {
          const known = yield* recordOf(authorized, knownAt)
          return { ...known, branch: yield* branchOf(known, branchId) }
        }
        const { head, now } = authorized
        const branches = yield* log.branches(policyId)
        const branch = yield* branchOf({ head, branches }, branchId)
        const isForked = lineageOf(branches, branch).base !== undefined
        const changes = isForked ? yield* log.changes(policyId) : undefined
        return { head, now, branches, branch, changes }
      })

      /** A branch's state at an instant; without one all that is to come is in effect, too. */
      const stateBy = (
        { branch, branches, changes, head }: PolicyAtInstant,
        whenAt: Instant | undefined
      ) =>
        changes === undefined
          ? Effect.map(log.validityAt(head.id, branch.id, whenAt), toState)
          : Effect.succeed(stateOf(changes, lineageOf(branches, branch), whenAt))

      const view = Effect.fnUntraced(function* (found: PolicyAtInstant, request: ViewRequest) {
        const { branch, branches, changes, head, now } = found
        // A branch that is not merged yet is shown as if all of it had taken effect.
        const whenAt = request.whenAt ?? (branch.branchType === "BASE" ? now : undefined)
        const state =
          changes !== undefined && whenAt === undefined
            ? stateOn(changes, lineageOf(branches, branch), branch, now)
            : yield* stateBy(found, whenAt)
        const isPresent = request.whenAt === undefined && request.knownAt === undefined
        if (isPresent) (yield* CurrentRequest).answer.etag = etagOf(branch)
        const version = state.productVersion ?? head.productVersion
        const product = yield* products.version(head.productId, version)
        const known =
          request.knownAt === undefined || changes === undefined ? {} : { known: changes }
        return { head, now, whenAt: whenAt ?? now, product, branch, state, ...known }
      })

      const read = Effect.fn("PolicyReader.read")(function* (action: Action, request: ViewRequest) {
        return yield* view(yield* find(yield* access(action, request), request), request)
      })

      const withLater = Effect.fnUntraced(function* (authorized: Authorized, request: ViewRequest) {
        const found = yield* find(authorized, request)
        const seen = yield* view(found, request)
        if (request.whenAt !== undefined) return seen
        const { state } = seen
        const later = yield* stateBy(found, undefined)
        const customers = { ...later.customers, ...state.customers }
        const assets = { ...later.assets, ...withStops(state.assets, later.assets) }
        return { ...seen, state: { ...state, customers, assets } }
      })

      const readWithLater = Effect.fn("PolicyReader.readWithLater")(function* (
        action: Action,
        request: ViewRequest
      ) {
        return yield* withLater(yield* access(action, request), request)
      })

      const readCovered = Effect.fn("PolicyReader.readCovered")(function* (request: ViewRequest) {
        const settled = yield* settle(request)
        const [head] = yield* policies.findMany([request.policyId])
        if (head === undefined) return yield* new PolicyNotFound({ policyId: request.policyId })
        yield* requirePast(request.knownAt, settled)
        return yield* withLater({ head, now: (yield* clock.read).now }, request)
      })

      const open = Effect.fn("PolicyReader.open")(function* (
        action: Action,
        { branchId, ...request }: BranchRequest
      ) {
        const record = yield* recordOf(yield* access(action, request), request.knownAt)
        const { branches, changes, head, now } = record
        const branch = yield* branchOf(record, branchId)
        const productOf = yield* productsOf(products, head, changes)
        const state = stateOn(changes, lineageOf(branches, branch), branch, now)
        return { ...record, branch, state, product: productOf(state), productOf }
      })

      const changes = Effect.fn("PolicyReader.changes")(function* (
        action: Action,
        { branchId, ...request }: BranchRequest
      ) {
        const authorized = yield* access(action, request)
        const { knownAt, policyId } = request
        if ((branchId ?? knownAt) === undefined) return yield* log.changes(policyId)
        const record = yield* recordOf(authorized, knownAt)
        if (branchId === undefined) return record.changes
        const { base } = lineageOf(record.branches, yield* branchOf(record, branchId))
        return record.changes.filter(
          (change) =>
            change.branchId === branchId ||
            (change.branchId === base?.branchId && change.seq <= base.seq)
        )
      })

      const branches = Effect.fn("PolicyReader.branches")(function* (
        action: Action,
        request: RecordRequest
      ) {
        const authorized = yield* access(action, request)
        const { knownAt, policyId } = request
        if (knownAt === undefined) return yield* log.branches(policyId)
        return (yield* recordOf(authorized, knownAt)).branches
      })

      return PolicyReader.of({ read, readWithLater, readCovered, open, changes, branches })
    })
  ).pipe(Layer.provide([PoliciesRepo.layer, PolicyLogRepo.layer, TenantClockRepo.layer]))
}

/** A policy that may be read, and the instant of the reading. */
type Authorized = Pick<PolicyAggregate, "head" | "now">

/** A branch of a policy, and the log that is folded for it, if any. */
interface PolicyAtInstant extends Pick<PolicyAggregate, "branch" | "branches" | "head" | "now"> {
  readonly changes: ReadonlyArray<Change> | undefined
}

// What commands recorded has this shape by construction.
const toState = (rows: ReadonlyArray<EntityState>) =>
  Validity.toState(rows) as unknown as PolicyState

type Assets = PolicyState["assets"]

/** Assets as they are, and when they will stop. */
const withStops = (assets: Assets, later: Assets): Assets =>
  Object.fromEntries(
    Object.entries(assets).map(([id, asset]) => {
      const stoppedAt = asset.stoppedAt ?? later[id]?.stoppedAt
      return [id, stoppedAt === undefined ? asset : { ...asset, stoppedAt }]
    })
  )
