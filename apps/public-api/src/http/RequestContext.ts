/** The HTTP request as commands see it, and what they tell back as headers of the answer. */
import { type Steering, steeringOf } from "@quittance/contract/access/Steering"
import { RequestContext } from "@quittance/contract/requests/RequestContext"
import { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { RequestId } from "@quittance/domain/requests/RequestId"
import { canonicalJson } from "@quittance/domain/values/CanonicalJson"
import { sha256 } from "@quittance/operations/values/Sha256"
import { Effect, Layer, Option } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"

/** Of a parameter that the route does not take nothing is known; the handler refuses one that is not valid. */
export const RequestContextLayer = Layer.succeed(
  RequestContext,
  RequestContext.of(
    Effect.fnUntraced(function* (handler, { endpoint }) {
      const current = yield* requestOf(knownSteering(endpoint))
      yield* HttpEffect.appendPreResponseHandler((_request, response) =>
        Effect.succeed(HttpServerResponse.setHeaders(response, headersOf(current)))
      )
      return yield* Effect.provideService(handler, CurrentRequest, current)
    })
  )
)

const known = new WeakMap<HttpApiEndpoint.Top, Steering>()

const knownSteering = (endpoint: HttpApiEndpoint.Top): Steering => {
  const steering = known.get(endpoint) ?? steeringOf(endpoint)
  known.set(endpoint, steering)
  return steering
}

const requestOf = Effect.fnUntraced(function* (takes: Steering) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const query = yield* HttpServerRequest.ParsedSearchParams
  const key = takes.idempotencyKey
    ? (request.headers["idempotency-key"] ?? single(query["idempotencyKey"]))
    : undefined
  const ifMatch = takes.ifMatch ? request.headers["if-match"] : undefined
  const dryRun = takes.dryRun && query["dryRun"] === "true"
  const current: CurrentRequest["Service"] = {
    id: yield* RequestId,
    address: Option.getOrElse(request.remoteAddress, () => "unknown"),
    userAgent: request.headers["user-agent"] ?? "",
    dryRun,
    answer: { replayed: false },
    ...(ifMatch === undefined ? {} : { ifMatch }),
    ...(key === undefined || dryRun
      ? {}
      : { idempotency: { key, fingerprint: yield* fingerprint(request, ifMatch, takes) } })
  }
  return current
})

const single = (value: string | ReadonlyArray<string> | undefined): string | undefined =>
  typeof value === "string" ? value : undefined

const headersOf = ({ answer, dryRun }: CurrentRequest["Service"]) => ({
  ...(answer.etag === undefined || dryRun ? {} : { etag: answer.etag }),
  ...(answer.replayed ? { "idempotency-replayed": "true" } : {}),
  ...(dryRun ? { "dry-run": "true" } : {})
})

/** All that makes two requests the same one: method, path, query, body and `if-match`. */
const fingerprint = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  ifMatch: string | undefined,
  { streams }: Steering
) {
  // The validation before has read the body; a second look at it costs and fails nothing. What is
  // received as a stream is not there yet: the use case adds what it was.
  const body = streams ? "" : yield* Effect.orDie(request.text)
  const [path, search = ""] = request.url.split("?")
  const query = search
    .split("&")
    .filter((pair) => !pair.startsWith("idempotencyKey="))
    .sort()
  return sha256(canonicalJson([request.method, path, query, body, ifMatch ?? null]))
})
