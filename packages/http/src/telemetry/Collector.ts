/**
 * The way to the collector of telemetry: bounded in time and in memory, whatever the collector does. What
 * it doesn't take in time is lost, and no request waits for it.
 */
import { Cause, Effect, Exit } from "effect"
import {
  HttpClient,
  HttpClientError,
  type HttpClientRequest,
  type HttpClientResponse
} from "effect/http"

/** Batches in hand, those that wait for another try too; what comes beyond them is not kept. */
const mostBatches = 16

/** How often the exporter sends a batch, the first time included. */
const tries = 4

/** An error after which the exporter gives the batch up, and sends nothing for a minute. */
const refusal = (request: HttpClientRequest.HttpClientRequest, description: string) =>
  new HttpClientError.HttpClientError({
    reason: new HttpClientError.EncodeError({ request, description })
  })

type Outcome = Exit.Exit<HttpClientResponse.HttpClientResponse, unknown>

const isWorthAnother = (outcome: Outcome): boolean =>
  Exit.isSuccess(outcome)
    ? HttpClient.isTransientResponse(outcome.value)
    : HttpClient.isTransientError(Cause.squash(outcome.cause))

const isTaken = (outcome: Outcome): boolean => Exit.isSuccess(outcome) && outcome.value.status < 300

/** A client for the batches of one kind of telemetry; `timeout` is in milliseconds. */
export const client = (timeout: number) =>
  Effect.map(HttpClient.HttpClient, (outgoing) => {
    /** By the body, which is the same each time that a batch is sent: how often it was. */
    const inHand = new Map<unknown, number>()

    const settle = (batch: unknown, sent: number, outcome: Outcome) =>
      Effect.suspend(() => {
        if (sent < tries && isWorthAnother(outcome)) return Effect.void
        inHand.delete(batch)
        return isTaken(outcome)
          ? Effect.void
          : Effect.logWarning("Telemetry is lost: the collector did not accept it")
      })

    return HttpClient.transform(outgoing, (sending, request) =>
      Effect.suspend(() => {
        const batch = request.body
        const sent = (inHand.get(batch) ?? 0) + 1
        if (sent === 1 && inHand.size >= mostBatches) {
          return Effect.fail(refusal(request, "too many batches wait for the collector"))
        }
        inHand.set(batch, sent)
        return sending.pipe(
          // An answer without an end would hold the batch as well.
          Effect.tap((response) => Effect.ignore(response.arrayBuffer)),
          Effect.timeoutOrElse({
            duration: timeout,
            orElse: () => Effect.fail(refusal(request, "the collector did not answer in time"))
          }),
          Effect.onExit((outcome) => settle(batch, sent, outcome))
        )
      })
    )
  })
