/** Policies and customers by the page, of what the caller may see. */
import type { Direction } from "@quittance/domain/AccountingSummary"
import type { CurrentCaller, Forbidden } from "@quittance/domain/Caller"
import type { Customer } from "@quittance/domain/Customer"
import * as Page from "@quittance/domain/Page"
import type { Policy } from "@quittance/domain/Policy"
import type { PolicyOrderKey } from "@quittance/domain/PolicyListing"
import type { CurrentTenant } from "@quittance/domain/Tenant"
import { CustomersRepo } from "@quittance/persistence/CustomersRepo"
import { GrantsRepo } from "@quittance/persistence/GrantsRepo"
import {
  type CustomerFilter,
  ListingsRepo,
  type PolicyFilter
} from "@quittance/persistence/ListingsRepo"
import { PresentStatesRepo } from "@quittance/persistence/PresentStatesRepo"
import { TenantClockRepo } from "@quittance/persistence/TenantClockRepo"
import { Context, Effect, Layer } from "effect"
import { toCustomer } from "./Customers.ts"
import { PolicyViews } from "./PolicyViews.ts"
import { storable } from "./Storable.ts"

/** What `GET /policies` takes beside the page. */
export interface PolicyQuery extends Omit<PolicyFilter, "words"> {
  readonly queryString?: string
  readonly order?: { readonly by: PolicyOrderKey; readonly direction: Direction }
}

/** What `GET /customers` takes beside the page. */
export interface CustomerQuery extends Omit<CustomerFilter, "words"> {
  readonly queryString?: string
}

type Asked = CurrentTenant | CurrentCaller

export class Listings extends Context.Service<
  Listings,
  {
    policies(
      query: PolicyQuery,
      page: Page.PageRequest
    ): Effect.Effect<Page.Page<Policy>, Forbidden, Asked>
    /**
     * Each as it is on the policy that is asked for, else on the earliest of its policies that the
     * caller may see.
     */
    customers(
      query: CustomerQuery,
      page: Page.PageRequest
    ): Effect.Effect<Page.Page<Customer>, Forbidden, Asked>
  }
>()("@quittance/operations/Listings") {
  static readonly layer = Layer.effect(
    Listings,
    Effect.gen(function* () {
      const clock = yield* TenantClockRepo
      const customersRepo = yield* CustomersRepo
      const grants = yield* GrantsRepo
      const listings = yield* ListingsRepo
      const presentStates = yield* PresentStatesRepo
      const views = yield* PolicyViews

      const policies = Effect.fn("Listings.policies")(function* (
        { order, queryString, ...filter }: PolicyQuery,
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

      const customers = Effect.fn("Listings.customers")(function* (
        { queryString, ...filter }: CustomerQuery,
        page: Page.PageRequest
      ) {
        const coverage = yield* grants.coverage("customer.read")
        const { ids, total } = yield* listings.customers({
          filter: {
            ...filter,
            words: queryString === undefined ? undefined : storable(queryString)
          },
          page,
          coverage
        })
        const found = yield* customersRepo.findMany(ids, coverage)
        const rows = new Map(found.map((row) => [row.id, row]))
        const { now } = yield* clock.read
        const keys = found.flatMap(({ id, policies }) => {
          const policyId = filter.policyId ?? policies[0]
          // Only on the whole tenant one sees somebody who is on no policy any more.
          return policyId === undefined ? [] : [{ customerId: id, policyId }]
        })
        const states = yield* presentStates.customers(keys, now)
        const onPolicies = new Map(keys.map(({ customerId }, index) => [customerId, states[index]]))
        const data = ids.map((id) => toCustomer(rows.get(id)!, onPolicies.get(id)))
        return Page.make(data, total, page)
      })

      return Listings.of({ policies, customers })
    })
  ).pipe(
    Layer.provide([
      CustomersRepo.layer,
      GrantsRepo.layer,
      ListingsRepo.layer,
      PolicyViews.layer,
      PresentStatesRepo.layer,
      TenantClockRepo.layer
    ])
  )
}
