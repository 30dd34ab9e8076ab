/** Leases against a store whose every window is known, on a clock that only the test moves. */
import { assert, describe, it } from "@effect/vitest"
import type { RateLimit } from "@quittance/domain/requests/RateLimit"
import { NotReady } from "@quittance/domain/requests/RequestErrors"
import { RateLimitStore } from "@quittance/persistence/requests/RateLimitStore"
import { Clock, Context, Deferred, Effect, Exit, Fiber, Layer, Result, Schema } from "effect"
import { TestClock } from "effect/testing"
import { QuotaLeases } from "../../src/requests/QuotaLeases.ts"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"

const tenant = Effect.provideService(CurrentTenant, TenantId.make("acme"))
const limitOf = (limit: number): RateLimit => ({ limit, windowSeconds: 60 })

interface Window {
  readonly from: number
  readonly to: number
  leased: number
}

/** A store of one bucket that remembers its windows, and whose answers take their time. */
const makeStore = (before: Effect.Effect<unknown> = Effect.void, late = Effect.void) => {
  const windows: Array<Window> = []
  let questions = 0
  const lease: RateLimitStore["Service"]["lease"] = (_bucket, { limit, windowSeconds }, wanted) =>
    Effect.gen(function* () {
      questions++
      yield* before
      const now = yield* Clock.currentTimeMillis
      let window = windows.at(-1)
      if (window === undefined || window.to <= now) {
        window = { from: now, to: now + windowSeconds * 1000, leased: 0 }
        windows.push(window)
      }
      const granted = Math.max(Math.min(wanted, limit - window.leased), 0)
      window.leased += granted
      const taken = { granted, remaining: limit - window.leased, endsIn: window.to - now }
      yield* late
      return taken
    })
  const unused = () => Effect.die(new Error("leases ask for leases alone"))
  const layer = Layer.succeed(RateLimitStore, { lease, take: unused, giveBack: unused })
  return { layer, windows, questions: () => questions }
}

/** So many instances on one store. */
const instancesOn = (store: Layer.Layer<RateLimitStore>, count: number) =>
  Effect.forEach(Array.from({ length: count }), () =>
    Effect.map(Layer.build(Layer.fresh(QuotaLeases.layer).pipe(Layer.provide(store))), (context) =>
      Context.get(context, QuotaLeases)
    )
  )

const all = <A, E, R>(count: number, effect: Effect.Effect<A, E, R>) =>
  Effect.all(
    Array.from({ length: count }, () => effect),
    { concurrency: "unbounded" }
  )

const isGranted = <A, E>(results: ReadonlyArray<Result.Result<A, E>>) =>
  results.filter(Result.isSuccess).length

describe("QuotaLeases.spend", () => {
  it.effect("refuses what the limit does not allow, and says until when", () =>
    Effect.gen(function* () {
      const [quotas] = yield* instancesOn(makeStore().layer, 1)
      const answers = yield* all(25, Effect.result(quotas!.spend("a", limitOf(20))))
      assert.strictEqual(isGranted(answers), 20)
      yield* TestClock.adjust("19500 millis")
      const refused = yield* Effect.flip(quotas!.spend("a", limitOf(20)))
      assert.deepInclude(refused, { limit: 20, remaining: 0, retryAfter: 41, reset: 41 })
      // Nor does a limit that was lowered while its window lasts.
      const lowered = yield* Effect.flip(quotas!.spend("b", limitOf(0)))
      assert.strictEqual(lowered._tag, "RateLimited")
    }).pipe(Effect.scoped, tenant)
  )

  it.effect("fails with the store, and asks it again the next time", () =>
    Effect.gen(function* () {
      let away = true
      const trouble = Effect.suspend(() => (away ? Effect.die(new NotReady({})) : Effect.void))
      const store = makeStore(trouble)
      const [quotas] = yield* instancesOn(store.layer, 1)
      const exits = yield* all(5, Effect.exit(quotas!.spend("a", limitOf(3))))
      assert.isTrue(exits.every((exit) => Exit.hasDies(exit)))
      away = false
      assert.strictEqual(isGranted(yield* all(5, Effect.result(quotas!.spend("a", limitOf(3))))), 3)
    }).pipe(Effect.scoped, tenant)
  )

  it.effect("makes no one wait for a request that was interrupted while it asked", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const asked = yield* Deferred.make<void>()
      const store = makeStore(
        Effect.andThen(Deferred.succeed(asked, undefined), Deferred.await(gate))
      )
      const [quotas] = yield* instancesOn(store.layer, 1)
      const first = yield* Effect.forkChild(quotas!.spend("a", limitOf(3)))
      yield* Deferred.await(asked)
      const second = yield* Effect.forkChild(quotas!.spend("a", limitOf(3)))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(first)
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(second)
    }).pipe(Effect.scoped, tenant)
  )

  it.effect("keeps nothing for the next window, however late the store's answer came", () =>
    Effect.gen(function* () {
      const store = makeStore(Effect.void, TestClock.adjust("1500 millis"))
      const [quotas] = yield* instancesOn(store.layer, 1)
      yield* quotas!.spend("a", limitOf(9))
      yield* quotas!.spend("a", limitOf(9))
      assert.deepStrictEqual([store.questions(), store.windows[0]!.leased], [2, 3])
      yield* TestClock.setTime(60_000)
      yield* quotas!.spend("a", limitOf(9))
      assert.deepStrictEqual([store.questions(), store.windows[1]!.leased], [3, 1])
    }).pipe(Effect.scoped, tenant)
  )

  it.effect("asks one question at a time, and for as many as wait", () =>
    Effect.gen(function* () {
      const store = makeStore(Effect.yieldNow)
      const [quotas] = yield* instancesOn(store.layer, 1)
      const answers = yield* all(50, Effect.result(quotas!.spend("a", limitOf(60))))
      assert.strictEqual(isGranted(answers), 50)
      assert.strictEqual(store.questions(), 2)
    }).pipe(Effect.scoped, tenant)
  )

  it.effect("asks ever less often: six questions for sixty units, none once they are spent", () =>
    Effect.gen(function* () {
      const store = makeStore()
      const [quotas] = yield* instancesOn(store.layer, 1)
      for (let i = 0; i < 60; i++) yield* quotas!.spend("a", limitOf(60))
      assert.strictEqual(store.questions(), 6)
      for (let i = 0; i < 60; i++) yield* Effect.flip(quotas!.spend("a", limitOf(60)))
      assert.strictEqual(store.questions(), 6)
    }).pipe(Effect.scoped, tenant)
  )

  it.effect("RT-02 counts buckets and tenants apart", () =>
    Effect.gen(function* () {
      const bucketOf = new Map<string, ReturnType<typeof makeStore>>()
      const store = Layer.succeed(RateLimitStore, {
        take: () => Effect.die(new Error("leases ask for leases alone")),
        giveBack: () => Effect.die(new Error("leases ask for leases alone")),
        lease: (bucket, limit, wanted) =>
          Effect.gen(function* () {
            const key = `${yield* CurrentTenant} ${bucket}`
            const counted = bucketOf.get(key) ?? makeStore()
            bucketOf.set(key, counted)
            const { lease } = yield* Effect.provide(RateLimitStore, counted.layer)
            return yield* lease(bucket, limit, wanted)
          })
      })
      const [quotas] = yield* instancesOn(store, 1)
      const one = (id: string, bucket: string) =>
        Effect.result(quotas!.spend(bucket, limitOf(1))).pipe(
          Effect.map(Result.isSuccess),
          Effect.provideService(CurrentTenant, TenantId.make(id))
        )
      assert.deepStrictEqual(
        [yield* one("acme", "a"), yield* one("acme", "a"), yield* one("acme", "b")],
        [true, false, true]
      )
      assert.deepStrictEqual([yield* one("globex", "a"), yield* one("globex", "a")], [true, false])
    }).pipe(Effect.scoped)
  )

  it.effect("forgets the buckets that were leased first when there are too many", () =>
    Effect.gen(function* () {
      const store = Layer.succeed(RateLimitStore, {
        take: () => Effect.die(new Error("leases ask for leases alone")),
        giveBack: () => Effect.die(new Error("leases ask for leases alone")),
        lease: (bucket) =>
          Effect.sync(() => {
            asked.push(bucket)
            return { granted: 1, remaining: 0, endsIn: 60_000 }
          })
      })
      const asked: Array<string> = []
      const [quotas] = yield* instancesOn(store, 1)
      for (let i = 0; i < 50_001; i++) yield* quotas!.spend(`${i}`, limitOf(1))
      yield* Effect.flip(quotas!.spend("50000", limitOf(1)))
      yield* Effect.flip(quotas!.spend("1", limitOf(1)))
      assert.strictEqual(asked.length, 50_001)
      yield* quotas!.spend("0", limitOf(1))
      assert.strictEqual(asked.length, 50_002)
    }).pipe(Effect.scoped, tenant)
  )
})

describe("QuotaLeases.check", () => {
  it.effect("makes no query, and refuses from the last unit on until the window ends", () =>
    Effect.gen(function* () {
      const store = makeStore()
      const [here, there] = yield* instancesOn(store.layer, 2)
      const limit = limitOf(20)
      yield* here!.check("a", limit)
      assert.strictEqual(store.questions(), 0)
      for (let i = 0; i < 20; i++) {
        yield* here!.check("a", limit)
        yield* here!.spend("a", limit)
      }
      const asked = store.questions()
      assert.strictEqual((yield* Effect.flip(here!.check("a", limit))).retryAfter, 60)
      // Another instance finds out by the first unit that it does not get.
      yield* there!.check("a", limit)
      yield* Effect.flip(there!.spend("a", limit))
      yield* Effect.flip(there!.check("a", limit))
      assert.strictEqual(store.questions(), asked + 1)
      yield* TestClock.adjust("60 seconds")
      yield* here!.check("a", limit)
      yield* there!.check("a", limit)
    }).pipe(Effect.scoped, tenant)
  )
})

describe("several instances", () => {
  const Step = Schema.Struct({
    instance: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3 })),
    spends: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9 })),
    /** Milliseconds that pass first; now and then a whole window. */
    pause: Schema.Literals([0, 0, 0, 1, 40, 999, 7000, 29_999, 60_000])
  })
  const Steps = Schema.Array(Step).check(Schema.isMaxLength(60))
  const Limit = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 80 }))
  /** Milliseconds between a decision of the store and its arrival. */
  const Delay = Schema.Literals([0, 0, 1, 25, 1500])

  it.effect.prop(
    "never spend more in a window than its limit, nor refuse before half of it is spent",
    [Steps, Limit, Delay],
    ([steps, limit, delay]) =>
      Effect.gen(function* () {
        const store = makeStore(Effect.void, TestClock.adjust(delay))
        const instances = yield* instancesOn(store.layer, 4)
        const spent = new Map<Window, number>()
        for (const { instance, pause, spends } of steps) {
          yield* TestClock.adjust(pause)
          for (let i = 0; i < spends; i++) {
            const asked = store.questions()
            const now = yield* Clock.currentTimeMillis
            const answer = yield* Effect.result(instances[instance]!.spend("a", limitOf(limit)))
            const window = store.windows.at(-1)!
            // What an instance hands out by itself it hands out before the window ends.
            if (store.questions() === asked) {
              assert.isTrue(window.from <= now && now < window.to)
            }
            const before = spent.get(window) ?? 0
            if (Result.isSuccess(answer)) spent.set(window, before + 1)
            else {
              assert.strictEqual(window.leased, limit)
              assert.isAtLeast(2 * before, limit)
            }
          }
        }
        for (const total of spent.values()) assert.isAtMost(total, limit)
      }).pipe(Effect.scoped, tenant),
    { arbitrary: { runs: 400 } }
  )
})
