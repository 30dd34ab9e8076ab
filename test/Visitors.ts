/** Visitors who open policies, read and rename them, one request after the other, until they are told to stop. */
import { randomUUID } from "node:crypto"
import { ask } from "./Program.ts"

export class Visitors {
  /** What was answered otherwise than it should. */
  readonly wrong: Array<string> = []
  private answered = 0
  private isGoing = true
  private onAnswer = () => {}
  private readonly port: number
  private readonly loops: ReadonlyArray<Promise<void>>

  constructor(port: number, count: number) {
    this.port = port
    this.loops = Array.from({ length: count }, () => this.loop())
  }

  /** Waits until so many more requests have been answered. */
  async more(count: number): Promise<void> {
    const enough = this.answered + count
    while (this.answered < enough) {
      await new Promise<void>((resolve) => {
        this.onAnswer = resolve
      })
    }
  }

  /** How many were answered in all. */
  async stop(): Promise<number> {
    this.isGoing = false
    await Promise.all(this.loops)
    return this.answered
  }

  private async loop(): Promise<void> {
    const started = await this.send("POST", "/anonymous-session", 201)
    const token = String(started?.accessToken)
    while (this.isGoing) {
      const made = await this.send("POST", "/policies", 201, token, { productId: "motor-fr" })
      if (made === undefined) continue
      const path = `/policies/${made.id}`
      await this.send("PATCH", path, 200, token, { name: "renamed" })
      const read = await this.send("GET", path, 200, token)
      if (read?.name !== "renamed") this.wrong.push(`GET ${path} has lost a change`)
      await this.send("GET", "/policies", 200, token)
    }
  }

  private async send(method: string, path: string, wanted: number, token?: string, body?: object) {
    const answer = await ask(this.port, path, {
      method,
      headers: {
        tenant: "acme",
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined
          ? {}
          : { "content-type": "application/json", "idempotency-key": randomUUID() })
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    }).catch((error: unknown) => ({ status: 0, body: String(error) }))
    this.answered++
    this.onAnswer()
    if (answer.status === wanted) return JSON.parse(answer.body) as Record<string, unknown>
    this.wrong.push(`${method} ${path}: ${answer.status} ${answer.body}`)
    return undefined
  }
}
