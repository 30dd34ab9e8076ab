/** What a program sends to a collector, read as it comes over the wire. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll, onTestFinished } from "vitest"
import { attributesOf, Collecting, type SentSpan } from "./Collecting.ts"
import * as Protobuf from "./Protobuf.ts"
import { planted, send, start } from "./Traced.ts"

const json = { OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" }
const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

const collector = async () => {
  const collecting = await Collecting.start()
  onTestFinished(() => collecting.stop())
  return collecting
}

/** The program, for the time of a test. */
const started = async (env: Readonly<Record<string, string>>) => {
  const program = await start(env)
  onTestFinished(() => program.kill())
  return program
}

const named = (spans: ReadonlyArray<SentSpan>, name: string) =>
  spans.filter((span) => span.name === name)

describe("telemetry of a story of requests", () => {
  let collecting: Collecting

  beforeAll(async () => {
    collecting = await Collecting.start()
    const program = await start({
      ...json,
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collecting.url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: "api-key=key%20of%20mine,x=y",
      OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
      OTEL_METRIC_EXPORT_INTERVAL: "100",
      OTEL_SERVICE_NAME: "tried",
      OTEL_RESOURCE_ATTRIBUTES: "cloud.region=eu%2Dwest,service.name=not-this"
    })
    await send(program, `/policies/${planted}`, { headers: { traceparent } })
    await send(program, `/policies/${planted}`, { method: "POST" })
    await send(program, `/nowhere/${planted}`, { method: "DELETE" })
    for (const hostile of [
      "00-00000000000000000000000000000000-b7ad6b7169203331-01",
      "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
      `00-${planted}`,
      `${traceparent}-${"x".repeat(4000)}`
    ]) {
      await send(program, "/policies/1", { headers: { traceparent: hostile } })
    }
    await collecting.until(() =>
      collecting.metrics.some(({ name }) => name === "process.memory.usage")
    )
    assert.strictEqual(await program.stop(), 0)
  })
  afterAll(() => collecting.stop())

  it("has nothing in it that a caller or an error has said", () => {
    assert.isAbove(collecting.received.length, 2)
    for (const { path, text } of collecting.received) {
      for (const part of [planted, "ada.lovelace", "example.test", encodeURIComponent(planted)]) {
        assert.notInclude(text, part, path)
      }
    }
  })

  it("goes where and under what name the variables say", () => {
    assert.sameMembers(
      [...new Set(collecting.received.map(({ path }) => path))],
      ["/v1/logs", "/v1/metrics", "/v1/traces"]
    )
    for (const { headers } of collecting.received) {
      assert.strictEqual(headers["content-type"], "application/json")
      assert.strictEqual(headers["api-key"], "key of mine")
      assert.strictEqual(headers["x"], "y")
    }
    assert.deepInclude(collecting.resources[0], {
      "service.name": "tried",
      "cloud.region": "eu-west",
      "deployment.environment.name": "sandbox"
    })
  })

  it("has a server's span for each request, in the trace of its caller", () => {
    const [span] = named(collecting.spans, "GET /policies/{policyId}")
    assert.strictEqual(span!.kind, 2)
    assert.strictEqual(span!.traceId, "0af7651916cd43dd8448eb211c80319c")
    assert.strictEqual(span!.parentSpanId, "b7ad6b7169203331")
    assert.deepStrictEqual(span!.status, { code: 0 })
    assert.deepStrictEqual(attributesOf(span!), {
      "http.request.method": "GET",
      "http.route": "/policies/{policyId}",
      "http.response.status_code": 200,
      "url.path": "/policies/{policyId}",
      "url.scheme": "http",
      "quittance.tenant": "acme"
    })
    const [inside] = named(collecting.spans, "Policies.read")
    assert.strictEqual(inside!.parentSpanId, span!.spanId)
    assert.strictEqual(inside!.traceId, span!.traceId)
  })

  it("says what failed by its kind, and nothing of what it said", () => {
    const [span] = named(collecting.spans, "POST /policies/{policyId}")
    assert.deepStrictEqual(span!.status, { code: 2 })
    assert.deepInclude(attributesOf(span!), {
      "http.response.status_code": 500,
      "error.type": "500"
    })
    const [inside] = named(collecting.spans, "Policies.write")
    assert.deepStrictEqual(inside!.status, { code: 2 })
    assert.deepInclude(attributesOf(inside!), { "error.type": "Error" })
    const [thrown] = inside!.events
    assert.strictEqual(thrown!.name, "exception")
    const { "exception.stacktrace": stack, "exception.type": type } = attributesOf(thrown!)
    assert.strictEqual(type, "Error")
    assert.match(String(stack), /^\s+at .*TracedProgram\.ts:\d+:\d+/u)
  })

  it("tells of what fits no route, and of hostile traces, as of any other request", () => {
    const [lost] = named(collecting.spans, "DELETE")
    assert.deepInclude(attributesOf(lost!), {
      "http.response.status_code": 404,
      "url.path": "/REDACTED"
    })
    const reads = named(collecting.spans, "GET /policies/{policyId}").slice(1)
    assert.lengthOf(reads, 4)
    for (const { parentSpanId, traceId } of reads) {
      assert.isUndefined(parentSpanId)
      assert.match(traceId, /^[0-9a-f]{32}$/u)
      assert.notStrictEqual(traceId, "0af7651916cd43dd8448eb211c80319c")
    }
  })

  it("has the lines of the log, with their trace and without what was put into them", () => {
    const line = collecting.records.find(({ body }) => body.stringValue === "A policy is read")
    assert.strictEqual(line!.traceId, "0af7651916cd43dd8448eb211c80319c")
    const access = collecting.records.find(({ body }) => body.stringValue === "request")
    assert.sameMembers(Object.keys(attributesOf(access!)), [
      "method",
      "milliseconds",
      "requestId",
      "status",
      "tenant"
    ])
  })

  it("has the metrics with their units", () => {
    const found = new Map(collecting.metrics.map(({ name, unit }) => [name, unit]))
    assert.strictEqual(found.get("http.server.request.duration"), "s")
    assert.strictEqual(found.get("process.memory.usage"), "By")
  })
})

describe("what is sent", () => {
  it("is nothing where it is switched off", async () => {
    const collecting = await collector()
    const off = { OTEL_TRACES_EXPORTER: "none", OTEL_METRICS_EXPORTER: "none" }
    for (const env of [{ OTEL_SDK_DISABLED: "true" }, { ...off, OTEL_LOGS_EXPORTER: "none" }]) {
      const program = await started({ OTEL_EXPORTER_OTLP_ENDPOINT: collecting.url, ...env })
      assert.strictEqual(await send(program, "/policies/1", { headers: { traceparent } }), 200)
      assert.strictEqual(await program.stop(), 0)
    }
    assert.strictEqual(collecting.batches, 0)
  })

  it("is lost, and nothing else is, where the collector is away", async () => {
    const away = await Collecting.start()
    const { url } = away
    await away.stop()
    const program = await started({
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "1"
    })
    for (let sent = 0; sent < 50; sent++) {
      assert.strictEqual(await send(program, "/policies/1"), 200)
    }
    assert.strictEqual(await program.stop(), 0)
  })

  it("takes bounded memory where the collector never answers", async () => {
    const hanging = await collector()
    hanging.answer = () => undefined
    const program = await started({
      OTEL_EXPORTER_OTLP_ENDPOINT: hanging.url,
      OTEL_EXPORTER_OTLP_TIMEOUT: "600000",
      OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "1",
      OTEL_BLRP_MAX_EXPORT_BATCH_SIZE: "1"
    })
    for (let sent = 0; sent < 50; sent++) {
      assert.strictEqual(await send(program, "/policies/1"), 200)
    }
    // Each request has two spans and two lines: beyond 16 batches of a kind none is kept.
    const inHand = ["/v1/traces", "/v1/logs"].map(
      (path) => hanging.received.filter((one) => one.path === path).length
    )
    assert.deepStrictEqual(inHand, [16, 16])
    assert.strictEqual(await program.stop(), 0)
  })

  it.each([
    ["traceidratio", "0", 0],
    ["parentbased_traceidratio", "0.5", 20],
    ["parentbased_always_off", undefined, 20],
    ["always_off", undefined, 0]
  ])("is as %s with %s samples", async (sampler, argument, ofCallers) => {
    const collecting = await collector()
    const program = await started({
      ...json,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collecting.url}/v1/traces`,
      OTEL_TRACES_SAMPLER: sampler,
      ...(argument === undefined ? {} : { OTEL_TRACES_SAMPLER_ARG: argument })
    })
    for (let sent = 0; sent < 20; sent++) {
      await send(program, "/policies/1", { headers: { traceparent } })
      await send(program, "/policies/1", {
        headers: { traceparent: traceparent.replace(/1$/u, "0") }
      })
    }
    await program.stop()
    const reads = named(collecting.spans, "GET /policies/{policyId}")
    assert.lengthOf(reads, ofCallers)
    assert.lengthOf(named(collecting.spans, "Policies.read"), ofCallers)
  })

  it("has of a request that is not sampled what went wrong, and no other line", async () => {
    const collecting = await collector()
    const program = await started({
      ...json,
      OTEL_EXPORTER_OTLP_ENDPOINT: collecting.url,
      OTEL_TRACES_SAMPLER: "always_off"
    })
    await send(program, "/policies/1")
    await send(program, "/policies/1", { method: "POST" })
    await program.stop()
    assert.lengthOf(collecting.spans, 0)
    const lines = collecting.records.map(({ body }) => body.stringValue)
    assert.include(lines, "A request failed")
    assert.notInclude(lines, "A policy is read")
    assert.notInclude(lines, "request")
  })

  it("can be the binary form", async () => {
    const collecting = await collector()
    const program = await started({ OTEL_EXPORTER_OTLP_ENDPOINT: collecting.url })
    await send(program, `/policies/${planted}`, { method: "POST" })
    await program.stop()
    const traces = collecting.received.find(({ path }) => path === "/v1/traces")!
    assert.strictEqual(traces.headers["content-type"], "application/x-protobuf")
    const spans = Protobuf.spansOf(Buffer.from(traces.text, "latin1"))
    const [request] = named(spans, "POST /policies/{policyId}")
    const [inside] = named(spans, "Policies.write")
    assert.match(request!.traceId, /^[0-9a-f]{32}$/u)
    assert.strictEqual(request!.traceId, inside!.traceId)
    assert.strictEqual(request!.kind, 2)
    assert.deepInclude(attributesOf(request!), {
      "http.route": "/policies/{policyId}",
      "http.response.status_code": 500
    })
    assert.deepStrictEqual(inside!.status, { code: 2 })
    assert.notInclude(traces.text, planted)
  })
})
