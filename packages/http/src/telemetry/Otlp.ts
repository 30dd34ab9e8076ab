/**
 * Traces, metrics and logs of the process to a collector, by OTLP over HTTP, with the variables of
 * OpenTelemetry. Without an endpoint there is nothing of it.
 */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Tracing } from "@quittance/domain/telemetry/CurrentTrace"
import { measureAll } from "@quittance/domain/telemetry/Series"
import { runningEnvironment } from "@quittance/domain/tenants/RunningEnvironment"
import { Effect, Layer, Logger, LogLevel, Schedule, Tracer } from "effect"
import { HttpClient, HttpMiddleware } from "effect/http"
import {
  OtlpExporter,
  OtlpLogger,
  OtlpMetrics,
  OtlpSerialization,
  OtlpTracer
} from "effect/observability"
import { randomUUID } from "node:crypto"
import * as Collector from "./Collector.ts"
import * as Scrubbing from "./Scrubbing.ts"
import * as Settings from "./Settings.ts"
import { make } from "./Tracing.ts"

/** Milliseconds that the end of the process waits for the collector. */
const shutdownTimeout = 3000

/** What leaves is scrubbed before it is written down in the form of the protocol. */
const serialization = (protocol: Settings.Target["protocol"]) =>
  Layer.effect(
    OtlpSerialization.OtlpSerialization,
    Effect.map(OtlpSerialization.OtlpSerialization, ({ logs, metrics, traces }) => ({
      metrics: (data) => metrics(Scrubbing.metrics(data)),
      traces: (data) => traces(Scrubbing.traces(data)),
      logs: (data) => logs(Scrubbing.logs(data))
    }))
  ).pipe(
    Layer.provide(
      protocol === "http/json" ? OtlpSerialization.layerJson : OtlpSerialization.layerProtobuf
    )
  )

/** What an exporter of one kind of telemetry needs. */
const wayTo = ({ protocol, timeout }: Settings.Target) =>
  Layer.mergeAll(
    Layer.effect(HttpClient.HttpClient, Collector.client(timeout)).pipe(
      Layer.provide(NodeHttpClient.layerUndici)
    ),
    serialization(protocol),
    OtlpExporter.layerFlusher
  )

/** Of a trace that is not recorded, warnings and errors: a line for each request would cost more than all else. */
const worthSending = (logger: Logger.Logger<unknown, void>) =>
  Logger.make((line) => {
    const { span } = line.fiber.cache
    const isRecorded = span === undefined || span.sampled
    if (isRecorded || LogLevel.isGreaterThanOrEqualTo(line.logLevel, "Warn")) logger.log(line)
  })

const exporting = Effect.fnUntraced(function* (settings: Settings.TelemetrySettings) {
  const { logs, metrics, sampler, traces } = settings
  const environment = yield* runningEnvironment
  const resource = {
    serviceName: settings.resource.serviceName,
    attributes: {
      "service.instance.id": randomUUID(),
      "deployment.environment.name": environment,
      ...settings.resource.attributes
    }
  }
  const common = ({ compression, headers, url }: Settings.Target) => ({
    url,
    headers,
    compression,
    resource,
    shutdownTimeout
  })
  const tracing =
    traces === undefined
      ? Layer.empty
      : Layer.mergeAll(
          Layer.effect(
            Tracer.Tracer,
            Effect.map(
              OtlpTracer.make({
                ...common(traces),
                exportInterval: settings.spansEvery,
                maxBatchSize: settings.spansOfBatch
              }),
              (tracer) => make(tracer, sampler)
            )
          ).pipe(Layer.provide(wayTo(traces))),
          Layer.succeed(Tracing, { propagates: settings.propagates }),
          // The span of a request is ours: Effect's tells its whole address and all headers.
          Layer.succeed(HttpMiddleware.TracerDisabledWhen, () => true)
        )
  const measuring =
    metrics === undefined
      ? Layer.empty
      : Layer.merge(
          OtlpMetrics.layer({ ...common(metrics), exportInterval: settings.metricsEvery }).pipe(
            Layer.provide(wayTo(metrics))
          ),
          Layer.effectDiscard(
            Effect.forkScoped(Effect.repeat(measureAll, Schedule.spaced(settings.metricsEvery)))
          )
        )
  const logging =
    logs === undefined
      ? Layer.empty
      : Logger.layer(
          [
            Effect.map(
              OtlpLogger.make({
                ...common(logs),
                exportInterval: settings.recordsEvery,
                maxBatchSize: settings.recordsOfBatch,
                excludeLogSpans: true
              }),
              worthSending
            )
          ],
          { mergeWithExisting: true }
        ).pipe(Layer.provide(wayTo(logs)))
  return Layer.mergeAll(tracing, measuring, logging)
})

/** What a program exports, by the name of the program. */
export const layer = (program: string) =>
  Layer.unwrap(
    Effect.flatMap(Settings.settings(program), (settings) =>
      settings === undefined ? Effect.succeed(Layer.empty) : exporting(settings)
    )
  )
