/**
 * The line from a program to the database: a stable address in front of a server that comes and goes. It
 * sees which transactions are open, and can be cut.
 */
import { Effect } from "effect"
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { messages, statements } from "./Wire.ts"

/** What a caller waits for on a connection: a transaction that begins, or the commit of one. */
type Moment = "begin" | "commit"

/** How a line is cut in mid-commit: before the server can have answered, or when it has. */
export type Cut = "unanswered" | "answered"

export interface Line {
  readonly port: number
  /** Transactions that are open now. */
  readonly open: () => number
  /** Resolves at the next moment of this kind, with `false` when none comes within so many milliseconds. */
  readonly next: (moment: Moment, millis: number) => Promise<boolean>
  /** Cuts the next connection that commits: the program never hears what became of it. */
  readonly cutNextCommit: (cut: Cut) => void
  /** Cuts all connections. */
  readonly cut: () => void
  /** How many commits were cut. */
  readonly cutCommits: () => number
}

/** A line on a port of its own, to the port that the server has when a connection is made. */
export const make = (upstreamPort: () => number, address = "127.0.0.1") =>
  Effect.acquireRelease(
    Effect.promise(() => open(upstreamPort, address)),
    ({ close }) => Effect.sync(close)
  )

const open = async (
  upstreamPort: () => number,
  address: string
): Promise<Line & { readonly close: () => void }> => {
  const connections = new Set<{ readonly sockets: ReadonlyArray<Socket>; isOpen: boolean }>()
  const waiting = new Set<(moment: Moment) => void>()
  const reached = (moment: Moment) => {
    for (const resolve of waiting) resolve(moment)
  }
  let armed: Cut | undefined
  let cutCommits = 0

  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ port: upstreamPort(), host: "127.0.0.1", noDelay: true })
    const connection = { sockets: [client, upstream], isOpen: false }
    connections.add(connection)
    const end = () => {
      connections.delete(connection)
      client.destroy()
      upstream.destroy()
    }
    let cut: Cut | undefined
    const fromClient = statements((sql) => {
      if (sql.startsWith("BEGIN")) {
        connection.isOpen = true
        reached("begin")
      }
      if (sql === "COMMIT") {
        reached("commit")
        if (armed !== undefined) {
          cut = armed
          armed = undefined
          cutCommits++
        }
      }
    })
    const fromServer = messages(false, ({ body, type }) => {
      if (type === "Z") connection.isOpen = body.toString("latin1", 0, 1) !== "I"
    })
    client.on("data", (chunk: Buffer) => {
      fromClient(chunk)
      // Once what was written has left, the server may do with it what it likes.
      upstream.write(chunk, () => {
        if (cut === "unanswered") end()
      })
    })
    upstream.on("data", (chunk: Buffer) => {
      fromServer(chunk)
      if (cut === undefined) client.write(chunk)
      else end()
    })
    for (const socket of connection.sockets) socket.on("close", end).on("error", end)
  })
  server.listen(0, address)
  await once(server, "listening")
  const cut = () => {
    for (const { sockets } of connections) for (const socket of sockets) socket.destroy()
  }
  return {
    // A server that listens on a port has an address of this kind.
    port: (server.address() as AddressInfo).port,
    open: () => [...connections].filter(({ isOpen }) => isOpen).length,
    next: (moment, millis) =>
      new Promise((resolve) => {
        const end = (came: boolean) => {
          waiting.delete(onMoment)
          clearTimeout(timer)
          resolve(came)
        }
        const onMoment = (each: Moment) => {
          if (each === moment) end(true)
        }
        const timer = setTimeout(() => end(false), millis)
        waiting.add(onMoment)
      }),
    cutNextCommit: (how) => {
      armed = how
    },
    cut,
    cutCommits: () => cutCommits,
    close: () => {
      cut()
      server.close()
    }
  }
}
