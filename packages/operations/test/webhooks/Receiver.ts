/**
 * A receiver that checks by itself: it verifies each request, keeps the last number of each record, and
 * notes any step back, any gap that its body does not name, and any body that changed between tries.
 */
import { Effect } from "effect"
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Webhook } from "standardwebhooks"

export interface Received {
  readonly id: string
  readonly type: string
  readonly subject: string
  readonly sequence: number
  readonly previousSequence: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Answers one request, in whatever way; `true` says that the event counts as taken. */
export type Behaviour = (received: Received, response: ServerResponse, number: number) => boolean

export const good: Behaviour = (_, response) => {
  response.writeHead(204).end()
  return true
}

export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}, body = ""): Behaviour =>
  (_, response) => {
    response.writeHead(code, headers).end(body)
    return false
  }

export interface Receiver {
  readonly url: string
  behaviour: Behaviour
  /** What it verifies with: any of them will do. Without one it verifies nothing. */
  secrets: ReadonlyArray<string>
  /** All requests, also those that were not taken. */
  readonly received: Array<Received>
  /** What was taken, once each, in the order of its coming. */
  readonly taken: Array<Received>
  /** What is wrong, in words. */
  readonly faults: Array<string>
  /** How often something was taken that had been taken before. */
  doubled: number
}

export const start = Effect.acquireRelease(
  Effect.promise(async () => {
    const last = new Map<string, number>()
    const bodies = new Map<string, string>()
    const server = createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => take(Buffer.concat(chunks).toString(), request.headers, response))
    })
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready))
    // Of a server on an internet socket it is always this.
    const { port } = server.address() as AddressInfo
    const receiver: Receiver = {
      url: `http://127.0.0.1:${port}/hooks`,
      behaviour: good,
      secrets: [],
      received: [],
      taken: [],
      faults: [],
      doubled: 0
    }
    const take = (body: string, headers: IncomingHttpHeaders, response: ServerResponse) => {
      const event: Omit<Received, "body" | "headers"> = JSON.parse(body)
      const received: Received = {
        ...event,
        // Events of these tests are of subjects that they have named so.
        subject: event.subject.replace("client:", ""),
        headers,
        body
      }
      receiver.received.push(received)
      const refusals = receiver.secrets.map((secret) => refusalBy(secret, received))
      if (refusals.every((refusal) => refusal !== undefined)) {
        receiver.faults.push(...refusals.map((refusal) => `${event.id}: ${refusal}`))
      }
      if ((bodies.get(event.id) ?? body) !== body) receiver.faults.push(`${event.id} has changed`)
      bodies.set(event.id, body)
      if (!receiver.behaviour(received, response, receiver.received.length)) return
      const before = last.get(event.subject) ?? 0
      if (receiver.taken.some(({ id }) => id === event.id)) {
        receiver.doubled++
        return
      }
      if (event.sequence <= before) receiver.faults.push(`${event.id} came late`)
      if (event.previousSequence !== before)
        receiver.faults.push(`something before ${event.id} is missing`)
      last.set(event.subject, event.sequence)
      receiver.taken.push(received)
    }
    return { receiver, server }
  }),
  ({ server }) =>
    Effect.promise(async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    })
).pipe(Effect.map(({ receiver }) => receiver))

/** Why the library of the standard does not take a request as signed by a secret; `undefined` if it does. */
const refusalBy = (secret: string, { body, headers }: Received): string | undefined => {
  try {
    new Webhook(secret).verify(body, {
      "webhook-id": String(headers["webhook-id"]),
      "webhook-timestamp": String(headers["webhook-timestamp"]),
      "webhook-signature": String(headers["webhook-signature"])
    })
    return undefined
  } catch (error) {
    return String(error)
  }
}

/**
 * Whether a request has the library's signature under a secret, whatever the time it says: that of a test
 * was moved, and the library refuses what is more than five minutes off.
 */
export const isSignedBy = (secret: string, { body, headers }: Received): boolean => {
  const at = new Date(Number(headers["webhook-timestamp"]) * 1000)
  const signature = new Webhook(secret).sign(String(headers["webhook-id"]), at, body)
  return String(headers["webhook-signature"]).split(" ").includes(signature)
}
