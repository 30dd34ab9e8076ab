/** A quote provider on this machine: it prices by the tariff of a product, or misbehaves as it is told. */
import { signAnswer } from "@quittance/auth/ExchangeSignature"
import { PriceRequest } from "@quittance/domain/products/PriceExchange"
import { Effect, Schema } from "effect"
import { once } from "node:events"
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { answerTo } from "../../pricing/test/Elsewhere.ts"
import * as World from "./World.ts"

export const secret = "a secret that both sides have to know"

export interface Received {
  readonly method: string | undefined
  readonly path: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly request: PriceRequest
}

/** Answers a question, in whatever way; what number of question it is counts from 1. */
export type Behaviour = (
  received: Received,
  response: ServerResponse,
  number: number
) => void | Promise<void>

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(PriceRequest), {
  onExcessProperty: "error"
})

/** The headers of a signed answer. */
export const signed = (
  { headers, request }: Received,
  body: string | Uint8Array,
  by: string = secret
): Record<string, string> => {
  const keyId = /;key=([^;]+);/u.exec(String(headers["quittance-signature"]))?.[1] ?? ""
  return {
    "content-type": "application/json",
    "quittance-signature": signAnswer({ keyId, secret: by }, request.requestId, Buffer.from(body))
  }
}

/** What a good provider answers. */
export const priced = ({ request }: Received): ReturnType<typeof answerTo> =>
  answerTo(World.motor, request)

/** Answers a signed JSON text. */
export const answer =
  (make: (received: Received) => unknown): Behaviour =>
  (received, response) => {
    const text = JSON.stringify(make(received))
    response.writeHead(200, signed(received, text)).end(text)
  }

export const good: Behaviour = answer(priced)

export interface RateServer {
  readonly url: string
  /** Every question so far. */
  readonly received: ReadonlyArray<Received>
  /** Resolves when so many questions have been asked. */
  readonly asked: (count: number) => Effect.Effect<void>
  /** Resolves when the caller has dropped so many of them. */
  readonly abandoned: (count: number) => Effect.Effect<void>
  /** Listens no longer. */
  readonly stop: Effect.Effect<void>
  behaviour: Behaviour
}

/** Listens on a port of its own until the scope ends. */
export const start = Effect.gen(function* () {
  const received: Array<Received> = []
  const events = new EventTarget()
  let abandoned = 0
  const server = createServer((incoming, response) => {
    const chunks: Array<Buffer> = []
    // Half of the tests are about a client that times out.
    response.on("error", () => undefined)
    response.on("close", () => {
      if (!response.writableFinished) abandoned++
      events.dispatchEvent(new Event("change"))
    })
    incoming.on("error", () => undefined)
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk))
    incoming.on("end", () => {
      const text = Buffer.concat(chunks).toString("utf8")
      const { headers, method, url } = incoming
      const one = { method, path: url, headers, text, request: decode(text) }
      received.push(one)
      events.dispatchEvent(new Event("change"))
      void rates.behaviour(one, response, received.length)
    })
  })
  const stop = Effect.promise(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const until = (isSo: () => boolean) =>
    Effect.promise(async () => {
      while (!isSo()) await once(events, "change")
    })
  yield* Effect.acquireRelease(
    Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening")),
    () => stop
  )
  // A server that listens on TCP has an address of this form.
  const { port } = server.address() as AddressInfo
  const rates: RateServer = {
    url: `http://127.0.0.1:${port}/prices?tariff=7`,
    received,
    asked: (count) => until(() => received.length >= count),
    abandoned: (count) => until(() => abandoned >= count),
    stop,
    behaviour: good
  }
  return rates
})
