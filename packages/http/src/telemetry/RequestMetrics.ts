/** Requests in metrics: how long they took, by route and status, and how many are under way. */
import { histogram, observe } from "@quittance/domain/telemetry/Series"
import { Effect, Exit, type Metric } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { RouteMethods } from "../RouteMethods.ts"

/** Methods by their names in the conventions; whatever else a client makes up is one series. */
export const methods: ReadonlySet<string> = new Set([
  "CONNECT",
  "DELETE",
  "GET",
  "HEAD",
  "OPTIONS",
  "PATCH",
  "POST",
  "PUT",
  "TRACE"
])

/** The method of a request as metrics and spans name it. */
export const methodOf = ({ method }: { readonly method: string }): string =>
  methods.has(method) ? method : "_OTHER"

/** The status, as the log has it, where the client went away. */
export const gone = 499

/** Counts the requests of an app, for as long as the scope is open. */
export const make = Effect.gen(function* () {
  const context = yield* Effect.context<never>()
  let active = 0
  yield* observe("activeRequests", {}, () => active)
  /** Routes, methods and statuses are few, so the series are kept. */
  const series = new Map<string, Metric.Metric<number, unknown>>()

  const seriesOf = (method: string, route: string | undefined, status: number) => {
    const key = `${method} ${status} ${route ?? ""}`
    const known = series.get(key)
    if (known !== undefined) return known
    const made = histogram("requestDuration", {
      "http.request.method": method,
      ...(route === undefined ? {} : { "http.route": route }),
      "http.response.status_code": `${status}`,
      "url.scheme": "http",
      ...(status >= 500 ? { "error.type": `${status}` } : {})
    })
    series.set(key, made)
    return made
  }

  /** The request under way, and its time once it has ended. */
  const counted =
    (request: HttpServerRequest.HttpServerRequest, routes: RouteMethods) =>
    <E, R>(
      app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
    ): Effect.Effect<HttpServerResponse.HttpServerResponse, E, R> =>
      Effect.suspend(() => {
        const begun = performance.now()
        active += 1
        return Effect.onExit(app, (exit) =>
          Effect.sync(() => {
            active -= 1
            const status = Exit.isSuccess(exit) ? exit.value.status : gone
            const route = routes.template(request.method, request.url)
            const seconds = (performance.now() - begun) / 1000
            seriesOf(methodOf(request), route, status).updateUnsafe(seconds, context)
          })
        )
      })

  return { counted }
})
