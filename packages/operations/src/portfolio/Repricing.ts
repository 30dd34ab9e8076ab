/** A portfolio moved to the current version of its product: a branch for each policy, opened and quoted. */
import type { Instant } from "@quittance/domain/values/Instant"
import type { PolicySelection } from "@quittance/domain/portfolio/PolicySelection"
import type { Product, UnknownProduct } from "@quittance/domain/products/Product"
import { type LiveFilter, PortfolioRepo } from "@quittance/persistence/portfolio/PortfolioRepo"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Context, Effect, Layer, Result } from "effect"
import { actorOf, operator } from "../requests/Actor.ts"
import { PolicyAccounts } from "../billing/PolicyAccounts.ts"
import { filterOf } from "./PortfolioFilter.ts"
import { Offers, reasonOfNoOffer } from "../renewals/Offers.ts"
import { withinWindow } from "../policies/PolicyChecks.ts"
import type { PolicyId } from "@quittance/domain/values/Ids"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

export interface RepricingRequest {
  readonly productId: string
  readonly selection: PolicySelection
  readonly effectiveAt: Instant
  /** What the branches are called; a policy that a run gave one of this name, open or merged, gets no other. */
  readonly name: string
}

/** Why some policies have no branch: how many, and one of them. */
export interface NotRepriced {
  readonly reason: string
  readonly count: number
  readonly example: PolicyId
}

export interface Repriced {
  readonly product: Product
  readonly opened: number
  /** Those that an earlier run had reached. */
  readonly there: number
  /** The most frequent reason first. */
  readonly failed: ReadonlyArray<NotRepriced>
}

type Outcome =
  | { readonly kind: "OPENED" | "THERE" }
  | { readonly kind: "FAILED"; readonly reason: string }

const pageSize = 1_000

export class Repricing extends Context.Service<
  Repricing,
  {
    /**
     * Opens a `REPRICING` branch for each selected policy, in a transaction each: a run that was cut off
     * goes on where it was when it is repeated. `progress` is told how many are done, from 0 on.
     */
    run<R>(
      request: RepricingRequest,
      progress: (done: number, count: number) => Effect.Effect<void, never, R>
    ): Effect.Effect<Repriced, UnknownProduct, CurrentTenant | R>
  }
>()("@quittance/operations/Repricing") {
  static readonly layer = Layer.effect(
    Repricing,
    Effect.gen(function* () {
      const accounts = yield* PolicyAccounts
      const live = yield* PortfolioRepo
      const offers = yield* Offers
      const policies = yield* PoliciesRepo
      const products = yield* ProductsRepo
      const tenantSql = yield* TenantSql

      /** Only identifiers are kept: each policy is read again when its turn comes. */
      const selected = (filter: LiveFilter) =>
        tenantSql.snapshot(
          Effect.gen(function* () {
            const walk = yield* live.walk(filter, pageSize)
            const ids: Array<PolicyId> = []
            for (let page = yield* walk.next; page.length > 0; page = yield* walk.next) {
              ids.push(...page.map(({ id }) => id))
            }
            return ids
          })
        )

      const reprice = Effect.fnUntraced(function* (
        id: PolicyId,
        { effectiveAt, name }: RepricingRequest,
        product: Product
      ) {
        const { head, now } = yield* policies.hold(id)
        const [account] = yield* accounts.openHeads([head], now)
        const { policy } = account!
        const isThere = policy.branches.some(
          (branch) =>
            branch.branchType === "REPRICING" &&
            branch.author === actor.id &&
            branch.status !== "INVALIDATED" &&
            branch.name === name
        )
        if (isThere) return { kind: "THERE" } as const
        yield* withinWindow(policy.product, "change", "whenAt", effectiveAt, now)
        const patch = [{ path: "/productVersion", value: product.version }]
        const drafts = [{ kind: "UPDATE", effectiveAt, patch } as const]
        const offer = { branchType: "REPRICING", name, effectiveAt, product, drafts } as const
        yield* offers.quote(yield* offers.open(policy, offer, actor), actor)
        return { kind: "OPENED" } as const
      })

      const outcomeOf = (id: PolicyId, request: RepricingRequest, product: Product) =>
        // A branch that can't be priced is undone with all of its transaction.
        tenantSql.transaction(reprice(id, request, product)).pipe(
          Effect.result,
          Effect.map((result): Outcome =>
            Result.isSuccess(result)
              ? result.success
              : { kind: "FAILED", reason: reasonOfNoOffer(result.failure) }
          )
        )

      const run = Effect.fn("Repricing.run")(function* <R>(
        request: RepricingRequest,
        progress: (done: number, count: number) => Effect.Effect<void, never, R>
      ) {
        const product = yield* products.current(request.productId)
        const ids = yield* selected(filterOf(product, request.selection))
        yield* progress(0, ids.length)
        const failed = new Map<string, NotRepriced>()
        const counts = { OPENED: 0, THERE: 0, FAILED: 0 }
        for (const [index, id] of ids.entries()) {
          const outcome = yield* outcomeOf(id, request, product)
          counts[outcome.kind]++
          if (outcome.kind === "FAILED") {
            const { reason } = outcome
            const known = failed.get(reason)
            failed.set(reason, {
              reason,
              count: (known?.count ?? 0) + 1,
              example: known?.example ?? id
            })
          }
          yield* progress(index + 1, ids.length)
        }
        const reasons = [...failed.values()].sort((a, b) => b.count - a.count)
        return { product, opened: counts.OPENED, there: counts.THERE, failed: reasons }
      })

      return Repricing.of({ run })
    })
  ).pipe(
    Layer.provide([PolicyAccounts.layer, PortfolioRepo.layer, Offers.layer, PoliciesRepo.layer])
  )
}

const actor = actorOf(operator, "repricing")
