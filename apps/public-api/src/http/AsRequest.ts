/** The HTTP request as commands see it, and what they tell back as headers of the answer. */
import { canonicalJson } from "@quittance/domain/values/CanonicalJson"
import { RequestId } from "@quittance/domain/requests/RequestId"
import { CurrentRequest } from "@quittance/operations/requests/CurrentRequest"
import { sha256 } from "@quittance/operations/values/Sha256"
import { Effect, Option } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"

/** The parts of a decoded request that steer a command, whichever of them the route takes. */
interface Steering {
  readonly headers?: { readonly "idempotency-key"?: string; readonly "if-match"?: string }
  readonly query?: { readonly dryRun?: boolean; readonly idempotencyKey?: string }
}

/** Runs a use case for the request at hand. */
export const asRequest = Effect.fnUntraced(function* <A, E, R>(
  { headers = {}, query = {} }: Steering,
  useCase: Effect.Effect<A, E, R>
) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const key = headers["idempotency-key"] ?? query.idempotencyKey
  const ifMatch = headers["if-match"]
  const dryRun = query.dryRun ?? false
  const answer: CurrentRequest["Service"]["answer"] = { replayed: false }
  const current: CurrentRequest["Service"] = {
    id: yield* RequestId,
    address: Option.getOrElse(request.remoteAddress, () => "unknown"),
    userAgent: request.headers["user-agent"] ?? "",
    dryRun,
    answer,
    ...(ifMatch === undefined ? {} : { ifMatch }),
    ...(key === undefined || dryRun
      ? {}
      : { idempotency: { key, fingerprint: yield* fingerprint(request, ifMatch) } })
  }
  yield* HttpEffect.appendPreResponseHandler((_request, response) =>
    Effect.succeed(
      HttpServerResponse.setHeaders(response, {
        ...(answer.etag === undefined || dryRun ? {} : { etag: answer.etag }),
        ...(answer.replayed ? { "idempotency-replayed": "true" } : {}),
        ...(dryRun ? { "dry-run": "true" } : {})
      })
    )
  )
  return yield* Effect.provideService(useCase, CurrentRequest, current)
})

/** All that makes two requests the same one: method, path, query, body and `if-match`. */
const fingerprint = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  ifMatch: string | undefined
) {
  // The body has been read and decoded before; a second look at it costs and fails nothing.
  const body = yield* Effect.orDie(request.text)
  const [path, search = ""] = request.url.split("?")
  const query = search
    .split("&")
    .filter((pair) => !pair.startsWith("idempotencyKey="))
    .sort()
  return sha256(canonicalJson([request.method, path, query, body, ifMatch ?? null]))
})
