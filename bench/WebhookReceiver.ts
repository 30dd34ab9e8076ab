/**
 * A receiver of webhooks that costs little beside who sends to it. It answers what its benchmark asks: how
 * many events have come, and when those of `/timed` did. `/hang` is never answered until it is told so.
 */
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

export type Question = "count" | "arrivals" | "release"

export interface Answer {
  readonly port: number
  /** Events that were answered. */
  readonly count: number
  /** Subjects, and when they came, in milliseconds since 1970. */
  readonly arrivals: ReadonlyArray<readonly [subject: string, at: number]>
}

const hung = new Set<ServerResponse>()
let arrivals: Array<readonly [string, number]> = []
let count = 0

const server = createServer((request, response) => {
  const at = Date.now()
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => {
    if (request.url === "/hang") {
      hung.add(response)
      return
    }
    if (request.url === "/timed") {
      const { subject }: { readonly subject: string } = JSON.parse(Buffer.concat(chunks).toString())
      arrivals.push([subject, at])
    }
    count++
    response.writeHead(204).end()
  })
})

const answer = (): Answer => ({
  // A server that listens on a port has an address of this kind.
  port: (server.address() as AddressInfo).port,
  count,
  arrivals
})

process.on("message", (question: Question) => {
  if (question === "release") {
    for (const response of hung) response.socket?.destroy()
    hung.clear()
  }
  process.send?.(question === "arrivals" ? answer() : { ...answer(), arrivals: [] })
  if (question === "arrivals") arrivals = []
})
process.on("SIGTERM", () => process.exit(0))
server.listen(0, "127.0.0.1", () => process.send?.(answer()))
