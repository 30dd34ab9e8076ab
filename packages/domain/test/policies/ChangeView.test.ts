import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { canonicalJson } from "../../src/values/CanonicalJson.ts"
import { apply, type Change, origin, touch } from "../../src/policies/Change.ts"
import {
  type Lineage,
  presenceOf,
  segments,
  standing,
  stateAt,
  visible
} from "../../src/policies/ChangeView.ts"
import * as Naive from "../NaiveView.ts"
import {
  branchIds,
  day,
  days,
  int,
  type RandomLog,
  RandomLogs,
  recorded,
  runs,
  trunkId
} from "../RandomLogs.ts"
import { add, frozen, history, logOf, reread, textAt } from "../Recording.ts"

const lineages = ({ branches, base }: RandomLog): ReadonlyArray<Lineage> => [base, ...branches]

const draws = Arbitrary.schema(
  Schema.Array(int(0, 1_000_000)).check(Schema.isMinLength(72), Schema.isMaxLength(72))
)

describe("a view of a log", () => {
  it.prop(
    "is what a naive reading of the rules makes of it, on every branch, at every instant, as of any knowledge",
    [RandomLogs, Arbitrary.schema(int(1, 60))],
    ([drawn, known]) => {
      const { log } = drawn
      for (const lineage of lineages(drawn)) {
        for (const view of [lineage, { ...lineage, knownAt: recorded(known) }]) {
          for (const whenAt of [...days, undefined]) {
            const at = { ...view, whenAt }
            assert.strictEqual(canonicalJson(stateAt(log, at)), Naive.textAt(log, at))
          }
          assert.deepStrictEqual(
            visible(log, view).map(({ seq }) => seq),
            Naive.shown(log, view).map(({ seq }) => seq)
          )
        }
      }
    },
    runs
  )

  it.prop(
    "is the same each time, also of a log that was read anew, and leaves the log alone",
    [RandomLogs],
    ([drawn]) => {
      const { log } = frozen(drawn)
      for (const lineage of lineages(drawn)) {
        const first = history(log, lineage)
        assert.deepStrictEqual(history(log, lineage), first)
        assert.deepStrictEqual(history(reread(log), lineage), first)
      }
    },
    runs
  )

  it.prop(
    "does not depend on the order in which changes were recorded that don't touch",
    [RandomLogs, draws],
    ([{ log, base }, numbers]) => {
      const data = log.filter(({ branchId, kind }) => branchId === trunkId && kind === "UPDATE")
      const shuffled = [...data]
      for (let pass = 0; pass < shuffled.length; pass++) {
        for (let at = 1; at < shuffled.length; at++) {
          const [one, other] = [shuffled[at - 1]!, shuffled[at]!]
          if (numbers[one.seq]! < numbers[other.seq]! || meet(one, other)) continue
          shuffled[at - 1] = other
          shuffled[at] = one
        }
      }
      const renumbered = shuffled.map((change, index) => ({ ...change, seq: index + 1 }))
      assert.deepStrictEqual(history(renumbered, base), history(data, base))
    },
    runs
  )

  it.prop(
    "as of an instant of knowledge stays as it was, whatever is recorded later",
    [RandomLogs, Arbitrary.schema(int(1, 60))],
    ([drawn, count]) => {
      const { log } = drawn
      const knownAt = recorded(count)
      const then = log.filter(({ recordedAt }) => recordedAt <= knownAt)
      for (const lineage of lineages(drawn)) {
        for (const whenAt of days) {
          const view = { ...lineage, whenAt, knownAt }
          assert.deepStrictEqual(stateAt(log, view), stateAt(then, { ...lineage, whenAt }))
        }
      }
    },
    runs
  )

  it.prop(
    "shows a back-dated change from its instant on, under what takes effect later",
    [
      RandomLogs,
      Arbitrary.schema(int(1, 12)),
      Arbitrary.schema(Schema.Literals(["/name", "/customFields/a", "/new"]))
    ],
    ([{ log, base }, at, path]) => {
      const effectiveAt = days[at]!
      const value = "back-dated"
      // A stop would hide it.
      const before = log.filter(({ kind }) => kind !== "STOP")
      const after = add(before, { effectiveAt, patch: [{ path, value }] })
      for (const whenAt of days) {
        const was = stateAt(before, { ...base, whenAt })
        const isOver = visible(before, { ...base, whenAt }).some(
          (change) =>
            change.effectiveAt > effectiveAt &&
            change.patch.some((entry) => touch(entry.path, path))
        )
        const expected = whenAt < effectiveAt || isOver ? was : apply(was, [{ path, value }])
        assert.strictEqual(textAt(after, base, whenAt), canonicalJson(expected))
      }
    },
    runs
  )

  it.prop(
    "goes through states one after the other, each from its own instant to the next",
    [RandomLogs],
    ([drawn]) => {
      const { log } = drawn
      for (const lineage of lineages(drawn)) {
        const all = segments(log, lineage)
        assert.deepStrictEqual(
          all.map(({ from }) => from),
          Naive.instantsOf(Naive.shown(log, lineage))
        )
        for (const [index, { from, state, to }] of all.entries()) {
          assert.strictEqual(to, all[index + 1]?.from)
          assert.strictEqual(canonicalJson(state), Naive.textAt(log, { ...lineage, whenAt: from }))
        }
      }
    },
    runs
  )
})

/** Whether it matters which of two changes was recorded first. */
const meet = (a: Change, b: Change): boolean =>
  a.patch.some((one) =>
    b.patch.some(
      (other) =>
        touch(one.path, other.path) && (a.effectiveAt === b.effectiveAt || one.path === "/stage")
    )
  )

describe("a revert", () => {
  it.prop(
    "leaves a log as if the change had never been recorded, and reverted brings it back",
    [RandomLogs, Arbitrary.schema(int(0, 60))],
    ([drawn, target]) => {
      for (const lineage of lineages(drawn)) {
        const kept = standing(drawn.log, lineage)
        const change = kept[target % kept.length]!
        const { branchId } = lineage
        const one = add(drawn.log, { branchId, kind: "REVERT", reverts: change.id })
        const two = add(one, { branchId, kind: "REVERT", reverts: one.at(-1)!.id })
        const three = add(two, { branchId, kind: "REVERT", reverts: two.at(-1)!.id })
        const without = drawn.log.filter((other) => other !== change)
        assert.deepStrictEqual(history(one, lineage), history(without, lineage))
        assert.deepStrictEqual(history(two, lineage), history(drawn.log, lineage))
        assert.deepStrictEqual(history(three, lineage), history(one, lineage))
      }
    },
    runs
  )
})

describe("a customer or an asset", () => {
  it("is there from the change that put it there, until one takes it away", () => {
    const [branchId] = branchIds
    const base = { branchId: trunkId, seq: 2 }
    const asset = { path: "/assets/a1", value: { customFields: {} } }
    const log = logOf(
      { patch: [{ path: "/assets", value: {} }], effectiveAt: origin },
      { patch: [asset], effectiveAt: day(4) },
      { patch: [{ ...asset, path: "/assets/a2" }], effectiveAt: day(6), branchId },
      { patch: [{ path: "/assets/a1", removed: true }], effectiveAt: day(8), branchId }
    )
    const presence = (path: string) => presenceOf(log, { branchId, base }, path)
    assert.deepStrictEqual(presence("/assets/a1/customFields/y"), { since: day(4), until: day(8) })
    assert.deepStrictEqual(presence("/assets/a2"), { since: day(6) })
    assert.isUndefined(presence("/assets/a3/name"))
    assert.isUndefined(presence("/name"))
  })

  it("that is not there takes no change of what would lie in it", () => {
    const state = { assets: { a1: { name: "one" } }, customers: {} }
    for (const patch of [
      [{ path: "/assets/a2/name", value: "two" }],
      [{ path: "/customers/c1/customFields/x", value: 1 }],
      [{ path: "/customers/c1/role", removed: true as const }]
    ]) {
      assert.deepStrictEqual(apply(state, patch), state)
    }
  })
})
