import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import * as LoopTurn from "../../src/values/LoopTurn.ts"

describe("a turn of the event loop", () => {
  it.live("goes to one caller in each, in the order in which they came", () =>
    Effect.gen(function* () {
      const order: Array<string> = []
      const caller = (name: string) =>
        Effect.gen(function* () {
          for (let turn = 1; turn <= 3; turn++) {
            yield* LoopTurn.next
            order.push(`${name}${turn}`)
          }
        })
      // What arrives meanwhile, such as an answer of the database, has its turn as well.
      let others = 0
      const other = () => {
        others += 1
        if (order.length < 6) setImmediate(other)
      }
      setImmediate(other)
      const callers = yield* Effect.forEach(["a", "b"], (name) => Effect.forkChild(caller(name)))
      yield* Fiber.joinAll(callers)
      assert.deepStrictEqual(order, ["a1", "b1", "a2", "b2", "a3", "b3"])
      assert.isAtLeast(others, order.length)
    })
  )

  it.live("is not lost where a waiting fiber is interrupted", () =>
    Effect.gen(function* () {
      const waiting = yield* Effect.forEach([1, 2, 3], () =>
        Effect.forkChild(LoopTurn.next, { startImmediately: true })
      )
      yield* Effect.forEach(waiting.slice(0, 2), Fiber.interrupt)
      yield* Fiber.join(waiting[2]!)
      yield* LoopTurn.next
    })
  )

  it.live("comes again after everybody has gone away", () =>
    Effect.gen(function* () {
      const gone = yield* Effect.forkChild(LoopTurn.next, { startImmediately: true })
      yield* Fiber.interrupt(gone)
      yield* LoopTurn.next
      yield* LoopTurn.next
    })
  )
})
