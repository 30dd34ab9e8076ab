/**
 * `GET /metrics` in the Prometheus text format. It asks for no token, so it has a port of its own for those
 * who run the worker: on loopback unless `METRICS_HOST` says otherwise.
 */
import { WorkerMetrics } from "@quittance/operations/worker/WorkerMetrics"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"

const contentType = "text/plain; version=0.0.4; charset=utf-8"

export const routes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const metrics = yield* WorkerMetrics
    yield* router.add(
      "GET",
      "/metrics",
      Effect.map(Effect.andThen(metrics.measure, PrometheusMetrics.format()), (text) =>
        HttpServerResponse.text(text, { contentType })
      )
    )
  })
).pipe(Layer.provide(WorkerMetrics.layer))
