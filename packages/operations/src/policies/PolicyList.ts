/** Policies and customers by the page, of what the caller may see. */
import type { Direction } from "@quittance/domain/accounting/AccountingSummary"
import type { CurrentCaller, Forbidden, UserNotFound } from "@quittance/domain/requests/Caller"
import type { Customer } from "@quittance/domain/customers/Customer"
import * as Page from "@quittance/domain/values/Page"
import type { Policy } from "@quittance/domain/policies/Policy"
import type { PolicyOrderKey } from "@quittance/domain/policies/PolicyList"
import type { CurrentTenant } from "@quittance/domain/tenants/Tenant"
import { CustomersRepo } from "@quittance/persistence/customers/CustomersRepo"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import {
  type CustomerFilter,
  ListingsRepo,
  type PolicyFilter
} from "@quittance/persistence/policies/PolicyListRepo"
import { PresentStatesRepo } from "@quittance/persistence/policies/CurrentStatesRepo"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { Context, Effect, Layer } from "effect"
import type { CurrentRequest } from "../requests/CurrentRequest.ts"
import { toCustomer } from "../customers/CustomerView.ts"
import { CustomerViews } from "../customers/CustomerViews.ts"
import { PolicyReader, type ReadFailure, type ViewRequest } from "./PolicyReader.ts"
import { PolicyViews } from "./PolicyViews.ts"
import { storable } from "../values/StorableText.ts"

/** What `GET /policies` takes beside the page. */
export interface PolicyQuery extends Omit<PolicyFilter, "words"> {
  readonly queryString?: string
  readonly order?: { readonly by: PolicyOrderKey; readonly direction: Direction }
}

/** What `GET /customers` takes beside the page; a view is one of the policy that is named. */
export interface CustomerQuery
  extends Omit<CustomerFilter, "words">, Omit<ViewRequest, "policyId"> {
  readonly queryString?: string
}

type PresentQuery = Omit<CustomerQuery, "branchId" | "knownAt" | "whenAt">

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
     * caller may see. In a view of a policy those whom it shows, if the caller may see the policy.
     */
    customers(
      query: CustomerQuery,
      page: Page.PageRequest
    ): Effect.Effect<
      Page.Page<Customer>,
      Exclude<ReadFailure, UserNotFound>,
      Asked | CurrentRequest
    >
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
      const customerViews = yield* CustomerViews
      const reader = yield* PolicyReader
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
        { branchId, knownAt, whenAt, ...query }: CustomerQuery,
        page: Page.PageRequest
      ) {
        const { policyId } = query
        return yield* policyId === undefined || (branchId ?? knownAt ?? whenAt) === undefined
          ? presentCustomers(query, page)
          : customersIn({ ...query, policyId, branchId, knownAt, whenAt }, page)
      })

      const presentCustomers = Effect.fnUntraced(function* (
        { queryString, ...filter }: PresentQuery,
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

      const customersIn = Effect.fnUntraced(function* (
        { statuses, ...request }: ViewRequest & Pick<CustomerFilter, "statuses">,
        page: Page.PageRequest
      ) {
        const coverage = yield* grants.coverage("customer.read")
        if (!(yield* listings.covers(request.policyId, coverage))) return Page.make([], 0, page)
        const view = yield* reader.readCovered(request)
        const shown = (yield* customerViews.of(view, request, coverage))
          .filter(({ status }) => statuses?.includes(status) ?? true)
          .sort(newestFirst)
        const first = (page.page - 1) * page.count
        return Page.make(shown.slice(first, first + page.count), shown.length, page)
      })

      return Listings.of({ policies, customers })
    })
  ).pipe(
    Layer.provide([
      CustomersRepo.layer,
      CustomerViews.layer,
      GrantsRepo.layer,
      ListingsRepo.layer,
      PolicyReader.layer,
      PolicyViews.layer,
      PresentStatesRepo.layer,
      TenantClockRepo.layer
    ])
  )
}

const newestFirst = (a: Customer, b: Customer): number =>
  a.createdAt === b.createdAt ? (a.id < b.id ? 1 : -1) : a.createdAt < b.createdAt ? 1 : -1
