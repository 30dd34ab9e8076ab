import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { bar, start } from "../src/terminal/Progress.ts"

const nat = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))

/** A screen that remembers what was written. */
const screen = (columns: number | undefined) => {
  const written: Array<string> = []
  const write = (text: string) => Effect.sync(() => void written.push(text))
  return { columns, write, written }
}

describe("the progress of a command", () => {
  it.effect.prop(
    "fits into the line, whatever it tells",
    { columns: nat(200), done: nat(1_000_000), more: nat(1_000_000), millis: nat(100_000) },
    ({ columns, done, millis, more }) =>
      Effect.sync(() => {
        const line = bar("Pricing", { done, total: done + more, millis }, columns)
        assert.isBelow([...line].length, Math.max(columns, 1))
      })
  )

  it("shows what is done, how fast, and how long it takes", () => {
    assert.strictEqual(
      bar("Pricing", { done: 2_500, total: 10_000, millis: 2_000 }, 80),
      "Pricing  ███████░░░░░░░░░░░░░░░░░░░░░  25% (2,500 of 10,000, 1,250/s, 6 s left)"
    )
  })

  it.effect("draws a bar at most every tenth of a second, and takes it away at the end", () =>
    Effect.gen(function* () {
      const terminal = screen(80)
      const progress = yield* start("Pricing", terminal)
      yield* progress(0, 1000)
      for (let done = 100; done < 1000; done += 100) {
        yield* TestClock.adjust("60 millis")
        yield* progress(done, 1000)
      }
      yield* progress(1000, 1000)
      assert.lengthOf(terminal.written, 6)
      assert.include(terminal.written[1], "20% (200 of 1,000")
      assert.strictEqual(terminal.written.at(-1), "\r\u001b[2K")
    })
  )

  it.effect("writes a line every few per cent where there is no terminal", () =>
    Effect.gen(function* () {
      const file = screen(undefined)
      const progress = yield* start("Pricing", file)
      yield* progress(0, 1000)
      for (let done = 10; done <= 1000; done += 10) yield* progress(done, 1000)
      assert.lengthOf(file.written, 20)
      assert.strictEqual(file.written[0], "Pricing: 5% (50 of 1,000)\n")
      assert.strictEqual(file.written.at(-1), "Pricing: 100% (1,000 of 1,000)\n")
    })
  )

  it.effect("is silent about nothing", () =>
    Effect.gen(function* () {
      const file = screen(undefined)
      const progress = yield* start("Pricing", file)
      yield* progress(0, 0)
      assert.deepStrictEqual(file.written, [])
    })
  )
})
