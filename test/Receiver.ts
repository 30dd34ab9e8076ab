/**
 * A program that is called with events, as a user would write one: it believes what the library has verified.
 */
import { once } from "node:events"
import { createServer, type IncomingMessage, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { Webhook } from "standardwebhooks"
import { onTestFinished } from "vitest"

/** What of an event the tests look at. */
interface Event {
  readonly id: string
  readonly type: string
  readonly subject: string
  readonly sequence: number
  readonly previousSequence: number
}

/** One call: the event that it told, its very text, and whether it was told before. */
export interface Call {
  readonly event: Event
  readonly text: string
  readonly replay: string | undefined
}

/** How a call is answered: with a status, or not at all. */
export type Reply = number | "HANG_UP"

const read = async (request: IncomingMessage) => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString("utf8")
}

export class Receiver {
  /** Every call that was signed by who knows the secret. */
  readonly calls: Array<Call> = []
  /** Calls that were not. */
  readonly forged: Array<string> = []
  readonly secret: string
  private readonly reply: (nth: number) => Reply
  private server: Server | undefined
  private port = 0
  private called = () => {}

  /** `reply` says how the nth call is answered, counted from 1. */
  constructor(secret: string, reply: (nth: number) => Reply = () => 204) {
    this.secret = secret
    this.reply = reply
    onTestFinished(() => this.stop())
  }

  /** Where it is called; the same each time that it starts. */
  async start(): Promise<string> {
    const server = createServer((request, response) => {
      void read(request).then((text) => {
        const { "quittance-replay": replay, ...headers } = request.headers
        try {
          // Header values that are sent once are texts.
          const event = new Webhook(this.secret).verify(text, headers as Record<string, string>)
          this.calls.push({ event: event as Event, text, replay: replay?.toString() })
        } catch {
          this.forged.push(text)
          return response.writeHead(400).end()
        }
        this.called()
        const answer = this.reply(this.calls.length)
        if (answer === "HANG_UP") return request.socket.destroy()
        return response.writeHead(answer).end("Claire Martin has been told.")
      })
    })
    this.server = server
    server.listen(this.port, "127.0.0.1")
    await once(server, "listening")
    // A server that listens on a port has such an address.
    this.port = (server.address() as AddressInfo).port
    return `http://localhost:${this.port}/hooks`
  }

  /** Resolves when the calls are what is waited for. */
  until(isEnough: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.called = () => {
        if (isEnough()) resolve()
      }
      this.called()
    })
  }

  /** Goes away with all its connections, as a program that is killed. */
  async stop(): Promise<void> {
    const { server } = this
    if (server === undefined) return
    this.server = undefined
    const closed = once(server, "close")
    server.close()
    server.closeAllConnections()
    await closed
  }
}
