/** Limits in Redis. What needs one runs when `REDIS_URL` names it. */
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Fiber, Layer, Redacted, References } from "effect"
import { TestClock } from "effect/testing"
import * as RedisRateLimits from "../../src/requests/RedisRateLimits.ts"
import { take, promises } from "../RateLimitPromises.ts"
import { inTenant, TestLayer } from "../People.ts"
import { Relay } from "../RedisRelay.ts"
import { setImmediate } from "node:timers/promises"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"

const urls = [process.env["REDIS_URL"]].filter((url) => url !== undefined)
const tenant = Effect.provideService(CurrentTenant, TenantId.make("redis-test"))

describe("RedisRateLimits.layer", () => {
  it.effect("fails to start after 30 seconds without a Redis, in one sentence", () =>
    Effect.gen(function* () {
      const relay = yield* Relay.make("redis://127.0.0.1:1")
      yield* relay.cut
      const store = RedisRateLimits.layer(Redacted.make(relay.url))
      const building = yield* Effect.forkChild(Effect.sandbox(Layer.build(store)))
      yield* TestClock.adjust("29 seconds")
      assert.isUndefined(building.pollUnsafe())
      yield* TestClock.adjust("1 second")
      const cause = yield* Effect.flip(Fiber.join(building))
      assert.include(String(cause), "No Redis answers at REDIS_URL.")
    }).pipe(Effect.scoped)
  )
})

for (const url of urls) {
  promises("RateLimitStore in Redis", RedisRateLimits.layer(Redacted.make(url)))

  describe("RedisRateLimits without its Redis", () => {
    const refused = Effect.map(Effect.flip(Effect.sandbox(take("a", 5))), (cause) =>
      assert.include(String(cause), "NotReady")
    )

    it.live("grants nothing while Redis is away or silent, and goes on when it is back", () =>
      Effect.gen(function* () {
        const relay = yield* Relay.make(url)
        const store = RedisRateLimits.layer(Redacted.make(relay.url))
        yield* Effect.gen(function* () {
          assert.strictEqual((yield* take("a", 5)).granted, 1)
          yield* relay.cut
          yield* refused
          yield* refused
          yield* relay.mend
          // Whatever was asked meanwhile was not granted, and the window is the one from before.
          let back = yield* Effect.exit(take("a", 5))
          while (back._tag === "Failure") {
            // Gives way to the sockets, which a loop of refusals would starve.
            yield* Effect.promise(() => setImmediate())
            back = yield* Effect.exit(take("a", 5))
          }
          assert.deepInclude(back.value, { granted: 1, remaining: 3 })
          yield* relay.freeze
          yield* refused
        }).pipe(Effect.provide(store))
      }).pipe(
        Effect.scoped,
        inTenant,
        Effect.provide(TestLayer),
        // Each refusal is logged, and there are thousands until the connection is back.
        Effect.provideService(References.MinimumLogLevel, "None")
      )
    )
  })

  layer(Layer.empty, { excludeTestServices: true })("two instances on one Redis", (it) => {
    it.effect("share each bucket", () =>
      Effect.gen(function* () {
        const instance = Layer.fresh(RedisRateLimits.layer(Redacted.make(url)))
        const [a, b] = yield* Effect.all([Layer.build(instance), Layer.build(instance)])
        const bucket = `shared ${crypto.randomUUID()}`
        for (let round = 0; round < 200; round++) {
          const one = take(`${bucket} ${round}`, 3)
          const answers = yield* Effect.forEach(
            [a, b, a, b, a, b],
            (context) => Effect.provideContext(one, context),
            { concurrency: "unbounded" }
          )
          assert.strictEqual(answers.filter(({ granted }) => granted === 1).length, 3)
        }
      }).pipe(Effect.scoped, tenant)
    )
  })
}
