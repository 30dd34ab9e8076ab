/** The quotes of a branch: one for each interval of a constant priced state, from its effect on. */
import type { QuotePolicy } from "@quittance/domain/policies/PolicyRequests"
import { BranchRequired, takesData } from "@quittance/domain/policies/Branch"
import { canonicalJson } from "@quittance/domain/values/CanonicalJson"
import type { Foldable, PatchEntry } from "@quittance/domain/policies/Change"
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
import type { StoredQuote } from "@quittance/domain/products/Quote"
import { localDate, startOfDay } from "@quittance/domain/values/TimeZone"
import { endOfTime } from "@quittance/persistence/sql/Columns"
import { Ids } from "@quittance/persistence/sql/Ids"
import { QuotesRepo } from "@quittance/persistence/policies/QuotesRepo"
import type { PricingFailure } from "@quittance/pricing/PriceInput"
import { Context, Effect, Layer, Result } from "effect"
import {
  defaultEffect,
  effectOf,
  etagOf,
  lineageOf,
  type PolicyAggregate,
  patched,
  positionOf,
  shownAt,
  stateOf,
  withDrafts
} from "@quittance/domain/policies/aggregate/PolicyAggregate"
import { quoteContent, questionOf } from "./Pricing.ts"
import type { CommandPrice, PriceWanted } from "../products/QuoteProvider.ts"
import { sha256 } from "../values/Sha256.ts"
import type { QuoteId } from "@quittance/domain/values/Ids"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { InvalidTransition } from "@quittance/domain/requests/RequestErrors"

/** What quoting leads to: the changes of the branch, and the quote of what is shown of it. */
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
      policy: PolicyAggregate,
      choice: QuotePolicy,
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
        { branch, head, now }: PolicyAggregate,
        { segment }: ToQuote,
        priceOf: CommandPrice
      ) {
        const { product, state } = segment
        const pricedHash = sha256(segment.priced)
        const question = questionOf(product, state, pricedFrom(segment))
        const priced = yield* priceOf({ ...question, pricedHash, etag: etagOf(branch) })
        const id = ids.next("quote")
        const stored = yield* quoteContent(product, state, priced, { id, entityId: head.id })
        yield* quotes.insert({
          id,
          policyId: head.id,
          branchId: branch.id,
          segmentFrom: pricedFrom(segment),
          pricedHash,
          createdAt: now,
          expiresAt: expiry(product, now),
          content: stored
        })
        return stored
      })

      const kept = (id: QuoteId) =>
        // What the log refers to has been stored with it.
        Effect.map(quotes.find(id), (row) => row!.content)

      const give = Effect.fn("SegmentQuotes.give")(function* (
        policy: PolicyAggregate,
        choice: QuotePolicy,
        priceOf: CommandPrice
      ) {
        yield* Effect.fromResult(permit(positionOf(policy, policy.state), "quote"))
        const { changes, lineage, plan, shown, steps } = planOf(policy, choice)
        const contents = yield* Effect.forEach(plan, (one) =>
          one.kept === undefined ? price(policy, one, priceOf) : kept(one.kept)
        )
        const quoted = plan.map(({ effectiveAt }, index) => ({
          effectiveAt,
          quoteId: contents[index]!.quote.id
        }))
        return {
          drafts: [...steps, ...quoteDrafts(changes, lineage, quoted)],
          answer: contents[shown]!
        }
      })

      return SegmentQuotes.of({ give })
    })
  ).pipe(Layer.provide(QuotesRepo.layer))
}

/** What quoting a branch with a choice prices, and which of it is the price of what is shown. */
export const planOf = (policy: PolicyAggregate, choice: QuotePolicy) => {
  const { branch, now, productOf } = policy
  const from = defaultEffect(branch, now)
  const steps = Commands.choose(from, chosenOn(policy, choice))
  const { changes, lineage } = withDrafts(policy, steps)
  const plan = toQuote(pricedSegments(changes, lineage, productOf), from)
  const at = shownOf(policy, changes)
  const shown = Math.max(
    0,
    plan.findLastIndex(({ effectiveAt }) => effectiveAt <= at)
  )
  return { changes, lineage, plan, shown, steps }
}

/** The instant of what is shown of a branch: the whole of a sale, else as a read of it has it. */
const shownOf = (
  { branch, branches, now }: PolicyAggregate,
  changes: ReadonlyArray<Foldable>
): Instant => (effectOf(branches, branch) === undefined ? endOfTime : shownAt(changes, branch, now))

/** What a quote request chooses, on top of what was chosen before. */
export const choose = (product: Product, { selection }: PolicyState, choice: QuotePolicy) => ({
  selection: {
    tierId: choice.tierId ?? selection?.tierId ?? product.defaultTier,
    perils: choice.perils ?? (isOfTier(choice, selection) ? (selection?.perils ?? []) : [])
  },
  additionalQuoteComponents: choice.additionalQuoteComponents,
  brokerageFees: choice.brokerageFees
})

/** Options belong to the tier they were chosen in; a request that names that one again keeps them. */
const isOfTier = ({ tierId }: QuotePolicy, selection: PolicyState["selection"]): boolean =>
  tierId === undefined || tierId === selection?.tierId

/** What a quote request chooses on a branch: beside the base branch on top of what holds when it takes effect. */
const chosenOn = (policy: PolicyAggregate, choice: QuotePolicy) => {
  const state = stateAtEffect(policy)
  return choose(policy.productOf(state), state, choice)
}

const stateAtEffect = ({ branch, branches, changes, state }: PolicyAggregate): PolicyState => {
  const from = effectOf(branches, branch)
  return from === undefined ? state : stateOf(changes, lineageOf(branches, branch), from)
}

/** Fails for what a request chooses otherwise than it is on a branch that takes no data. */
export const requirePlace = (
  policy: PolicyAggregate,
  choice: QuotePolicy
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
