/** A product that another program prices, over HTTP: published, sold, and told to be unavailable. */
import { assert, layer } from "@effect/vitest"
import { QuoteProviders } from "@quittance/operations/products/QuoteProviders"
import { Effect, Layer, Redacted } from "effect"
import * as RateServer from "../../../packages/operations/test/RateServer.ts"
import { elsewhere } from "../../../packages/pricing/test/Elsewhere.ts"
import { call, motor, newTenant, TestLayer } from "./Api.ts"
import { prepared, risk } from "./Sales.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const product = { ...elsewhere(motor), version: "2026.9" }

const rated = Effect.gen(function* () {
  const world = yield* newTenant
  const rates = yield* RateServer.start
  const { tenant } = world
  const put = call(`/admin/products/${product.productId}`, {
    tenant,
    token: world.client,
    method: "PUT",
    body: product
  })
  const refused = yield* put
  const provider = {
    id: "rates",
    url: rates.url,
    secret: Redacted.make(RateServer.secret)
  }
  yield* Effect.provideService(
    QuoteProviders.use((providers) => providers.set(provider)),
    CurrentTenant,
    tenant
  )
  return { ...world, rates, refused, published: yield* put }
})

// Real time: the database dates sessions by its own clock.
layer(Layer.provideMerge(QuoteProviders.layer, TestLayer), { excludeTestServices: true })(
  "a product that another program prices",
  (it) => {
    it.effect("is published once its provider is known, and never before", () =>
      Effect.gen(function* () {
        const { published, refused } = yield* rated
        assert.deepStrictEqual([refused.status, refused.body.code], [422, "INVALID_PRODUCT"])
        const [fault] = refused.body.details.faults
        assert.strictEqual(fault.pointer, "/quoteProvider/id")
        assert.strictEqual(published.status, 201)
      })
    )

    it.effect("is quoted, compared and previewed on the routes that every product has", () =>
      Effect.gen(function* () {
        const world = yield* rated
        const { rates, session, tenant } = world
        const { policyId } = yield* prepared(world, session)
        const path = `/policies/${policyId}`
        const headers = { "idempotency-key": "once" }
        const first = yield* call(`${path}/quote`, { tenant, token: session, body: {}, headers })
        const again = yield* call(`${path}/quote`, { tenant, token: session, body: {}, headers })
        assert.deepStrictEqual([first.status, again.status], [201, 201])
        assert.deepStrictEqual(first.body.quote.provider, { id: "rates", version: "7.1" })
        assert.deepStrictEqual(again.body, first.body)
        assert.strictEqual(again.header("idempotency-replayed"), "true")
        assert.lengthOf(rates.received, 1)
        const pricing = yield* call(`${path}/available-pricing`, { tenant, token: session })
        assert.lengthOf(pricing.body.tiers, motor.tiers.length)
        const preview = yield* call("/quotes/preview", { tenant, token: session, body: risk })
        assert.strictEqual(preview.status, 200)
        assert.lengthOf(rates.received, 3)
      })
    )

    it.effect(
      "is 503 QUOTE_PROVIDER_UNAVAILABLE where that fails, and tells nothing of its inside",
      () =>
        Effect.gen(function* () {
          const world = yield* rated
          const { rates, session, tenant } = world
          const { policyId } = yield* prepared(world, session)
          rates.behaviour = (_, response) => {
            response.writeHead(500).end("SELECT * FROM rates")
          }
          const path = `/policies/${policyId}`
          for (const [route, body] of [
            [`${path}/quote`, {}],
            [`${path}/calculate-quote`, {}],
            [`${path}/available-pricing`, undefined],
            ["/quotes/preview", risk]
          ] as const) {
            const answer = yield* call(route, { tenant, token: session, body })
            assert.strictEqual(answer.status, 503, route)
            const { code, details, message } = answer.body
            assert.strictEqual(code, "QUOTE_PROVIDER_UNAVAILABLE")
            assert.deepStrictEqual(details, { reason: "BAD_STATUS" })
            assert.include(message, "repeat the request")
          }
          assert.lengthOf(rates.received, 4)
          const { body } = yield* call(`/quotes/policies/${policyId}`, { tenant, token: session })
          assert.strictEqual(body.totalCount, 0)
        })
    )
  }
)
