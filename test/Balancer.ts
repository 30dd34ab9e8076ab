/**
 * A balancer, as small as one can be: it probes its programs, sends to those that are ready in turn, on
 * connections that it keeps, and never sends a request a second time once it was on its way. Where none
 * has said in time that it is ready, it asks all: on a slow machine a probe comes late.
 */
import { once } from "node:events"
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import { onTestFinished } from "vitest"
import { ask } from "./Program.ts"

interface Upstream {
  readonly port: number
  readonly agent: Agent
  isReady: boolean
  underWay: number
}

/** Milliseconds between probes. */
const probeEvery = 50

export class Balancer {
  /** What a client got no answer of a program to, and why. */
  readonly lost: Array<string> = []
  private readonly upstreams = new Map<number, Upstream>()
  private readonly server = createServer((asked, answer) => void this.serve(asked, answer))
  private turn = 0
  private onChange = () => {}

  static async start(port: number): Promise<Balancer> {
    const balancer = new Balancer()
    balancer.server.listen(port, "127.0.0.1")
    await once(balancer.server, "listening")
    const probing = setInterval(() => void balancer.probe(), probeEvery)
    onTestFinished(() => {
      clearInterval(probing)
      balancer.server.close()
      balancer.server.closeAllConnections()
    })
    return balancer
  }

  /** Sends to a program from when it is ready. */
  async add(port: number): Promise<void> {
    const agent = new Agent({ keepAlive: true })
    const upstream: Upstream = { port, agent, isReady: false, underWay: 0 }
    this.upstreams.set(port, upstream)
    await this.until(() => upstream.isReady)
  }

  /** Sends nothing more to a program, and waits for what it has. */
  async remove(port: number): Promise<void> {
    const upstream = this.upstreams.get(port)!
    this.upstreams.delete(port)
    await this.until(() => upstream.underWay === 0)
    upstream.agent.destroy()
  }

  private async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      await new Promise<void>((resolve) => {
        this.onChange = resolve
      })
    }
  }

  private async probe(): Promise<void> {
    await Promise.all(
      [...this.upstreams.values()].map(async (upstream) => {
        const answer = await ask(upstream.port, "/health/ready").catch(() => undefined)
        upstream.isReady = answer?.status === 200
        this.onChange()
      })
    )
  }

  private async serve(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const chunks: Array<Uint8Array> = []
    for await (const chunk of asked) chunks.push(chunk)
    this.forward(asked, Buffer.concat(chunks), answer)
  }

  private forward(asked: IncomingMessage, body: Buffer, answer: ServerResponse, refused = 0): void {
    const all = [...this.upstreams.values()]
    if (refused > all.length) return this.lose(answer, "no program is there")
    const ready = all.filter(({ isReady }) => isReady)
    const asking = ready.length === 0 ? all : ready
    const upstream = asking[this.turn++ % asking.length]
    if (upstream === undefined) return this.lose(answer, "no program is there")
    const { agent, port } = upstream
    const { headers, method, url } = asked
    upstream.underWay++
    const done = () => {
      upstream.underWay--
      this.onChange()
    }
    request({ host: "127.0.0.1", port, agent, method, path: url, headers })
      .once("response", (given) => {
        answer.writeHead(given.statusCode!, { ...given.headers, connection: "keep-alive" })
        given.pipe(answer).once("close", done)
        given.once("error", () => this.lost.push("an answer was cut"))
      })
      .once("error", (error: NodeJS.ErrnoException) => {
        done()
        // Nothing was sent: another one may have it.
        if (error.code !== "ECONNREFUSED")
          return this.lose(answer, `${method} ${url}: ${error.code}`)
        upstream.isReady = false
        this.forward(asked, body, answer, refused + 1)
      })
      .end(body)
  }

  private lose(answer: ServerResponse, why: string): void {
    this.lost.push(why)
    answer.writeHead(502).end()
  }
}
