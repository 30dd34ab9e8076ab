import type { StoredBranch } from "@quittance/domain/policies/aggregate/StoredBranch"
import type { CreatePolicy } from "@quittance/domain/policies/PolicyRequests"
import {
  type AnonymousSessionId,
  CurrentCaller,
  type Forbidden,
  Unauthorized,
  type UserNotFound
} from "@quittance/domain/requests/Caller"
import { type JsonObject, origin, type PatchEntry } from "@quittance/domain/policies/Change"
import type { Instant } from "@quittance/domain/values/Instant"
import * as LocalDate from "@quittance/domain/values/LocalDate"
import type { Broker, DuplicateExternalId, Policy } from "@quittance/domain/policies/Policy"
import type { PolicyHead } from "@quittance/domain/policies/PolicyHead"
import type { Product, UnknownProduct } from "@quittance/domain/products/Product"
import * as TimeZone from "@quittance/domain/values/TimeZone"
import type { User } from "@quittance/domain/access/User"
import { AnonymousSessionsRepo } from "@quittance/persistence/access/AnonymousSessionsRepo"
import { ExternalIdsRepo } from "@quittance/persistence/policies/ExternalIdsRepo"
import { FirmsRepo } from "@quittance/persistence/access/FirmsRepo"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { UsersRepo } from "@quittance/persistence/access/UsersRepo"
import { Context, Effect, Layer } from "effect"
import { requestActor } from "../requests/Actor.ts"
import { BrokerageFees } from "./BrokerageFees.ts"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { checkOpening, type PolicyFault } from "./PolicyChecks.ts"
import { type PolicyAggregate, stateOf } from "@quittance/domain/policies/aggregate/PolicyAggregate"
import { PolicyLog } from "./PolicyLog.ts"
import type { BranchId, BrokerageFirmId, PolicyId } from "@quittance/domain/values/Ids"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { InvalidReference } from "@quittance/domain/requests/RequestErrors"

/** What opening a policy may answer. */
export type CreateFailure =
  | DuplicateExternalId
  | Forbidden
  | InvalidReference
  | PolicyFault
  | Unauthorized
  | UnknownProduct
  | UserNotFound

export class PolicyCreation extends Context.Service<
  PolicyCreation,
  {
    /** Checks that the caller may open a policy of the product for the firm; part of a command. */
    authorize(
      input: CreatePolicy
    ): Effect.Effect<Authorized, CreateFailure, CurrentTenant | CurrentCaller>
    /** Opens the policy on a `NEW_BUSINESS` branch; part of a command's transaction. */
    open(
      authorized: Authorized,
      input: CreatePolicy
    ): Effect.Effect<PolicyAggregate, CreateFailure, CurrentTenant | CurrentCaller | CurrentRequest>
  }
>()("@quittance/operations/PolicyCreation") {
  static readonly layer = Layer.effect(
    PolicyCreation,
    Effect.gen(function* () {
      const brokerageFees = yield* BrokerageFees
      const clock = yield* TenantClockRepo
      const externalIds = yield* ExternalIdsRepo
      const firms = yield* FirmsRepo
      const grants = yield* GrantsRepo
      const ids = yield* Ids
      const log = yield* PolicyLog
      const policies = yield* PoliciesRepo
      const products = yield* ProductsRepo
      const sessions = yield* AnonymousSessionsRepo
      const users = yield* UsersRepo

      /** Holds a session until it has its policy: whatever ends it meanwhile takes that one along. */
      const holdSession = Effect.fnUntraced(function* (id: AnonymousSessionId) {
        const session = yield* sessions.hold(id)
        if (session === undefined || session.revokedAt !== undefined) {
          return yield* new Unauthorized()
        }
      })

      const authorize = Effect.fn("PolicyCreation.authorize")(function* (input: CreatePolicy) {
        const caller = yield* CurrentCaller
        if (caller._tag === "Anonymous") yield* holdSession(caller.sessionId)
        const user = caller._tag === "User" ? yield* users.find(caller.userId) : undefined
        const firmId = input.brokerageFirm ?? user?.brokerageFirmId
        const path = firmId === undefined ? [] : yield* firms.path(firmId)
        const target = { firms: path ?? [], records: [] }
        yield* grants.require("policy.create", target)
        // A session may open a policy, but neither choose its firm nor who earns and pays.
        if (caller._tag === "Anonymous" && firmId !== undefined) {
          yield* grants.require("policy.assign", target)
        }
        if (input.brokerageFees !== undefined) yield* grants.require("quote.fee", target)
        if (input.billingAssignment !== undefined) yield* grants.require("policy.assign", target)
        if (firmId !== undefined && path === undefined) {
          return yield* new InvalidReference({ field: "brokerageFirm", value: firmId })
        }
        const author = user === undefined ? null : brokerOf(user)
        return { firmId: firmId ?? null, author }
      })

      const parentOf = (parent: PolicyId) =>
        policies
          .authorize("policy.read", parent)
          .pipe(
            Effect.catchTag(["PolicyNotFound", "Forbidden"], () =>
              Effect.fail(new InvalidReference({ field: "parent", value: parent }))
            )
          )

      const open = Effect.fn("PolicyCreation.open")(function* (
        { author, firmId }: Authorized,
        input: CreatePolicy
      ) {
        const { now } = yield* clock.read
        const product = yield* products.current(input.productId)
        if (input.parent !== undefined) yield* parentOf(input.parent)
        yield* brokerageFees.check(input.brokerageFees)
        const policyId = ids.next("policy")
        const actor = yield* requestActor
        const branch = newBusiness(policyId, ids.next("branch"), now, actor.id)
        const startedAt = input.startedAt ?? nextMidnight(product, now)
        const patch = creation(product, firmId, { ...input, startedAt })
        const draft = { kind: "CREATE", effectiveAt: origin, patch } as const
        const head = {
          id: policyId,
          productId: product.productId,
          productVersion: product.version,
          type: input.type ?? product.type,
          brokerageFirmId: firmId,
          parentId: input.parent ?? null,
          author,
          defaultBranchId: branch.id,
          changeSeq: 0,
          eventSeq: 0,
          toldUntil: null,
          status: "POLICY_CREATED",
          createdAt: now,
          lastModifiedAt: now
        } as const
        const { name, externalId } = input
        const incrementalId = yield* policies.insert(head, { name, externalId, startedAt })
        if (externalId !== undefined) yield* externalIds.claim(policyId, [externalId])
        const caller = yield* CurrentCaller
        if (caller._tag === "Anonymous") {
          const on = { kind: "RECORD", recordId: policyId } as const
          yield* grants.give(caller.sessionId, { role: "POLICYHOLDER", on })
        }
        const policy = yield* log.record(
          {
            head: { ...head, incrementalId } satisfies PolicyHead,
            now,
            product,
            branches: [],
            branch,
            changes: [],
            state: stateOf([], { branchId: branch.id }),
            productOf: () => product
          },
          {
            command: "policy.create",
            branches: [branch],
            changes: [{ branchId: branch.id, draft }]
          },
          actor
        )
        yield* checkOpening(product, policy.state, now)
        return policy
      })

      return PolicyCreation.of({ authorize, open })
    })
  ).pipe(
    Layer.provide([
      AnonymousSessionsRepo.layer,
      BrokerageFees.layer,
      ExternalIdsRepo.layer,
      FirmsRepo.layer,
      GrantsRepo.layer,
      PoliciesRepo.layer,
      PolicyLog.layer,
      TenantClockRepo.layer,
      UsersRepo.layer
    ])
  )
}

/** For whom the caller may open the policy. */
interface Authorized {
  readonly firmId: BrokerageFirmId | null
  readonly author: Broker | null
}

const brokerOf = (user: User): Broker => ({
  firstName: user.firstName,
  lastName: user.lastName,
  userId: user.id,
  email: user.email,
  ...(user.brokerRole === undefined ? {} : { brokerRole: user.brokerRole })
})

const newBusiness = (
  policyId: PolicyId,
  id: BranchId,
  now: Instant,
  author: string
): StoredBranch => ({
  id,
  policyId,
  branchType: "NEW_BUSINESS",
  name: "New business",
  status: "OPEN",
  stage: "DRAFT",
  effectiveAt: null,
  forkedAt: now,
  forkedSeq: 0,
  seq: 0,
  author,
  createdAt: now,
  mergedAt: null,
  invalidatedAt: null,
  invalidationReason: null,
  aside: null
})

/** The next local midnight of the product: where cover begins unless it is said otherwise. */
const nextMidnight = ({ timeZone }: Product, now: Instant): Instant =>
  TimeZone.startOfDay(LocalDate.addDays(TimeZone.localDate(now, timeZone), 1), timeZone)

/** What the product lets a policy's own firm earn; `undefined` where it says nothing of it. */
const ownFees = (
  { brokerageFee: { firms = [] } }: Product,
  firmId: BrokerageFirmId | null
): Policy["brokerageFees"] => {
  const own = firms.filter(({ brokerageFirmId }) => brokerageFirmId === firmId)
  return own.length === 0 ? undefined : own
}

/** The first state, what the request leaves out taken from the product. */
const creation = (
  product: Product,
  firmId: BrokerageFirmId | null,
  input: CreatePolicy & { readonly startedAt: Instant }
): ReadonlyArray<PatchEntry> => {
  const state = {
    stage: "DRAFT",
    startedAt: input.startedAt,
    periodDuration: input.periodDuration ?? product.periodDuration,
    invoicingConfig: input.invoicingConfig ?? product.invoicing.default,
    customFields: Object.fromEntries(
      (input.customFields ?? []).map(({ key, value }) => [key, value])
    ),
    customers: {},
    assets: {},
    name: input.name,
    externalId: input.externalId,
    salesChannel: input.salesChannel,
    brokerageFees: input.brokerageFees ?? ownFees(product, firmId),
    billingAssignment: input.billingAssignment
  }
  return (
    Object.entries(state)
      .filter(([, value]) => value !== undefined)
      // The members of a stored state are JSON.
      .map(([key, value]) => ({ path: `/${key}`, value: value as JsonObject }))
  )
}
