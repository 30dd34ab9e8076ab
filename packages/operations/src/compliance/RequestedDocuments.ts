/** What customers have to bring for a branch as it is: what the product names, where its condition holds. */
import { stepOf, type GatedStep } from "@quittance/domain/compliance/Gates"
import {
  requestedFacts,
  requestedFor,
  type RequestedFact
} from "@quittance/domain/compliance/RequestGates"
import type { PolicyAggregate } from "@quittance/domain/policies/aggregate/PolicyAggregate"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { CustomerId } from "@quittance/domain/values/Ids"
import { DocumentRequestsRepo } from "@quittance/persistence/documents/requests/DocumentRequestsRepo"
import { Context, Effect, Layer } from "effect"
import { DocumentConditions } from "../documents/DocumentConditions.ts"

export class RequestedDocuments extends Context.Service<
  RequestedDocuments,
  {
    /** Those that any of the steps waits for, each with its request; a product without any costs nothing. */
    of(
      policy: PolicyAggregate,
      steps: ReadonlyArray<GatedStep>,
      customersOf: (role: string) => ReadonlyArray<CustomerId>
    ): Effect.Effect<ReadonlyArray<RequestedFact>, never, CurrentTenant>
  }
>()("@quittance/operations/RequestedDocuments") {
  static readonly layer = Layer.effect(
    RequestedDocuments,
    Effect.gen(function* () {
      const conditions = yield* DocumentConditions
      const requests = yield* DocumentRequestsRepo

      const of = Effect.fn("RequestedDocuments.of")(function* (
        { branch, head, now, product }: PolicyAggregate,
        steps: ReadonlyArray<GatedStep>,
        customersOf: (role: string) => ReadonlyArray<CustomerId>
      ) {
        const asked = new Set(steps.map((step) => stepOf[step]))
        const named = [...asked].flatMap((step) =>
          requestedFor(product.requestedDocuments ?? [], step)
        )
        const meant = named.filter(({ from }) => customersOf(from).length > 0)
        if (meant.length === 0) return []
        const source = {
          kind: "OTHER",
          title: product.name,
          policyId: head.id,
          branchId: branch.id,
          trigger: "QUOTED",
          effectiveAt: now,
          knownAt: now
        } as const
        // What has no policyholder yet can't be judged, and is asked for.
        const held =
          customersOf("POLICYHOLDER").length === 0
            ? meant
            : yield* Effect.filter(meant, (definition) => conditions.hold(definition, source))
        return requestedFacts(held, customersOf, yield* requests.ofPolicy(head.id))
      })

      return RequestedDocuments.of({ of })
    })
  ).pipe(Layer.provide([DocumentConditions.layer, DocumentRequestsRepo.layer]))
}
