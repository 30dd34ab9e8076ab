/** Scanners that answer, hang, close the connection or are not there, over real sockets. */
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Deferred, Effect, Fiber, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import { createServer, type Socket } from "node:net"
import { Scanner, ScannerAway } from "../../src/documents/Scanner.ts"

const eicar = String.raw`X5O!P%@AP[4\PZX54(P^)7CC)7}$EICAR` + "-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*"

/** A server on a free port. */
const serve = (talk: (socket: Socket) => void) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly port: number; readonly close: () => void }>((resume) => {
      const sockets = new Set<Socket>()
      const server = createServer((socket) => {
        sockets.add(socket)
        socket.on("error", () => undefined)
        talk(socket)
      })
      const close = () => {
        server.close()
        for (const socket of sockets) socket.destroy()
      }
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        resume(Effect.succeed({ port, close }))
      })
    }),
    ({ close }) => Effect.sync(close)
  )

/**
 * What clamd does with `zINSTREAM` (clamd(8)): pieces behind their lengths up to one of length 0, then a
 * verdict that ends with a NUL; and an error, at once, where there is more than it takes.
 */
const clamd = (most = 1_000_000) =>
  serve((socket) => {
    let received = Buffer.alloc(0)
    socket.on("data", (data) => {
      received = Buffer.concat([received, Buffer.from(data)])
      const file = fileOf(received)
      if (received.length > most) socket.end("INSTREAM size limit exceeded. ERROR\0")
      else if (file !== undefined) {
        socket.end(file.includes(eicar) ? "stream: Eicar-Signature FOUND\0" : "stream: OK\0")
      }
    })
  })

/** The file that was sent, once all of it is there. */
const fileOf = (received: Buffer): Buffer | undefined => {
  const command = "zINSTREAM\0"
  if (!received.toString("latin1").startsWith(command)) return undefined
  const pieces: Array<Buffer> = []
  for (let at = command.length; at + 4 <= received.length;) {
    const length = received.readUInt32BE(at)
    if (length === 0) return Buffer.concat(pieces)
    pieces.push(received.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return undefined
}

const scannerOf = (variables: Record<string, string>) =>
  Effect.map(
    Layer.build(
      Layer.provide(Scanner.layer, ConfigProvider.layer(ConfigProvider.fromUnknown(variables)))
    ),
    (context) => Effect.provideContext(Scanner, context)
  ).pipe(Effect.flatten)

const at = (port: number) => scannerOf({ CLAMD: `127.0.0.1:${port}` })

/** In small pieces, so that what is looked for lies across two of them. */
const pieces = (text: string) =>
  Stream.fromIterable(text.match(/[\s\S]{1,7}/gu) ?? []).pipe(
    Stream.map((piece) => new Uint8Array(Buffer.from(piece)))
  )

describe("a scanner", () => {
  it.effect("finds malware, and what is clean, over a socket", () =>
    Effect.gen(function* () {
      const { port } = yield* clamd()
      const scanner = yield* at(port)
      assert.strictEqual(yield* scanner.scan(pieces(`a ${eicar} b`)), "MALWARE")
      assert.strictEqual(yield* scanner.scan(pieces("a text")), "CLEAN")
      assert.strictEqual(yield* scanner.scan(Stream.empty), "CLEAN")
    })
  )

  it.effect("gives no verdict where it is away, closes or can't look", () =>
    Effect.gen(function* () {
      const away = yield* serve(() => undefined)
      away.close()
      const closing = yield* serve((socket) => socket.destroy())
      const halfWay = yield* serve((socket) => socket.once("data", () => socket.destroy()))
      const silent = yield* serve((socket) => socket.on("data", () => socket.end()))
      const small = yield* clamd(20)
      const cut = yield* serve((socket) => socket.on("data", () => socket.end("stream: OK")))
      for (const { port } of [away, closing, halfWay, silent, small, cut]) {
        const scanner = yield* at(port)
        const error = yield* Effect.flip(scanner.scan(pieces("a text that is long enough")))
        assert.instanceOf(error, ScannerAway)
      }
    })
  )

  it.effect("that hangs is given a minute", () =>
    Effect.gen(function* () {
      const asked = yield* Deferred.make<void>()
      const { port } = yield* serve((socket) =>
        socket.once("data", () => Effect.runSync(Deferred.succeed(asked, undefined)))
      )
      const scanner = yield* at(port)
      const fiber = yield* Effect.forkChild(Effect.flip(scanner.scan(pieces("a text"))))
      yield* Deferred.await(asked)
      yield* TestClock.adjust("61 seconds")
      assert.instanceOf(yield* Fiber.join(fiber), ScannerAway)
    })
  )

  it.effect(
    "is none in production unless it is named, and finds the text of tests in sandboxes",
    () =>
      Effect.gen(function* () {
        const none = yield* scannerOf({ ENVIRONMENT: "production" })
        assert.instanceOf(yield* Effect.flip(none.scan(pieces("a text"))), ScannerAway)
        const sandbox = yield* scannerOf({})
        assert.strictEqual(yield* sandbox.scan(pieces(`a ${eicar}`)), "MALWARE")
        assert.strictEqual(yield* sandbox.scan(pieces(eicar.slice(1))), "CLEAN")
      })
  )
})
