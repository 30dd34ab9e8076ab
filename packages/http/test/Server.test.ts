import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { EventEmitter } from "node:events"
import * as NodeServer from "../src/NodeServer.ts"
import { answersIn, holds, RawConnection } from "./RawConnection.ts"
import { policyId } from "./TestApp.ts"
import { Port, portConfig } from "./TestPort.ts"

/** Sends bytes on a connection of their own and gives the answers, so many or up to its end. */
const exchange = (bytes: string | Uint8Array, count = 1) =>
  Effect.gen(function* () {
    const port = yield* Port
    return yield* Effect.promise(async () => {
      const connection = await RawConnection.open(port)
      connection.send(bytes)
      const text = await connection.answer(holds(count))
      connection.end()
      return answersIn(text)
    })
  })

const head = (lines: ReadonlyArray<string>) => [...lines, "", ""].join("\r\n")
const user = ["host: api.test", "tenant: acme", "authorization: Bearer user"]
const get = (target: string, headers: ReadonlyArray<string> = user) =>
  head([`GET ${target} HTTP/1.1`, ...headers])
const post = (body: string, headers: ReadonlyArray<string> = []) =>
  head([
    `POST /policies/${policyId} HTTP/1.1`,
    ...user,
    `content-length: ${body.length}`,
    ...headers
  ]) + body

const text = (body: string, headers: ReadonlyArray<string> = []) =>
  head(["POST /text HTTP/1.1", ...user, `content-length: ${body.length}`, ...headers]) + body
const chunked = head(["POST /text HTTP/1.1", ...user, "transfer-encoding: chunked"])

const json = "content-type: application/json"

layer(Port.layer(portConfig), { excludeTestServices: true })("on the wire", (it) => {
  it.effect.each([
    { what: "what is not HTTP", bytes: "nonsense\r\n\r\n", fault: "header " },
    { what: "a broken header", bytes: get("/page", ["host: a", "bad header"]), fault: "header " },
    {
      what: "headers without end",
      bytes: get("/page", ["host: a", `x: ${"y".repeat(20_000)}`]),
      fault: "header "
    },
    { what: "no host", bytes: get("/page", []), fault: "header host" },
    { what: "a path as host", bytes: get("/page", ["host: localhost/evil"]), fault: "header host" },
    { what: "a user as host", bytes: get("/page", ["host: a@localhost"]), fault: "header host" },
    { what: "an empty host", bytes: get("/page", ["host:"]), fault: "header host" },
    { what: "two hosts", bytes: get("/page", ["host: a", "host: b"]), fault: "header host" },
    {
      what: "two content types",
      bytes: post('{"name":"x"}', [json, "content-type: text/plain"]),
      fault: "header content-type"
    },
    {
      what: "two idempotency keys",
      bytes: post('{"name":"x"}', [json, "idempotency-key: a", "idempotency-key: b"]),
      fault: "header idempotency-key"
    },
    {
      what: "two lengths",
      bytes: post("{}", [json, "content-length: 3"]),
      fault: "header "
    },
    {
      what: "a length beside chunks",
      bytes: post("{}", [json, "transfer-encoding: chunked"]),
      fault: "header "
    },
    {
      what: "a chunk that is none",
      bytes: head([
        `POST /policies/${policyId} HTTP/1.1`,
        ...user,
        json,
        "transfer-encoding: chunked"
      ]).concat("zz\r\nnonsense"),
      fault: "header "
    }
  ])("answers $what with a body that says so", ({ bytes, fault }) =>
    Effect.gen(function* () {
      const [answer] = yield* exchange(bytes)
      assert.strictEqual(answer?.status, 400)
      const { code, details } = JSON.parse(answer?.body ?? "")
      assert.strictEqual(code, "INVALID_REQUEST")
      const [issue] = details.issues
      assert.strictEqual(`${issue.in} ${issue.path}`, fault)
    })
  )

  it.effect("refuses a tenant that is sent twice, even the same", () =>
    Effect.gen(function* () {
      const [answer] = yield* exchange(get("/report", [...user, "tenant: acme"]))
      assert.strictEqual(JSON.parse(answer?.body ?? "").code, "INVALID_TENANT")
    })
  )

  it.effect("takes a target in absolute form", () =>
    Effect.gen(function* () {
      const [answer] = yield* exchange(get(`http://api.test/policies/${policyId}?count=5`))
      assert.strictEqual(answer?.status, 200)
    })
  )

  it.effect("takes HTTP/1.0 without a host, as probes send it", () =>
    Effect.gen(function* () {
      const [answer] = yield* exchange("GET /health/live HTTP/1.0\r\n\r\n")
      assert.strictEqual(answer?.status, 200)
    })
  )

  it.effect("answers requests of one connection in their order", () =>
    Effect.gen(function* () {
      const answers = yield* exchange(get("/report") + get("/nowhere") + get("/page"), 3)
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [200, 404, 200]
      )
    })
  )

  it.effect("refuses a body by its announced length, before it is sent", () =>
    Effect.gen(function* () {
      const [answer] = yield* exchange(
        head([`POST /policies/${policyId} HTTP/1.1`, ...user, json, "content-length: 1048577"])
      )
      assert.strictEqual(answer?.status, 413)
      assert.strictEqual(JSON.parse(answer?.body ?? "").code, "PAYLOAD_TOO_LARGE")
    })
  )

  it.effect("refuses a body that grows too large without a length", () =>
    Effect.gen(function* () {
      const chunk = `40000\r\n${" ".repeat(0x40000)}\r\n`
      const [answer] = yield* exchange(
        head([`POST /policies/${policyId} HTTP/1.1`, ...user, json, "transfer-encoding: chunked"]) +
          chunk.repeat(5)
      )
      assert.strictEqual(answer?.status, 413)
      assert.strictEqual(JSON.parse(answer?.body ?? "").code, "PAYLOAD_TOO_LARGE")
    })
  )

  it.effect("takes a body of exactly the largest size", () =>
    Effect.gen(function* () {
      const body = '{"name":"x"}'.padEnd(1_048_576)
      const [answer] = yield* exchange(post(body, [json]))
      assert.strictEqual(answer?.status, 200)
    })
  )

  it.effect("lets a client go on that waits for it, whatever else it expects", () =>
    Effect.gen(function* () {
      const going = yield* exchange(post('{"name":"x"}', [json, "expect: 100-continue"]), 2)
      assert.deepStrictEqual(
        going.map(({ status }) => status),
        [100, 200]
      )
      const [odd] = yield* exchange(post('{"name":"x"}', [json, "expect: a-miracle"]))
      assert.strictEqual(odd?.status, 200)
    })
  )

  it.effect("answers what wants to become another protocol as what it is", () =>
    Effect.gen(function* () {
      const [answer] = yield* exchange(
        get("/page", ["host: api.test", "connection: upgrade", "upgrade: websocket"])
      )
      assert.strictEqual(answer?.status, 200)
    })
  )

  it.effect.each([post('{"name":', [json]), text("8 bytes!")])(
    "survives clients that go away in the middle of a body",
    (bytes) =>
      Effect.gen(function* () {
        const port = yield* Port
        yield* Effect.promise(async () => {
          const connection = await RawConnection.open(port)
          connection.send(bytes.replace("content-length: 8", "content-length: 99"))
          connection.end()
          await connection.answer(() => false)
        })
        const [answer] = yield* exchange(get("/report"))
        assert.strictEqual(answer?.status, 200)
      })
  )

  it.effect("reads a text in any number of pieces", () =>
    Effect.gen(function* () {
      const pieces = ["caf", "\xc3", "\xa9 ", "au lait"]
      const chunks = pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`)
      const sent = `${chunked}${chunks.join("")}0\r\n\r\n`
      const answers = yield* exchange(text("") + text("a text") + sent, 3)
      assert.deepStrictEqual(
        answers.map(({ body }) => body),
        ["", "a text", "caf\xc3\xa9 au lait"]
      )
    })
  )

  it.effect("takes a text of exactly the largest size, and refuses a larger one", () =>
    Effect.gen(function* () {
      const large = yield* exchange(text("x".repeat(1_048_576)))
      assert.strictEqual(large[0]?.body.length, 1_048_576)
      const [refused] = yield* exchange(text("x".repeat(1_048_577)))
      assert.strictEqual(JSON.parse(refused?.body ?? "").code, "PAYLOAD_TOO_LARGE")
      const endless = chunked + `40000\r\n${" ".repeat(0x40000)}\r\n`.repeat(5)
      assert.strictEqual((yield* exchange(endless))[0]?.status, 413)
    })
  )

  it.effect("reads a text whatever its client waits for or wants besides", () =>
    Effect.gen(function* () {
      const going = yield* exchange(text("a text", ["expect: 100-continue"]), 2)
      assert.deepStrictEqual(
        going.map(({ status }) => status),
        [100, 200]
      )
      const upgrade = ["connection: upgrade", "upgrade: websocket"]
      assert.strictEqual((yield* exchange(text("a text", upgrade)))[0]?.body, "a text")
    })
  )

  it.effect("times out on a body that does not arrive", () =>
    Effect.gen(function* () {
      const [answer] = yield* exchange(
        text("").replace("content-length: 0", "content-length: 99") + "a"
      )
      assert.strictEqual(JSON.parse(answer?.body ?? "").code, "TIMEOUT")
    }).pipe(Effect.provide(Port.layer({ ...portConfig, REQUEST_TIMEOUT: "50 millis" })))
  )
})

layer(Layer.empty, { excludeTestServices: true })("a server that listens already", (it) => {
  it.effect("keeps a request until the app is there", () =>
    Effect.promise(async () => {
      const server = NodeServer.make()
      const port = await new Promise<number>((resolve) => {
        server.listen(0, "127.0.0.1", () => {
          const address = server.address()
          resolve(typeof address === "object" && address !== null ? address.port : 0)
        })
      })
      const held = heldThreeTimes(server)
      const connection = await RawConnection.open(port)
      connection.send(get("/page"))
      await held
      server.on("request", (_request, response) => response.end("served"))
      const [answer] = answersIn(await connection.answer(holds(1)))
      connection.end()
      server.close()
      assert.strictEqual(answer?.body, "served")
    })
  )
})

/** Resolves once Node has put the same request forward three times, without a consumer. */
const heldThreeTimes = (server: EventEmitter): Promise<void> =>
  new Promise((resolve) => {
    let seen = 0
    const emit = server.emit.bind(server)
    server.emit = (event, ...parameters) => {
      if (event === "request" && ++seen === 3) resolve()
      return emit(event, ...parameters)
    }
  })
