/** A connection to the test server that counts the round trips to the database. */
import { Database } from "@quittance/persistence/sql/Database"
import { Context, Effect, Layer, Redacted } from "effect"
import { type AddressInfo, connect, createServer, type Server } from "node:net"

/** How many times the program has sent something after the database had answered. */
export class Trips extends Context.Service<Trips, { readonly count: () => number }>()(
  "@quittance/operations/test/Trips"
) {}

/** The same database by way of a proxy in between. */
export const layer = Layer.effectContext(
  Effect.gen(function* () {
    const { ownerUrl, url } = yield* Database
    const { hostname, port } = new URL(Redacted.value(url))
    let trips = 0
    const server = yield* Effect.acquireRelease(
      Effect.promise(() => listening(Number(port), hostname, () => trips++)),
      (server) => Effect.sync(() => server.close())
    )
    const proxied = new URL(Redacted.value(url))
    // A server that listens on a port has an address of this kind.
    proxied.port = `${(server.address() as AddressInfo).port}`
    const database = Database.of({ ownerUrl, url: Redacted.make(proxied.href) })
    return Context.make(Database, database).pipe(
      Context.add(Trips, Trips.of({ count: () => trips }))
    )
  })
)

const listening = async (port: number, host: string, onTrip: () => void): Promise<Server> => {
  const server = createServer((client) => {
    const upstream = connect(port, host)
    let isAnswered = true
    client.on("data", (chunk) => {
      if (isAnswered) onTrip()
      isAnswered = false
      upstream.write(chunk)
    })
    upstream.on("data", (chunk) => {
      isAnswered = true
      client.write(chunk)
    })
    for (const [one, other] of [
      [client, upstream],
      [upstream, client]
    ] as const) {
      one.on("close", () => other.destroy()).on("error", () => other.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return server
}
