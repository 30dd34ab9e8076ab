/** One question to a quote provider over HTTP, and its answer: sent once, signed, bounded, checked. */
import { isAnswerSigned, signatureHeader, signRequest } from "@quittance/auth/ExchangeSignature"
import type {
  QuoteProviderFailure,
  QuoteProviderSettings
} from "@quittance/domain/products/QuoteProvider"
import { Clock, Context, Data, Duration, Effect, Layer, Redacted, Stream } from "effect"
import {
  HttpClient,
  type HttpClientError,
  HttpClientRequest,
  type HttpClientResponse
} from "effect/http"

/** Bytes of an answer. */
const maxAnswerSize = 1_048_576

/** A provider as it is asked. */
export interface OpenProvider extends QuoteProviderSettings {
  readonly secret: Redacted.Redacted
}

export interface Posted {
  readonly requestId: string
  readonly body: Uint8Array
}

/** There is no answer that counts. What is in here is for the log. */
export class NoAnswer extends Data.TaggedError("NoAnswer")<{
  readonly reason: QuoteProviderFailure
  readonly detail: string
  /** Another try may bring one. */
  readonly transient: boolean
}> {}

export class PriceExchange extends Context.Service<
  PriceExchange,
  {
    /** Sends a question once, follows no redirect, and answers the JSON text that was signed for it. */
    send(provider: OpenProvider, posted: Posted): Effect.Effect<string, NoAnswer>
  }
>()("@quittance/operations/PriceExchange") {
  static readonly layer = Layer.effect(
    PriceExchange,
    Effect.gen(function* () {
      // What is left of an answer when the try is over is not waited for.
      const client = HttpClient.withScope(yield* HttpClient.HttpClient)

      const send = Effect.fn("PriceExchange.send")(
        function* (provider: OpenProvider, { body, requestId }: Posted) {
          const { keyId, url } = provider
          const key = { keyId, secret: Redacted.value(provider.secret) }
          const { pathname, search } = new URL(url)
          const time = Math.floor((yield* Clock.currentTimeMillis) / 1000)
          const path = pathname + search
          const request = HttpClientRequest.post(url).pipe(
            HttpClientRequest.bodyUint8Array(body, "application/json"),
            HttpClientRequest.setHeaders({
              accept: "application/json",
              "accept-encoding": "identity",
              [signatureHeader]: signRequest(key, { method: "POST", path, body, time })
            })
          )
          const response = yield* Effect.mapError(client.execute(request), unreachable)
          yield* checkHead(response)
          const bytes = yield* read(response)
          if (!isAnswerSigned(key, requestId, bytes, response.headers[signatureHeader])) {
            const detail = `${signatureHeader} does not sign this answer to this request`
            return yield* new NoAnswer({ reason: "BAD_SIGNATURE", detail, transient: false })
          }
          return yield* textOf(bytes)
        },
        Effect.scoped,
        (sent, { tryTimeout }) =>
          Effect.timeoutOrElse(sent, {
            duration: Duration.millis(tryTimeout),
            orElse: () => Effect.fail(late(tryTimeout))
          }),
        // Whoever prices learns nothing of our traces.
        Effect.provideService(HttpClient.TracerPropagationEnabled, false)
      )

      return PriceExchange.of({ send })
    })
  )
}

/** No whole answer within so many milliseconds. */
export const late = (milliseconds: number): NoAnswer =>
  new NoAnswer({
    reason: "TIMEOUT",
    detail: `no whole answer within ${milliseconds} ms`,
    transient: true
  })

const unreachable = ({ reason: { cause, message } }: HttpClientError.HttpClientError) =>
  new NoAnswer({
    reason: "UNREACHABLE",
    // Not the error itself: it has the request in it, and with it the risk.
    detail: cause instanceof Error ? String(cause) : message,
    transient: true
  })

const bad = (detail: string) => new NoAnswer({ reason: "BAD_ANSWER", detail, transient: false })

const transientStatuses = new Set([502, 503, 504])

const checkHead = ({
  headers,
  status
}: HttpClientResponse.HttpClientResponse): Effect.Effect<void, NoAnswer> => {
  if (status !== 200) {
    const transient = transientStatuses.has(status)
    return Effect.fail(
      new NoAnswer({ reason: "BAD_STATUS", detail: `status ${status}`, transient })
    )
  }
  const type = headers["content-type"] ?? ""
  if (!/^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/iu.test(type)) {
    return Effect.fail(bad(`content-type ${JSON.stringify(type.slice(0, 100))}`))
  }
  const encoding = headers["content-encoding"] ?? "identity"
  return encoding === "identity"
    ? Effect.void
    : Effect.fail(bad("content-encoding is not identity"))
}

const read = (
  response: HttpClientResponse.HttpClientResponse
): Effect.Effect<Uint8Array, NoAnswer> =>
  Effect.suspend(() => {
    const chunks: Array<Uint8Array> = []
    let size = 0
    return response.stream.pipe(
      Stream.mapError(unreachable),
      Stream.runForEach((chunk) => {
        size += chunk.length
        chunks.push(chunk)
        return size > maxAnswerSize
          ? Effect.fail(bad(`more than ${maxAnswerSize} bytes`))
          : Effect.void
      }),
      Effect.map(() => new Uint8Array(Buffer.concat(chunks)))
    )
  })

const utf8 = new TextDecoder("utf-8", { fatal: true })

const textOf = (bytes: Uint8Array): Effect.Effect<string, NoAnswer> =>
  Effect.try({ try: () => utf8.decode(bytes), catch: () => bad("no text in UTF-8") })
