import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { RateLimitStore } from "../../src/requests/RateLimitStore.ts"
import { TenantSql } from "../../src/sql/TenantSql.ts"
import { inTenant, inTransaction, TestLayer } from "../People.ts"
import { promises, take } from "../RateLimitPromises.ts"

promises("RateLimitStore in PostgreSQL", RateLimitStore.layerPostgres)

layer(TestLayer, { excludeTestServices: true })(
  "RateLimitStore in PostgreSQL, as a table",
  (it) => {
    const endWindows = Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      yield* tenantSql.transaction(
        tenantSql.write(
          sql`UPDATE rate_limit SET ends_at = clock_timestamp() - interval '1 second'`
        )
      )
    })

    it.effect("refuses to lease in a transaction, whose end could grant the units twice", () =>
      inTenant(
        Effect.gen(function* () {
          const store = yield* RateLimitStore
          const lease = store.lease("a", { limit: 5, windowSeconds: 60 }, 2)
          const cause = yield* Effect.flip(Effect.sandbox(inTransaction(lease)))
          assert.include(String(cause), "a lease can't be part of a transaction")
          assert.strictEqual((yield* lease).granted, 2)
        })
      )
    )

    it.effect("grants again what a transaction took that was rolled back", () =>
      inTenant(
        Effect.gen(function* () {
          const failing = Effect.andThen(take("a", 1), Effect.fail("no" as const))
          assert.strictEqual(yield* Effect.flip(inTransaction(failing)), "no")
          assert.strictEqual((yield* take("a", 1)).granted, 1)
        })
      )
    )

    it.effect("sweeps what is over whenever a window opens", () =>
      inTenant(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const tenantSql = yield* TenantSql
          yield* take("a", 1)
          yield* take("b", 1)
          yield* endWindows
          assert.deepInclude(yield* take("a", 1), { granted: 1, remaining: 0 })
          const left = yield* tenantSql.read(sql<{ bucket: string }>`SELECT bucket FROM rate_limit`)
          assert.deepStrictEqual(
            left.map(({ bucket }) => bucket),
            ["a"]
          )
        })
      )
    )
  }
)

const withRedisUrl = (url: string) =>
  Layer.provide(
    RateLimitStore.layer,
    ConfigProvider.layer(ConfigProvider.fromUnknown({ REDIS_URL: url }))
  )

layer(TestLayer, { excludeTestServices: true })("RateLimitStore.layer", (it) => {
  it.effect("starts with no address that is none, says so, and does not repeat it", () =>
    Effect.gen(function* () {
      for (const url of ["localhost:6379", "http://:hunter2@localhost", "redis://"]) {
        const cause = yield* Effect.flip(Effect.sandbox(Layer.build(withRedisUrl(url))))
        assert.include(String(cause), "REDIS_URL")
        assert.notInclude(String(cause), "hunter2")
      }
    }).pipe(Effect.scoped)
  )

  it.effect("counts in PostgreSQL where no Redis is named", () =>
    inTenant(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const tenantSql = yield* TenantSql
        const nothing = ConfigProvider.layer(ConfigProvider.fromUnknown({}))
        yield* Effect.provide(take("a", 1), Layer.provide(RateLimitStore.layer, nothing))
        const rows = yield* tenantSql.read(
          sql<{ n: number }>`SELECT count(*)::int AS n FROM rate_limit`
        )
        assert.deepStrictEqual(rows, [{ n: 1 }])
      })
    )
  )
})
