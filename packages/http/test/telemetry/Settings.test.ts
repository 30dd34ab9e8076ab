/** The variables of OpenTelemetry, as its specification has them. */
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { settings } from "../../src/telemetry/Settings.ts"

const read = (variables: Readonly<Record<string, string>>) =>
  settings("public-api").pipe(
    Effect.provideService(
      ConfigProvider.ConfigProvider,
      ConfigProvider.fromUnknown({ ...variables })
    )
  )

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector.test:4318" }

/** Milliseconds, where no variable says otherwise. */
const timeout = 10_000

describe("telemetry", () => {
  it.effect.each([
    {},
    { OTEL_EXPORTER_OTLP_ENDPOINT: "" },
    { ...endpoint, OTEL_SDK_DISABLED: "TRUE" },
    { OTEL_SERVICE_NAME: "a", OTEL_TRACES_SAMPLER: "always_on" }
  ])("is off with %o", (variables) =>
    Effect.map(read(variables), (found) => assert.isUndefined(found))
  )

  it.effect("goes to the endpoint with a path for each kind, in the binary form", () =>
    Effect.gen(function* () {
      const found = yield* read({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector.test:4318/base/" })
      for (const kind of ["traces", "metrics", "logs"] as const) {
        assert.deepStrictEqual(found![kind], {
          url: `http://collector.test:4318/base/v1/${kind}`,
          headers: {},
          timeout,
          compression: "none",
          protocol: "http/protobuf"
        })
      }
      assert.deepStrictEqual(found!.sampler, { name: "parentbased_always_on", ratio: 1 })
      assert.deepStrictEqual(found!.resource, {
        serviceName: "quittance-public-api",
        attributes: {}
      })
      assert.isTrue(found!.propagates)
    })
  )

  it.effect("takes what is said of one kind before what is said of all", () =>
    Effect.gen(function* () {
      const found = yield* read({
        ...endpoint,
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://traces.test/in",
        OTEL_EXPORTER_OTLP_HEADERS: "a=1",
        OTEL_EXPORTER_OTLP_TRACES_HEADERS: "authorization=Bearer%20t",
        OTEL_EXPORTER_OTLP_TIMEOUT: "600000",
        OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: "500000",
        OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "http/json",
        OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
        OTEL_LOGS_EXPORTER: "none",
        OTEL_PROPAGATORS: "baggage"
      })
      assert.deepStrictEqual(found!.traces, {
        url: "https://traces.test/in",
        headers: { authorization: "Bearer t" },
        timeout: 500_000,
        compression: "gzip",
        protocol: "http/json"
      })
      assert.deepInclude(found!.metrics, { headers: { a: "1" }, timeout: 600_000 })
      assert.isUndefined(found!.logs)
      assert.isFalse(found!.propagates)
    })
  )

  it.effect(
    "is called as the resource says, or before that as the service's own variable does",
    () =>
      Effect.gen(function* () {
        const attributes = { OTEL_RESOURCE_ATTRIBUTES: "service.name=b,cloud.region=eu%2Dwest" }
        const byAttribute = yield* read({ ...endpoint, ...attributes })
        assert.strictEqual(byAttribute!.resource.serviceName, "b")
        assert.deepInclude(byAttribute!.resource.attributes, { "cloud.region": "eu-west" })
        const byName = yield* read({ ...endpoint, ...attributes, OTEL_SERVICE_NAME: "a" })
        assert.strictEqual(byName!.resource.serviceName, "a")
      })
  )

  it.effect.each([
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"],
    ["OTEL_EXPORTER_OTLP_LOGS_ENDPOINT", "grpc://collector.test"],
    ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"],
    ["OTEL_EXPORTER_OTLP_METRICS_COMPRESSION", "zstd"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "secret"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "a=secret%ZZ"],
    ["OTEL_EXPORTER_OTLP_TIMEOUT", "0"],
    ["OTEL_TRACES_EXPORTER", "jaeger"],
    ["OTEL_TRACES_SAMPLER", "sometimes"],
    ["OTEL_TRACES_SAMPLER_ARG", "10%"],
    ["OTEL_TRACES_SAMPLER_ARG", "1.5"],
    ["OTEL_RESOURCE_ATTRIBUTES", "region"],
    ["OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "-1"]
  ] as const)("stops the start where %s is %s", ([variable, value]) =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(read({ ...endpoint, [variable]: value }))
      assert.strictEqual(failure.variable, variable)
      assert.include(failure.message, variable)
      assert.notInclude(failure.message, "secret")
    })
  )
})
