/** The quotes of a branch: one for each interval of a constant priced state, from its effect on. */
import { BranchRequired, takesData } from "@quittance/domain/policies/Branch"
import { canonicalJson } from "@quittance/domain/values/CanonicalJson"
import type { PatchEntry } from "@quittance/domain/policies/Change"
import type { InvalidTransition } from "@quittance/domain/policies/Lifecycle"
import { permit } from "@quittance/domain/policies/Lifecycle"
import type { Instant } from "@quittance/domain/values/Instant"
import { addDays } from "@quittance/domain/values/LocalDate"
import * as Commands from "@quittance/domain/policies/PolicyCommands"
import type { PolicyState } from "@quittance/domain/policies/PolicyState"
import {
  pricedFrom,
  pricedSegments,
  quoteDrafts,
  type ToQuote,
  toQuote
} from "@quittance/domain/policies/PricedTimeline"
import type { Product } from "@quittance/domain/products/Product"
import type { QuoteId, StoredQuote } from "@quittance/domain/products/Quote"
import type { CurrentTenant } from "@quittance/domain/tenants/Tenant"
import { localDate, startOfDay } from "@quittance/domain/values/TimeZone"
import { Ids } from "@quittance/persistence/sql/Ids"
import { QuotesRepo } from "@quittance/persistence/policies/QuotesRepo"
import type { PricingFailure } from "@quittance/pricing/PriceInput"
import { Context, Effect, Layer, Result } from "effect"
import {
  defaultEffect,
  effectOf,
  etagOf,
  lineageOf,
  type OpenPolicy,
  patched,
  positionOf,
  stateOf,
  withDrafts
} from "../policies/PolicyAggregate.ts"
import { document, questionOf, type QuoteChoice } from "./Pricing.ts"
import type { CommandPrice, PriceWanted } from "../products/QuoteProvider.ts"
import { sha256 } from "../values/Sha256.ts"

/** What quoting leads to: the changes of the branch, and the quote of where it takes effect. */
export interface Quoted {
  readonly drafts: ReadonlyArray<Commands.Draft>
  readonly answer: StoredQuote
}

export type QuotingFailure = InvalidTransition | PricingFailure | PriceWanted

export class SegmentQuotes extends Context.Service<
  SegmentQuotes,
  {
    /** Prices and keeps the quotes of a branch with what is chosen; part of a command. */
    give(
      policy: OpenPolicy,
      choice: QuoteChoice,
      priceOf: CommandPrice
    ): Effect.Effect<Quoted, QuotingFailure, CurrentTenant>
  }
>()("@quittance/operations/SegmentQuotes") {
  static readonly layer = Layer.effect(
    SegmentQuotes,
    Effect.gen(function* () {
      const ids = yield* Ids
      const quotes = yield* QuotesRepo

      const price = Effect.fnUntraced(function* (
        { branch, head, now }: OpenPolicy,
        { segment }: ToQuote,
        priceOf: CommandPrice
      ) {
        const { product, state } = segment
        const pricedHash = sha256(segment.priced)
        const question = questionOf(product, state, pricedFrom(segment))
        const priced = yield* priceOf({ ...question, pricedHash, etag: etagOf(branch) })
        const id = ids.next("quote")
        const stored = document(product, state, priced, { id, entityId: head.id })
        yield* quotes.insert({
          id,
          policyId: head.id,
          branchId: branch.id,
          segmentFrom: pricedFrom(segment),
          pricedHash,
          createdAt: now,
          expiresAt: expiry(product, now),
          document: stored
        })
        return stored
      })

      const kept = (id: QuoteId) =>
        // What the log refers to has been stored with it.
        Effect.map(quotes.find(id), (row) => row!.document)

      const give = Effect.fn("SegmentQuotes.give")(function* (
        policy: OpenPolicy,
        choice: QuoteChoice,
        priceOf: CommandPrice
      ) {
        const { branch, now, productOf, state } = policy
        yield* Effect.fromResult(permit(positionOf(policy, state), "quote"))
        const from = defaultEffect(branch, now)
        const steps = Commands.choose(from, chosenOn(policy, choice))
        const { changes, lineage } = withDrafts(policy, steps)
        const plan = toQuote(pricedSegments(changes, lineage, productOf), from)
        const documents = yield* Effect.forEach(plan, (one) =>
          one.kept === undefined ? price(policy, one, priceOf) : kept(one.kept)
        )
        const quoted = plan.map(({ effectiveAt }, index) => ({
          effectiveAt,
          quoteId: documents[index]!.quote.id
        }))
        const first = plan.findIndex((one) => one.kept === undefined)
        return {
          drafts: [...steps, ...quoteDrafts(changes, lineage, quoted)],
          answer: documents[Math.max(first, 0)]!
        }
      })

      return SegmentQuotes.of({ give })
    })
  ).pipe(Layer.provide(QuotesRepo.layer))
}

/** What a quote request chooses, on top of what was chosen before. */
export const choose = (product: Product, { selection }: PolicyState, choice: QuoteChoice) => ({
  selection: {
    tierId: choice.tierId ?? selection?.tierId ?? product.defaultTier,
    // Options belong to the tier they were chosen in.
    perils: choice.perils ?? (choice.tierId === undefined ? (selection?.perils ?? []) : [])
  },
  additionalQuoteComponents: choice.additionalQuoteComponents,
  brokerageFees: choice.brokerageFees
})

/** What a quote request chooses on a branch: beside the trunk on top of what holds when it takes effect. */
const chosenOn = (policy: OpenPolicy, choice: QuoteChoice) => {
  const state = stateAtEffect(policy)
  return choose(policy.productOf(state), state, choice)
}

const stateAtEffect = ({ branch, branches, changes, state }: OpenPolicy): PolicyState => {
  const from = effectOf(branches, branch)
  return from === undefined ? state : stateOf(changes, lineageOf(branches, branch), from)
}

/** Fails for what a request chooses otherwise than it is on a branch that takes no data. */
export const requirePlace = (
  policy: OpenPolicy,
  choice: QuoteChoice
): Result.Result<void, BranchRequired> => {
  if (takesData(policy.branch.branchType)) return Result.void
  const state = stateAtEffect(policy)
  const chosen: ReadonlyArray<PatchEntry> = Commands.chosenEntries(chosenOn(policy, choice))
  const moved = chosen.filter(
    (entry) => canonicalJson(state) !== canonicalJson(patched(state, { patch: [entry] }))
  )
  return moved.length === 0
    ? Result.void
    : Result.fail(new BranchRequired({ paths: moved.map(({ path }) => path), branchType: "MTA" }))
}

/** A quote holds to the end of the local day `validDays` after today. */
const expiry = ({ quote, timeZone }: Product, now: Instant): Instant =>
  startOfDay(addDays(localDate(now, timeZone), quote.validDays + 1), timeZone)
