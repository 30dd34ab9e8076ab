import { assert, describe, it } from "@effect/vitest"
import { once } from "node:events"
import type { ServerResponse } from "node:http"
import { connect, type AddressInfo, type Socket } from "node:net"
import * as NodeServer from "../src/NodeServer.ts"
import { type AnswerLimits, defaults } from "../src/UnsentAnswers.ts"

const mebibyte = 1024 * 1024
const request = "GET / HTTP/1.1\r\nhost: localhost\r\n\r\n"

/** Serves a mebibyte to every request, on a free port of this machine. */
const serving = async (
  limits: Partial<AnswerLimits>,
  use: (port: number) => Promise<void>
): Promise<void> => {
  const server = NodeServer.make({ ...defaults, lookEvery: 20, ...limits })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  server.on("request", (_request, response) => response.end(Buffer.alloc(mebibyte, "a")))
  // A server that listens has an address and a port.
  await use((server.address() as AddressInfo).port)
  server.closeAllConnections()
  server.close()
}

/** A client that asks for more than any buffer takes, and reads nothing. */
const deaf = async (port: number): Promise<Socket> => {
  const socket = connect({ host: "127.0.0.1", port })
  socket.pause()
  socket.on("error", () => undefined)
  await once(socket, "connect")
  socket.write(request.repeat(32))
  return socket
}

/** The server has ended the connection: what comes now is its end. */
const isCut = async (socket: Socket) => {
  socket.resume()
  await once(socket, "close")
}

describe("an answer that its client does not read", () => {
  it("is dropped when its time is over", () =>
    serving({ answerTimeout: 50 }, async (port) => {
      const socket = await deaf(port)
      // Nothing is read meanwhile: only the server can end it.
      await new Promise<void>((done) => {
        const server = connect({ host: "127.0.0.1", port })
        server.on("error", () => undefined)
        server.write(request)
        server.resume().on("data", () => done())
      })
      await isCut(socket)
    }))

  it("is dropped when all of them together are too many bytes, the oldest first", () =>
    serving({ mostUnsent: 8 * mebibyte }, async (port) => {
      const sockets = await Promise.all([deaf(port), deaf(port), deaf(port)])
      await isCut(sockets[0]!)
    }))

  it("is left alone where the client reads it", () =>
    serving({ answerTimeout: 50 }, async (port) => {
      const answer = await fetch(`http://127.0.0.1:${port}/`)
      assert.strictEqual((await answer.arrayBuffer()).byteLength, mebibyte)
    }))
})

describe("answers on a connection that ends", () => {
  it("are told so, those too whose turn has not come", async () => {
    const server = NodeServer.make()
    const open = new Set<ServerResponse>()
    const allCame = Promise.withResolvers<void>()
    const allEnded = Promise.withResolvers<void>()
    let ends = 0
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    server.on("request", (_request, response) => {
      open.add(response)
      response.once("close", () => {
        ends += 1
        open.delete(response)
        if (open.size === 0) allEnded.resolve()
      })
      if (open.size === 5) allCame.resolve()
    })
    // A server that listens has an address and a port.
    const { port } = server.address() as AddressInfo
    const socket = connect({ host: "127.0.0.1", port })
    socket.write(request.repeat(5))
    await allCame.promise
    socket.destroy()
    await allEnded.promise
    assert.strictEqual(ends, 5)
    server.close()
  })
})
