import { assert, describe, it } from "@effect/vitest"
import { Arbitrary } from "effect"
import { canonicalJson } from "../../src/values/CanonicalJson.ts"
import { apply, type Change, type JsonObject } from "../../src/policies/Change.ts"
import { stateAt } from "../../src/policies/ChangeView.ts"
import { day, days, int, RandomLogs, runs, trunkId } from "../RandomLogs.ts"
import { add, history, logOf, textAt } from "../Recording.ts"

describe("a stop", () => {
  const stopEntry = { path: "/contract", value: "STOPPED" } as const

  it.prop(
    "leaves from its instant on what was just before it, and withdrawn all as it was",
    [RandomLogs, Arbitrary.schema(int(1, 12))],
    ([{ log, base }, at]) => {
      const effectiveAt = days[at]!
      const before = log.filter(
        ({ effectiveAt: on, kind }) =>
          kind !== "STOP" && kind !== "REINSTATE" && (on < effectiveAt || !isSale.has(kind))
      )
      const after = add(before, { kind: "STOP", effectiveAt, patch: [stopEntry] })
      const last = stateAt(before, { ...base, whenAt: days[at - 1]! })
      for (const whenAt of days) {
        const isLater = whenAt >= effectiveAt
        const expected = isLater ? apply(last, [stopEntry]) : stateAt(before, { ...base, whenAt })
        assert.strictEqual(textAt(after, base, whenAt), canonicalJson(expected))
      }
      const withdrawn = add(after, { kind: "REVERT", reverts: after.at(-1)!.id })
      assert.deepStrictEqual(history(withdrawn, base), history(before, base))
    },
    runs
  )

  const isSale: ReadonlySet<string> = new Set(["CREATE", "SIGN"])
  const rename = (effectiveAt: number, value: string) => ({
    effectiveAt: day(effectiveAt),
    patch: [{ path: "/name", value }]
  })
  const stop = (effectiveAt: number) =>
    ({ kind: "STOP", effectiveAt: day(effectiveAt), patch: [stopEntry] }) as const
  const reinstatement = (effectiveAt: number) =>
    ({
      kind: "REINSTATE",
      effectiveAt: day(effectiveAt),
      patch: [{ path: "/contract", value: "STARTED" }]
    }) as const
  const at = (log: ReadonlyArray<Change>, whenAt: number): JsonObject =>
    stateAt(log, { branchId: trunkId, whenAt: day(whenAt) })

  it("hides what was agreed for later until it is reinstated, and then shows it at its own time", () => {
    const agreed = [rename(1, "a"), rename(6, "b"), rename(8, "c")]
    for (const from of [5, 7]) {
      const log = logOf(...agreed, stop(5), reinstatement(from))
      const isRunning = (on: number) => (on < from ? "STOPPED" : "STARTED")
      assert.deepStrictEqual(at(log, 5), { name: "a", contract: isRunning(5) })
      assert.deepStrictEqual(at(log, 6), { name: "b", contract: isRunning(6) })
      assert.deepStrictEqual(at(log, 7), { name: "b", contract: "STARTED" })
      assert.deepStrictEqual(at(log, 8), { name: "c", contract: "STARTED" })
    }
  })

  it("hides what was recorded after it until it is reinstated", () => {
    const log = logOf(rename(1, "a"), stop(5), rename(6, "b"), reinstatement(5), rename(8, "c"))
    assert.deepStrictEqual(at(log, 6), { name: "b", contract: "STARTED" })
    assert.deepStrictEqual(at(log, 8), { name: "c", contract: "STARTED" })
  })

  it("leaves no step of the contract in its gap, and those behind it where they are", () => {
    const suspension = (on: number) =>
      ({
        kind: "SUSPEND",
        effectiveAt: day(on),
        patch: [{ path: "/contract", value: "SUSPENDED" }]
      }) as const
    const log = logOf(rename(1, "a"), suspension(6), suspension(9), stop(5), reinstatement(8))
    assert.deepStrictEqual(at(log, 6), { name: "a", contract: "STOPPED" })
    assert.deepStrictEqual(at(log, 8), { name: "a", contract: "STARTED" })
    assert.deepStrictEqual(at(log, 9), { name: "a", contract: "SUSPENDED" })
  })

  it("that was announced for later comes back with the reinstatement of one before it, if it lies behind", () => {
    const covered = logOf(rename(1, "a"), stop(8), stop(3), reinstatement(3))
    assert.deepStrictEqual(at(covered, 7), { name: "a", contract: "STARTED" })
    assert.deepStrictEqual(at(covered, 8), { name: "a", contract: "STOPPED" })
    const again = add(covered, reinstatement(8))
    assert.deepStrictEqual(at(again, 9), { name: "a", contract: "STARTED" })
    const uncovered = logOf(rename(1, "a"), stop(8), stop(3), reinstatement(9))
    assert.deepStrictEqual(at(uncovered, 8), { name: "a", contract: "STOPPED" })
    assert.deepStrictEqual(at(uncovered, 9), { name: "a", contract: "STARTED" })
  })

  it.prop(
    "that is reinstated without a gap is as if it had never been, but for the contract",
    [RandomLogs, Arbitrary.schema(int(1, 12))],
    ([{ log, base }, on]) => {
      // An announcement is the stop's that follows it, and goes with it.
      const ofStops = new Set<string>(["ANNOUNCE_STOP", "STOP", "REINSTATE"])
      const before = log.filter(({ kind }) => !ofStops.has(kind))
      const effectiveAt = days[on]!
      const stopped = add(before, { kind: "STOP", effectiveAt, patch: [stopEntry] })
      const patch = [{ path: "/contract", removed: true as const }]
      const after = add(stopped, { kind: "REINSTATE", effectiveAt, patch })
      const data = (log: ReadonlyArray<Change>) =>
        days.map((whenAt) => {
          const { contract: _contract, ...state } = stateAt(log, { ...base, whenAt })
          return canonicalJson(state)
        })
      assert.deepStrictEqual(data(after), data(before))
    },
    runs
  )

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
