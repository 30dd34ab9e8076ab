/** Quotes of policies: given, compared, listed; and prices without any record. */
import type { QuoteRecord } from "@quittance/domain/policies/aggregate/QuoteRecord"
import type { QuotePolicy } from "@quittance/domain/policies/PolicyRequests"
import { BranchClosed, type BranchRequired } from "@quittance/domain/policies/Branch"
import { canonicalJson } from "@quittance/domain/values/CanonicalJson"
import { CurrentCaller, UserNotFound } from "@quittance/domain/requests/Caller"
import { type Instant, max } from "@quittance/domain/values/Instant"
import { permit } from "@quittance/domain/policies/Lifecycle"
import * as Page from "@quittance/domain/values/Page"
import * as Commands from "@quittance/domain/policies/PolicyCommands"
import { type Explanation, QuoteNotFound, type QuoteResult } from "@quittance/domain/products/Quote"
import type {
  AvailablePricing,
  CalculatedQuote,
  ListedQuote
} from "@quittance/domain/products/QuoteListing"
import { pricedFrom } from "@quittance/domain/policies/PricedTimeline"
import { isOutdated } from "@quittance/domain/policies/aggregate/QuoteValidity"
import type { QuoteProviderUnavailable } from "@quittance/domain/products/QuoteProvider"
import { Ids } from "@quittance/persistence/sql/Ids"
import { QuotesRepo } from "@quittance/persistence/policies/QuotesRepo"
import type { PricingFailure } from "@quittance/pricing/PriceInput"
import { Context, Effect, Layer, Result } from "effect"
import { BrokerageFees } from "../policies/BrokerageFees.ts"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import type { CommandTarget } from "../policies/Policies.ts"
import { withinWindow } from "../policies/PolicyChecks.ts"
import { PolicyCommand, type PolicyFailure } from "../policies/PolicyCommand.ts"
import * as Policy from "@quittance/domain/policies/aggregate/PolicyAggregate"
import {
  type BranchRequest,
  PolicyReader,
  type PolicyView,
  type ReadFailure,
  type ViewRequest
} from "../policies/PolicyReader.ts"
import { actionsFor, quoteContent, questionOf, unexplained } from "./Pricing.ts"
import { QuoteProvider } from "../products/QuoteProvider.ts"
import { pricedHash } from "../policies/PolicyQuotes.ts"
import { choose, planOf, requirePlace, SegmentQuotes } from "./SegmentQuotes.ts"
import type { QuoteId } from "@quittance/domain/values/Ids"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { InvalidTransition } from "@quittance/domain/requests/RequestErrors"

/** One quote, as it is or as it was known once. */
export interface OfQuote {
  readonly quoteId: QuoteId
  readonly knownAt?: Instant | undefined
}

type Scoped = CurrentTenant | CurrentCaller | CurrentRequest

export class Quotes extends Context.Service<
  Quotes,
  {
    /** Prices the policy as it is, with what the request chooses, and puts the quote on its table. */
    quote(
      at: CommandTarget,
      choice: QuotePolicy
    ): Effect.Effect<
      QuoteResult,
      | BranchRequired
      | InvalidTransition
      | PolicyFailure
      | PricingFailure
      | QuoteProviderUnavailable,
      Scoped
    >
    /** The same price, with nothing written. */
    calculate(
      at: CommandTarget,
      choice: QuotePolicy
    ): Effect.Effect<
      CalculatedQuote,
      BranchClosed | InvalidTransition | PricingFailure | QuoteProviderUnavailable | ReadFailure,
      Scoped
    >
    /** Every tier side by side; fails only where no tier can be had. */
    available(
      request: ViewRequest
    ): Effect.Effect<
      AvailablePricing,
      PricingFailure | QuoteProviderUnavailable | ReadFailure,
      Scoped
    >
    /** The quotes given on one branch, or on any, the newest first. */
    listByPolicy(
      request: BranchRequest,
      page: Page.PageRequest
    ): Effect.Effect<Page.Page<ListedQuote>, ReadFailure, Scoped>
    get(request: OfQuote): Effect.Effect<ListedQuote, QuoteNotFound | ReadFailure, Scoped>
    /** Why the price is what it is, as it was told when the quote was given. */
    explain(request: OfQuote): Effect.Effect<Explanation, QuoteNotFound | ReadFailure, Scoped>
  }
>()("@quittance/operations/Quotes") {
  static readonly layer = Layer.effect(
    Quotes,
    Effect.gen(function* () {
      const brokerageFees = yield* BrokerageFees
      const command = yield* PolicyCommand
      const ids = yield* Ids
      const provider = yield* QuoteProvider
      const quotes = yield* QuotesRepo
      const segmentQuotes = yield* SegmentQuotes
      const reader = yield* PolicyReader

      const quote = Effect.fn("Quotes.quote")(function* (
        { whenAt, ...at }: CommandTarget,
        choice: QuotePolicy
      ) {
        const subject = { command: "policy.quote", action: "quote.write", ...at } as const
        return yield* provider.forCommand((priceOf) =>
          command.run(
            { ...subject, also: actionsFor(choice) },
            Effect.fnUntraced(function* (policy) {
              const { now, product } = policy
              if (whenAt !== undefined)
                yield* withinWindow(product, "change", "whenAt", whenAt, now)
              yield* Effect.fromResult(requirePlace(policy, choice))
              yield* brokerageFees.check(choice.brokerageFees)
              const { answer, drafts } = yield* segmentQuotes.give(policy, choice, priceOf)
              const { premiumItems: _leaves, ...shown } = answer
              return {
                changes: Policy.onBranch(policy, drafts),
                answer: () => Effect.succeed(shown)
              }
            })
          )
        )
      })

      /** The price of a view with what a request chooses, as the quote that it would be. */
      const draw = Effect.fnUntraced(function* (view: PolicyView, choice: QuotePolicy) {
        const { head, product, state } = view
        yield* Effect.fromResult(permit(Policy.positionOf(view, state), "quote"))
        yield* brokerageFees.check(choice.brokerageFees)
        const chosen = Commands.chosenEntries(choose(product, state, choice))
        const after = Policy.patched(state, { patch: chosen })
        const priced = yield* provider.price(questionOf(product, after, pricedAt(view)))
        return yield* quoteContent(product, after, priced, {
          id: ids.next("quote"),
          entityId: head.id
        })
      })

      /** The price that a quote of a branch would answer. */
      const drawBranch = Effect.fnUntraced(function* (
        policy: Policy.PolicyAggregate,
        choice: QuotePolicy
      ) {
        yield* Effect.fromResult(permit(Policy.positionOf(policy, policy.state), "quote"))
        yield* brokerageFees.check(choice.brokerageFees)
        const { plan, shown } = planOf(policy, choice)
        const { effectiveAt, segment } = plan[shown]!
        const { product, state } = segment
        // A segment that began before the branch is compared with the tiers as of its effect.
        const from = max(pricedFrom(segment), effectiveAt)
        const priced = yield* provider.price(questionOf(product, state, from))
        return yield* quoteContent(product, state, priced, {
          id: ids.next("quote"),
          entityId: policy.head.id
        })
      })

      const calculate = Effect.fn("Quotes.calculate")(function* (
        at: CommandTarget,
        choice: QuotePolicy
      ) {
        for (const action of actionsFor(choice)) yield* reader.read(action, at)
        const policy = yield* reader.open("quote.write", at)
        const { branch } = policy
        if (branch.status !== "OPEN") {
          return yield* new BranchClosed({ branchId: branch.id, status: branch.status })
        }
        const {
          explanation: _explanation,
          premiumItems: _leaves,
          ...calculated
        } = at.whenAt === undefined
          ? yield* drawBranch(policy, choice)
          : yield* draw(yield* reader.read("quote.write", at), choice)
        return calculated
      })

      const available = Effect.fn("Quotes.available")(function* (request: ViewRequest) {
        const view = yield* reader.read("quote.read", request)
        const { head, product, state } = view
        // A comparison starts from the tiers themselves, not from what was chosen in one of them.
        const { input, ...question } = questionOf(product, state, pricedAt(view))
        const { perils: _perils, tierId: _tierId, ...risk } = input
        const results = yield* provider.tiers({ ...question, input: risk })
        const [first] = results
        if (first !== undefined && results.every(({ result }) => Result.isFailure(result))) {
          return yield* Effect.fromResult(
            Result.map(
              Result.mapError(first.result, (failures) => failures[0]),
              () => ({ tiers: [] })
            )
          )
        }
        return {
          tiers: results.map(({ result, tier: { id, name } }) => {
            if (Result.isFailure(result)) {
              return { id, name, unavailable: reasonOf(result.failure[0]) }
            }
            // It is not stored, so its identifier is derived from its content: asked again, it is the same.
            const said = canonicalJson([head.id, id, result.success.quote])
            const identity = { id: ids.derived("quote", said), entityId: head.id }
            const { proratedQuote, quote } = unexplained(product, state, result.success, identity)
            return { id, name, quote, proratedQuote }
          })
        }
      })

      /** The branch that a quote was given on, as it is where the quote was meant to hold. */
      const onBranchOf = (
        { branchId, policyId, segmentFrom: whenAt }: QuoteRecord,
        knownAt: Instant | undefined
      ) => reader.read("quote.read", { policyId, branchId, whenAt, knownAt })

      const listByPolicy = Effect.fn("Quotes.listByPolicy")(function* (
        request: BranchRequest,
        page: Page.PageRequest
      ) {
        const { branchId, knownAt, policyId } = request
        yield* reader.read("quote.read", request)
        const given = { policyId, branchId, until: knownAt }
        const { rows, total } = yield* quotes.listByPolicy(given, page)
        const groups = Map.groupBy(rows, (row) => `${row.branchId} ${row.segmentFrom}`)
        const shown = new Map<QuoteId, ListedQuote>()
        for (const group of groups.values()) {
          const view = yield* onBranchOf(group[0]!, knownAt)
          for (const row of group) shown.set(row.id, listed(view, row))
        }
        return Page.make(
          rows.map(({ id }) => shown.get(id)!),
          total,
          page
        )
      })

      /** A quote, and the branch that it was given on. */
      const find = Effect.fnUntraced(function* ({ knownAt, quoteId }: OfQuote) {
        const caller = yield* CurrentCaller
        if (caller._tag === "Client") return yield* new UserNotFound({})
        const row = yield* quotes.find(quoteId)
        if (row === undefined) return yield* new QuoteNotFound({ quoteId })
        const view = yield* onBranchOf(row, knownAt)
        // A branch may have been opened before its quote was given.
        if (row.createdAt > view.now) return yield* new QuoteNotFound({ quoteId })
        return { row, view }
      })

      const get = Effect.fn("Quotes.get")(function* (request: OfQuote) {
        const { row, view } = yield* find(request)
        return listed(view, row)
      })

      const explain = Effect.fn("Quotes.explain")(function* (request: OfQuote) {
        return (yield* find(request)).row.content.explanation
      })

      return Quotes.of({ quote, calculate, available, listByPolicy, get, explain })
    })
  ).pipe(
    Layer.provide([
      BrokerageFees.layer,
      PolicyCommand.layer,
      PolicyReader.layer,
      QuoteProvider.layer,
      QuotesRepo.layer,
      SegmentQuotes.layer
    ])
  )
}

/** As of when a view is priced: as a quote on its branch is, or one on a change from its instant on. */
const pricedAt = ({ branch, state: { startedAt }, whenAt }: PolicyView): Instant =>
  max(branch.branchType === "BASE" ? whenAt : (branch.effectiveAt ?? startedAt), startedAt)

/** Why a tier can't be had, in a sentence that needs no details beside it. */
const reasonOf = (failure: PricingFailure): string =>
  failure._tag === "InvalidCustomField"
    ? failure.issues.map(({ message }) => message).join(" ")
    : failure.message

/** A quote as the view of its branch shows it. */
const listed = ({ branch, now, product, state }: PolicyView, row: QuoteRecord): ListedQuote => {
  const { quoteId } = state
  return {
    ...row.content.quote,
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
    outdated: isOutdated(row, pricedHash(product, state), { branch, quoteId, now })
  }
}
