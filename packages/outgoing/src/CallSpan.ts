/** The span of a call, by OpenTelemetry's conventions for HTTP clients. */
import { Tracing } from "@quittance/domain/telemetry/CurrentTrace"
import * as TraceParent from "@quittance/domain/telemetry/TraceParent"
import { Effect, type Tracer } from "effect"
import type { Place } from "./Target.ts"

/** Runs a call in a span of its own, which tells of whom it calls and of what comes back, and of no path. */
export const around = <
  A extends { readonly status: number },
  E extends { readonly reason: string },
  R
>(
  method: string,
  place: Place | undefined,
  call: (span: Tracer.Span) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.useSpan(method, { kind: "client" }, (span) => {
    describe(span, method, place)
    return call(span).pipe(
      Effect.tap(({ status }) =>
        Effect.sync(() => {
          span.attribute("http.response.status_code", status)
          if (status >= 400) span.attribute("error.type", `${status}`)
        })
      ),
      Effect.tapError(({ reason }) => Effect.sync(() => span.attribute("error.type", reason)))
    )
  })

const describe = (span: Tracer.Span, method: string, place: Place | undefined): void => {
  span.attribute("http.request.method", method)
  if (place === undefined) return
  span.attribute("server.address", place.host)
  span.attribute("server.port", place.port)
  span.attribute("url.scheme", place.scheme)
  // How an address ends may be a secret of who is called.
  span.attribute("url.full", `${place.origin}/REDACTED`)
}

/** What tells who is called of the trace, where traces are recorded. */
export const headers = (span: Tracer.Span): Effect.Effect<Readonly<Record<string, string>>> =>
  Effect.map(Tracing, (tracing) =>
    tracing?.propagates === true ? { traceparent: TraceParent.write(span) } : {}
  )
