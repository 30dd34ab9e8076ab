/** Many policies as the wire shows them, by few reads for all of them. */
import type { Instant } from "@quittance/domain/Instant"
import type { Policy, PolicyId, PolicyStatus } from "@quittance/domain/Policy"
import type { PolicyHead } from "@quittance/domain/PolicyHead"
import type { PolicyState } from "@quittance/domain/PolicyState"
import type { CurrentTenant } from "@quittance/domain/Tenant"
import * as Validity from "@quittance/domain/Validity"
import { PoliciesRepo } from "@quittance/persistence/PoliciesRepo"
import { PolicyLogRepo, type ValidityRow } from "@quittance/persistence/PolicyLogRepo"
import { ProductsRepo } from "@quittance/persistence/ProductsRepo"
import { Context, Effect, Layer } from "effect"
import { QuotesOfPolicies } from "./QuotesOfPolicies.ts"

/** A policy as it is now, with the state that it is shown from. */
export interface ViewedPolicy {
  readonly policy: Policy
  readonly state: PolicyState
}

export class PolicyViews extends Context.Service<
  PolicyViews,
  {
    /** Policies that the caller was found to be allowed to see, by identifier. */
    of(
      policyIds: ReadonlyArray<PolicyId>,
      now: Instant
    ): Effect.Effect<ReadonlyMap<PolicyId, ViewedPolicy>, never, CurrentTenant>
    /** Their states, with the customers and assets that only come onto them later as they are then. */
    withLater(
      policyIds: ReadonlyArray<PolicyId>,
      now: Instant
    ): Effect.Effect<ReadonlyMap<PolicyId, PolicyState>, never, CurrentTenant>
  }
>()("@quittance/operations/PolicyViews") {
  static readonly layer = Layer.effect(
    PolicyViews,
    Effect.gen(function* () {
      const log = yield* PolicyLogRepo
      const policies = yield* PoliciesRepo
      const products = yield* ProductsRepo
      const quotes = yield* QuotesOfPolicies

      /** A sale that is not signed yet is shown as if all of it had taken effect. */
      const validityOf = Effect.fnUntraced(function* (
        heads: ReadonlyArray<PolicyHead>,
        now: Instant
      ) {
        const inForce = heads.filter(({ status }) => !unsigned.has(status))
        const open = heads.filter(({ status }) => unsigned.has(status))
        const idsOf = (some: typeof heads) => some.map(({ id }) => id)
        const [present, all] = yield* Effect.all([
          inForce.length === 0 ? nothing : log.validityOf(idsOf(inForce), now),
          open.length === 0 ? nothing : log.validityOf(idsOf(open), undefined)
        ])
        return new Map([...present, ...all])
      })

      const of = Effect.fn("PolicyViews.of")(function* (
        policyIds: ReadonlyArray<PolicyId>,
        now: Instant
      ) {
        if (policyIds.length === 0) return new Map<PolicyId, ViewedPolicy>()
        const heads = yield* policies.findMany(policyIds)
        const validity = yield* validityOf(heads, now)
        const views = yield* Effect.forEach(
          heads,
          Effect.fnUntraced(function* (head) {
            const product = yield* products.version(head.productId, head.productVersion)
            const state = stateOf(validity.get(head.id))
            const branchType = unsigned.has(head.status) ? "NEW_BUSINESS" : "BASE"
            return { head, product, state, branchType, whenAt: now } as const
          })
        )
        const shown = yield* quotes.showAll(views)
        return new Map(
          views.map(({ head, state }, index) => [head.id, { policy: shown[index]!, state }])
        )
      })

      const withLater = Effect.fn("PolicyViews.withLater")(function* (
        policyIds: ReadonlyArray<PolicyId>,
        now: Instant
      ) {
        if (policyIds.length === 0) return new Map<PolicyId, PolicyState>()
        const heads = yield* policies.findMany(policyIds)
        const present = yield* validityOf(heads, now)
        const later = yield* log.validityOf(policyIds, undefined)
        return new Map(
          heads.map(({ id }) => {
            const [state, last] = [stateOf(present.get(id)), stateOf(later.get(id))]
            const customers = { ...last.customers, ...state.customers }
            return [id, { ...state, customers, assets: { ...last.assets, ...state.assets } }]
          })
        )
      })

      return PolicyViews.of({ of, withLater })
    })
  ).pipe(Layer.provide([PoliciesRepo.layer, PolicyLogRepo.layer, QuotesOfPolicies.layer]))
}

const unsigned: ReadonlySet<PolicyStatus> = new Set([
  "POLICY_CREATED",
  "POLICY_QUOTED",
  "POLICY_CONFIRMED"
])

const nothing = Effect.succeed(new Map<PolicyId, ReadonlyArray<ValidityRow>>())

/** What commands recorded has this shape by construction. */
export const stateOf = (rows: ReadonlyArray<ValidityRow> = []): PolicyState =>
  Validity.toState(rows) as unknown as PolicyState
