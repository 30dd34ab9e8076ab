/**
 * The span of a request: its route, its tenant, its outcome, and the trace of its caller. Where nothing is
 * exported there is none, and requests that are not sampled cost one object.
 */
import { Tracing } from "@quittance/domain/telemetry/CurrentTrace"
import * as TraceParent from "@quittance/domain/telemetry/TraceParent"
import type { AccessFacts } from "../AccessFacts.ts"
import { Effect, Exit, Tracer } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { headerValues } from "../RequestHead.ts"
import type { RouteMethods } from "../RouteMethods.ts"
import { gone, methodOf } from "./RequestMetrics.ts"
import { rename } from "./Tracing.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse
type Facts = typeof AccessFacts.Service

/** What a span is called until the route is known. */
const unknown = "HTTP"

export const make = Effect.map(Tracing, (tracing) => {
  const parentOf = (request: Request): Tracer.ExternalSpan | undefined => {
    if (tracing?.propagates !== true) return undefined
    const parent = TraceParent.read(headerValues(request, "traceparent"))
    return parent === undefined ? undefined : Tracer.externalSpan(parent)
  }

  return (request: Request, methods: RouteMethods, facts: Facts) =>
    <E, R>(app: Effect.Effect<Response, E, R>): Effect.Effect<Response, E, R> => {
      if (tracing === undefined) return app
      const parent = parentOf(request)
      const options = {
        kind: "server",
        ...(parent === undefined ? { root: true } : { parent })
      } as const
      return Effect.useSpan(unknown, options, (span) => {
        const inside = Effect.provideService(app, Tracer.ParentSpan, span)
        if (!span.sampled) return Effect.provideService(inside, Tracer.Tracer, Tracer.nativeTracer)
        return Effect.onExit(inside, (exit) =>
          Effect.sync(() => describe(span, request, methods, facts, exit))
        )
      })
    }
})

/** By the conventions for servers; a path is told by its template alone, since it may name people. */
const describe = (
  span: Tracer.Span,
  request: Request,
  methods: RouteMethods,
  { tenant }: Facts,
  exit: Exit.Exit<Response, unknown>
): void => {
  const method = methodOf(request)
  const route = methods.template(request.method, request.url)
  const named = method === "_OTHER" ? unknown : method
  rename(span, route === undefined ? named : `${named} ${route}`)
  span.attribute("http.request.method", method)
  span.attribute("url.scheme", "http")
  span.attribute("url.path", route ?? "/REDACTED")
  if (route !== undefined) span.attribute("http.route", route)
  if (tenant !== undefined) span.attribute("quittance.tenant", tenant)
  const status = Exit.isSuccess(exit) ? exit.value.status : gone
  span.attribute("http.response.status_code", status)
  if (status >= 500) span.attribute("error.type", `${status}`)
}
