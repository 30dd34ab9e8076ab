/** A policy as its record stood when a document became due, for what billing reckons of it. */
import {
  lineageOf,
  onto,
  type PolicyAggregate,
  stateOf
} from "@quittance/domain/policies/aggregate/PolicyAggregate"
import { asKnownAt } from "@quittance/domain/policies/aggregate/PolicyAsKnown"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { PolicyLogRepo } from "@quittance/persistence/policies/PolicyLogRepo"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import { Context, Effect, Layer } from "effect"
import { productsOf } from "../policies/ProductVersions.ts"
import type { DocumentSource } from "./DocumentInputs.ts"

export class KnownPolicies extends Context.Service<
  KnownPolicies,
  {
    /** On the document's branch, by what was recorded until it was due. */
    open(
      document: Pick<DocumentSource, "branchId" | "knownAt" | "policyId">
    ): Effect.Effect<PolicyAggregate, never, CurrentTenant>
  }
>()("@quittance/operations/KnownPolicies") {
  static readonly layer = Layer.effect(
    KnownPolicies,
    Effect.gen(function* () {
      const log = yield* PolicyLogRepo
      const policies = yield* PoliciesRepo
      const products = yield* ProductsRepo

      const open = Effect.fn("KnownPolicies.open")(function* ({
        branchId,
        knownAt: now,
        policyId
      }: Pick<DocumentSource, "branchId" | "knownAt" | "policyId">) {
        const [head] = yield* policies.findMany([policyId])
        const branches = yield* log.branches(policyId)
        const changes = yield* log.changes(policyId)
        const forks = yield* log.firstForks([policyId])
        // A branch that has a document was there when the document became due.
        const known = asKnownAt({ head: head!, branches, changes }, forks, now)!
        const branch = known.branches.find(({ id }) => id === branchId)!
        const productOf = yield* productsOf(products, known.head, known.changes)
        const state = stateOf(known.changes, lineageOf(known.branches, branch))
        return onto(
          { ...known, now, branch, productOf, state, product: productOf(state) },
          branch.id
        )
      })

      return KnownPolicies.of({ open })
    })
  ).pipe(Layer.provide([PoliciesRepo.layer, PolicyLogRepo.layer]))
}
