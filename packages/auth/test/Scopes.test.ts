import { assert, describe, it } from "@effect/vitest"
import { Scope, scopeNames } from "@quittance/domain/requests/Caller"
import { Result, Schema } from "effect"
import * as Scopes from "../src/Scopes.ts"

const granted = ["platform/policies", "platform/customers"] as const

const allowed = (requested: string | undefined, of: ReadonlyArray<Scope> = granted) =>
  Result.getOrUndefined(Scopes.allow(requested, of))

describe("Scopes.allow", () => {
  it.each([
    ["TE-05 a tab", "platform/policies\tplatform/customers"],
    ["TE-05 a line end", "platform/policies\nplatform/customers"],
    ["TE-05 a comma", "platform/policies,platform/customers"],
    ["TE-05 two spaces", "platform/policies  platform/customers"],
    ["TE-05 a leading space", " platform/policies"],
    ["a trailing space", "platform/policies "],
    ["TE-06 a wildcard", "platform/*"],
    ["TE-06 an encoded space", "platform/policies%20platform/admin"],
    ["TE-06 a space that does not break", "platform/policies\u00a0platform/admin"],
    ["another case", "platform/Policies"],
    ["a prefix", "platform/policie"],
    ["a quotation mark", 'platform/policies "'],
    ["TE-12 openid", "platform/policies openid"],
    ["TE-12 offline_access", "platform/policies offline_access"],
    ["one that exists and was not granted", "platform/policies platform/admin"],
    ["more than 2,048 characters", "platform/policies ".repeat(200).trim()]
  ])("refuses %s", (_, requested) => {
    assert.isUndefined(allowed(requested))
  })

  it("TE-11 refuses a client without any scope, whatever it asks for", () => {
    assert.deepStrictEqual(
      [allowed(undefined, []), allowed("", []), allowed("platform/policies", [])],
      [undefined, undefined, undefined]
    )
  })

  it("TE-10 gives all granted scopes when none is named or the parameter is empty", () => {
    assert.deepStrictEqual([allowed(undefined), allowed("")], [[...granted], [...granted]])
  })

  it("TE-01 gives the scopes asked for, in the order of the request", () => {
    assert.deepStrictEqual(allowed("platform/customers platform/policies"), [
      "platform/customers",
      "platform/policies"
    ])
  })

  it("TE-08 gives a repeated scope once", () => {
    assert.deepStrictEqual(allowed("platform/customers platform/customers"), ["platform/customers"])
  })

  it.prop(
    "gives a request either exactly what it names or nothing, and only what was granted",
    [Schema.Array(Scope), Schema.Array(Scope)],
    ([requested, of]) => {
      const names = [...new Set(requested)]
      const grantedOnce = [...new Set(of)]
      const expected =
        requested.length === 0
          ? grantedOnce.length === 0
            ? undefined
            : grantedOnce
          : names.every((name) => grantedOnce.includes(name))
            ? names
            : undefined
      assert.deepStrictEqual(allowed(requested.join(" "), grantedOnce), expected)
    },
    { arbitrary: { runs: 500 } }
  )

  it.prop(
    "reads any list of names that the grammar allows",
    [Schema.NonEmptyArray(Schema.String.check(Schema.isPattern(/^[!#-[\]-~]{1,20}$/u)))],
    ([names]) => {
      const text = names.join(" ")
      assert.deepStrictEqual(
        Scopes.parse(text),
        text.length > 2048 ? undefined : [...new Set(names)]
      )
    },
    { arbitrary: { runs: 300 } }
  )

  it("knows the 23 areas of the interface", () => {
    assert.strictEqual(scopeNames.length, 23)
    assert.deepStrictEqual(Scopes.parse(scopeNames.join(" ")), scopeNames)
  })
})
