import { assert, describe, it } from "@effect/vitest"
import { Arbitrary } from "effect"
import { canonicalJson } from "../src/CanonicalJson.ts"
import { apply, type Change, type JsonObject } from "../src/Change.ts"
import { stateAt } from "../src/ChangeView.ts"
import { day, days, int, RandomLogs, runs, trunkId } from "./RandomLogs.ts"
import { add, history, logOf, textAt } from "./Recording.ts"

describe("a stop", () => {
  const stopped = { path: "/contract", value: "STOPPED" } as const

  it.prop(
    "leaves from its instant on what was just before it, and withdrawn all as it was",
    [RandomLogs, Arbitrary.schema(int(1, 12))],
    ([{ log, trunk }, at]) => {
      const effectiveAt = days[at]!
      const before = log.filter(
        ({ effectiveAt: on, kind }) =>
          kind !== "STOP" && kind !== "REINSTATE" && (on < effectiveAt || !isSale.has(kind))
      )
      const after = add(before, { kind: "STOP", effectiveAt, patch: [stopped] })
      const last = stateAt(before, { ...trunk, whenAt: days[at - 1]! })
      for (const whenAt of days) {
        const isLater = whenAt >= effectiveAt
        const expected = isLater ? apply(last, [stopped]) : stateAt(before, { ...trunk, whenAt })
        assert.strictEqual(textAt(after, trunk, whenAt), canonicalJson(expected))
      }
      const withdrawn = add(after, { kind: "REVERT", reverts: after.at(-1)!.id })
      assert.deepStrictEqual(history(withdrawn, trunk), history(before, trunk))
    },
    runs
  )

  const isSale: ReadonlySet<string> = new Set(["CREATE", "SIGN"])
  const rename = (effectiveAt: number, value: string) => ({
    effectiveAt: day(effectiveAt),
    patch: [{ path: "/name", value }]
  })
  const stop = (effectiveAt: number) =>
    ({ kind: "STOP", effectiveAt: day(effectiveAt), patch: [stopped] }) as const
  const reinstatement = (effectiveAt: number) =>
    ({
      kind: "REINSTATE",
      effectiveAt: day(effectiveAt),
      patch: [{ path: "/contract", value: "STARTED" }]
    }) as const
  const at = (log: ReadonlyArray<Change>, whenAt: number): JsonObject =>
    stateAt(log, { branchId: trunkId, whenAt: day(whenAt) })

  it("hides no reinstatement of its own, which brings nothing back that it has hidden", () => {
    const log = logOf(rename(1, "a"), rename(7, "b"), stop(5), reinstatement(6), rename(8, "c"))
    assert.deepStrictEqual(at(log, 5), { name: "a", contract: "STOPPED" })
    assert.deepStrictEqual(at(log, 7), { name: "a", contract: "STARTED" })
    assert.deepStrictEqual(at(log, 8), { name: "c", contract: "STARTED" })
  })

  it("before another one that was reinstated ends both: nothing is left to be reinstated", () => {
    const log = logOf(rename(1, "a"), stop(5), reinstatement(6), stop(3))
    assert.deepStrictEqual(at(log, 8), { name: "a", contract: "STOPPED" })
    const withdrawn = add(log, { kind: "REVERT", reverts: log.at(-1)!.id })
    assert.deepStrictEqual(at(withdrawn, 5), { name: "a", contract: "STOPPED" })
    assert.deepStrictEqual(at(withdrawn, 8), { name: "a", contract: "STARTED" })
  })

  it("on an earlier day takes the place of one that was announced, which comes back with it withdrawn", () => {
    const log = logOf(rename(1, "a"), rename(4, "b"), stop(8), stop(3))
    assert.deepStrictEqual(at(log, 4), { name: "a", contract: "STOPPED" })
    const withdrawn = add(log, { kind: "REVERT", reverts: log.at(-1)!.id })
    assert.deepStrictEqual(at(withdrawn, 4), { name: "b" })
    assert.deepStrictEqual(at(withdrawn, 8), { name: "b", contract: "STOPPED" })
  })

  it("ends what the sale had planned for later too", () => {
    const log = logOf(
      { ...rename(0, "sold"), kind: "MERGE" },
      { ...rename(6, "grown"), kind: "MERGE" },
      stop(5)
    )
    assert.deepStrictEqual(at(log, 7), { name: "sold", contract: "STOPPED" })
  })
})
