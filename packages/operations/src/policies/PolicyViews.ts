/** Many policies as the wire shows them, by few reads for all of them. */
import type { Instant } from "@quittance/domain/values/Instant"
import type { Policy } from "@quittance/domain/policies/Policy"
import type { PolicyState } from "@quittance/domain/policies/PolicyState"
import * as Validity from "@quittance/domain/policies/Validity"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { CurrentStatesRepo } from "@quittance/persistence/policies/CurrentStatesRepo"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import { Context, Effect, Layer } from "effect"
import { QuotesOfPolicies } from "./PolicyQuotes.ts"
import type { PolicyId } from "@quittance/domain/values/Ids"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

export class PolicyViews extends Context.Service<
  PolicyViews,
  {
    /** Policies that the caller was found to be allowed to see, as they are now, by identifier. */
    of(
      policyIds: ReadonlyArray<PolicyId>,
      now: Instant
    ): Effect.Effect<ReadonlyMap<PolicyId, Policy>, never, CurrentTenant>
  }
>()("@quittance/operations/PolicyViews") {
  static readonly layer = Layer.effect(
    PolicyViews,
    Effect.gen(function* () {
      const policies = yield* PoliciesRepo
      const products = yield* ProductsRepo
      const quotes = yield* QuotesOfPolicies
      const states = yield* CurrentStatesRepo

      const of = Effect.fn("PolicyViews.of")(function* (
        policyIds: ReadonlyArray<PolicyId>,
        now: Instant
      ) {
        const heads = yield* policies.findMany(policyIds)
        const present = yield* states.policies(policyIds, now)
        const views = yield* Effect.forEach(
          heads,
          Effect.fnUntraced(function* (head) {
            const product = yield* products.version(head.productId, head.productVersion)
            // Every policy has its first state from the command that opened it.
            const { branchType, rows } = present.get(head.id)!
            // What commands recorded has this shape by construction.
            const state = Validity.toState(rows) as unknown as PolicyState
            return { head, product, state, branchType, whenAt: now }
          })
        )
        const shown = yield* quotes.showAll(views)
        return new Map(shown.map((policy) => [policy.id, policy]))
      })

      return PolicyViews.of({ of })
    })
  ).pipe(Layer.provide([PoliciesRepo.layer, CurrentStatesRepo.layer, QuotesOfPolicies.layer]))
}
