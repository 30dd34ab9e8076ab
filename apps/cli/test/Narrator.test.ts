import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Console, Effect, Layer, Terminal } from "effect"
import { Narrator } from "../src/Demo/Narrator.ts"

/** A console that keeps what is logged. */
const recorder = () => {
  const lines: Array<string> = []
  return { lines, console: { ...globalThis.console, log: (text: string) => void lines.push(text) } }
}

const terminal = (columns: number) =>
  Layer.succeed(
    Terminal.Terminal,
    Terminal.make({
      columns: Effect.succeed(columns),
      rows: Effect.succeed(40),
      size: Effect.die("not asked"),
      readInput: Effect.die("not asked"),
      readLine: Effect.die("not asked"),
      display: () => Effect.void
    })
  )

const told = Effect.fnUntraced(function* <E>(
  story: Effect.Effect<void, E, Narrator>,
  { columns = 0, env = {} }: { columns?: number; env?: Record<string, string> } = {}
) {
  const { console, lines } = recorder()
  const exit = yield* story.pipe(
    Effect.provide(
      Narrator.layer.pipe(
        Layer.provide(terminal(columns)),
        Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(env)))
      )
    ),
    Effect.provideService(Console.Console, console),
    Effect.exit
  )
  return { exit, lines }
})

const story = Effect.gen(function* () {
  const narrator = yield* Narrator
  yield* narrator.chapter("One")
  yield* narrator.check("a sum", { total: 3 }, { total: 3 })
})

describe("the narrator", () => {
  it.effect("stops at the first figure that is wrong, and says which", () =>
    Effect.gen(function* () {
      const { exit, lines } = yield* told(
        Effect.gen(function* () {
          const narrator = yield* Narrator
          yield* narrator.check("the invoices sum to the premium", 46_622, 46_621)
          yield* narrator.tell("never told")
        })
      )
      assert.strictEqual(exit._tag, "Failure")
      assert.include(String(exit), "the invoices sum to the premium: expected 46622, got 46621")
      assert.deepStrictEqual(lines, [])
    })
  )

  it.effect("paints a terminal, but no file, and nothing where colours are not wanted", () =>
    Effect.gen(function* () {
      const painted = (text: string) => text.includes("\u001b")
      const shown = yield* told(story, { columns: 80 })
      assert.isTrue(shown.lines.some(painted))
      assert.isFalse((yield* told(story)).lines.some(painted))
      const env = { NO_COLOR: "1" }
      assert.isFalse((yield* told(story, { columns: 80, env })).lines.some(painted))
    })
  )

  it.effect("breaks what it tells at the width of the terminal", () =>
    Effect.gen(function* () {
      const text = "word ".repeat(40).trim()
      const { lines } = yield* told(
        Narrator.use((narrator) => narrator.tell(text)),
        { columns: 40 }
      )
      assert.isAbove(lines.length, 4)
      assert.isTrue(lines.every((line) => line.length <= 40))
    })
  )
})
