/** The quote on a policy's table: whether it still holds, and how it is shown. */
import type { Instant } from "@quittance/domain/Instant"
import type { Policy } from "@quittance/domain/Policy"
import type { PolicyState } from "@quittance/domain/PolicyState"
import { toPolicy, type Shown } from "@quittance/domain/PolicyView"
import { pricedState } from "@quittance/domain/PricedState"
import type { Product } from "@quittance/domain/Product"
import { QuoteOutdated } from "@quittance/domain/Quote"
import type { CurrentTenant } from "@quittance/domain/Tenant"
import { type QuoteRow, QuotesRepo } from "@quittance/persistence/QuotesRepo"
import { Context, Effect, Layer } from "effect"
import { sha256 } from "./Sha256.ts"
import { prorated } from "./Prorated.ts"

/** The priced state a quote fits, as a digest. */
export const pricedHash = (product: Product, state: PolicyState): string =>
  sha256(pricedState(product, state))

export class QuotesOfPolicies extends Context.Service<
  QuotesOfPolicies,
  {
    /** The quote on the table, if it still fits and holds; `undefined` when there is none. */
    fresh(
      product: Product,
      state: PolicyState,
      now: Instant
    ): Effect.Effect<QuoteRow | undefined, QuoteOutdated, CurrentTenant>
    /** A view of a policy as the wire shows it, with the quote of its state. */
    show(view: Omit<Shown, "quoted">): Effect.Effect<Policy, never, CurrentTenant>
    /** Several views at once, in their order. */
    showAll(
      views: ReadonlyArray<Omit<Shown, "quoted">>
    ): Effect.Effect<ReadonlyArray<Policy>, never, CurrentTenant>
  }
>()("@quittance/operations/QuotesOfPolicies") {
  static readonly layer = Layer.effect(
    QuotesOfPolicies,
    Effect.gen(function* () {
      const quotes = yield* QuotesRepo

      const onTable = Effect.fnUntraced(function* ({ quoteId }: PolicyState) {
        return quoteId === undefined ? undefined : yield* quotes.find(quoteId)
      })

      const fresh = Effect.fn("QuotesOfPolicies.fresh")(function* (
        product: Product,
        state: PolicyState,
        now: Instant
      ) {
        const quote = yield* onTable(state)
        if (quote === undefined) return undefined
        if (quote.pricedHash !== pricedHash(product, state)) {
          return yield* new QuoteOutdated({ reason: "CHANGED" })
        }
        // What is signed has been accepted in time; a quote on the table expires.
        if (state.signedAt === undefined && quote.expiresAt <= now) {
          return yield* new QuoteOutdated({ reason: "EXPIRED" })
        }
        return quote
      })

      const showAll = Effect.fn("QuotesOfPolicies.showAll")(function* (
        views: ReadonlyArray<Omit<Shown, "quoted">>
      ) {
        const rows = yield* quotes.findMany(
          views.flatMap(({ state: { quoteId } }) => (quoteId === undefined ? [] : [quoteId]))
        )
        const documents = new Map(rows.map(({ document, id }) => [id, document]))
        return views.map((view) => {
          const { product, state } = view
          // A draft's last quote no longer is its price.
          const document =
            state.stage === "DRAFT" || state.quoteId === undefined
              ? undefined
              : documents.get(state.quoteId)
          if (document === undefined) return toPolicy(view)
          return toPolicy({
            ...view,
            quoted: {
              quote: document.quote,
              proratedQuote: prorated(document.quote, document.leaves, product, state),
              selectedTier: document.selectedTier
            }
          })
        })
      })

      const show = (view: Omit<Shown, "quoted">) =>
        Effect.map(showAll([view]), ([policy]) => policy!)

      return QuotesOfPolicies.of({ fresh, show, showAll })
    })
  ).pipe(Layer.provide(QuotesRepo.layer))
}
