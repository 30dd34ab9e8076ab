import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as TimedCache from "../../src/values/TtlCache.ts"

/** A cache of what was looked up when: values are `key 1`, `key 2`, in the order of the lookups. */
const makeCounted = (during: Effect.Effect<unknown> = Effect.void, capacity = 3) => {
  const lookups: Array<string> = []
  const cache = TimedCache.make({
    capacity,
    lookup: (key) =>
      Effect.suspend(() => {
        const value = `${key} ${lookups.push(key)}`
        return Effect.as(during, value)
      }),
    maxAge: () => Duration.seconds(1)
  })
  return { cache, lookups }
}

const three = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.all([effect, effect, effect], { concurrency: "unbounded" })

describe("TimedCache", () => {
  it.effect("does not remember a defect, and passes it on to all who wait", () =>
    Effect.gen(function* () {
      let broken = true
      const trouble = Effect.suspend(() => (broken ? Effect.die("away") : Effect.void))
      const { cache, lookups } = makeCounted(Effect.andThen(Effect.yieldNow, trouble))
      const exits = yield* three(Effect.exit(cache.get("a")))
      assert.isTrue(exits.every((exit) => Exit.hasDies(exit)))
      assert.strictEqual(lookups.length, 1)
      broken = false
      assert.strictEqual(yield* cache.get("a"), "a 2")
    })
  )

  it.effect("looks up once for all who ask at the same time", () =>
    Effect.gen(function* () {
      const { cache } = makeCounted(Effect.yieldNow)
      assert.deepStrictEqual(yield* three(cache.get("a")), ["a 1", "a 1", "a 1"])
      assert.deepStrictEqual(yield* three(cache.refresh("a")), ["a 2", "a 2", "a 2"])
      assert.strictEqual(yield* cache.get("a"), "a 2")
    })
  )

  it.effect("goes on for the others when the one who asked is gone", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const { cache, lookups } = makeCounted(Deferred.await(gate))
      const first = yield* Effect.forkChild(cache.get("a"), { startImmediately: true })
      const others = yield* Effect.forkChild(three(cache.get("a")), { startImmediately: true })
      assert.strictEqual(lookups.length, 1)
      yield* Fiber.interrupt(first)
      yield* Deferred.succeed(gate, undefined)
      assert.deepStrictEqual(yield* Fiber.join(others), ["a 2", "a 2", "a 2"])
    })
  )

  it.effect("counts the age of a value from when it was asked for, not from when it came", () =>
    Effect.gen(function* () {
      const { cache } = makeCounted(TestClock.adjust("600 millis"))
      assert.strictEqual(yield* cache.get("a"), "a 1")
      yield* TestClock.adjust("399 millis")
      assert.strictEqual(yield* cache.get("a"), "a 1")
      yield* TestClock.adjust("1 millis")
      assert.isUndefined(yield* cache.peek("a"))
      assert.strictEqual(yield* cache.get("a"), "a 2")
    })
  )

  it.effect("does not remember what was forgotten while it was looked up", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const { cache } = makeCounted(Deferred.await(gate))
      const before = yield* Effect.forkChild(cache.get("a"), { startImmediately: true })
      yield* cache.forget("a")
      const after = yield* Effect.forkChild(cache.get("a"), { startImmediately: true })
      yield* Deferred.succeed(gate, undefined)
      assert.deepStrictEqual([yield* Fiber.join(before), yield* Fiber.join(after)], ["a 1", "a 2"])
      assert.strictEqual(yield* cache.peek("a"), "a 2")
      yield* cache.forget("a")
      assert.isUndefined(yield* cache.peek("a"))
    })
  )

  it.effect("forgets what was looked up first when there is too much", () =>
    Effect.gen(function* () {
      const { cache } = makeCounted()
      for (const key of ["a", "b", "c"]) yield* cache.get(key)
      yield* cache.refresh("a")
      yield* cache.get("d")
      assert.isUndefined(yield* cache.peek("b"))
      assert.deepStrictEqual(
        [yield* cache.peek("a"), yield* cache.peek("c"), yield* cache.peek("d")],
        ["a 4", "c 3", "d 5"]
      )
    })
  )

  it.effect("remembers no value whose age is zero, and what is set for as long as it says", () =>
    Effect.gen(function* () {
      const cache = TimedCache.make({
        capacity: 3,
        lookup: (key) => Effect.succeed(key === "a" ? undefined : key),
        maxAge: (value) => (value === undefined ? Duration.zero : Duration.seconds(1))
      })
      yield* cache.get("a")
      assert.isUndefined(yield* cache.peek("a"))
      yield* cache.set("a", "given", Duration.seconds(5))
      yield* TestClock.adjust("4999 millis")
      assert.strictEqual(yield* cache.get("a"), "given")
      yield* TestClock.adjust("1 millis")
      assert.isUndefined(yield* cache.get("a"))
    })
  )
})
