/**
 * A process that calls an HTTP server as fast as it answers: some connections that stay open, on each
 * one request at a time, sent and read as bytes so that the caller costs little beside the server.
 */
import { connect } from "node:net"
import { policyIdOf } from "./PolicyIds.ts"

export interface Load {
  readonly port: number
  /** So many policies are read, by their numbers from the first on, in an order that is no order. */
  readonly first: number
  readonly count: number
  /** What is read instead of policies: always the same path. */
  readonly path?: string
  /** What follows the path, in turn. */
  readonly queries: ReadonlyArray<string>
  /** Header lines, `host` among them. */
  readonly headers: ReadonlyArray<string>
  readonly connections: number
  readonly millis: number
}

/** Microseconds for each request that was answered with 200. */
export interface Measured {
  readonly perRequest: number
  readonly p99: number
}

const headEnd = Buffer.from("\r\n\r\n")
/** A prime, so that every policy has its turn. */
const stride = 7_919_993

const lengthOf = (head: string): number => {
  const length = /\r\ncontent-length: (\d+)/iu.exec(head)?.[1]
  if (!head.startsWith("HTTP/1.1 200") || length === undefined) throw new Error(head)
  return Number(length)
}

/** One connection: sends the next request when the answer to the one before is there whole. */
const caller = (port: number, next: () => string | undefined, answered: (millis: number) => void) =>
  new Promise<void>((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port, noDelay: true })
    let sent = 0
    let missing = -1
    let head: Buffer = Buffer.alloc(0)
    const send = () => {
      const request = next()
      sent = performance.now()
      return request === undefined ? socket.end() : socket.write(request)
    }
    socket.on("connect", send)
    socket.on("data", (chunk: Buffer) => {
      if (missing >= 0) missing -= chunk.length
      else {
        head = head.length === 0 ? chunk : Buffer.concat([head, chunk])
        const end = head.indexOf(headEnd)
        if (end < 0) return
        missing = lengthOf(head.toString("latin1", 0, end)) - (head.length - end - headEnd.length)
        head = Buffer.alloc(0)
      }
      if (missing > 0) return
      missing = -1
      answered(performance.now() - sent)
      send()
    })
    socket.on("error", reject)
    socket.on("close", () => resolve())
  })

const call = async (load: Load) => {
  const { connections, count, first, headers, millis, path, port, queries } = load
  const tail = ` HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n`
  const times: Array<number> = []
  const started = performance.now()
  let turn = 0
  const next = () => {
    if (performance.now() >= started + millis) return undefined
    turn += 1
    const read = path ?? `/policies/${policyIdOf(first + ((turn * stride) % count))}`
    return `GET ${read}${queries[turn % queries.length]}${tail}`
  }
  await Promise.all(
    Array.from({ length: connections }, () => caller(port, next, (time) => times.push(time)))
  )
  const perRequest = ((performance.now() - started) * 1000) / times.length
  times.sort((a, b) => a - b)
  return { perRequest, p99: times[Math.floor(times.length * 0.99)]! * 1000 } satisfies Measured
}

process.on("message", async (load: Load) => process.send?.(await call(load)))
