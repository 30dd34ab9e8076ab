/** Calls a local address with events, as a webhook would: signed, and with the same bytes each time. */
import * as StandardWebhook from "@quittance/auth/StandardWebhook"
import { type Event, eventBytes } from "@quittance/domain/events/Event"
import { Clock, Duration, Effect } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"

/** How a call ended. */
export interface Called {
  readonly status: number
  readonly millis: number
}

export interface Forward {
  readonly url: string
  readonly secret: string
  /** The call is of `--replay`: receivers tell it from the first one. */
  readonly isReplay: boolean
  /** Says that there was no answer; the same event is sent again. */
  say(line: string): Effect.Effect<void>
}

/** The longest that a receiver may think. */
const patience = Duration.seconds(30)

/** Milliseconds between tries at an address that does not answer; twice as long each time, up to the last. */
const firstPause = 500
const longestPause = 8000

/**
 * Sends an event until there is an answer, whichever. A receiver that is away is waited for, so nothing is
 * lost while a program is started again; one that is killed in the middle gets the event again.
 */
export const send = Effect.fn("Forwarding.send")(function* (
  event: Event,
  { isReplay, say, secret, url }: Forward
) {
  const client = yield* HttpClient.HttpClient
  const body = eventBytes(event)
  for (let pause = firstPause; ; pause = Math.min(pause * 2, longestPause)) {
    const started = yield* Clock.currentTimeMillis
    const message = { id: event.id, timestamp: Math.floor(started / 1000), body }
    const answered = yield* HttpClientRequest.post(url).pipe(
      HttpClientRequest.setHeaders({
        ...StandardWebhook.headers(message, [secret]),
        "user-agent": "quittance-listen",
        ...(isReplay ? { "quittance-replay": "listen" } : {})
      }),
      HttpClientRequest.bodyUint8Array(body, "application/json"),
      client.execute,
      // The answer counts once it is there as a whole.
      Effect.tap((response) => response.arrayBuffer),
      Effect.timeout(patience),
      Effect.option
    )
    if (answered._tag === "Some") {
      const millis = (yield* Clock.currentTimeMillis) - started
      const called: Called = { status: answered.value.status, millis }
      return called
    }
    yield* say(`No answer from ${url}: tried again in ${pause / 1000} s.`)
    yield* Effect.sleep(Duration.millis(pause))
  }
})
