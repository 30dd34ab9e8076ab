/**
 * One tenant's crowd, a process of its own. Each way of attack is one of those that once stopped
 * everybody: told its name and for how long, it goes on that long and answers how often it was answered
 * what.
 */
import { fieldExamples, shippedProduct } from "@quittance/testing/ShippedProducts"
import { Agent } from "node:http"
import { connect } from "node:net"
import { addressOf, jsonHeaders, loginForm, policyAggregate, send, visitor } from "./CrowdClient.ts"

export const ways = ["bodies", "writes", "passwords", "fleets", "refusals", "unread"] as const
export type Way = (typeof ways)[number]

export interface Attack {
  readonly port: number
  readonly way: Way
  readonly millis: number
}

/** How many requests got each status; 0 are connections that were cut. */
export type Statuses = Readonly<Record<number, number>>

const tenant = "acme"
const agent = new Agent({ keepAlive: true, maxSockets: 300 })

interface Crowd {
  readonly atOnce: number
  readonly ask: (turn: number) => Promise<{ readonly status: number }>
}

const field = (turn: number) => ({ key: `key${turn}`, value: turn })
const fieldsOf = (count: number) => Array.from({ length: count }, (_, turn) => field(turn))

/** A body of a megabyte, each of its keys another one. */
const wide = JSON.stringify({ productId: "motor-fr", customFields: fieldsOf(27_000) })

/** A fleet as large as it may be, which has a price. */
const fleetProduct = shippedProduct("fleet-fr")
const fleet = JSON.stringify({
  productId: fleetProduct.productId,
  customFields: fieldExamples(fleetProduct.fields.policy),
  customers: [
    {
      role: "POLICYHOLDER",
      customFields: fieldExamples(fleetProduct.fields.customer, "POLICYHOLDER")
    }
  ],
  assets: Array.from({ length: 1000 }, () => ({
    customFields: fieldExamples(fleetProduct.fields.asset)
  }))
})

const crowdOf = async (port: number, way: Way): Promise<Crowd> => {
  const address = addressOf(1)
  const token = await visitor(port, tenant, address)
  const headers = jsonHeaders(tenant, token, address)
  const post = (path: string, body: string, method = "POST") =>
    send({ agent, port, method, path, headers, body })
  switch (way) {
    case "bodies":
      return { atOnce: 20, ask: () => post("/quotes/preview", wide) }
    case "fleets":
      return { atOnce: 100, ask: () => post("/quotes/preview", fleet) }
    case "writes": {
      const policyId = await policyAggregate(port, tenant, token, address)
      const body = JSON.stringify({ name: "Again" })
      return { atOnce: 300, ask: () => post(`/policies/${policyId}`, body, "PATCH") }
    }
    case "passwords": {
      const signIn = await loginForm(port, tenant, address)
      return { atOnce: 180, ask: (turn) => signIn("not-the-password", addressOf(1000 + turn)) }
    }
    case "refusals": {
      const other = await visitor(port, tenant, addressOf(2))
      const policyId = await policyAggregate(port, tenant, other, addressOf(2))
      return {
        atOnce: 50,
        ask: () => send({ agent, port, path: `/policies/${policyId}`, headers })
      }
    }
    case "unread":
      return { atOnce: 100, ask: () => unread(port) }
  }
}

/** Asks for large answers on one connection, and reads none of them. */
const unread = (port: number) =>
  new Promise<{ readonly status: number }>((resolve) => {
    const socket = connect({ host: "127.0.0.1", port })
    socket.pause()
    socket.on("error", () => undefined)
    socket.on("close", () => resolve({ status: 0 }))
    socket.write("GET /openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(20))
    setTimeout(() => socket.destroy(), 5000).unref()
  })

const attack = async ({ millis, port, way }: Attack): Promise<Statuses> => {
  const { ask, atOnce } = await crowdOf(port, way)
  process.send?.("begun")
  const until = performance.now() + millis
  const statuses: Record<number, number> = {}
  let turn = 0
  const caller = async () => {
    while (performance.now() < until) {
      const { status } = await ask(turn++)
      statuses[status] = (statuses[status] ?? 0) + 1
      // A caller that was asked to try again does so soon, but not at once.
      if (status === 503 || status === 429) await new Promise((done) => setTimeout(done, 100))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, caller))
  return statuses
}

process.on("message", async (message: Attack) => process.send?.(await attack(message)))
