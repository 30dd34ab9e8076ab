/** Prices from another program: asked over HTTP, as often as it makes sense, and read with care. */
import { unseal } from "@quittance/auth/Sealed"
import { PriceAnswer } from "@quittance/domain/products/PriceExchange"
import { QuoteProviderUnavailable } from "@quittance/domain/products/QuoteProvider"
import { QuoteProvidersRepo } from "@quittance/persistence/products/QuoteProvidersRepo"
import type { PriceResult } from "@quittance/pricing/Engine"
import { read } from "@quittance/pricing/ProviderPrices"
import { type AskedTier, type PriceQuestion, requestOf } from "@quittance/pricing/PriceQuestion"
import { Context, Duration, Effect, Layer, Redacted, Result, Schedule, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { KeyEncryption } from "../tokens/KeyEncryption.ts"
import { late, NoAnswer, type OpenProvider, PriceExchange } from "./PriceExchange.ts"
import { bindingOf } from "./QuoteProviders.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** Tries after the first; before them it waits 100 ms, then 200 ms. */
const retries = 2
const pauses = Schedule.exponential("100 millis")

type Prices = ReadonlyArray<PriceResult>

export class HttpQuoteProvider extends Context.Service<
  HttpQuoteProvider,
  {
    /**
     * The price of each tier, in their order. Never within a transaction: it may take seconds. A
     * question whose answer does not count is logged with all that is known of it.
     */
    ask(
      question: PriceQuestion,
      tiers: ReadonlyArray<AskedTier>
    ): Effect.Effect<Prices, QuoteProviderUnavailable, CurrentTenant>
  }
>()("@quittance/operations/HttpQuoteProvider") {
  static readonly layer = Layer.effect(
    HttpQuoteProvider,
    Effect.gen(function* () {
      const exchange = yield* PriceExchange
      const random = yield* SecureRandom.SecureRandom
      const repo = yield* QuoteProvidersRepo
      const { keys: serviceKeys } = yield* KeyEncryption

      const open = Effect.fnUntraced(function* (id: string) {
        const stored = yield* repo.find(id)
        if (stored === undefined) return yield* gone
        const binding = bindingOf(yield* CurrentTenant, id)
        const keys = Redacted.value(serviceKeys)
        const secret = yield* unseal(stored.encryptedSecret, binding, keys)
        return { ...stored, secret: Redacted.make(secret) }
      })

      const answered = (provider: OpenProvider, requestId: string, body: Uint8Array) =>
        exchange.send(provider, { requestId, body }).pipe(
          Effect.tapError((failure) =>
            failure.transient
              ? told(failure, Effect.logWarning("A quote provider gave no answer"))
              : Effect.void
          ),
          Effect.retry({ schedule: pauses, times: retries, while: ({ transient }) => transient }),
          Effect.timeoutOrElse({
            duration: Duration.millis(provider.totalTimeout),
            orElse: () => Effect.fail(late(provider.totalTimeout))
          })
        )

      const ask = Effect.fn("HttpQuoteProvider.ask")(function* (
        question: PriceQuestion,
        tiers: ReadonlyArray<AskedTier>
      ) {
        const { product } = question
        const requestId = yield* random.uuidV4()
        return yield* Effect.gen(function* () {
          const provider = yield* open(product.quoteProvider?.id ?? "")
          const request = requestOf(question, tiers, requestId)
          const body = new TextEncoder().encode(JSON.stringify(request))
          const text = yield* answered(provider, requestId, body)
          const answer = yield* decode(text)
          const prices = read(product, requestId, tiers, answer)
          return yield* Effect.fromResult(
            Result.mapError(prices, (faults) => bad(faults.join("\n")))
          )
        }).pipe(
          Effect.tapError((failure) => told(failure, Effect.logError("There is no price"))),
          Effect.mapError(({ reason }) => new QuoteProviderUnavailable({ reason })),
          Effect.annotateLogs({
            quoteProvider: product.quoteProvider?.id,
            product: `${product.productId}@${product.version}`,
            question: requestId
          })
        )
      })

      return HttpQuoteProvider.of({ ask })
    })
  ).pipe(
    Layer.provide([PriceExchange.layer, QuoteProvidersRepo.layer, SecureRandom.layerWebCrypto])
  )
}

const told = ({ detail, reason }: NoAnswer, log: Effect.Effect<void>) =>
  Effect.annotateLogs(log, { reason, detail })

const gone = new NoAnswer({
  reason: "NOT_CONFIGURED",
  detail: "the tenant has no provider of this name",
  transient: false
})

const bad = (detail: string) => new NoAnswer({ reason: "BAD_ANSWER", detail, transient: false })

const decodeAnswer = Schema.decodeUnknownEffect(Schema.fromJsonString(PriceAnswer))

const decode = (text: string): Effect.Effect<PriceAnswer, NoAnswer> =>
  Effect.mapError(decodeAnswer(text, { errors: "all", onExcessProperty: "error" }), ({ message }) =>
    bad(message)
  )
