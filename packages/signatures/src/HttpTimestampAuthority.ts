/** An authority that is asked over HTTP (RFC 3161, section 3.4). */
import { OutgoingCalls } from "@quittance/outgoing/OutgoingCalls"
import { Duration, Effect, Layer, Result } from "effect"
import { randomBytes } from "node:crypto"
import { readTimestampResponse, timestampRequest } from "./Timestamp.ts"
import { TimestampAuthority, TimestampFailed } from "./TimestampAuthority.ts"

const headTimeout = Duration.seconds(10)
const timeout = Duration.seconds(15)
/** Bytes of an answer; tokens with long chains have some 10,000. */
const maxBody = 65_536

/**
 * The authority at an URL. It is called as every program of others is: by `https`, at a public address, or on
 * the machine itself outside production.
 */
export const make = Effect.fnUntraced(function* (url: string) {
  const calls = yield* OutgoingCalls
  const stamp = Effect.fn("TimestampAuthority.stamp")(function* (imprint: Uint8Array) {
    const nonce = randomBytes(8)
    const answer = yield* calls
      .send({
        url,
        method: "POST",
        headers: { "content-type": "application/timestamp-query" },
        body: timestampRequest(imprint, nonce),
        headTimeout,
        timeout,
        maxBody
      })
      .pipe(
        Effect.mapError(
          ({ detail, reason }) =>
            new TimestampFailed({ reason: "UNAVAILABLE", detail: `${reason}: ${detail}` })
        )
      )
    if (answer.status !== 200 || answer.isCut) {
      const detail = answer.isCut ? "the answer is too long" : `status ${answer.status}`
      return yield* new TimestampFailed({ reason: "UNAVAILABLE", detail })
    }
    const token = readTimestampResponse(answer.body, { imprint, nonce })
    return Result.isSuccess(token)
      ? token.success
      : yield* new TimestampFailed({ reason: "ANSWER", detail: token.failure })
  })
  return TimestampAuthority.of({ stamp })
})

/** The same as a layer. */
export const layer = (url: string) => Layer.effect(TimestampAuthority, make(url))
