/** What every store of limits promises, as tests for any of them. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql"
import { RateLimitStore } from "../src/requests/RateLimitStore.ts"
import type { TenantSql } from "../src/sql/TenantSql.ts"
import { inTenant, TestLayer } from "./People.ts"

const rounds = 200

export const take = (bucket: string, limit: number, wanted = 1, windowSeconds = 3600) =>
  RateLimitStore.use((store) => store.take(bucket, { limit, windowSeconds }, wanted))
const giveBack = (bucket: string) => RateLimitStore.use((store) => store.giveBack(bucket))
const sum = (answers: ReadonlyArray<{ readonly granted: number }>) =>
  answers.reduce((total, { granted }) => total + granted, 0)

export const promises = <E>(
  name: string,
  store: Layer.Layer<RateLimitStore, E, SqlClient.SqlClient | TenantSql>
) => {
  layer(Layer.provideMerge(store, TestLayer), { excludeTestServices: true })(name, (it) => {
    it.effect("grants nothing under a limit of none, nor below it", () =>
      inTenant(
        Effect.gen(function* () {
          assert.deepInclude(yield* take("a", 0, 5), { granted: 0, remaining: 0 })
          assert.deepInclude(yield* take("a", 0), { granted: 0, remaining: 0 })
          yield* giveBack("a")
          assert.deepInclude(yield* take("a", 0), { granted: 0, remaining: 0 })
        })
      )
    )

    it.effect("AN-07 lets exactly 100 of 300 through that come at once", () =>
      inTenant(
        Effect.gen(function* () {
          const one = take("session:192.0.2.7", 100)
          const answers = yield* Effect.all(
            Array.from({ length: 300 }, () => one),
            { concurrency: "unbounded" }
          )
          assert.strictEqual(sum(answers), 100)
          const refused = yield* one
          assert.deepInclude(refused, { granted: 0, remaining: 0 })
          assert.isTrue(refused.endsIn > 3_500_000 && refused.endsIn <= 3_600_000)
        })
      )
    )

    it.effect(`lets exactly 3 of 6 through at once, in ${rounds} rounds`, () =>
      inTenant(
        Effect.gen(function* () {
          for (let round = 0; round < rounds; round++) {
            const one = take(`round ${round}`, 3)
            const answers = yield* Effect.all([one, one, one, one, one, one], {
              concurrency: "unbounded"
            })
            assert.strictEqual(sum(answers), 3)
          }
        })
      )
    )

    it.effect(`grants leases of many sizes the limit in all, in ${rounds} rounds`, () =>
      inTenant(
        Effect.gen(function* () {
          const store = yield* RateLimitStore
          for (let round = 0; round < rounds; round++) {
            const limit = { limit: 10 + (round % 51), windowSeconds: 3600 }
            const answers = yield* Effect.all(
              Array.from({ length: 12 }, (_, i) =>
                store.lease(`round ${round}`, limit, 1 + ((i * 7 + round) % 23))
              ),
              { concurrency: "unbounded" }
            )
            assert.strictEqual(sum(answers), limit.limit)
            assert.isTrue(answers.some(({ remaining }) => remaining === 0))
          }
        })
      )
    )

    it.effect("RT-02 counts buckets and tenants apart", () =>
      Effect.gen(function* () {
        yield* inTenant(
          Effect.gen(function* () {
            assert.strictEqual((yield* take("a", 1)).granted, 1)
            assert.strictEqual((yield* take("a", 1)).granted, 0)
            assert.strictEqual((yield* take("b", 1)).granted, 1)
          })
        )
        assert.strictEqual((yield* inTenant(take("a", 1))).granted, 1)
      })
    )

    it.effect("grants what is left to who wants more, and says how much is left", () =>
      inTenant(
        Effect.gen(function* () {
          assert.deepInclude(yield* take("a", 10, 7), { granted: 7, remaining: 3 })
          assert.deepInclude(yield* take("a", 10, 7), { granted: 3, remaining: 0 })
          assert.deepInclude(yield* take("a", 10, 7), { granted: 0, remaining: 0 })
          assert.deepInclude(yield* take("b", 10, 70), { granted: 10, remaining: 0 })
          // A limit that was lowered meanwhile.
          assert.deepInclude(yield* take("b", 5), { granted: 0, remaining: 0 })
        })
      )
    )

    it.effect("takes a unit back, but never more than were taken", () =>
      inTenant(
        Effect.gen(function* () {
          yield* giveBack("a")
          yield* take("a", 2, 2)
          yield* giveBack("a")
          assert.deepInclude(yield* take("a", 2, 2), { granted: 1, remaining: 0 })
          for (let i = 0; i < 4; i++) yield* giveBack("a")
          assert.deepInclude(yield* take("a", 2, 5), { granted: 2, remaining: 0 })
        })
      )
    )

    it.effect("keeps the window that the first unit opened", () =>
      inTenant(
        Effect.gen(function* () {
          const { endsIn } = yield* take("a", 5, 1, 100)
          const later = yield* take("a", 5, 1, 3600)
          yield* giveBack("a")
          yield* giveBack("a")
          const last = yield* take("a", 5, 1, 3600)
          assert.isTrue(endsIn <= 100_000 && later.endsIn <= endsIn && last.endsIn <= later.endsIn)
        })
      )
    )

    it.effect("opens a new window when the old one has ended, none with more than the limit", () =>
      inTenant(
        Effect.gen(function* () {
          const windows = [0]
          let before = Number.POSITIVE_INFINITY
          while (windows.length < 4) {
            const { endsIn, granted } = yield* take("a", 3, 2, 1)
            if (granted > 0 && endsIn > before) windows.push(0)
            windows[windows.length - 1]! += granted
            before = endsIn
          }
          assert.isTrue(windows.every((granted) => granted === 2 || granted === 3))
        })
      )
    )
  })
}
