/** Receivers of webhooks, as tenants have them: most answer, some fail, hang, close or do worse. */
import { Effect } from "effect"
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { Webhook } from "standardwebhooks"
import type { Draw } from "../Draw.ts"
import * as Taken from "./Taken.ts"

/** How a request is answered, by how many in a thousand are. */
const moods = {
  /** 500. */
  fails: 8,
  /** No answer until the sender's time is over. */
  hangs: 1,
  /** The connection ends before the event is taken, and after it. */
  closes: 5,
  takesAndCloses: 5,
  /** 200, with a byte now and then. */
  slow: 3,
  /** 200, with a gigabyte. */
  endless: 1,
  /** 307 to a place on the service's own machine. */
  redirects: 2,
  /** 429 or 503, with a wait in seconds or until a date. */
  busy: 4,
  /** 410, after which the endpoint is disabled. */
  gone: 1
} as const
type Mood = keyof typeof moods | "good"

const moodOf = (draw: Draw): Mood => {
  let place = draw.below(1000)
  for (const mood of Object.keys(moods) as ReadonlyArray<keyof typeof moods>) {
    if (place < moods[mood]) return mood
    place -= moods[mood]
  }
  return "good"
}

export interface Receiver {
  readonly url: string
  readonly taken: Taken.Taken
  /** What it verifies with: any of them will do. */
  secrets: ReadonlyArray<string>
  /** From now on it answers well. */
  isCalm: boolean
  /** Requests that came, and that were not taken. */
  readonly count: { requests: number; refused: number }
  readonly faults: () => ReadonlyArray<string>
}

const read = async (request: IncomingMessage) => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString("utf8")
}

const drained = (response: ServerResponse) =>
  new Promise<void>((resolve) => response.once("drain", resolve))

/** Starts a receiver on a port of its own; it goes with the scope. */
export const start = (isOrdered: boolean, draw: Draw) =>
  Effect.acquireRelease(
    Effect.promise(() => open(isOrdered, draw)),
    ({ close }) => Effect.sync(close)
  )

const open = async (isOrdered: boolean, draw: Draw) => {
  const taken = Taken.make(isOrdered)
  const forged: Array<string> = []
  const server = createServer((request, response) => {
    response.on("error", () => undefined)
    // A sender that is killed in the middle of a request is what this is about.
    void serve(request, response).catch(() => request.socket.destroy())
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hooks`,
    taken,
    secrets: [],
    isCalm: false,
    count: { requests: 0, refused: 0 },
    faults: () => [...forged, ...taken.faults]
  }
  const verified = (body: string, request: IncomingMessage): Taken.Told | undefined => {
    // Headers that are sent once are texts.
    const headers = request.headers as Record<string, string>
    for (const secret of receiver.secrets) {
      try {
        // What the library has verified, the receiver believes.
        return new Webhook(secret).verify(body, headers) as Taken.Told
      } catch {
        // Another one may be meant.
      }
    }
    return undefined
  }
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await read(request)
    receiver.count.requests++
    if (request.url !== "/hooks") forged.push(`a redirect was followed to ${request.url}`)
    const event = verified(body, request)
    if (event === undefined) {
      forged.push(`${request.headers["webhook-id"]} has no signature that the receiver knows`)
      return response.writeHead(401).end()
    }
    taken.seen(event, body)
    const mood = receiver.isCalm ? "good" : moodOf(draw)
    const isTaken = await answers[mood](event, response)
    if (!isTaken) receiver.count.refused++
    return undefined
  }
  const take = (event: Taken.Told, response: ServerResponse, status: number) => {
    taken.take(event, true)
    return response.writeHead(status)
  }
  const refuse = (response: ServerResponse, status: number, headers = {}) => {
    response.writeHead(status, headers).end("Not now.")
    return false
  }
  const answers: Record<
    Mood,
    (event: Taken.Told, response: ServerResponse) => boolean | Promise<boolean>
  > = {
    good: (event, response) => {
      take(event, response, 204).end()
      return true
    },
    fails: (_, response) => refuse(response, 500),
    hangs: () => false,
    closes: (_, response) => {
      response.socket?.destroy()
      return false
    },
    takesAndCloses: (event, response) => {
      taken.take(event, false)
      response.socket?.destroy()
      return true
    },
    slow: async (event, response) => {
      take(event, response, 200).flushHeaders()
      for (let byte = 0; byte < 10 && !response.destroyed; byte++) {
        response.write("x")
        await sleep(50)
      }
      response.end()
      return true
    },
    endless: async (event, response) => {
      take(event, response, 200)
      const chunk = Buffer.alloc(1 << 16)
      const closed = once(response, "close")
      for (let sent = 0; sent < 1 << 30 && !response.destroyed; sent += chunk.length) {
        if (!response.write(chunk)) await Promise.race([drained(response), closed])
      }
      response.end()
      return true
    },
    redirects: (_, response) =>
      refuse(response, 307, { location: `http://127.0.0.1:${port}/elsewhere` }),
    busy: (_, response) => {
      const wait = 1 + draw.below(30)
      const until = new Date(Date.now() + wait * 1000).toUTCString()
      return refuse(response, draw.one([429, 503]), {
        "retry-after": draw.one([`${wait}`, until])
      })
    },
    gone: (_, response) => refuse(response, 410)
  }
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return Object.assign(receiver, { close })
}
