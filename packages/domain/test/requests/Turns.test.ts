import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Cause, Deferred, Effect, Exit, Fiber, Scheduler, Schema } from "effect"
import { Busy } from "../../src/requests/RequestErrors.ts"
import * as Turns from "../../src/requests/Turns.ts"

/** Work that notes that it has begun, and ends when it is told to. */
const work = (turns: Turns.Turns, begun: Array<string>, key: string) =>
  Effect.gen(function* () {
    const over = yield* Deferred.make<void>()
    const begin = Effect.sync(() => begun.push(key))
    const fiber = yield* Effect.forkChild(
      turns.run(key, Effect.andThen(begin, Deferred.await(over))),
      { startImmediately: true }
    )
    return { fiber, end: Effect.andThen(Deferred.succeed(over, undefined), Fiber.await(fiber)) }
  })

const busyOf = (exit: Exit.Exit<unknown>) =>
  Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined

const few = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 3 }))
/** Operations of a fiber between two pauses; with fewer it never gets on. */
const some = Schema.Int.check(Schema.isBetween({ minimum: 4, maximum: 16 }))

describe("turns", () => {
  it.effect("are as many at once as may be, and of one key no more than its share", () =>
    Effect.gen(function* () {
      const turns = Turns.make("TENANT", { atOnce: 3, each: 2, waiting: 5 })
      const begun: Array<string> = []
      const [first] = yield* Effect.forEach(["a", "a", "a", "b", "b"], (key) =>
        work(turns, begun, key)
      )
      assert.deepStrictEqual(begun, ["a", "a", "b"])
      yield* first!.end
      // The other key's turn comes before the next one of the first, or after: both wait.
      assert.strictEqual(begun.length, 4)
    })
  )

  it.effect("go round the keys that wait, however long the line of one is", () =>
    Effect.gen(function* () {
      const turns = Turns.make("PASSWORDS", { atOnce: 1, each: 1, waiting: 50 })
      const begun: Array<string> = []
      const crowd = yield* Effect.forEach(Array<string>(40).fill("crowd"), (key) =>
        work(turns, begun, key)
      )
      const other = yield* work(turns, begun, "other")
      yield* crowd[0]!.end
      yield* crowd[1]!.end
      assert.deepStrictEqual(begun, ["crowd", "crowd", "other"])
      yield* other.end
      assert.strictEqual(begun.length, 4)
    })
  )

  it.effect("are refused at once where the queue is full", () =>
    Effect.gen(function* () {
      const turns = Turns.make("RECORD", { atOnce: 9, each: 1, waiting: 2 })
      const begun: Array<string> = []
      yield* Effect.forEach(["a", "a", "a"], (key) => work(turns, begun, key))
      const refused = busyOf(yield* Effect.exit(turns.run("a", Effect.void)))
      assert.instanceOf(refused, Busy)
      assert.strictEqual(refused.waitingFor, "RECORD")
      yield* turns.run("b", Effect.void)
    })
  )

  it.effect("are released after a failure, and after an interruption in the queue or at work", () =>
    Effect.gen(function* () {
      const turns = Turns.make("CALLER", { atOnce: 1, each: 1, waiting: 3 })
      const begun: Array<string> = []
      const one = yield* work(turns, begun, "a")
      const two = yield* work(turns, begun, "a")
      yield* work(turns, begun, "b")
      yield* Fiber.interrupt(two.fiber)
      yield* Fiber.interrupt(one.fiber)
      assert.deepStrictEqual(begun, ["a", "b"])
      const failing = Turns.make("CALLER", { atOnce: 1, each: 1, waiting: 0 })
      yield* Effect.exit(failing.run("a", Effect.fail("no")))
      yield* Effect.exit(failing.run("a", Effect.die("no")))
      assert.strictEqual(yield* failing.run("a", Effect.succeed(1)), 1)
    })
  )

  it.effect.prop(
    "come to everybody who waits, wherever their fibers pause",
    {
      atOnce: Arbitrary.schema(few),
      each: Arbitrary.schema(few),
      crowd: Arbitrary.array(
        Arbitrary.schema(Schema.Tuple([Schema.Literals(["a", "b", "c"]), few, some])),
        { minLength: 2, maxLength: 12 }
      )
    },
    ({ atOnce, crowd, each }) =>
      Effect.gen(function* () {
        const turns = Turns.make("CALLER", { atOnce, each, waiting: crowd.length })
        let ended = 0
        const fibers = yield* Effect.forEach(crowd, ([key, pauses, operations]) =>
          turns
            .run(key, Effect.repeat(Effect.yieldNow, { times: pauses }))
            .pipe(
              Effect.andThen(Effect.sync(() => (ended += 1))),
              Effect.provideService(Scheduler.MaxOpsBeforeYield, operations),
              Effect.forkChild
            )
        )
        // Far more pauses than all of them need: who has not ended by now never will.
        for (let pause = 0; pause < 2000 && ended < crowd.length; pause++) yield* Effect.yieldNow
        assert.strictEqual(ended, crowd.length)
        yield* Effect.forEach(fibers, Fiber.interrupt)
      })
  )
})
