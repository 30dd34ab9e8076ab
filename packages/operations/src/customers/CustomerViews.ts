/** Reads customers, as they are or as known at an earlier instant, in the context of a policy. */
import type { StoredCustomer } from "@quittance/domain/customers/StoredCustomer"
import type { Coverage } from "@quittance/auth/Grants"
import type { Customer } from "@quittance/domain/customers/Customer"
import type { Instant } from "@quittance/domain/values/Instant"
import { endOfTime } from "@quittance/persistence/sql/Columns"
import { type CustomerLink, CustomersRepo } from "@quittance/persistence/customers/CustomersRepo"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { PolicyLogRepo } from "@quittance/persistence/policies/PolicyLogRepo"
import { pipelineBoth } from "@quittance/persistence/sql/Pipelining"
import { Context, Effect, Layer } from "effect"
import { toCustomer } from "@quittance/domain/customers/CustomerView"
import { asKnownAt } from "@quittance/domain/policies/aggregate/PolicyAsKnown"
import { membersOf } from "@quittance/domain/policies/aggregate/PolicyMembers"
import type { PolicyView, ViewRequest } from "../policies/PolicyReader.ts"
import type { CustomerId, PolicyId } from "@quittance/domain/values/Ids"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** Whose policies are named, and as of when. */
export interface CustomerViewRequest {
  readonly coverage: Coverage
  readonly knownAt: Instant | undefined
}

export class CustomerViews extends Context.Service<
  CustomerViews,
  {
    /**
     * Customers as of an instant of recording, with those of their policies that are covered; who was
     * not there yet is left out.
     */
    known(
      ids: ReadonlyArray<CustomerId>,
      asked: CustomerViewRequest
    ): Effect.Effect<ReadonlyArray<StoredCustomer>, never, CurrentTenant>
    /**
     * What a view of a policy may show of customers: of who has left it by then no more than was known
     * of them while they were on it, so that who reads the past of a policy learns nothing later.
     */
    rowsIn(
      ids: ReadonlyArray<CustomerId>,
      view: PolicyView,
      asked: CustomerViewRequest
    ): Effect.Effect<ReadonlyArray<StoredCustomer>, never, CurrentTenant>
    /** The customers whom a view of a policy shows. */
    of(
      view: PolicyView,
      request: ViewRequest,
      coverage: Coverage
    ): Effect.Effect<ReadonlyArray<Customer>, never, CurrentTenant>
  }
>()("@quittance/operations/CustomerViews") {
  static readonly layer = Layer.effect(
    CustomerViews,
    Effect.gen(function* () {
      const customers = yield* CustomersRepo
      const log = yield* PolicyLogRepo
      const policies = yield* PoliciesRepo

      /** Who was on which policies, by what was recorded by then. */
      const membersBy = Effect.fnUntraced(function* (
        policyIds: ReadonlyArray<PolicyId>,
        knownAt: Instant
      ) {
        const [heads, [branches, [changes, forks]]] = yield* pipelineBoth(
          policies.findMany(policyIds),
          pipelineBoth(
            log.branchesOf(policyIds),
            pipelineBoth(log.changesOf(policyIds), log.firstForks(policyIds))
          )
        )
        const branchesOf = Map.groupBy(branches, ({ policyId }) => policyId)
        return new Map(
          heads.map((head) => {
            const record = {
              head,
              branches: branchesOf.get(head.id) ?? [],
              changes: changes.get(head.id) ?? []
            }
            const known = asKnownAt(record, forks, knownAt)
            return [head.id, known === undefined ? new Map() : membersOf(known)]
          })
        )
      })

      /** On which covered policies customers were known to be, and until when. */
      const linksOnce = Effect.fnUntraced(function* (
        ids: ReadonlyArray<CustomerId>,
        coverage: Coverage,
        knownAt: Instant
      ) {
        const everywhere = yield* customers.links(ids, { _tag: "Tenant" })
        yield* policies.settled([...new Set(everywhere.map(({ policyId }) => policyId))])
        const links = yield* customers.links(ids, coverage)
        const members = yield* membersBy(
          [...new Set(links.map(({ policyId }) => policyId))],
          knownAt
        )
        return links.map((link): CustomerLink => {
          const of = members.get(link.policyId)
          const isMember = of?.has(link.customerId) === true
          const leftAt = isMember ? (of?.get(link.customerId) ?? endOfTime) : link.linkedAt
          return { ...link, leftAt }
        })
      })

      /** The customers themselves, and on which covered policies they are or were. */
      const recorded = Effect.fnUntraced(function* (
        ids: ReadonlyArray<CustomerId>,
        { coverage, knownAt }: CustomerViewRequest
      ) {
        if (knownAt === undefined) {
          const [rows, links] = yield* pipelineBoth(
            customers.findMany(ids, coverage),
            customers.links(ids, coverage)
          )
          return { rows, links }
        }
        const links = yield* linksOnce(ids, coverage, knownAt)
        const on = Map.groupBy(
          links.filter(({ leftAt }) => leftAt > knownAt),
          ({ customerId }) => customerId
        )
        const versions = yield* customers.versions(
          ids.map((customerId) => ({ customerId, knownAt, before: endOfTime }))
        )
        const rows = versions.map((version) => ({
          ...version,
          policies: (on.get(version.id) ?? []).map(({ policyId }) => policyId)
        }))
        return { rows, links }
      })

      const known = Effect.fn("CustomerViews.known")(function* (
        ids: ReadonlyArray<CustomerId>,
        asked: CustomerViewRequest
      ) {
        return (yield* recorded(ids, asked)).rows
      })

      const rowsIn = Effect.fn("CustomerViews.rowsIn")(function* (
        ids: ReadonlyArray<CustomerId>,
        { head, now }: PolicyView,
        asked: CustomerViewRequest
      ) {
        const { links, rows } = yield* recorded(ids, asked)
        const left = links.filter(({ leftAt, policyId }) => policyId === head.id && leftAt <= now)
        const { knownAt = now } = asked
        const versions = yield* customers.versions(
          left.map(({ customerId, leftAt }) => ({ customerId, knownAt, before: leftAt }))
        )
        const lastSeen = new Map(versions.map((version) => [version.id, version]))
        const gone = new Set(left.map(({ customerId }) => customerId))
        return rows.flatMap((row) => {
          if (!gone.has(row.id)) return [row]
          const version = lastSeen.get(row.id)
          return version === undefined ? [] : [{ ...row, ...version }]
        })
      })

      const of = Effect.fn("CustomerViews.of")(function* (
        view: PolicyView,
        request: ViewRequest,
        coverage: Coverage
      ) {
        const { knownAt } = request
        const { customers: onPolicy } = view.state
        const ids = yield* customers.everOn(view.head.id)
        const rows = yield* rowsIn(ids, view, { coverage, knownAt })
        return rows
          .filter(({ id }) => onPolicy[id] !== undefined)
          .map((row) => toCustomer(row, onPolicy[row.id]))
      })

      return CustomerViews.of({ known, rowsIn, of })
    })
  ).pipe(Layer.provide([CustomersRepo.layer, PoliciesRepo.layer, PolicyLogRepo.layer]))
}
