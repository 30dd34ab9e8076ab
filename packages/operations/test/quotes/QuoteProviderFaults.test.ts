/** A quote provider that misbehaves: there is no price then, nothing is written, no caller waits for long. */
import { assert, layer } from "@effect/vitest"
import type { QuoteProviderFailure } from "@quittance/domain/products/QuoteProvider"
import { Effect, Fiber, Logger, References } from "effect"
import { TestClock } from "effect/testing"
import { Quotes } from "../../src/quotes/Quotes.ts"
import { QuoteProvidersRepo } from "@quittance/persistence/products/QuoteProvidersRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import * as Rated from "../Rated.ts"
import {
  answer,
  type Behaviour,
  good,
  priced,
  type Received,
  secret,
  signed
} from "../RateServer.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

type Price = Extract<
  ReturnType<typeof priced>["tiers"][number],
  { readonly price: unknown }
>["price"]

/** A good answer with another price in it. */
const repriced = (change: (price: Price) => unknown): Behaviour =>
  answer((received) => {
    const good = priced(received)
    const tiers = good.tiers.map((tier) =>
      "price" in tier ? { ...tier, price: change(tier.price) } : tier
    )
    return { ...good, tiers }
  })

const peril = (change: (component: Price["components"][number]) => unknown): Behaviour =>
  repriced((price) => ({
    ...price,
    components: price.components.map((one, index) => (index === 0 ? change(one) : one))
  }))

const text =
  (make: (received: Received) => string): Behaviour =>
  (received, response) => {
    const body = make(received)
    response.writeHead(200, signed(received, body)).end(body)
  }

const status =
  (status: number, headers: Record<string, string> = {}): Behaviour =>
  (_, response) => {
    response.writeHead(status, headers).end()
  }

const withHeaders =
  (change: Record<string, string>): Behaviour =>
  (received, response) => {
    const body = JSON.stringify(priced(received))
    response.writeHead(200, { ...signed(received, body), ...change }).end(body)
  }

/** What it does, how that is told, and how often it is asked. */
const misbehaviours: ReadonlyArray<
  readonly [name: string, reason: QuoteProviderFailure, requests: number, behaviour: Behaviour]
> = [
  ["answers 500", "BAD_STATUS", 1, status(500)],
  ["answers 404", "BAD_STATUS", 1, status(404)],
  ["answers 422", "BAD_STATUS", 1, status(422)],
  ["answers 204", "BAD_STATUS", 1, status(204)],
  ["answers 502 each time", "BAD_STATUS", 3, status(502)],
  ["answers 503 each time", "BAD_STATUS", 3, status(503)],
  ["answers 504 each time", "BAD_STATUS", 3, status(504)],
  [
    "redirects to where a good answer is",
    "BAD_STATUS",
    1,
    (received, response, number) =>
      received.path === "/moved"
        ? good(received, response, number)
        : status(307, { location: "/moved" })(received, response, number)
  ],
  [
    "hangs up before it answers",
    "UNREACHABLE",
    3,
    (_, response) => {
      response.socket?.destroy()
    }
  ],
  [
    "hangs up in the middle of an answer",
    "UNREACHABLE",
    3,
    (received, response) => {
      const body = JSON.stringify(priced(received))
      const head = { ...signed(received, body), "content-length": String(body.length) }
      response.writeHead(200, head)
      response.write(body.slice(0, 100), () => response.socket?.destroy())
    }
  ],
  [
    "speaks no HTTP",
    "UNREACHABLE",
    3,
    (_, response) => {
      response.socket?.end("220 mail.example.test ESMTP\r\n")
    }
  ],
  [
    "answers half a JSON text",
    "BAD_ANSWER",
    1,
    text((received) => JSON.stringify(priced(received)).slice(0, -10))
  ],
  ["answers nothing", "BAD_ANSWER", 1, text(() => "")],
  ["answers null", "BAD_ANSWER", 1, text(() => "null")],
  ["answers a page", "BAD_ANSWER", 1, withHeaders({ "content-type": "text/html" })],
  [
    "answers in another character set",
    "BAD_ANSWER",
    1,
    withHeaders({ "content-type": "application/json; charset=latin1" })
  ],
  ["answers compressed", "BAD_ANSWER", 1, withHeaders({ "content-encoding": "gzip" })],
  [
    "answers what is no UTF-8",
    "BAD_ANSWER",
    1,
    (received, response) => {
      const body = Buffer.from([0x22, 0xff, 0x22])
      response.writeHead(200, signed(received, body)).end(body)
    }
  ],
  [
    "answers more than a mebibyte",
    "BAD_ANSWER",
    1,
    text((received) => `${" ".repeat(1_048_576)}${JSON.stringify(priced(received))}`)
  ],
  [
    "answers with an unknown member",
    "BAD_ANSWER",
    1,
    answer((received) => ({ ...priced(received), discount: 10 }))
  ],
  [
    "answers without a version",
    "BAD_ANSWER",
    1,
    answer((received) => ({ ...priced(received), providerVersion: undefined }))
  ],
  [
    "answers in another currency",
    "BAD_ANSWER",
    1,
    answer((received) => ({ ...priced(received), currency: "USD" }))
  ],
  ["answers no tier", "BAD_ANSWER", 1, answer((received) => ({ ...priced(received), tiers: [] }))],
  [
    "answers a total that its components don't sum to",
    "BAD_ANSWER",
    1,
    repriced((price) => ({
      ...price,
      totalPremium: {
        ...price.totalPremium,
        totalTaxes: price.totalPremium.totalTaxes + 1,
        amountWithFeesAndTaxes: price.totalPremium.amountWithFeesAndTaxes + 1
      }
    }))
  ],
  [
    "answers a component that does not add up",
    "BAD_ANSWER",
    1,
    peril((one) => ({ ...one, premium: { ...one.premium, totalTaxes: 0 } }))
  ],
  [
    "answers a negative premium",
    "BAD_ANSWER",
    1,
    peril((one) => ({ ...one, premium: { ...one.premium, amountPreFeesAndTaxes: -1 } }))
  ],
  [
    "answers half a cent",
    "BAD_ANSWER",
    1,
    peril((one) => ({ ...one, premium: { ...one.premium, amountPreFeesAndTaxes: 0.5 } }))
  ],
  [
    "answers an amount beyond 2^53",
    "BAD_ANSWER",
    1,
    text((received) =>
      JSON.stringify(priced(received)).replace(
        /"amountPreFeesAndTaxes":\d+/u,
        '"amountPreFeesAndTaxes":9007199254740993'
      )
    )
  ],
  [
    "answers an amount beyond every number",
    "BAD_ANSWER",
    1,
    text((received) =>
      JSON.stringify(priced(received)).replace(/"totalTaxes":\d+/u, '"totalTaxes":1e999')
    )
  ],
  [
    "answers a component that the product doesn't have",
    "BAD_ANSWER",
    1,
    peril((one) => ({ ...one, id: "HAIL" }))
  ],
  [
    "leaves a peril out",
    "BAD_ANSWER",
    1,
    repriced((price) => ({ ...price, components: price.components.slice(1) }))
  ],
  [
    "charges a peril once and not for the term",
    "BAD_ANSWER",
    1,
    peril((one) => ({ ...one, chargeType: "ONE_TIME" }))
  ],
  [
    "does not sign",
    "BAD_SIGNATURE",
    1,
    (received, response) => {
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify(priced(received)))
    }
  ],
  [
    "signs with another secret",
    "BAD_SIGNATURE",
    1,
    (received, response) => {
      const body = JSON.stringify(priced(received))
      response.writeHead(200, signed(received, body, "x".repeat(40))).end(body)
    }
  ],
  [
    "signs another answer",
    "BAD_SIGNATURE",
    1,
    (received, response) => {
      const body = JSON.stringify(priced(received))
      response.writeHead(200, signed(received, `${body} `)).end(body)
    }
  ],
  [
    "sends the question back",
    "BAD_SIGNATURE",
    1,
    ({ headers, text }, response) => {
      response
        .writeHead(200, {
          "content-type": "application/json",
          "quittance-signature": String(headers["quittance-signature"])
        })
        .end(text)
    }
  ]
]

const quote = (rated: Rated.Rated) =>
  rated.run(Quotes.use((quotes) => quotes.quote({ policyId: rated.policyId }, {})))

/** Nothing comes of it but the failure, of whichever command. */
const refused = Effect.fnUntraced(function* (rated: Rated.Rated, reason: QuoteProviderFailure) {
  const before = yield* Rated.traces(rated)
  const failure = yield* Effect.flip(quote(rated))
  assert.deepInclude(failure, { _tag: "QuoteProviderUnavailable", reason })
  assert.deepStrictEqual(yield* Rated.traces(rated), before)
})

// Real time: some of these are asked again after a pause.
layer(Rated.layer, { excludeTestServices: true })("a quote provider that", (it) => {
  for (const [name, reason, requests, behaviour] of misbehaviours) {
    it.effect(`${name} is ${reason}`, () =>
      Effect.gen(function* () {
        const rated = yield* Rated.make()
        rated.rates.behaviour = behaviour
        yield* refused(rated, reason)
        assert.lengthOf(rated.rates.received, requests)
      })
    )
  }

  it.effect("replays the answer to another question is BAD_SIGNATURE", () =>
    Effect.gen(function* () {
      const rated = yield* Rated.make()
      const { rates } = rated
      let first: { readonly body: string; readonly head: Record<string, string> } | undefined
      rates.behaviour = (received, response) => {
        const body = JSON.stringify(priced(received))
        first ??= { body, head: signed(received, body) }
        response.writeHead(200, first.head).end(first.body)
      }
      yield* rated.run(Quotes.use((quotes) => quotes.calculate({ policyId: rated.policyId }, {})))
      yield* refused(rated, "BAD_SIGNATURE")
      assert.lengthOf(rates.received, 2)
      // Signed anew for this question, it is still the answer to another one.
      const { body } = first!
      rates.behaviour = (received, response) => {
        response.writeHead(200, signed(received, body)).end(body)
      }
      yield* refused(rated, "BAD_ANSWER")
    })
  )

  it.effect("takes no connection is UNREACHABLE", () =>
    Effect.gen(function* () {
      const rated = yield* Rated.make()
      yield* rated.rates.stop
      yield* refused(rated, "UNREACHABLE")
      assert.lengthOf(rated.rates.received, 0)
    })
  )

  it.effect("the operator has taken away is NOT_CONFIGURED", () =>
    Effect.gen(function* () {
      const rated = yield* Rated.make()
      yield* TenantSql.use((sql) =>
        sql.transaction(QuoteProvidersRepo.use((repo) => repo.remove("rates")))
      ).pipe(
        Effect.provide(QuoteProvidersRepo.layer),
        Effect.provideService(CurrentTenant, rated.world.tenant)
      )
      yield* refused(rated, "NOT_CONFIGURED")
      assert.lengthOf(rated.rates.received, 0)
    })
  )

  it.effect(
    "answers wrongly is told to the operator with all that is wrong, and nothing of the risk",
    () =>
      Effect.gen(function* () {
        const rated = yield* Rated.make()
        const lines: Array<string> = []
        const log = Logger.layer([Logger.map(Logger.formatJson, (line) => void lines.push(line))])
        rated.rates.behaviour = repriced((price) => ({
          ...price,
          components: price.components.map((one) => ({ ...one, id: `${one.id}_2` }))
        }))
        const logged = Effect.flip(quote(rated)).pipe(
          Effect.provide(log),
          Effect.provideService(References.MinimumLogLevel, "Info")
        )
        yield* logged
        yield* rated.rates.stop
        yield* logged
        const text = lines.join("\n")
        for (const said of [
          "There is no price",
          "BAD_ANSWER",
          "RC_2 is not expected",
          "RC is missing",
          "THEFT_2 is not expected",
          rated.rates.received[0]!.request.requestId,
          "motor-fr@2026.1",
          "UNREACHABLE",
          "ECONNREFUSED"
        ]) {
          assert.include(text, said)
        }
        for (const kept of [secret, "bonusMalus", "birthDate", "hmac", "Camille"]) {
          assert.notInclude(text, kept)
        }
      })
  )

  it.effect("is busy once is asked again, with the same question signed anew", () =>
    Effect.gen(function* () {
      const rated = yield* Rated.make()
      const { rates } = rated
      rates.behaviour = (received, response, number) =>
        (number === 1 ? status(503) : good)(received, response, number)
      const { quote: given } = yield* quote(rated)
      assert.deepStrictEqual(given.provider, { id: "rates", version: "7.1" })
      const [first, second] = rates.received
      assert.lengthOf(rates.received, 2)
      assert.strictEqual(first!.text, second!.text)
    })
  )
})

layer(Rated.layer)("a quote provider that takes too long", (it) => {
  it.effect("to begin is asked three times at most, each for as long as a try may take", () =>
    Effect.gen(function* () {
      const rated = yield* Rated.make({ tryTimeout: 1000 })
      const { rates } = rated
      rates.behaviour = () => undefined
      const before = yield* Rated.traces(rated)
      const fiber = yield* Effect.forkChild(Effect.flip(quote(rated)))
      for (const [number, pause] of [100, 200, 0].entries()) {
        yield* rates.asked(number + 1)
        yield* TestClock.adjust("1 second")
        // It has timed out, so the pause has begun.
        yield* rates.abandoned(number + 1)
        yield* TestClock.adjust(`${pause} millis`)
      }
      const failure = yield* Fiber.join(fiber)
      assert.deepInclude(failure, { _tag: "QuoteProviderUnavailable", reason: "TIMEOUT" })
      assert.lengthOf(rates.received, 3)
      assert.deepStrictEqual(yield* Rated.traces(rated), before)
    })
  )

  it.effect("to come to an end, byte by byte, times out as well", () =>
    Effect.gen(function* () {
      const rated = yield* Rated.make({ tryTimeout: 1000, totalTimeout: 1000 })
      const { rates } = rated
      let drip = () => {}
      rates.behaviour = (received, response) => {
        const body = JSON.stringify(priced(received))
        let sent = 0
        response.writeHead(200, signed(received, body))
        drip = () => void response.write(body.slice(sent, ++sent))
        drip()
      }
      const before = yield* Rated.traces(rated)
      const fiber = yield* Effect.forkChild(Effect.flip(quote(rated)))
      yield* rates.asked(1)
      for (let tenth = 0; tenth < 10; tenth++) {
        assert.isUndefined(fiber.pollUnsafe())
        drip()
        yield* TestClock.adjust("100 millis")
      }
      const failure = yield* Fiber.join(fiber)
      assert.deepInclude(failure, { _tag: "QuoteProviderUnavailable", reason: "TIMEOUT" })
      assert.lengthOf(rates.received, 1)
      assert.deepStrictEqual(yield* Rated.traces(rated), before)
    })
  )

  it.effect("in all times out in the middle of a try", () =>
    Effect.gen(function* () {
      const rated = yield* Rated.make({ tryTimeout: 1000, totalTimeout: 1500 })
      const { rates } = rated
      rates.behaviour = () => undefined
      const fiber = yield* Effect.forkChild(Effect.flip(quote(rated)))
      yield* rates.asked(1)
      yield* TestClock.adjust("1 second")
      yield* rates.abandoned(1)
      yield* TestClock.adjust("100 millis")
      yield* rates.asked(2)
      yield* TestClock.adjust("400 millis")
      const failure = yield* Fiber.join(fiber)
      assert.deepInclude(failure, { reason: "TIMEOUT" })
      yield* rates.abandoned(2)
      assert.lengthOf(rates.received, 2)
    })
  )
})
