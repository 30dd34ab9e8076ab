/** The one loop of all jobs: when it pauses, what wakes it, and that nothing but the process ends it. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber, Logger } from "effect"
import { TestClock } from "effect/testing"
import * as Loop from "../../src/worker/Loop.ts"

/** A job that has so many rounds' work and then none, with how often it was looked at. */
const counted = Effect.fnUntraced(function* (left: number) {
  const seen = { rounds: 0, left }
  const round = Effect.sync(() => {
    seen.rounds++
    seen.left--
    return seen.left > 0
  })
  const loop = yield* Loop.make({ name: "test", pause: Duration.minutes(1), round })
  return { loop, seen }
})

/** Lets all fibers go on until each waits for something. */
const settled = Effect.repeat(Effect.yieldNow, { times: 100 })

/** Lets time pass, for a loop that has come to its pause. */
const pass = (time: Duration.Input) =>
  settled.pipe(Effect.andThen(TestClock.adjust(time)), Effect.andThen(settled))

describe("a loop", () => {
  it.effect("goes around while there is more, then waits for its pause", () =>
    Effect.gen(function* () {
      const { loop, seen } = yield* counted(3)
      yield* Effect.forkChild(loop.run)
      yield* pass("59 seconds")
      assert.strictEqual(seen.rounds, 3)
      yield* pass("1 second")
      assert.strictEqual(seen.rounds, 4)
    })
  )

  it.effect("is woken from its pause, and goes around once", () =>
    Effect.gen(function* () {
      const { loop, seen } = yield* counted(1)
      yield* Effect.forkChild(loop.run)
      yield* pass("1 second")
      yield* loop.wake
      yield* pass("1 second")
      assert.strictEqual(seen.rounds, 2)
      yield* pass("57 seconds")
      assert.strictEqual(seen.rounds, 2)
    })
  )

  it.effect("does not miss who wakes it while a round is under way", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const mayEnd = yield* Deferred.make<void>()
      let rounds = 0
      const round = Effect.gen(function* () {
        rounds++
        yield* Deferred.succeed(begun, undefined)
        yield* Deferred.await(mayEnd)
        return false
      })
      const loop = yield* Loop.make({ name: "test", pause: Duration.minutes(1), round })
      yield* Effect.forkChild(loop.run)
      yield* Deferred.await(begun)
      yield* loop.wake
      yield* Deferred.succeed(mayEnd, undefined)
      yield* pass("1 second")
      assert.strictEqual(rounds, 2)
    })
  )

  it.effect("says what a round failed of, pauses, and goes on", () =>
    Effect.gen(function* () {
      const said: Array<string> = []
      const log = Logger.layer([Logger.make(({ message }) => said.push(String(message)))])
      let rounds = 0
      const round = Effect.suspend(() => {
        rounds++
        return rounds === 1 ? Effect.die(new Error("ill")) : Effect.succeed(false)
      })
      const loop = yield* Loop.make({ name: "test", pause: Duration.minutes(1), round })
      yield* Effect.forkChild(Effect.provide(loop.run, log))
      yield* pass("59 seconds")
      assert.strictEqual(rounds, 1)
      assert.include(said[0], "The job test has failed and is tried again")
      yield* pass("1 second")
      assert.strictEqual(rounds, 2)
    })
  )

  it.effect("ends when it is told to, once what has begun is done", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const mayEnd = yield* Deferred.make<void>()
      let isDone = false
      const round = Effect.gen(function* () {
        yield* Deferred.succeed(begun, undefined)
        yield* Deferred.await(mayEnd)
        isDone = true
        return true
      }).pipe(Effect.uninterruptible)
      const loop = yield* Loop.make({ name: "test", pause: Duration.minutes(1), round })
      const running = yield* Effect.forkChild(loop.run)
      yield* Deferred.await(begun)
      const ending = yield* Effect.forkChild(Fiber.interrupt(running))
      yield* Deferred.succeed(mayEnd, undefined)
      yield* Fiber.join(ending)
      assert.isTrue(isDone)
    })
  )
})
