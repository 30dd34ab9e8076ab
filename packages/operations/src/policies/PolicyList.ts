/** Policies by the page, of those that the caller may see. */
import type { ListPolicies } from "@quittance/domain/policies/PolicyRequests"
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import * as Page from "@quittance/domain/values/Page"
import type { Policy } from "@quittance/domain/policies/Policy"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { PolicyListRepo } from "@quittance/persistence/policies/PolicyListRepo"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { Context, Effect, Layer } from "effect"
import { PolicyViews } from "./PolicyViews.ts"
import { storable } from "@quittance/domain/values/StorableText"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

type Asked = CurrentTenant | CurrentCaller

export class PolicyLists extends Context.Service<
  PolicyLists,
  {
    policies(
      query: ListPolicies,
      page: Page.PageRequest
    ): Effect.Effect<Page.Page<Policy>, Forbidden, Asked>
  }
>()("@quittance/operations/PolicyLists") {
  static readonly layer = Layer.effect(
    PolicyLists,
    Effect.gen(function* () {
      const clock = yield* TenantClockRepo
      const grants = yield* GrantsRepo
      const listings = yield* PolicyListRepo
      const views = yield* PolicyViews

      const policies = Effect.fn("PolicyLists.policies")(function* (
        { order, queryString, ...filter }: ListPolicies,
        page: Page.PageRequest
      ) {
        const coverage = yield* grants.coverage("policy.read")
        const { ids, total } = yield* listings.policies({
          filter: {
            ...filter,
            externalId: filter.externalId === undefined ? undefined : storable(filter.externalId),
            productIds: filter.productIds?.map(storable),
            words: queryString === undefined ? undefined : storable(queryString)
          },
          order: order ?? { by: "createdAt", direction: "DESC" },
          page,
          coverage
        })
        const { now } = yield* clock.read
        const found = yield* views.of(ids, now)
        const data = ids.map((id) => found.get(id)!)
        return Page.make(data, total, page)
      })

      return PolicyLists.of({ policies })
    })
  ).pipe(
    Layer.provide([
      GrantsRepo.layer,
      PolicyListRepo.layer,
      PolicyViews.layer,
      TenantClockRepo.layer
    ])
  )
}
