/** Customers by the page, of those that the caller may see. */
import type { ListCustomers } from "@quittance/domain/customers/CustomerRequests"
import type { CurrentCaller, UserNotFound } from "@quittance/domain/requests/Caller"
import type { Customer } from "@quittance/domain/customers/Customer"
import * as Page from "@quittance/domain/values/Page"
import {
  type CustomerFilter,
  CustomerListRepo
} from "@quittance/persistence/customers/CustomerListRepo"
import { CustomersRepo } from "@quittance/persistence/customers/CustomersRepo"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { CurrentStatesRepo } from "@quittance/persistence/policies/CurrentStatesRepo"
import { PolicyListRepo } from "@quittance/persistence/policies/PolicyListRepo"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { Context, Effect, Layer } from "effect"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { toCustomer } from "@quittance/domain/customers/CustomerView"
import { CustomerViews } from "./CustomerViews.ts"
import { PolicyReader, type ReadFailure, type ViewRequest } from "../policies/PolicyReader.ts"
import { storable } from "@quittance/domain/values/StorableText"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** Which customers, and in which view of the policy that is named. */
type CustomersQuery = ListCustomers & Omit<ViewRequest, "policyId">

type PresentQuery = Omit<CustomersQuery, "branchId" | "knownAt" | "whenAt">

type Asked = CurrentTenant | CurrentCaller

export class CustomerLists extends Context.Service<
  CustomerLists,
  {
    /**
     * Each as it is on the policy that is asked for, else on the earliest of its policies that the
     * caller may see. In a view of a policy those whom it shows, if the caller may see the policy.
     */
    customers(
      query: CustomersQuery,
      page: Page.PageRequest
    ): Effect.Effect<
      Page.Page<Customer>,
      Exclude<ReadFailure, UserNotFound>,
      Asked | CurrentRequest
    >
  }
>()("@quittance/operations/CustomerLists") {
  static readonly layer = Layer.effect(
    CustomerLists,
    Effect.gen(function* () {
      const clock = yield* TenantClockRepo
      const customersRepo = yield* CustomersRepo
      const grants = yield* GrantsRepo
      const listings = yield* CustomerListRepo
      const policies = yield* PolicyListRepo
      const presentStates = yield* CurrentStatesRepo
      const customerViews = yield* CustomerViews
      const reader = yield* PolicyReader

      const customers = Effect.fn("CustomerLists.customers")(function* (
        { branchId, knownAt, whenAt, ...query }: CustomersQuery,
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
          // A customer who is on no policy any more is shown only to callers with access to the whole tenant.
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
        if (!(yield* policies.covers(request.policyId, coverage))) return Page.make([], 0, page)
        const view = yield* reader.readCovered(request)
        const shown = (yield* customerViews.of(view, request, coverage))
          .filter(({ status }) => statuses?.includes(status) ?? true)
          .sort(newestFirst)
        const first = (page.page - 1) * page.count
        return Page.make(shown.slice(first, first + page.count), shown.length, page)
      })

      return CustomerLists.of({ customers })
    })
  ).pipe(
    Layer.provide([
      CustomersRepo.layer,
      CustomerListRepo.layer,
      CustomerViews.layer,
      GrantsRepo.layer,
      PolicyListRepo.layer,
      PolicyReader.layer,
      CurrentStatesRepo.layer,
      TenantClockRepo.layer
    ])
  )
}

const newestFirst = (a: Customer, b: Customer): number =>
  a.createdAt === b.createdAt ? (a.id < b.id ? 1 : -1) : a.createdAt < b.createdAt ? 1 : -1
