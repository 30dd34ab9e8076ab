/** The receiver of the demo's webhook: a program of theirs on this machine, which is broken at first. */
import { freePort } from "@quittance/embedded-postgres/FreePort"
import { Effect, Option, Queue } from "effect"
import { createServer } from "node:http"

/** A request as it came, and what it was answered. */
export interface Received {
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
  readonly status: number
}

/** Requests come five seconds apart, and may take as long again where the machine is slow. */
const patience = "60 seconds"

/** Starts it on a free port: it answers so many requests with 500, and all others with 204. */
export const start = Effect.fnUntraced(function* (failures: number) {
  const port = yield* Effect.promise(freePort)
  const received = yield* Queue.unbounded<Received>()
  let count = 0
  const server = createServer((request, response) => {
    const pieces: Array<Buffer> = []
    request.on("data", (piece: Buffer) => pieces.push(piece))
    request.on("end", () => {
      const status = count++ < failures ? 500 : 204
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, value?.toString()])
      )
      const body = Buffer.concat(pieces).toString("utf8")
      Queue.offerUnsafe(received, { headers, body, status })
      response.writeHead(status).end()
    })
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => {
      server.listen(port, "127.0.0.1", () => resume(Effect.void))
    }),
    () =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    /** The next request; absent where none comes. */
    next: Effect.map(Effect.timeoutOption(Queue.take(received), patience), Option.getOrUndefined)
  }
})
