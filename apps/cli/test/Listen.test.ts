/** What `quittance listen` says of a line that was typed wrongly, before it reads anything. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { freePort } from "@quittance/embedded-postgres/FreePort"
import { ConfigProvider, Effect, Layer, Predicate } from "effect"
import { CliError, CliOutput } from "effect/cli"
import { runQuittance } from "../src/QuittanceCommand.ts"

/** All that a line has the command say. */
const saidOf = Effect.fnUntraced(function* (...flags: ReadonlyArray<string>) {
  const said: Array<string> = []
  const presenter = CliOutput.layerPresenter({
    present: (event) =>
      Effect.sync(() => {
        if (event._tag === "InvalidInvocation")
          said.push(...event.errors.map(({ message }) => message))
      })
  })
  const port = yield* Effect.promise(freePort)
  const failure = yield* runQuittance("0", ["listen", "-t", "acme", ...flags]).pipe(
    Effect.flip,
    Effect.provide(
      Layer.merge(
        Layer.provideMerge(presenter, NodeServices.layer),
        ConfigProvider.layer(ConfigProvider.fromUnknown({ PORT: String(port) }))
      )
    )
  )
  const sentence = Predicate.isObject(failure) ? CliError.getUserMessage(failure) : undefined
  return [...said, sentence ?? ""].join("\n")
})

const wrong: ReadonlyArray<readonly [string, string]> = [
  ["", "--forward ADDRESS, or --print"],
  ["--print --forward http://localhost:3000", "--forward ADDRESS, or --print"],
  ["--forward ftp://localhost/hooks", "Expected an address"],
  ["--forward localhost:3000", "Expected an address"],
  ["--forward hooks", "Expected an address"],
  ["--print --types policy.*,user.*", "Expected a type"],
  ["--print --secret whsec_tooshort", "Expected whsec_"],
  ["--print --after -1", "after"],
  ["--print --exit-after 0", "exit-after"],
  ["--print --replay policy_test_346789ABCDEFGHJKLMNPQ", "Expected a event id"],
  ["--print", "Nothing answers at http"]
]

describe("quittance listen", () => {
  it.effect.each(wrong)("says what is wrong with: listen %s", ([line, expected]) =>
    Effect.gen(function* () {
      const flags = line.split(" ").filter((flag) => flag !== "")
      assert.include(yield* saidOf(...flags), expected)
    })
  )
})
