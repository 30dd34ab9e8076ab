/** Stands between a client and its Redis, so that a test can take Redis away without ending it. */
import { Effect } from "effect"
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"

export class Relay {
  private readonly sockets = new Set<Socket>()
  private state: "open" | "cut" | "frozen" = "open"
  private readonly server = createServer((client) => this.relay(client))
  private readonly target: URL
  url = ""

  private constructor(target: string) {
    this.target = new URL(target)
  }

  static readonly make = (target: string) =>
    Effect.acquireRelease(
      Effect.promise(async () => {
        const relay = new Relay(target)
        relay.server.listen(0, "127.0.0.1")
        await once(relay.server, "listening")
        const url = new URL(target)
        url.hostname = "127.0.0.1"
        // A server that listens on a port has an address of this kind.
        url.port = `${(relay.server.address() as AddressInfo).port}`
        relay.url = url.href
        return relay
      }),
      (relay) =>
        Effect.sync(() => {
          relay.drop()
          relay.server.close()
        })
    )

  /** Ends every connection, also those that come from now on. */
  readonly cut = Effect.sync(() => {
    this.state = "cut"
    this.drop()
  })

  /** Lets connections be, and no byte through. */
  readonly freeze = Effect.sync(() => {
    this.state = "frozen"
  })

  readonly mend = Effect.sync(() => {
    this.state = "open"
  })

  private relay(client: Socket) {
    if (this.state === "cut") return client.destroy()
    const redis = connect(Number(this.target.port), this.target.hostname)
    for (const [from, to] of [
      [client, redis],
      [redis, client]
    ] as const) {
      this.sockets.add(from)
      from.on("data", (bytes) => this.state === "open" && to.write(bytes))
      from.on("error", () => to.destroy())
      from.on("close", () => to.destroy())
    }
    return client
  }

  private drop() {
    for (const socket of this.sockets) socket.destroy()
    this.sockets.clear()
  }
}
