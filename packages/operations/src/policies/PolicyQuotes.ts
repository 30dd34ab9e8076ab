/** The current quote of a branch: whether it is outdated, and how it is shown. */
import type { QuoteRecord } from "@quittance/domain/policies/aggregate/QuoteRecord"
import type { Foldable } from "@quittance/domain/policies/Change"
import type { Policy } from "@quittance/domain/policies/Policy"
import type { PolicyState } from "@quittance/domain/policies/PolicyState"
import { toPolicy, type PolicyViewInput } from "@quittance/domain/policies/PolicyView"
import { type PricedSegment, pricedSegments } from "@quittance/domain/policies/PricedTimeline"
import { pricedState } from "@quittance/domain/policies/PricedState"
import { hasExpired, isPriceOf } from "@quittance/domain/policies/aggregate/QuoteValidity"
import type { Product } from "@quittance/domain/products/Product"
import { QuoteOutdated } from "@quittance/domain/products/Quote"
import { QuotesRepo } from "@quittance/persistence/policies/QuotesRepo"
import { Context, Effect, Layer } from "effect"
import {
  defaultEffect,
  lineageOf,
  type PolicyAggregate
} from "@quittance/domain/policies/aggregate/PolicyAggregate"
import { sha256 } from "../values/Sha256.ts"
import { prorated } from "./ProratedQuote.ts"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** The hash of the data that a price depends on; a quote with another one is outdated. */
export const pricedHash = (product: Product, state: PolicyState): string =>
  sha256(pricedState(product, state))

/** A branch and its changes, including changes that are not stored yet. */
export type Quotable = Pick<PolicyAggregate, "branch" | "branches" | "now" | "productOf"> & {
  readonly changes: ReadonlyArray<Foldable>
}

export class QuotesOfPolicies extends Context.Service<
  QuotesOfPolicies,
  {
    /**
     * The current quotes of a branch, one for each interval that it prices, if none of them is outdated;
     * none where nothing has been quoted.
     */
    fresh(policy: Quotable): Effect.Effect<ReadonlyArray<QuoteRecord>, QuoteOutdated, CurrentTenant>
    /** Fails unless each interval from an instant on has one accepted quote, of exactly its state. */
    requireFitting(
      segments: ReadonlyArray<PricedSegment>
    ): Effect.Effect<ReadonlyArray<QuoteRecord>, QuoteOutdated, CurrentTenant>
    /** A view of a policy as the wire shows it, with the quote of its state. */
    show(view: Omit<PolicyViewInput, "quoted">): Effect.Effect<Policy, never, CurrentTenant>
    /** Several views at once, in their order. */
    showAll(
      views: ReadonlyArray<Omit<PolicyViewInput, "quoted">>
    ): Effect.Effect<ReadonlyArray<Policy>, never, CurrentTenant>
  }
>()("@quittance/operations/QuotesOfPolicies") {
  static readonly layer = Layer.effect(
    QuotesOfPolicies,
    Effect.gen(function* () {
      const quotes = yield* QuotesRepo

      const requireFitting = Effect.fn("QuotesOfPolicies.requireFitting")(function* (
        segments: ReadonlyArray<PricedSegment>
      ) {
        const wanted = segments.map(({ priced, quoteIds: [id, ...others] }) => ({
          id: others.length === 0 ? id : undefined,
          hash: sha256(priced)
        }))
        const rows = yield* quotes.findMany(
          wanted.flatMap(({ id }) => (id === undefined ? [] : [id]))
        )
        const known = new Map(rows.map((row) => [row.id, row]))
        const fits = wanted.every(
          ({ hash, id }) => id !== undefined && isPriceOf(known.get(id), hash)
        )
        return fits ? rows : yield* new QuoteOutdated({ reason: "CHANGED" })
      })

      const fresh = Effect.fn("QuotesOfPolicies.fresh")(function* (policy: Quotable) {
        const { branch, branches, changes, now, productOf } = policy
        const from = defaultEffect(branch, now)
        const segments = pricedSegments(changes, lineageOf(branches, branch), productOf).filter(
          ({ to }) => to === undefined || to > from
        )
        if (segments.every(({ quoteIds }) => quoteIds.every((id) => id === undefined))) return []
        const rows = yield* requireFitting(segments)
        const expired = rows.some((row) => hasExpired(row, { branch, quoteId: row.id, now }))
        return expired ? yield* new QuoteOutdated({ reason: "EXPIRED" }) : rows
      })

      const showAll = Effect.fn("QuotesOfPolicies.showAll")(function* (
        views: ReadonlyArray<Omit<PolicyViewInput, "quoted">>
      ) {
        const rows = yield* quotes.findMany(
          views.flatMap(({ state: { quoteId } }) => (quoteId === undefined ? [] : [quoteId]))
        )
        const contents = new Map(rows.map(({ content, id }) => [id, content]))
        return views.map((view) => {
          const { product, state } = view
          // A draft's last quote no longer is its price.
          const content =
            state.stage === "DRAFT" || state.quoteId === undefined
              ? undefined
              : contents.get(state.quoteId)
          if (content === undefined) return toPolicy(view)
          return toPolicy({
            ...view,
            quoted: {
              quote: content.quote,
              proratedQuote: prorated(content.quote, content.premiumItems, product, state),
              selectedTier: content.selectedTier
            }
          })
        })
      })

      const show = (view: Omit<PolicyViewInput, "quoted">) =>
        Effect.map(showAll([view]), ([policy]) => policy!)

      return QuotesOfPolicies.of({ fresh, requireFitting, show, showAll })
    })
  ).pipe(Layer.provide(QuotesRepo.layer))
}
