import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { RateLimitsRepo } from "../src/RateLimitsRepo.ts"
import { TenantSql } from "../src/TenantSql.ts"
import { inTenant, inTransaction, TestLayer } from "./People.ts"

const rounds = 300

layer(TestLayer, { excludeTestServices: true })("RateLimitsRepo", (it) => {
  const hit = (bucket: string, limit: number, windowSeconds = 3600) =>
    inTransaction(RateLimitsRepo.use((repo) => repo.hit(bucket, { limit, windowSeconds })))
  const peek = (bucket: string, limit: number) =>
    RateLimitsRepo.use((repo) => repo.peek(bucket, { limit, windowSeconds: 3600 }))
  const endWindow = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const tenantSql = yield* TenantSql
    yield* tenantSql.transaction(
      tenantSql.write(sql`UPDATE rate_limit SET ends_at = clock_timestamp() - interval '1 second'`)
    )
  })

  it.effect("AN-07 lets exactly 100 of 300 through that come at once", () =>
    inTenant(
      Effect.gen(function* () {
        const answers = yield* Effect.all(
          Array.from({ length: 300 }, () => hit("session:192.0.2.7", 100)),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(answers.filter(({ allowed }) => allowed).length, 100)
        const refused = yield* hit("session:192.0.2.7", 100)
        assert.deepStrictEqual([refused.allowed, refused.remaining], [false, 0])
        assert.isTrue(refused.reset > 3500 && refused.reset <= 3600)
      })
    )
  )

  it.effect(`lets exactly 3 of 6 through at once, in ${rounds} rounds`, () =>
    inTenant(
      Effect.gen(function* () {
        for (let round = 0; round < rounds; round++) {
          const answers = yield* Effect.all(
            Array.from({ length: 6 }, () => hit(`round ${round}`, 3)),
            { concurrency: "unbounded" }
          )
          assert.strictEqual(answers.filter(({ allowed }) => allowed).length, 3)
        }
      })
    )
  )

  it.effect("RT-02 counts buckets and tenants apart", () =>
    Effect.gen(function* () {
      yield* inTenant(
        Effect.gen(function* () {
          yield* hit("a", 1)
          assert.isFalse((yield* hit("a", 1)).allowed)
          assert.isTrue((yield* hit("b", 1)).allowed)
        })
      )
      assert.isTrue((yield* inTenant(hit("a", 1))).allowed)
    })
  )

  it.effect("opens a new window when the old one has ended, and sweeps the others", () =>
    inTenant(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const tenantSql = yield* TenantSql
        yield* hit("a", 1)
        yield* hit("b", 1)
        yield* endWindow
        assert.deepStrictEqual(yield* hit("a", 1), { allowed: true, remaining: 0, reset: 3600 })
        const left = yield* tenantSql.read(sql<{ bucket: string }>`SELECT bucket FROM rate_limit`)
        assert.deepStrictEqual(
          left.map(({ bucket }) => bucket),
          ["a"]
        )
      })
    )
  )

  it.effect("says how a bucket stands without counting, and takes a hit back", () =>
    inTenant(
      Effect.gen(function* () {
        assert.isTrue((yield* peek("a", 1)).allowed)
        assert.isTrue((yield* peek("a", 1)).allowed)
        yield* hit("a", 1)
        assert.isFalse((yield* peek("a", 1)).allowed)
        yield* inTransaction(RateLimitsRepo.use((repo) => repo.refund("a")))
        assert.isTrue((yield* peek("a", 1)).allowed)
      })
    )
  )
})
