/**
 * What surrounds every route of every HTTP app: an id for the request, CORS, a limit of time, one form
 * of error whatever failed, an access log.
 */
import { IsAbsence } from "@quittance/domain/requests/Absence"
import {
  type Busy,
  Conflict,
  InternalError,
  InvalidRequest,
  MethodNotAllowed,
  NotReady,
  PayloadTooLarge,
  RouteNotFound,
  Timeout
} from "@quittance/domain/requests/RequestErrors"
import { Overload } from "@quittance/domain/requests/Overload"
import { RequestId } from "@quittance/domain/requests/RequestId"
import { runningEnvironment } from "@quittance/domain/tenants/RunningEnvironment"
import * as Settings from "@quittance/domain/values/Settings"
import { ByteSize, Cause, Clock, Config, Duration, Effect, Exit, Option } from "effect"
import {
  Headers,
  HttpIncomingMessage,
  HttpServerError,
  HttpServerRequest,
  HttpServerResponse
} from "effect/http"
import { AccessFacts } from "./AccessFacts.ts"
import * as Cors from "./Cors.ts"
import { errorResponse } from "./ErrorResponse.ts"
import { clientAddress, headerValues, requestIdOf } from "./RequestHead.ts"
import * as RequestSpan from "./telemetry/RequestSpan.ts"
import * as RequestMetrics from "./telemetry/RequestMetrics.ts"
import type { RouteMethods } from "./RouteMethods.ts"
import type { Environment } from "@quittance/domain/requests/Tenancy"

/** Bytes of a request's body, unless a route allows for more. */
export const maxBodySize = ByteSize.toNumberUnsafe(ByteSize.mebibytes(1))

/** How many proxies in a row append to `x-forwarded-for`. */
const proxyCounts = { minimum: 0, maximum: 10 }

type Response = HttpServerResponse.HttpServerResponse

/** What wraps the routes of an app, from `REQUEST_TIMEOUT`, `TRUSTED_PROXIES` and `CORS_ORIGINS`. */
export const make = Effect.gen(function* () {
  const timeout = yield* Settings.duration("REQUEST_TIMEOUT").pipe(
    Config.withDefault(Duration.seconds(30)),
    Config.map(Duration.toMillis)
  )
  const proxies = yield* Settings.count("TRUSTED_PROXIES", proxyCounts).pipe(Config.withDefault(0))
  const allowed = yield* Cors.allowedOrigin
  const isAbsence = yield* IsAbsence
  const overload = yield* Overload
  const metrics = yield* RequestMetrics.make
  const traced = yield* RequestSpan.make
  const transport = transportHeaders(yield* runningEnvironment)

  return <E, R>(routes: Effect.Effect<Response, E, R>, methods: RouteMethods) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (arrived) => {
      const id = requestIdOf(arrived)
      const request = arrived.modify({
        headers: Headers.set(arrived.headers, "x-request-id", id),
        remoteAddress: clientAddress(arrived, proxies)
      })
      const facts: typeof AccessFacts.Service = {}
      const origin = request.headers["origin"]
      const serve = Cors.isPreflight(request)
        ? Effect.succeed(preflight(origin, allowed))
        : misaddressed(request)
          ? Effect.succeed(errorResponse(hostMissing))
          : routes.pipe(
              interruptedAfter(timeout),
              Effect.catchCause((cause) =>
                cause.reasons.some((reason) => isAbsence(failureOf(reason)))
                  ? away(cause)
                  : answerTo(cause, overload, request, methods)
              )
            )
      return serve.pipe(
        Effect.map((response) =>
          withCommonHeaders(response, id, {
            ...transport,
            ...Cors.headersFor(origin, allowed)
          })
        ),
        logged(request, facts),
        metrics.counted(request, methods),
        traced(request, methods, facts),
        Effect.provideService(AccessFacts, facts),
        Effect.annotateLogs({ requestId: id }),
        Effect.provideService(HttpServerRequest.HttpServerRequest, request),
        Effect.provideService(RequestId, id),
        Effect.provideService(HttpIncomingMessage.MaxBodySize, bodySize)
      )
    })
})

const bodySize = ByteSize.bytes(maxBodySize)

/**
 * Interrupts the request's own fiber, as its server does when the client goes away. A race of two
 * fibers, the request and a sleep, costs as much as all else that the edge does.
 */
const interruptedAfter =
  (milliseconds: number) =>
  <A, E, R>(app: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiber((fiber) => {
      const timer = setTimeout(() => fiber.interruptUnsafe(), milliseconds)
      return Effect.onExit(app, () => Effect.sync(() => clearTimeout(timer)))
    })

const timedOut = () => errorResponse(new Timeout({}))

const preflight = (origin: string | undefined, allowed: Cors.AllowedOrigin) =>
  HttpServerResponse.empty({
    status: 204,
    headers: Cors.preflightHeadersFor(origin, allowed)
  })

/** A browser that has been here asks for nothing over http for a year (RFC 6797). */
const transportHeaders = (environment: Environment): Readonly<Record<string, string>> =>
  environment === "production"
    ? { "strict-transport-security": "max-age=31536000; includeSubDomains" }
    : {}

/** A name or an address, and perhaps a port (RFC 9110, section 7.2): nothing that could be a path. */
const hostForm = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/u

/** HTTP/1.1 wants exactly one host (RFC 9112, section 3.2), older requests have none. */
const misaddressed = (request: HttpServerRequest.HttpServerRequest) => {
  const { source } = request
  if (!("httpVersion" in source)) return false
  const hosts = headerValues(request, "host")
  if (hosts.length === 0) return source.httpVersion !== "1.0"
  return hosts.length > 1 || !hostForm.test(hosts[0]!)
}

const hostMissing = new InvalidRequest({
  issues: [
    { in: "header", path: "host", message: "Expected exactly one host, as a name or an address" }
  ]
})

/** The answer to what failed. A client that has gone away gets none. */
const answerTo = (
  cause: Cause.Cause<unknown>,
  overload: (failure: unknown) => Busy | undefined,
  request: HttpServerRequest.HttpServerRequest,
  methods: RouteMethods
): Effect.Effect<Response> => {
  if (Cause.hasInterruptsOnly(cause)) {
    const gone = cause.reasons.some(({ annotations }) =>
      annotations.has(HttpServerError.ClientAbort.key)
    )
    // What else interrupts a request is that the server stops.
    return gone
      ? Effect.failCause(Cause.fromReasons(interrupts(cause)))
      : Effect.succeed(timedOut())
  }
  const failure = Cause.squash(cause)
  if (HttpServerError.isHttpServerError(failure)) {
    const { reason } = failure
    if (reason._tag === "RouteNotFound") return Effect.succeed(noRoute(request, methods))
    if (reason._tag === "RequestParseError") return Effect.succeed(unreadable(reason))
  }
  // The code that found a dependency unavailable has logged which one.
  if (failure instanceof NotReady) return Effect.succeed(errorResponse(failure, comeBack))
  const busy = overload(failure)
  if (busy !== undefined) {
    return Effect.succeed(errorResponse(busy, { "retry-after": `${busy.retryAfter}` }))
  }
  // A command that lost to others again and again; any write may, and none need declare it.
  if (failure instanceof Conflict) return Effect.succeed(errorResponse(failure))
  // The answer says nothing about it; the log does.
  return Effect.as(Effect.logError("A request failed", cause), errorResponse(new InternalError({})))
}

const away = (cause: Cause.Cause<unknown>) =>
  Effect.as(
    Effect.logWarning("The database is away", cause),
    errorResponse(new NotReady({}), comeBack)
  )

/** Seconds. */
const comeBack = { "retry-after": "5" }

const failureOf = (reason: Cause.Reason<unknown>): unknown =>
  Cause.isFailReason(reason) ? reason.error : Cause.isDieReason(reason) ? reason.defect : undefined

const interrupts = (cause: Cause.Cause<unknown>) => cause.reasons.filter(Cause.isInterruptReason)

const noRoute = (request: HttpServerRequest.HttpServerRequest, methods: RouteMethods) => {
  const allow = methods.of(request.url)
  return allow.length === 0
    ? errorResponse(new RouteNotFound({}))
    : errorResponse(new MethodNotAllowed({ allowed: allow }), { allow: allow.join(", ") })
}

const unreadable = ({ reason }: HttpServerError.RequestParseError) =>
  reason === "BodyTooLarge"
    ? errorResponse(new PayloadTooLarge({ maximum: maxBodySize }))
    : errorResponse(
        new InvalidRequest({
          issues: [{ in: "body", path: "", message: "Expected the whole body" }]
        })
      )

/** Of a page that names none: it may load and run nothing. `HtmlPage` makes one that fits a page. */
const closedPolicy = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"

/** Answers are for the caller alone, unless a route says that they may be kept. */
const withCommonHeaders = (
  response: Response,
  id: string,
  more: Readonly<Record<string, string>>
): Response => {
  const { headers } = response
  return HttpServerResponse.setHeaders(response, {
    ...more,
    "x-request-id": id,
    "x-content-type-options": "nosniff",
    "cache-control": headers["cache-control"] ?? "no-store",
    vary: headers["vary"] === undefined ? "origin" : `${headers["vary"]}, origin`,
    ...(response.status === 401 && headers["www-authenticate"] === undefined
      ? { "www-authenticate": "Bearer" }
      : {}),
    ...(headers["content-type"]?.startsWith("text/html") === true
      ? { "content-security-policy": headers["content-security-policy"] ?? closedPolicy }
      : {})
  })
}

/**
 * One line for each request, with its tenant and the address that called: never the query, which may
 * name people, nor any credential.
 */
const logged =
  (request: HttpServerRequest.HttpServerRequest, facts: typeof AccessFacts.Service) =>
  <E, R>(app: Effect.Effect<Response, E, R>): Effect.Effect<Response, E, R> =>
    Effect.flatMap(Clock.currentTimeMillis, (started) =>
      Effect.onExit(app, (exit) =>
        Effect.flatMap(Clock.currentTimeMillis, (ended) =>
          logLine(request)("request").pipe(
            Effect.annotateLogs({
              method: request.method,
              path: pathOf(request),
              tenant: facts.tenant ?? (request.headers["tenant"] ?? "").slice(0, 40),
              address: Option.getOrElse(request.remoteAddress, () => "").slice(0, 64),
              // As other servers log a client that went away.
              status: Exit.isSuccess(exit) ? exit.value.status : 499,
              milliseconds: ended - started
            })
          )
        )
      )
    )

/** Probes come every few seconds and say nothing. */
const logLine = (request: HttpServerRequest.HttpServerRequest) =>
  pathOf(request).startsWith("/health/") ? Effect.logDebug : Effect.logInfo

const pathOf = ({ url }: HttpServerRequest.HttpServerRequest): string =>
  url.split("?", 1)[0]!.slice(0, 200)
