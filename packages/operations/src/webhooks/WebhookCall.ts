/** One try to deliver an event: signed, sent, and what came of it. */
import * as StandardWebhook from "@quittance/auth/StandardWebhook"
import type { Webhook } from "@quittance/domain/webhooks/Webhook"
import {
  answerTimeout,
  headTimeout,
  keptBytes,
  type Outcome,
  readBytes,
  type Tried
} from "@quittance/domain/webhooks/WebhookDelivery"
import { OutgoingCalls } from "@quittance/outgoing/OutgoingCalls"
import { Clock, Duration, Effect } from "effect"

/** Where events are sent, and what signs them. */
export interface Destination extends Pick<Webhook, "headers" | "url"> {
  readonly keys: ReadonlyArray<string>
}

/** What is sent: the same bytes on each try. */
export interface Message {
  /** The identifier of the event. */
  readonly id: string
  readonly body: Uint8Array
  /** Headers of this one message. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface Attempt extends Tried {
  /** Milliseconds since 1970, and how many it took. */
  readonly triedAt: number
  readonly duration: number
  readonly address: string | undefined
  /** What an answer that is no success says, as text. */
  readonly excerpt: string | undefined
}

/** Sends a message once. It takes 20 seconds at most, and never fails. */
export const attempt = Effect.fnUntraced(function* (
  { headers, keys, url }: Destination,
  { body, headers: further, id }: Message
) {
  const calls = yield* OutgoingCalls
  const triedAt = yield* Clock.currentTimeMillis
  const timestamp = Math.floor(triedAt / 1000)
  const answered = yield* calls
    .send({
      url,
      method: "POST",
      headers: {
        ...headers,
        ...further,
        "content-type": "application/json",
        ...StandardWebhook.headers({ id, timestamp, body }, keys)
      },
      body,
      headTimeout: Duration.millis(headTimeout),
      timeout: Duration.millis(answerTimeout),
      maxBody: readBytes
    })
    .pipe(Effect.result)
  const duration = (yield* Clock.currentTimeMillis) - triedAt
  if (answered._tag === "Failure") {
    const { detail, reason } = answered.failure
    const failed: Attempt = {
      triedAt,
      duration,
      outcome: reason,
      address: undefined,
      excerpt: detail
    }
    return failed
  }
  const { address, body: said, headers: sent, status } = answered.success
  const outcome: Outcome = status >= 200 && status < 300 ? "DELIVERED" : "STATUS"
  const tried: Attempt = {
    triedAt,
    duration,
    outcome,
    status,
    retryAfter: sent["retry-after"],
    address,
    excerpt: outcome === "DELIVERED" ? undefined : textOf(said.subarray(0, keptBytes))
  }
  return tried
})

/** Bytes of a third party as text that can be stored and shown: no control characters but line ends. */
const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString("utf8")
    .replaceAll(/[\p{Cc}\p{Cs}]/gu, (found) =>
      found === "\n" || found === "\t" ? found : "\uFFFD"
    )
