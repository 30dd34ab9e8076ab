/** What traces say of a call, and what a call says of its trace. */
import { assert, it } from "@effect/vitest"
import { Tracing } from "@quittance/domain/telemetry/CurrentTrace"
import { ConfigProvider, Duration, Effect, Tracer } from "effect"
import * as http from "node:http"
import type { AddressInfo } from "node:net"
import { OutgoingCalls } from "../src/OutgoingCalls.ts"

const secret = "ada-lovelace"

/** A receiver on a real socket, which keeps what it was told of traces. */
const receiver = (status: number) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const told: Array<string | undefined> = []
      const server = http.createServer((request, response) => {
        // The standard's header is one text.
        told.push(request.headers["traceparent"] as string | undefined)
        response.writeHead(status).end()
      })
      await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready))
      // Of a server on an internet socket it is always this.
      return { told, server, port: (server.address() as AddressInfo).port }
    }),
    ({ server }) =>
      Effect.promise(() => {
        server.closeAllConnections()
        return new Promise((closed) => server.close(closed))
      })
  )

const call = (url: string) =>
  OutgoingCalls.use((calls) =>
    calls.send({
      url,
      method: "POST",
      headers: { authorization: `Bearer ${secret}` },
      headTimeout: Duration.seconds(20),
      timeout: Duration.seconds(20),
      maxBody: 1024
    })
  ).pipe(
    Effect.provide(OutgoingCalls.layer),
    Effect.provideService(
      ConfigProvider.ConfigProvider,
      ConfigProvider.fromUnknown({ ENVIRONMENT: "sandbox" })
    )
  )

/** Runs an effect with a tracer that keeps its spans. */
const traced = <A, E, R>(effect: Effect.Effect<A, E, R>) => {
  const spans: Array<Tracer.Span> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  return Effect.map(Effect.exit(Effect.provideService(effect, Tracer.Tracer, tracer)), (exit) => ({
    exit,
    span: spans.find(({ kind }) => kind === "client")!
  }))
}

const attributesOf = ({ attributes }: Tracer.Span) => Object.fromEntries(attributes)

it.live.each([200, 503])(
  "has a span that tells whom it called and of %s, and sends it on",
  (status) =>
    Effect.gen(function* () {
      const { port, told } = yield* receiver(status)
      const { span } = yield* traced(call(`http://localhost:${port}/${secret}?key=${secret}`)).pipe(
        Effect.provideService(Tracing, { propagates: true })
      )
      assert.strictEqual(span.name, "POST")
      assert.deepStrictEqual(attributesOf(span), {
        "http.request.method": "POST",
        "http.response.status_code": status,
        ...(status === 503 ? { "error.type": "503" } : {}),
        "server.address": "localhost",
        "server.port": port,
        "url.full": `http://localhost:${port}/REDACTED`,
        "url.scheme": "http"
      })
      assert.deepStrictEqual(told, [`00-${span.traceId}-${span.spanId}-01`])
    }).pipe(Effect.scoped)
)

it.live("tells who is called nothing of traces that are not recorded, or not to be told", () =>
  Effect.gen(function* () {
    const { port, told } = yield* receiver(200)
    yield* call(`http://localhost:${port}/`)
    yield* Effect.provideService(call(`http://localhost:${port}/`), Tracing, { propagates: false })
    assert.deepStrictEqual(told, [undefined, undefined])
  }).pipe(Effect.scoped)
)

it.live("says why there was no answer", () =>
  Effect.gen(function* () {
    const { exit, span } = yield* traced(call(`http://10.1.2.3:8080/${secret}`))
    assert.strictEqual(exit._tag, "Failure")
    assert.strictEqual(attributesOf(span)["error.type"], "ADDRESS")
    const { span: unknown } = yield* traced(call(secret))
    assert.deepStrictEqual(attributesOf(unknown), {
      "http.request.method": "POST",
      "error.type": "ADDRESS"
    })
  })
)
