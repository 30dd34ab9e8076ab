/** What a version of a product that is not published yet would do to the prices of live policies. */
import type { Instant } from "@quittance/domain/values/Instant"
import type { PolicySelection } from "@quittance/domain/portfolio/PolicySelection"
import type { PolicyState } from "@quittance/domain/policies/PolicyState"
import type { Product, UnknownProduct } from "@quittance/domain/products/Product"
import * as Validity from "@quittance/domain/policies/Validity"
import {
  PortfolioRepo,
  type LivePolicy,
  type Walk
} from "@quittance/persistence/portfolio/PortfolioRepo"
import { CurrentStatesRepo } from "@quittance/persistence/policies/CurrentStatesRepo"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import { QuotesRepo } from "@quittance/persistence/policies/QuotesRepo"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { compare, type PricePart } from "@quittance/pricing/portfolio/Comparison"
import type { PriceChanges } from "@quittance/pricing/portfolio/PriceChanges"
import type { Unpriced } from "@quittance/pricing/portfolio/Unpriced"
import { Context, Effect, Layer, Stream } from "effect"
import { filterOf } from "./PortfolioFilter.ts"
import type { SimulatedTerm } from "./SimulatedPrice.ts"
import { type SimulatedChange, SimulationTally } from "./SimulationTally.ts"
import type { PolicyId } from "@quittance/domain/values/Ids"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** How many policies are held at a time: a page of fleets is priced before the connection idles out. */
const pageSize = 100

export interface SimulationRequest {
  /** A version that may be published, priced by the built-in engine. */
  readonly draft: Product
  readonly selection: PolicySelection
  readonly term: SimulatedTerm
}

/** A policy whose price moves by much, and why. */
export interface LargestChange {
  readonly policyId: PolicyId
  /** The version that it has. */
  readonly productVersion: string
  /** The whole term's premium with fees and taxes, in minor units. */
  readonly before: number
  readonly after: number
  readonly parts: ReadonlyArray<PricePart>
}

export interface Simulated {
  /** The tenant's time: the policies are as they are then. */
  readonly now: Instant
  /** How many policies were selected: those with a price and those without. */
  readonly count: number
  /** How many of them have which version now. */
  readonly versions: ReadonlyMap<string, number>
  readonly changes: PriceChanges
  readonly unpriced: Unpriced
  /** The largest first. */
  readonly largest: ReadonlyArray<LargestChange>
}

export class Simulation extends Context.Service<
  Simulation,
  {
    /**
     * Prices every selected policy as it is now under the draft, and writes nothing. All is read from one
     * snapshot, page by page, so memory stays the same however many there are. `progress` is told how
     * many are done, from 0 on.
     */
    run<R>(
      request: SimulationRequest,
      progress: (done: number, count: number) => Effect.Effect<void, never, R>
    ): Effect.Effect<Simulated, UnknownProduct, CurrentTenant | R>
  }
>()("@quittance/operations/Simulation") {
  static readonly layer = Layer.effect(
    Simulation,
    Effect.gen(function* () {
      const clock = yield* TenantClockRepo
      const live = yield* PortfolioRepo
      const products = yield* ProductsRepo
      const quotes = yield* QuotesRepo
      const states = yield* CurrentStatesRepo
      const tenantSql = yield* TenantSql

      /** The next policies with their states and what they cost. */
      const read = Effect.fnUntraced(function* (
        productId: string,
        page: ReadonlyArray<LivePolicy>,
        now: Instant
      ) {
        const ids = page.map(({ id }) => id)
        const present = new Map(
          [...(yield* states.policies(ids, now))].map(([id, { rows }]) => [
            id,
            // What commands recorded has this shape by construction.
            Validity.toState(rows) as unknown as PolicyState
          ])
        )
        const quoteIds = [...present.values()].flatMap(({ quoteId }) => quoteId ?? [])
        const premiums = yield* quotes.premiumsOf(quoteIds)
        return yield* Effect.forEach(
          page,
          Effect.fnUntraced(function* ({ id, productVersion }) {
            const product = yield* products.version(productId, productVersion)
            // What is signed has a state, and in it the quote that was accepted.
            const state = present.get(id)!
            return { id, productVersion, product, state, ...premiums.get(state.quoteId!)! }
          })
        )
      })

      /** Page after page; the next one is read while the one before is priced. */
      const pages = (productId: string, walk: Walk, now: Instant) =>
        Stream.fromEffectRepeat(walk.next).pipe(
          Stream.takeWhile((page) => page.length > 0),
          Stream.mapEffect((page) => read(productId, page, now)),
          Stream.buffer({ capacity: 1 })
        )

      /** Why the largest changes are what they are. */
      const explained = Effect.fnUntraced(function* (largest: ReadonlyArray<SimulatedChange>) {
        const before = new Map(
          (yield* quotes.findMany(largest.map(({ quoteId }) => quoteId))).map((row) => [
            row.id,
            row.content.explanation
          ])
        )
        return largest.map(({ explanation, id, quoteId, ...change }): LargestChange => ({
          policyId: id,
          productVersion: change.productVersion,
          before: change.before,
          after: change.after,
          parts: compare(before.get(quoteId)!, explanation)
        }))
      })

      const simulate = Effect.fnUntraced(function* <R>(
        { draft, selection, term }: SimulationRequest,
        progress: (done: number, count: number) => Effect.Effect<void, never, R>
      ) {
        const { now } = yield* clock.read
        const walk = yield* live.walk(filterOf(draft, selection), pageSize)
        yield* progress(0, walk.count)
        const tally = new SimulationTally(draft, { now, term })
        yield* Stream.runForEach(pages(draft.productId, walk, now), (page) => {
          for (const policy of page) tally.add(policy)
          return progress(tally.count, walk.count)
        })
        const { changes, count, unpriced, versions } = tally
        const largest = yield* explained(tally.largest.list)
        const simulated: Simulated = { now, count, versions, changes, unpriced, largest }
        return simulated
      })

      const run = Effect.fn("Simulation.run")(function* <R>(
        request: SimulationRequest,
        progress: (done: number, count: number) => Effect.Effect<void, never, R>
      ) {
        // A product that the tenant does not sell means the wrong file, or the wrong tenant.
        yield* products.current(request.draft.productId)
        return yield* tenantSql.snapshot(simulate(request, progress))
      })

      return Simulation.of({ run })
    })
  ).pipe(
    Layer.provide([
      PortfolioRepo.layer,
      CurrentStatesRepo.layer,
      QuotesRepo.layer,
      TenantClockRepo.layer
    ])
  )
}
