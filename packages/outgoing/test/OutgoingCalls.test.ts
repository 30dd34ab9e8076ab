/** Calls over real sockets: where they go, what they send, and when they end. */
import { assert, it } from "@effect/vitest"
import { authority, certificate, key } from "@quittance/testing/Certificate"
import { ConfigProvider, Duration, Effect, Layer } from "effect"
import * as http from "node:http"
import * as https from "node:https"
import * as net from "node:net"
import * as tls from "node:tls"
import { type OutgoingCall, OutgoingCalls } from "../src/OutgoingCalls.ts"
import { type Resolve, Resolver } from "../src/Resolver.ts"

tls.setDefaultCACertificates([...tls.getCACertificates(), authority])

const listen = <S extends net.Server>(server: S, host = "127.0.0.1") =>
  Effect.acquireRelease(
    Effect.promise(() => new Promise<S>((ready) => server.listen(0, host, () => ready(server)))),
    (open) =>
      Effect.promise(async () => {
        if (open instanceof http.Server || open instanceof https.Server) open.closeAllConnections()
        await new Promise((closed) => open.close(closed))
      })
  )

// Of a server on an internet socket it is always this.
const portOf = (server: net.Server) => (server.address() as net.AddressInfo).port

interface Given {
  readonly variables?: Readonly<Record<string, string>>
  readonly resolve?: Resolve
}

const layer = ({ resolve = async () => ["127.0.0.1"], variables = {} }: Given) =>
  OutgoingCalls.layer.pipe(
    Layer.provide(Layer.succeed(Resolver, resolve)),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(variables)))
  )

const allowed = { WEBHOOK_ALLOW: "127.0.0.0/8" }

const send = (url: string, call: Partial<OutgoingCall> = {}) =>
  OutgoingCalls.use((calls) =>
    calls.send({
      url,
      method: "POST",
      headers: { "content-type": "application/json" },
      body: new TextEncoder().encode("{}"),
      headTimeout: Duration.seconds(20),
      timeout: Duration.seconds(20),
      maxBody: 65_536,
      ...call
    })
  )

const failed = (url: string, call: Partial<OutgoingCall> = {}) =>
  Effect.map(Effect.flip(send(url, call)), ({ reason }) => reason)

const secure = (answer: http.RequestListener, host?: string) =>
  listen(https.createServer({ cert: certificate, key }, answer), host)

it.live(
  "goes to an address that was judged, by the host's certificate, and follows no redirect",
  () =>
    Effect.gen(function* () {
      const seen: Array<http.IncomingMessage> = []
      const server = yield* secure((request, response) => {
        seen.push(request)
        response
          .writeHead(302, { location: "https://hooks.example.com:1/", "x-a": "1" })
          .end("moved")
      })
      const asked: Array<string> = []
      const resolve: Resolve = async (name) => {
        asked.push(name)
        return ["127.0.0.1"]
      }
      const url = `https://hooks.example.com:${portOf(server)}/in?a=1`
      yield* Effect.gen(function* () {
        const answer = yield* send(url)
        assert.strictEqual(answer.status, 302)
        assert.strictEqual(Buffer.from(answer.body).toString(), "moved")
        assert.strictEqual(answer.headers["x-a"], "1")
        assert.strictEqual(answer.address, "127.0.0.1")
        yield* Effect.repeat(send(url), { times: 18 })
      }).pipe(Effect.provide(layer({ variables: allowed, resolve })))
      const [request] = seen
      assert.strictEqual(request?.url, "/in?a=1")
      assert.strictEqual(request?.headers["user-agent"], "quittance")
      assert.isUndefined(request?.headers["traceparent"])
      assert.isUndefined(request?.headers["cookie"])
      // A connection is used again, without another look at the name.
      assert.strictEqual(seen.length, 20)
      assert.isBelow(asked.length, 5)
    })
)

it.live("refuses a name of which any address is not public, before it connects", () =>
  Effect.gen(function* () {
    let connections = 0
    const server = yield* listen(net.createServer(() => connections++))
    const url = `https://hooks.example.com:${portOf(server)}/`
    const answers = [
      ["127.0.0.1"],
      ["93.184.215.14", "127.0.0.1"],
      ["::ffff:127.0.0.1"],
      ["::1"],
      []
    ]
    for (const addresses of answers) {
      const reason = failed(url).pipe(
        Effect.provide(layer({ resolve: async () => addresses, variables: { HOST: "0.0.0.0" } }))
      )
      assert.strictEqual(yield* reason, "ADDRESS", addresses.join())
    }
    assert.strictEqual(connections, 0)
  })
)

it.live("refuses a host that is an address and not public, which no resolver is asked for", () =>
  Effect.gen(function* () {
    let connections = 0
    const server = yield* listen(net.createServer(() => connections++))
    const resolve: Resolve = () => Promise.reject(new Error("was asked"))
    const outside = layer({ resolve, variables: { ENVIRONMENT: "production" } })
    for (const host of ["127.0.0.1", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]", "localhost"]) {
      const reason = yield* Effect.provide(failed(`https://${host}:${portOf(server)}/`), outside)
      assert.strictEqual(reason, "ADDRESS", host)
    }
    assert.strictEqual(connections, 0)
  })
)

it.live("judges anew for each connection: a name that moves inside is refused then", () =>
  Effect.gen(function* () {
    const server = yield* secure((_, response) => {
      response.writeHead(200, { connection: "close" }).end()
    })
    let asked = 0
    const resolve: Resolve = async () => [asked++ === 0 ? "127.0.0.1" : "10.0.0.1"]
    const url = `https://hooks.example.com:${portOf(server)}/`
    yield* Effect.gen(function* () {
      assert.strictEqual((yield* send(url)).status, 200)
      assert.strictEqual(yield* failed(url), "ADDRESS")
    }).pipe(Effect.provide(layer({ variables: allowed, resolve })))
    assert.strictEqual(asked, 2)
  })
)

it.live("refuses a certificate of another name, and one without a trusted issuer", () =>
  Effect.gen(function* () {
    const server = yield* secure((_, response) => response.end())
    const reasons = Effect.all([
      failed(`https://other.example.com:${portOf(server)}/`),
      failed(`https://127.0.0.2:${portOf(server)}/`)
    ])
    assert.deepStrictEqual(yield* Effect.provide(reasons, layer({ variables: allowed })), [
      "TLS",
      "UNREACHABLE"
    ])
  })
)

it.live("calls this machine by http in a sandbox, and tells a connection that breaks", () =>
  Effect.gen(function* () {
    const server = yield* listen(http.createServer((_, response) => response.end("hello")))
    const broken = yield* listen(net.createServer((socket) => socket.destroy()))
    yield* Effect.gen(function* () {
      for (const host of ["localhost", "127.0.0.1", "acme.localhost"]) {
        const answer = yield* send(`http://${host}:${portOf(server)}/`)
        assert.strictEqual(Buffer.from(answer.body).toString(), "hello")
      }
      assert.strictEqual(yield* failed(`http://localhost:${portOf(broken)}/`), "UNREACHABLE")
    }).pipe(Effect.provide(layer({})))
  })
)

it.live("reads a bounded part of an answer without an end, and closes the connection", () =>
  Effect.gen(function* () {
    const closed = Promise.withResolvers<void>()
    const server = yield* listen(
      http.createServer((_, response) => {
        response.on("close", () => closed.resolve())
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536))) continue
        }
        response.on("drain", more)
        more()
      })
    )
    const answer = yield* Effect.provide(
      send(`http://localhost:${portOf(server)}/`, { maxBody: 1000 }),
      layer({})
    )
    assert.deepStrictEqual([answer.body.length, answer.isCut], [1000, true])
    yield* Effect.promise(() => closed.promise)
  })
)

it.live("waits so long for the head, so long for all of it, and closes the connection", () =>
  Effect.gen(function* () {
    const sockets = new Set<net.Socket>()
    const silent = yield* listen(net.createServer((socket) => sockets.add(socket)))
    const slow = yield* listen(
      http.createServer((_, response) => {
        response.writeHead(200).write("a")
      })
    )
    const limits = { headTimeout: Duration.millis(50), timeout: Duration.millis(100) }
    yield* Effect.gen(function* () {
      assert.strictEqual(yield* failed(`http://localhost:${portOf(silent)}/`, limits), "TIMEOUT")
      assert.strictEqual(yield* failed(`http://localhost:${portOf(slow)}/`, limits), "TIMEOUT")
    }).pipe(Effect.provide(layer({})))
    for (const socket of sockets) {
      yield* Effect.promise(
        () =>
          new Promise<void>((done) =>
            socket.destroyed ? done() : socket.resume().on("close", done)
          )
      )
    }
  })
)

it.live("goes through the operator's proxy alone, which is told the judged address", () =>
  Effect.gen(function* () {
    const server = yield* secure((_, response) => response.end("through"))
    const asked: Array<readonly [string | undefined, string | undefined]> = []
    const proxy = yield* listen(
      http.createServer().on("connect", (request, socket: net.Socket) => {
        asked.push([request.url, request.headers["proxy-authorization"]])
        const inner = net.connect(portOf(server), "127.0.0.1", () => {
          socket.write("HTTP/1.1 200 OK\r\n\r\n")
          inner.pipe(socket)
          socket.pipe(inner)
        })
        inner.on("error", () => socket.destroy())
        socket.on("error", () => inner.destroy())
      })
    )
    const refusing = yield* listen(
      http.createServer().on("connect", (_, socket: net.Socket) => {
        socket.end("HTTP/1.1 403 Forbidden\r\n\r\n")
      })
    )
    const variables = (port: number) => ({ WEBHOOK_PROXY: `http://me:word@127.0.0.1:${port}` })
    const resolve: Resolve = async () => ["93.184.215.14"]
    const url = "https://hooks.example.com:8443/"
    const answer = yield* Effect.provide(
      send(url),
      layer({ resolve, variables: variables(portOf(proxy)) })
    )
    assert.strictEqual(Buffer.from(answer.body).toString(), "through")
    assert.deepStrictEqual(asked, [
      ["93.184.215.14:8443", `Basic ${Buffer.from("me:word").toString("base64")}`]
    ])
    const refused = layer({ resolve, variables: variables(portOf(refusing)) })
    assert.strictEqual(yield* Effect.provide(failed(url), refused), "UNREACHABLE")
    const inside = layer({
      resolve: async () => ["10.0.0.1"],
      variables: { HOST: "0.0.0.0", ...variables(portOf(proxy)) }
    })
    assert.strictEqual(yield* Effect.provide(failed(url), inside), "ADDRESS")
    assert.strictEqual(asked.length, 1)
  })
)
