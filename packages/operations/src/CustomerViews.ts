/** Customers as they are in themselves, or were known to be once, in a view of a policy that they are on. */
import type { Coverage } from "@quittance/auth/Grants"
import type { Customer, CustomerId } from "@quittance/domain/Customer"
import type { Instant } from "@quittance/domain/Instant"
import type { PolicyId } from "@quittance/domain/Policy"
import type { CurrentTenant } from "@quittance/domain/Tenant"
import { type CustomerRow, CustomersRepo } from "@quittance/persistence/CustomersRepo"
import { PoliciesRepo } from "@quittance/persistence/PoliciesRepo"
import { PolicyLogRepo } from "@quittance/persistence/PolicyLogRepo"
import { both } from "@quittance/persistence/Together"
import { Context, Effect, Layer } from "effect"
import { isListed, toCustomer } from "./CustomerView.ts"
import { knownBy } from "./KnownPolicy.ts"
import { membersOf } from "./Memberships.ts"
import type { PolicyView, ViewRequest } from "./PolicyReader.ts"

/** Whose policies are named, and as of when. */
interface Asked {
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
      asked: Asked
    ): Effect.Effect<ReadonlyArray<CustomerRow>, never, CurrentTenant>
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
        const [heads, [branches, [changes, forks]]] = yield* both(
          policies.findMany(policyIds),
          both(log.branchesOf(policyIds), both(log.changesOf(policyIds), log.firstForks(policyIds)))
        )
        const branchesOf = Map.groupBy(branches, ({ policyId }) => policyId)
        return new Map(
          heads.map((head) => {
            const record = {
              head,
              branches: branchesOf.get(head.id) ?? [],
              changes: changes.get(head.id) ?? []
            }
            const known = knownBy(record, forks, knownAt)
            return [head.id, known === undefined ? new Map() : membersOf(known)]
          })
        )
      })

      const knownOnce = Effect.fnUntraced(function* (
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
        const isOn = ({ customerId, policyId }: (typeof links)[number]) => {
          const of = members.get(policyId)
          const until = of?.get(customerId)
          return of?.has(customerId) === true && (until === undefined || until > knownAt)
        }
        const on = Map.groupBy(links.filter(isOn), ({ customerId }) => customerId)
        return (yield* customers.versions(ids, knownAt)).map((version) => ({
          ...version,
          policies: (on.get(version.id) ?? []).map(({ policyId }) => policyId)
        }))
      })

      const known = Effect.fn("CustomerViews.known")(function* (
        ids: ReadonlyArray<CustomerId>,
        { coverage, knownAt }: Asked
      ) {
        return yield* knownAt === undefined
          ? customers.findMany(ids, coverage)
          : knownOnce(ids, coverage, knownAt)
      })

      const of = Effect.fn("CustomerViews.of")(function* (
        { head, state }: PolicyView,
        request: ViewRequest,
        coverage: Coverage
      ) {
        const ids = yield* customers.everOn(head.id)
        const rows = yield* known(ids, { coverage, knownAt: request.knownAt })
        return rows
          .filter((row) => state.customers[row.id] !== undefined || isListed(row, request))
          .map((row) => toCustomer(row, state.customers[row.id]))
      })

      return CustomerViews.of({ known, of })
    })
  ).pipe(Layer.provide([CustomersRepo.layer, PoliciesRepo.layer, PolicyLogRepo.layer]))
}
