import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber } from "effect"
import * as TurnBatch from "../../src/values/TurnBatch.ts"

describe("work of the same turn", () => {
  it.effect("is done for one right after the other, before any of them goes on", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const double = TurnBatch.make((number: number) => {
        seen.push(`asked ${number}`)
        return 2 * number
      })
      const goOn = (number: number) =>
        Effect.map(double(number), (answer) => seen.push(`got ${answer}`))
      yield* Effect.all([goOn(1), goOn(2), goOn(3)], { concurrency: "unbounded" })
      yield* goOn(4)
      assert.deepStrictEqual(
        seen.join(", "),
        "asked 1, asked 2, asked 3, got 2, got 4, got 6, asked 4, got 8"
      )
    })
  )

  it.effect("fails only for the caller whose work fails", () =>
    Effect.gen(function* () {
      const odd = TurnBatch.make((number: number) => {
        if (number % 2 === 0) throw new Error(`${number} is even`)
        return number
      })
      const exits = yield* Effect.all([odd(1), odd(2), odd(3)].map(Effect.exit), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(
        exits.map((exit) => (Exit.isSuccess(exit) ? exit.value : String(Cause.squash(exit.cause)))),
        [1, "Error: 2 is even", 3]
      )
    })
  )

  it.effect("goes on without callers that were interrupted meanwhile", () =>
    Effect.gen(function* () {
      const same = TurnBatch.make((number: number) => number)
      const gone = yield* Effect.forkChild(same(1), { startImmediately: true })
      const stayed = yield* Effect.forkChild(same(2), { startImmediately: true })
      yield* Fiber.interrupt(gone)
      assert.strictEqual(yield* Fiber.join(stayed), 2)
    })
  )
})
