import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { canonicalJson } from "../../src/values/CanonicalJson.ts"
import { apply, type JsonObject } from "../../src/policies/Change.ts"
import { Folding, valueAt } from "../../src/policies/Folding.ts"
import * as Naive from "../NaiveView.ts"
import { int, RandomLogs, runs } from "../RandomLogs.ts"
import { frozen } from "../Recording.ts"

const looks = [
  "",
  "/assets",
  "/customers",
  "/customFields",
  "/assets/a1",
  "/periodDuration",
  "/name"
]
const Looks = Arbitrary.schema(
  Schema.Array(int(0, looks.length)).check(Schema.isMinLength(80), Schema.isMaxLength(80))
)

describe("folding in place", () => {
  it.prop(
    "makes the same states as patching copies, and never writes on what it has handed out",
    [RandomLogs, Looks],
    ([{ log }, chosen]) => {
      const folding = new Folding(frozen({}))
      const handedOut: Array<{ readonly value: unknown; readonly text: string }> = []
      let copied: JsonObject = {}
      for (const { patch, seq } of log) {
        folding.patch(frozen(patch))
        copied = frozen(apply(copied, patch))
        const path = looks[chosen[seq]!]
        const value =
          path === undefined ? folding.policy() : path === "" ? folding.state() : folding.at(path)
        const { assets: _assets, customers: _customers, ...policy } = copied
        const expected = path === undefined ? policy : valueAt(copied, path)
        assert.strictEqual(canonicalJson(value), canonicalJson(expected))
        handedOut.push({ value, text: canonicalJson(value) })
      }
      assert.strictEqual(canonicalJson(folding.state()), canonicalJson(copied))
      for (const { text, value } of handedOut) assert.strictEqual(canonicalJson(value), text)
    },
    runs
  )

  it.prop(
    "sets and removes exactly what a patch names",
    [RandomLogs],
    ([{ log }]) => {
      const states = log.map((_, index) => {
        const patches = log.slice(0, index + 1).flatMap(({ patch }) => patch)
        return apply({}, patches)
      })
      const nodes: Naive.Nodes = new Map()
      for (const [index, { patch }] of log.entries()) {
        for (const entry of patch) Naive.patch(nodes, entry)
        assert.strictEqual(canonicalJson(states[index]), canonicalJson(Naive.nested(nodes, "")))
      }
    },
    { ...runs, arbitrary: { ...runs.arbitrary, runs: Math.ceil(runs.arbitrary.runs / 10) } }
  )

  it("treats the names of inherited members as plain keys", () => {
    const one = apply({}, [{ path: "/customFields/__proto__", value: 1 }])
    const two = apply(one, [{ path: "/customFields/toString", value: 2 }])
    assert.strictEqual(({} as Record<string, unknown>)["a"], undefined)
    assert.deepStrictEqual(Object.keys(two["customFields"] as object), ["__proto__", "toString"])
    assert.isUndefined(valueAt(two, "/customFields/constructor"))
    assert.isUndefined(valueAt(two, "/customFields/toString/length"))
  })
})
