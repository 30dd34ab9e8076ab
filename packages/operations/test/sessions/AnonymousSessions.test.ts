import { assert, layer } from "@effect/vitest"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import { Effect, Layer, Redacted, Result } from "effect"
import { AccessTokens } from "../../src/tokens/AccessTokens.ts"
import { AnonymousSessions } from "../../src/sessions/AnonymousSessions.ts"
import * as Authorization from "../Authorization.ts"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"

const TestLayer = Layer.mergeAll(AccessTokens.layer, AnonymousSessions.layer).pipe(
  Layer.provide(ProductsRepo.layer),
  Layer.provideMerge(Authorization.TestLayer)
)

const start = (address: string, productId?: string) =>
  AnonymousSessions.use((sessions) =>
    sessions.start(productId === undefined ? {} : { productId }, address)
  )

layer(TestLayer, { excludeTestServices: true })("AnonymousSessions.start", (it) => {
  it.effect("knows no tenant that does not exist and no product that is not sold", () =>
    Effect.gen(function* () {
      const nowhere = yield* start("192.0.2.7").pipe(
        Effect.provideService(CurrentTenant, TenantId.make("nowhere")),
        Effect.flip
      )
      const unknown = yield* Authorization.inSandbox(Effect.flip(start("192.0.2.7", "moon-fr")))
      assert.deepStrictEqual([nowhere._tag, unknown._tag], ["TenantNotFound", "UnknownProduct"])
    })
  )

  it.effect("AN-03 AN-07 lets exactly 100 of 150 start that come at once, and then no more", () =>
    Authorization.inSandbox(
      Effect.gen(function* () {
        const answers = yield* Effect.all(
          Array.from({ length: 150 }, (_, i) => Effect.result(start(`2001:db8:1:2::${i}`))),
          { concurrency: "unbounded" }
        )
        const started = answers.filter(Result.isSuccess)
        assert.strictEqual(started.length, 100)
        assert.strictEqual(new Set(started.map(({ success }) => success.sessionId)).size, 100)
        const error = yield* Effect.flip(start("2001:db8:1:2:ffff::1"))
        assert.strictEqual(error._tag, "RateLimited")
        if (error._tag !== "RateLimited") return
        assert.deepStrictEqual([error.limit, error.remaining], [100, 0])
        assert.isTrue(error.retryAfter > 3500 && error.retryAfter <= 3600)
        assert.isDefined((yield* start("2001:db8:1:3::1")).sessionId)
        assert.isDefined((yield* Authorization.inSandbox(start("2001:db8:1:2::1"))).sessionId)
      })
    )
  )

  it.effect("AN-02 gives a token of the session's own tenant alone, for an hour", () =>
    Effect.gen(function* () {
      const tokens = yield* AccessTokens
      const token = yield* Authorization.inSandbox(
        Effect.gen(function* () {
          const started = yield* start("192.0.2.7")
          assert.deepStrictEqual([started.tokenType, started.expiresIn], ["Bearer", 3600])
          const token = Redacted.make(started.accessToken)
          const caller = yield* tokens.verify(token)
          assert.deepStrictEqual(caller, { _tag: "Anonymous", sessionId: started.sessionId })
          const { exp } = yield* tokens.claims(token)
          assert.strictEqual(exp * 1000, Date.parse(started.expiresAt))
          return token
        })
      )
      const error = yield* Authorization.inSandbox(Effect.flip(tokens.verify(token)))
      assert.strictEqual(error._tag, "Unauthorized")
    })
  )
})
