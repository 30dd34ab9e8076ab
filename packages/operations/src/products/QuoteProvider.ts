/** Who prices a product: the built-in engine, or another program, as the product says. */
import type { Tier } from "@quittance/domain/products/Product"
import type { QuoteProviderUnavailable } from "@quittance/domain/products/QuoteProvider"
import { Conflict } from "@quittance/domain/requests/RequestErrors"
import { compile, type Priced, type PriceResult } from "@quittance/pricing/Engine"
import type { PricingFailure } from "@quittance/pricing/PriceInput"
import { screener, type PriceQuestion } from "@quittance/pricing/PriceQuestion"
import { Context, Data, Effect, Layer, Result } from "effect"
import { inTurns } from "../values/InTurns.ts"
import { HttpQuoteProvider } from "./HttpQuoteProvider.ts"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** How many versions of a policy a command asks about, where it changes while it asks. */
const versions = 3

/** The price of a tier, or why it has none. */
export interface TierPrice {
  readonly tier: Tier
  readonly result: PriceResult
}

/** A price that a command needs, and the state of the policy that it is of. */
export interface CommandQuestion extends PriceQuestion {
  /** The digest of the priced state: while it stays, so does the price. */
  readonly pricedHash: string
  /** The policy's present etag. */
  readonly etag: string
}

/** Asked for by a command that must not wait for it: it holds the policy and has to be left first. */
export class PriceWanted extends Data.TaggedError("PriceWanted")<{
  readonly question: CommandQuestion
}> {}

/** Answers at once, or makes its command be undone, and run again once there is an answer. */
export type CommandPrice = (
  question: CommandQuestion
) => Effect.Effect<Priced, PricingFailure | PriceWanted>

export class QuoteProvider extends Context.Service<
  QuoteProvider,
  {
    /** The price of one tier, or the first of what stands in the way. Not within a transaction. */
    price(
      question: PriceQuestion
    ): Effect.Effect<Priced, PricingFailure | QuoteProviderUnavailable, CurrentTenant>

    /** Every tier with the same input, in the product's order. Not within a transaction. */
    tiers(
      question: PriceQuestion
    ): Effect.Effect<ReadonlyArray<TierPrice>, QuoteProviderUnavailable, CurrentTenant>

    /**
     * Runs a command that needs prices. No provider is called while it runs: where a call is needed the
     * command is rolled back, and runs again with the answer, which counts only for its priced state. Where
     * that state changes each time, it fails as a conflict.
     */
    forCommand<A, E, R>(
      attempt: (priceOf: CommandPrice) => Effect.Effect<A, E | PriceWanted, R>
    ): Effect.Effect<
      A,
      Exclude<E, PriceWanted> | Conflict | QuoteProviderUnavailable,
      R | CurrentTenant
    >
  }
>()("@quittance/operations/QuoteProvider") {
  static readonly layer = Layer.effect(
    QuoteProvider,
    Effect.gen(function* () {
      const http = yield* HttpQuoteProvider

      /** One question about these tiers; those that can't be priced at all are not asked about. */
      const elsewhere = Effect.fnUntraced(function* (
        question: PriceQuestion,
        tierIds: ReadonlyArray<string | undefined>
      ) {
        const inquire = screener(question.product)
        const inquiries = yield* Effect.forEach(tierIds, (tierId) =>
          inTurns(() => inquire({ ...question.input, tierId }))
        )
        const asked = inquiries.filter(Result.isSuccess).map(({ success }) => success)
        const answers = asked.length === 0 ? [] : yield* http.ask(question, asked)
        let next = 0
        return inquiries.map((inquiry): PriceResult =>
          Result.isFailure(inquiry) ? Result.fail(inquiry.failure) : answers[next++]!
        )
      })

      const result = Effect.fnUntraced(function* (question: PriceQuestion) {
        const { input, product } = question
        if (product.quoteProvider === undefined) {
          return yield* inTurns(() => compile(product).priceInSlices(input))
        }
        const [only] = yield* elsewhere(question, [input.tierId])
        return only!
      })

      const price = Effect.fn("QuoteProvider.price")(function* (question: PriceQuestion) {
        return yield* first(yield* result(question))
      })

      const tiers = Effect.fn("QuoteProvider.tiers")(function* (question: PriceQuestion) {
        const { input, product } = question
        if (product.quoteProvider === undefined) {
          return yield* Effect.forEach(product.tiers, (tier) =>
            Effect.map(
              inTurns(() => compile(product).priceInSlices({ ...input, tierId: tier.id })),
              (result) => ({ tier, result })
            )
          )
        }
        const results = yield* elsewhere(
          question,
          product.tiers.map(({ id }) => id)
        )
        return product.tiers.map((tier, index) => ({ tier, result: results[index]! }))
      })

      const forCommand = <A, E, R>(
        attempt: (priceOf: CommandPrice) => Effect.Effect<A, E | PriceWanted, R>
      ) => {
        type Failure = Exclude<E, PriceWanted> | Conflict | QuoteProviderUnavailable
        const round = (
          known: Answers,
          left: number,
          version?: string
        ): Effect.Effect<A, Failure, R | CurrentTenant> =>
          Effect.catch(attempt(answerFrom(known)), (failure) => {
            // What is wanted is excluded below; the compiler does not narrow a type parameter.
            if (!(failure instanceof PriceWanted)) return Effect.fail(failure as Failure)
            const { etag, pricedHash, ...question } = failure.question
            // A version may have several prices: one is asked for after the other.
            const remaining = etag === version ? left : left - 1
            if (remaining < 0) return Effect.fail(new Conflict({ etag }))
            return Effect.flatMap(result(question), (answer) =>
              round(new Map([...known, [pricedHash, answer]]), remaining, etag)
            )
          })
        return round(new Map(), versions)
      }

      return QuoteProvider.of({ price, tiers, forCommand })
    })
  ).pipe(Layer.provide(HttpQuoteProvider.layer))
}

/** What another program said, by the digest of the priced state that it is of. */
type Answers = ReadonlyMap<string, PriceResult>

const answerFrom =
  (known: Answers): CommandPrice =>
  (question) => {
    const { input, pricedHash, product } = question
    if (product.quoteProvider === undefined) {
      return Effect.flatMap(
        inTurns(() => compile(product).priceInSlices(input)),
        first
      )
    }
    const answer = known.get(pricedHash)
    return answer === undefined ? Effect.fail(new PriceWanted({ question })) : first(answer)
  }

const first = (result: PriceResult): Effect.Effect<Priced, PricingFailure> =>
  Effect.fromResult(Result.mapError(result, ([failure]) => failure))
