/** Quotes of policies: given, compared, listed; and prices without any record. */
import { BranchClosed } from "@quittance/domain/Branch"
import { CurrentCaller, UserNotFound } from "@quittance/domain/Caller"
import type { Action } from "@quittance/domain/Grant"
import type { Instant } from "@quittance/domain/Instant"
import { type InvalidTransition, permit } from "@quittance/domain/Lifecycle"
import { addDays } from "@quittance/domain/LocalDate"
import * as Page from "@quittance/domain/Page"
import type { PolicyId } from "@quittance/domain/Policy"
import * as Commands from "@quittance/domain/PolicyCommands"
import type { PolicyState } from "@quittance/domain/PolicyState"
import type { Product } from "@quittance/domain/Product"
import {
  type Explanation,
  type QuoteId,
  QuoteNotFound,
  type QuoteResult
} from "@quittance/domain/Quote"
import type { AvailablePricing, CalculatedQuote, ListedQuote } from "@quittance/domain/QuoteListing"
import type { QuoteProviderUnavailable } from "@quittance/domain/QuoteProvider"
import type { CurrentTenant } from "@quittance/domain/Tenant"
import { localDate, startOfDay } from "@quittance/domain/TimeZone"
import { Ids } from "@quittance/persistence/Ids"
import { type QuoteRow, QuotesRepo } from "@quittance/persistence/QuotesRepo"
import type { Priced } from "@quittance/pricing/Engine"
import type { PricingFailure } from "@quittance/pricing/PriceInput"
import type { PriceQuestion } from "@quittance/pricing/PriceQuestion"
import { Context, Effect, Layer, Result } from "effect"
import { BrokerageFees } from "./BrokerageFees.ts"
import type { CurrentRequest } from "./CurrentRequest.ts"
import type { At } from "./Policies.ts"
import { checkFields, withinWindow } from "./PolicyChecks.ts"
import { PolicyCommand, type PolicyFailure } from "./PolicyCommand.ts"
import { etagOf, type OpenPolicy, patched } from "./PolicyLog.ts"
import { type AccessFailure, PolicyReader, type ReadFailure } from "./PolicyReader.ts"
import { document, questionOf, type QuoteChoice } from "./Pricing.ts"
import { QuoteProvider } from "./QuoteProvider.ts"
import { pricedHash } from "./QuotesOfPolicies.ts"

type Scoped = CurrentTenant | CurrentCaller | CurrentRequest

export class Quotes extends Context.Service<
  Quotes,
  {
    /** Prices the policy as it is, with what the request chooses, and puts the quote on its table. */
    quote(
      at: At,
      choice: QuoteChoice
    ): Effect.Effect<
      QuoteResult,
      InvalidTransition | PolicyFailure | PricingFailure | QuoteProviderUnavailable,
      Scoped
    >
    /** The same price, with nothing written. */
    calculate(
      at: At,
      choice: QuoteChoice
    ): Effect.Effect<
      CalculatedQuote,
      BranchClosed | InvalidTransition | PricingFailure | QuoteProviderUnavailable | ReadFailure,
      Scoped
    >
    /** Every tier side by side; fails only where no tier can be had. */
    available(
      at: At
    ): Effect.Effect<
      AvailablePricing,
      PricingFailure | QuoteProviderUnavailable | ReadFailure,
      Scoped
    >
    listByPolicy(
      policyId: PolicyId,
      page: Page.PageRequest
    ): Effect.Effect<Page.Page<ListedQuote>, AccessFailure, Scoped>
    get(quoteId: QuoteId): Effect.Effect<ListedQuote, AccessFailure | QuoteNotFound, Scoped>
    /** Why the price is what it is, as it was told when the quote was given. */
    explain(quoteId: QuoteId): Effect.Effect<Explanation, AccessFailure | QuoteNotFound, Scoped>
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
      const reader = yield* PolicyReader

      /** The price of a policy with what a request chooses, as the quote that it would be. */
      const draw = Effect.fnUntraced(function* <E, R>(
        { head, product, state }: Pick<OpenPolicy, "head" | "product" | "state">,
        choice: QuoteChoice,
        priceOf: (question: Drawn) => Effect.Effect<Priced, E, R>
      ) {
        yield* Effect.fromResult(permit(state, "quote"))
        yield* brokerageFees.check(choice.brokerageFees)
        const chosen = choose(product, state, choice)
        const after = patched(state, { patch: Commands.chosenEntries(chosen) })
        yield* checkFields(product, after, "QUOTE")
        const hash = pricedHash(product, after)
        const priced = yield* priceOf({ ...questionOf(product, after), pricedHash: hash })
        const identity = { id: ids.next("quote"), entityId: head.id }
        return { after, chosen, hash, stored: document(product, after, priced, identity) }
      })

      const quote = Effect.fn("Quotes.quote")(function* (
        { whenAt, ...at }: At,
        choice: QuoteChoice
      ) {
        const subject = { command: "policy.quote", action: "quote.write", ...at } as const
        return yield* provider.forCommand((priceOf) =>
          command.run(
            { ...subject, also: actionsFor(choice) },
            Effect.fnUntraced(function* (policy) {
              const { branch, head, now, product, state } = policy
              if (whenAt !== undefined)
                yield* withinWindow(product, "change", "whenAt", whenAt, now)
              const { after, chosen, hash, stored } = yield* draw(policy, choice, (question) =>
                priceOf({ ...question, etag: etagOf(branch) })
              )
              const { id } = stored.quote
              yield* quotes.insert({
                id,
                policyId: head.id,
                branchId: branch.id,
                segmentFrom: after.startedAt,
                pricedHash: hash,
                createdAt: now,
                expiresAt: expiry(product, now),
                document: stored
              })
              const draft = yield* Effect.fromResult(Commands.quote(state, id, chosen))
              const { leaves: _leaves, ...answer } = stored
              return {
                changes: [{ branchId: branch.id, draft }],
                answer: () => Effect.succeed(answer)
              }
            })
          )
        )
      })

      const calculate = Effect.fn("Quotes.calculate")(function* (at: At, choice: QuoteChoice) {
        for (const action of actionsFor(choice)) yield* reader.read(action, at)
        const policy = yield* reader.read("quote.write", at)
        const { branch } = policy
        if (branch.status !== "OPEN") {
          return yield* new BranchClosed({ branchId: branch.id, status: branch.status })
        }
        const {
          explanation: _explanation,
          leaves: _leaves,
          ...calculated
        } = (yield* draw(policy, choice, provider.price)).stored
        return calculated
      })

      const available = Effect.fn("Quotes.available")(function* (at: At) {
        const { head, product, state } = yield* reader.read("quote.read", at)
        yield* checkFields(product, state, "QUOTE")
        // A comparison starts from the tiers themselves, not from what was chosen in one of them.
        const { input, ...question } = questionOf(product, state)
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
              return { id, name, unavailable: result.failure[0].message }
            }
            const identity = { id: ids.next("quote"), entityId: head.id }
            const { proratedQuote, quote } = document(product, state, result.success, identity)
            return { id, name, quote, proratedQuote }
          })
        }
      })

      const listByPolicy = Effect.fn("Quotes.listByPolicy")(function* (
        policyId: PolicyId,
        page: Page.PageRequest
      ) {
        const { now, product, state } = yield* reader.present("quote.read", policyId)
        const { rows, total } = yield* quotes.listByPolicy(policyId, page)
        const data = rows.map((row) => listed(product, state, row, now))
        return Page.make(data, total, page)
      })

      /** A quote, and the policy that it is of as it is now. */
      const find = Effect.fnUntraced(function* (quoteId: QuoteId) {
        const caller = yield* CurrentCaller
        if (caller._tag === "Client") return yield* new UserNotFound({})
        const row = yield* quotes.find(quoteId)
        if (row === undefined) return yield* new QuoteNotFound({ quoteId })
        return { row, ...(yield* reader.present("quote.read", row.policyId)) }
      })

      const get = Effect.fn("Quotes.get")(function* (quoteId: QuoteId) {
        const { now, product, row, state } = yield* find(quoteId)
        return listed(product, state, row, now)
      })

      const explain = Effect.fn("Quotes.explain")(function* (quoteId: QuoteId) {
        return (yield* find(quoteId)).row.document.explanation
      })

      return Quotes.of({ quote, calculate, available, listByPolicy, get, explain })
    })
  ).pipe(
    Layer.provide([
      BrokerageFees.layer,
      PolicyCommand.layer,
      PolicyReader.layer,
      QuoteProvider.layer,
      QuotesRepo.layer
    ])
  )
}

/** A price that is asked for, and the digest of the state that it is of. */
type Drawn = PriceQuestion & { readonly pricedHash: string }

/** What the caller needs beyond quoting because of what the request sets. */
const actionsFor = (choice: QuoteChoice): ReadonlyArray<Action> => [
  ...(choice.additionalQuoteComponents === undefined ? [] : (["quote.override"] as const)),
  ...(choice.brokerageFees === undefined ? [] : (["quote.fee"] as const))
]

const choose = (product: Product, { selection }: PolicyState, choice: QuoteChoice) => ({
  selection: {
    tierId: choice.tierId ?? selection?.tierId ?? product.defaultTier,
    // Options belong to the tier they were chosen in.
    perils: choice.perils ?? (choice.tierId === undefined ? (selection?.perils ?? []) : [])
  },
  additionalQuoteComponents: choice.additionalQuoteComponents,
  brokerageFees: choice.brokerageFees
})

/** A quote holds to the end of the local day `validDays` after today. */
const expiry = ({ quote, timeZone }: Product, now: Instant): Instant =>
  startOfDay(addDays(localDate(now, timeZone), quote.validDays + 1), timeZone)

const listed = (product: Product, state: PolicyState, row: QuoteRow, now: Instant): ListedQuote => {
  const accepted = state.signedAt !== undefined && state.quoteId === row.id
  return {
    ...row.document.quote,
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
    outdated: row.pricedHash !== pricedHash(product, state) || (!accepted && row.expiresAt <= now)
  }
}
