/** Tells the story of the demo on the terminal, and stops it where a figure is not what it should be. */
import { Config, Console, Context, Effect, Layer, Schema, Terminal } from "effect"
import * as Table from "../terminal/Table.ts"

/** A wrong figure: a fault of the service, not of the user of the demo. */
export class WrongFigure extends Schema.TaggedError<WrongFigure>()("WrongFigure", {
  claim: Schema.String,
  expected: Schema.String,
  got: Schema.String
}) {
  override get message() {
    return `A figure is wrong. ${this.claim}: expected ${this.expected}, got ${this.got}.`
  }
}

export class Narrator extends Context.Service<
  Narrator,
  {
    /** Begins the next chapter. */
    chapter(title: string): Effect.Effect<void>
    /** What happens, in a sentence. */
    tell(text: string): Effect.Effect<void>
    /** A fact: what it is, and its value. */
    fact(name: string, value: string): Effect.Effect<void>
    table(table: Table.Table): Effect.Effect<void>
    /** Shows a claim that holds, and fails where it does not. */
    check(claim: string, expected: unknown, got: unknown): Effect.Effect<void, WrongFigure>
  }
>()("@quittance/cli/Demo/Narrator") {
  static readonly layer = Layer.effect(
    Narrator,
    Effect.gen(function* () {
      const terminal = yield* Terminal.Terminal
      const columns = yield* terminal.columns
      const plain = yield* Config.String("NO_COLOR").pipe(
        Config.map((value) => value !== ""),
        Config.withDefault(false)
      )
      // What is no terminal, a file or a pipe, has no columns.
      const paint = (code: number) => (text: string) =>
        columns === 0 || plain ? text : `\u001b[${code}m${text}\u001b[0m`
      const look = { bold: paint(1), dim: paint(2), green: paint(32), cyan: paint(36) }
      const width = Math.min(columns === 0 ? 100 : columns, 110) - indent.length
      let chapters = 0

      let lastIsBlank = true

      const print = (text: string) =>
        Effect.suspend(() => {
          // Never two blank lines in a row.
          if (text === "" && lastIsBlank) return Effect.void
          lastIsBlank = text === ""
          return Console.log(text === "" ? "" : `${indent}${text}`)
        })

      return Narrator.of({
        chapter: (title) =>
          Effect.suspend(() => {
            chapters += 1
            const before = lastIsBlank ? "" : "\n"
            lastIsBlank = true
            const number = String(chapters).padStart(2)
            return Console.log(`${before}${look.cyan(look.bold(`${number}  ${title}`))}\n`)
          }),
        tell: (text) => Effect.forEach(wrap(text, width), print, { discard: true }),
        fact: (name, value) => print(`${look.dim(name.padEnd(12))} ${value}`),
        table: (table) =>
          Effect.gen(function* () {
            yield* print("")
            yield* Effect.forEach(Table.lines(table, width, look), print, { discard: true })
            yield* print("")
          }),
        check: (claim, expected, got) => {
          const [wanted, found] = [JSON.stringify(expected), JSON.stringify(got)]
          return wanted === found
            ? print(`${look.green("✓")} ${claim}`)
            : Effect.fail(new WrongFigure({ claim, expected: wanted, got: found }))
        }
      })
    })
  )
}

const indent = "    "

const wrap = (text: string, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const word of text.split(" ")) {
    const last = lines.at(-1)
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}
