/**
 * `GET /metrics` in the Prometheus text format. It asks for no token, so it has a port of its own for those
 * who run the program: on loopback unless `METRICS_HOST` says otherwise.
 */
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"

const contentType = "text/plain; version=0.0.4; charset=utf-8"

/** The route. `measure` brings up to date what the process does not count as it happens. */
export const routes = <E, R>(measure: Effect.Effect<unknown, E, R>) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const context = yield* Effect.context<R>()
      const measured = Effect.provideContext(measure, context)
      yield* router.add(
        "GET",
        "/metrics",
        Effect.map(Effect.andThen(measured, PrometheusMetrics.format()), (text) =>
          HttpServerResponse.text(text, { contentType })
        )
      )
    })
  )
