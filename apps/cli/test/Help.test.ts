/** What every command says of itself, and of what it lacks. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { CliOutput } from "effect/cli"
import { runQuittance } from "../src/QuittanceCommand.ts"
import { missing } from "../src/terminal/MissingFlags.ts"

/** What a line has the command present; it runs nothing but what that shows. */
const presented = (line: ReadonlyArray<string>) => {
  const events: Array<CliOutput.Presenter.Event> = []
  const presenter = CliOutput.layerPresenter({
    present: (event) => Effect.sync(() => void events.push(event))
  })
  return runQuittance("0", line).pipe(
    Effect.ignore,
    Effect.provide(Layer.provideMerge(presenter, NodeServices.layer)),
    Effect.map(() => events[0])
  )
}

const helpOf = Effect.fnUntraced(function* (path: ReadonlyArray<string>) {
  const event = yield* presented([...path, "--help"])
  assert.strictEqual(event?._tag, "Help", path.join(" "))
  if (event?._tag !== "Help") return yield* Effect.die(new Error("no help"))
  return event.helpDoc
})

/** Every command below a path, with its help. */
const below = (
  path: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<readonly [string, Effect.Success<ReturnType<typeof helpOf>>]>> =>
  Effect.gen(function* () {
    const doc = yield* helpOf(path)
    const names = (doc.subcommands ?? []).flatMap(({ commands }) =>
      commands.map(({ name }) => name)
    )
    const inner = yield* Effect.forEach(names, (name) => below([...path, name]))
    return [[path.join(" "), doc] as const, ...inner.flat()]
  })

describe("the command line", () => {
  it.effect("explains every command, every flag and every argument", () =>
    Effect.gen(function* () {
      const commands = yield* below([])
      assert.includeMembers(
        commands.map(([path]) => path),
        [
          "admin encryption-key rotate",
          "admin identity-provider set",
          "admin tenants disable",
          "admin users create",
          "billing reconcile",
          "policies reprice",
          "product simulate",
          "token user"
        ]
      )
      const silent = commands.flatMap(([path, { args = [], description, flags }]) => [
        ...(description === "" ? [path] : []),
        ...[...args, ...flags]
          .filter((taken) => Option.getOrElse(taken.description, () => "") === "")
          .map(({ name }) => `${path} ${name}`)
      ])
      assert.deepStrictEqual(silent, [])
    })
  )

  const lacking: ReadonlyArray<readonly [ReadonlyArray<string>, ReadonlyArray<string>]> = [
    [
      ["admin", "users", "create"],
      ["email", "tenant", "first-name", "last-name", "role"]
    ],
    [
      ["admin", "users", "create", "ada@example.test", "-t", "acme", "--role=AUDITOR"],
      ["first-name", "last-name"]
    ],
    [
      ["admin", "moratoriums", "place"],
      ["tenant", "to", "reason"]
    ],
    [
      ["policies", "reprice", "--tenant", "acme"],
      ["product", "select", "effective"]
    ],
    [
      ["token", "client"],
      ["id", "secret", "tenant"]
    ]
  ]

  it.effect.each(lacking)("says all that is missing at once: %s", ([line, names]) =>
    Effect.gen(function* () {
      const event = yield* presented(line)
      if (event?._tag !== "InvalidInvocation") return assert.fail("the line was taken")
      const found = missing(event.helpDoc, event.commandPath, line).map((error) =>
        error._tag === "MissingOption" ? error.option : error.argument
      )
      assert.deepStrictEqual(found, names)
    })
  )
})
