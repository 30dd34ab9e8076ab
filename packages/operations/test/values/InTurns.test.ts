import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { inTurns } from "../../src/values/InTurns.ts"

describe("work in turns", () => {
  it.effect("lets waiting fibers have a turn after each slice", () =>
    Effect.gen(function* () {
      const order: Array<string> = []
      const slices = function* (name: string) {
        for (let slice = 1; slice <= 3; slice++) {
          order.push(`${name}${slice}`)
          yield
        }
        return name
      }
      const one = yield* Effect.forkChild(inTurns(() => slices("a")))
      const other = yield* Effect.forkChild(inTurns(() => slices("b")))
      assert.deepStrictEqual([yield* Fiber.join(one), yield* Fiber.join(other)], ["a", "b"])
      assert.deepStrictEqual(order, ["a1", "b1", "a2", "b2", "a3", "b3"])
    })
  )

  it.effect("takes as many slices as there are, and dies of what is thrown", () =>
    Effect.gen(function* () {
      const many = yield* inTurns(function* () {
        for (let slice = 0; slice < 20_000; slice++) yield
        return "done"
      })
      assert.strictEqual(many, "done")
      const exit = yield* Effect.exit(
        inTurns(function* () {
          yield
          throw new Error("wrong")
        })
      )
      assert.strictEqual(exit._tag, "Failure")
    })
  )
})
