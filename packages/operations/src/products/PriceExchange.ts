/** One question to a quote provider over HTTP, and its answer: sent once, signed, bounded, checked. */
import { isAnswerSigned, signatureHeader, signRequest } from "@quittance/auth/ExchangeSignature"
import type {
  QuoteProviderFailure,
  QuoteProviderSettings
} from "@quittance/domain/products/QuoteProvider"
import {
  type CallFailed,
  type OutgoingAnswer,
  OutgoingCalls
} from "@quittance/outgoing/OutgoingCalls"
import { Clock, Context, Data, Duration, Effect, Layer, Redacted } from "effect"

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
      const calls = yield* OutgoingCalls

      const send = Effect.fn("PriceExchange.send")(function* (
        provider: OpenProvider,
        { body, requestId }: Posted
      ) {
        const { keyId, tryTimeout, url } = provider
        const key = { keyId, secret: Redacted.value(provider.secret) }
        const { pathname, search } = new URL(url)
        const time = Math.floor((yield* Clock.currentTimeMillis) / 1000)
        const path = pathname + search
        const timeout = Duration.millis(tryTimeout)
        const answer = yield* calls
          .send({
            url,
            method: "POST",
            headers: {
              accept: "application/json",
              "accept-encoding": "identity",
              "content-type": "application/json",
              [signatureHeader]: signRequest(key, { method: "POST", path, body, time })
            },
            body,
            headTimeout: timeout,
            timeout,
            maxBody: maxAnswerSize
          })
          .pipe(Effect.mapError((failure) => unanswered(failure, tryTimeout)))
        yield* checkHead(answer)
        if (!isAnswerSigned(key, requestId, answer.body, answer.headers[signatureHeader])) {
          const detail = `${signatureHeader} does not sign this answer to this request`
          return yield* new NoAnswer({ reason: "BAD_SIGNATURE", detail, transient: false })
        }
        return yield* textOf(answer.body)
      })

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

const unanswered = ({ detail, reason }: CallFailed, tryTimeout: number) =>
  reason === "TIMEOUT"
    ? late(tryTimeout)
    : new NoAnswer({ reason: "UNREACHABLE", detail: `${reason}: ${detail}`, transient: true })

const bad = (detail: string) => new NoAnswer({ reason: "BAD_ANSWER", detail, transient: false })

const transientStatuses = new Set([502, 503, 504])

const checkHead = ({ headers, isCut, status }: OutgoingAnswer): Effect.Effect<void, NoAnswer> => {
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
  if (isCut) return Effect.fail(bad(`more than ${maxAnswerSize} bytes`))
  const encoding = headers["content-encoding"] ?? "identity"
  return encoding === "identity"
    ? Effect.void
    : Effect.fail(bad("content-encoding is not identity"))
}

const utf8 = new TextDecoder("utf-8", { fatal: true })

const textOf = (bytes: Uint8Array): Effect.Effect<string, NoAnswer> =>
  Effect.try({ try: () => utf8.decode(bytes), catch: () => bad("no text in UTF-8") })
