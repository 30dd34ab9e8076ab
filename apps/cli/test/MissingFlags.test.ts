import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import type { HelpDoc } from "effect/cli"
import { missing } from "../src/terminal/MissingFlags.ts"

const flag = (name: string, required: boolean, type = "string", aliases: Array<string> = []) => ({
  name,
  aliases,
  type,
  description: Option.none(),
  required
})

const argument = (name: string, required: boolean): HelpDoc.ArgDoc => ({
  name,
  type: "string",
  description: Option.none(),
  required,
  variadic: false
})

const doc = {
  args: [argument("email", true), argument("title", false)],
  flags: [
    flag("tenant", true, "string", ["-t"]),
    flag("role", true),
    flag("firm", false),
    flag("compromised", false, "boolean")
  ],
  globalFlags: [flag("log-level", false)]
}

const path = ["quittance", "admin", "users", "create"]
const lacks = (...line: ReadonlyArray<string>) =>
  missing(doc, path, ["admin", "users", "create", ...line]).map((error) =>
    error._tag === "MissingOption" ? `--${error.option}` : error.argument
  )

describe("what a command lacks", () => {
  it("is told at once, arguments and flags", () => {
    assert.deepStrictEqual(lacks(), ["email", "--tenant", "--role"])
    assert.deepStrictEqual(lacks("ada@example.test"), ["--tenant", "--role"])
    assert.deepStrictEqual(lacks("--role", "AUDITOR"), ["email", "--tenant"])
  })

  it("is not what was given, in whatever form and order", () => {
    for (const tenant of [["--tenant", "acme"], ["--tenant=acme"], ["-t", "acme"], ["-t=acme"]]) {
      for (const role of [["--role", "AUDITOR"], ["--role=AUDITOR"]]) {
        assert.deepStrictEqual(lacks(...tenant, ...role, "ada@example.test"), [])
        assert.deepStrictEqual(lacks("ada@example.test", ...role, ...tenant), [])
      }
    }
  })

  it("counts no value of a flag as an argument, and no argument as a value", () => {
    assert.deepStrictEqual(lacks("--firm", "north", "--log-level", "debug"), [
      "email",
      "--tenant",
      "--role"
    ])
    assert.deepStrictEqual(lacks("--compromised", "ada@example.test"), ["--tenant", "--role"])
    assert.deepStrictEqual(lacks("--", "--tenant"), ["--tenant", "--role"])
  })
})
