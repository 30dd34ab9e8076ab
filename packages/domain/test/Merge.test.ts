import { assert, describe, it } from "@effect/vitest"
import { canonicalJson } from "../src/CanonicalJson.ts"
import { type Change, type JsonObject, valueAt } from "../src/Change.ts"
import { segments, stateAt } from "../src/ChangeView.ts"
import { differences, shadowed } from "../src/Differences.ts"
import { conflicts, type Forked, mergeDrafts, rebase, type Resolution } from "../src/Merge.ts"
import {
  change,
  day,
  days,
  histories,
  oneId,
  replayed,
  runs,
  shortHistories,
  text,
  trunkId,
  twoId,
  updates
} from "./Histories.ts"

const trunk = { branchId: trunkId }
const at = (changes: ReadonlyArray<Change>, n: number) =>
  stateAt(changes, { ...trunk, whenAt: day(n) })
const lastSeq = (changes: ReadonlyArray<Change>) => Math.max(0, ...changes.map(({ seq }) => seq))

/** Drafts as recorded changes of a branch. */
const recorded = (
  changes: ReadonlyArray<Change>,
  branchId: Change["branchId"],
  drafts: ReturnType<typeof mergeDrafts>
) => [
  ...changes,
  ...drafts.map((draft, index) =>
    change(
      lastSeq(changes) + 1 + index,
      branchId,
      draft.kind,
      draft.effectiveAt,
      draft.patch,
      draft.reverts
    )
  )
]

const forkedAt = (seq: number, branchId: Change["branchId"]): Forked => ({
  branchId,
  base: { branchId: trunkId, seq }
})

/** Brings a branch up to the trunk; `undefined` where they contradict each other and nobody decides. */
const rebased = (
  changes: ReadonlyArray<Change>,
  branch: Forked,
  resolutions: ReadonlyArray<Resolution> = []
) => {
  const head = lastSeq(changes)
  const result = rebase(changes, branch, head, resolutions)
  if ("undecided" in result) return undefined
  const next = recorded(changes, branch.branchId, result.drafts)
  return { changes: next, branch: forkedAt(head, branch.branchId) }
}

const merged = (changes: ReadonlyArray<Change>, branch: Forked) => {
  const up = rebased(changes, branch)
  return up && recorded(up.changes, trunkId, mergeDrafts(up.changes, up.branch))
}

type Value = ReturnType<typeof valueAt>
const same = (a: Value, b: Value) =>
  a === b || (a !== undefined && b !== undefined && canonicalJson(a) === canonicalJson(b))

describe("a branch beside the trunk", () => {
  it.prop(
    "is in conflict exactly where both gave a path another value than it had, and not the same",
    [histories, shortHistories, shortHistories],
    ([before, theirs, ours]) => {
      const base = updates(before)
      const moved = updates(theirs, trunkId, 200)
      const own = updates(ours, oneId, 300)
      const changes = [...base, ...moved, ...own]
      const found = conflicts(changes, forkedAt(base.length, oneId))
      const leaves = ["/name", "/customFields/a", "/customFields/b"]
      for (const path of leaves) {
        for (const n of days) {
          const was = valueAt(replayed(base, day(n)), path)
          const their = valueAt(replayed([...base, ...moved], day(n)), path)
          const our = valueAt(replayed([...base, ...own], day(n), oneId), path)
          const expected = !same(our, was) && !same(their, was) && !same(our, their)
          const told = found.some(
            (conflict) =>
              conflict.path === path &&
              conflict.from <= day(n) &&
              (conflict.to === undefined || day(n) < conflict.to)
          )
          assert.strictEqual(told, expected, `${path} on day ${n}`)
        }
      }
    },
    runs
  )

  it.prop(
    "leaves the trunk with the values of whichever side has moved",
    [histories, shortHistories, shortHistories],
    ([before, theirs, ours]) => {
      const base = updates(before)
      const moved = updates(theirs, trunkId, 200)
      const own = updates(ours, oneId, 300)
      const after = merged([...base, ...moved, ...own], forkedAt(base.length, oneId))
      if (after === undefined) return
      const paths = [...moved, ...own].flatMap(({ patch }) => patch.map(({ path }) => path))
      for (const n of days) {
        const state = at(after, n)
        for (const path of new Set(paths)) {
          const was = valueAt(replayed(base, day(n)), path)
          const their = valueAt(replayed([...base, ...moved], day(n)), path)
          const our = valueAt(replayed([...base, ...own], day(n), oneId), path)
          const expected = same(our, was) ? their : our
          // What lies in what the other side put there, or took away, is decided with that.
          if (same(our, their) || !/^\/(customers|assets)/u.test(path)) {
            assert.strictEqual(
              text({ value: valueAt(state, path) }),
              text({ value: expected }),
              path
            )
          }
        }
      }
    },
    runs
  )

  it.prop(
    "comes to the same on the trunk in whatever order two are merged that don't conflict",
    [histories, shortHistories, shortHistories],
    ([before, one, two]) => {
      const base = updates(before)
      const [a, b] = [updates(one, oneId, 200), updates(two, twoId, 300)]
      const [first, second] = [forkedAt(base.length, oneId), forkedAt(base.length, twoId)]
      const log = [...base, ...a, ...b]
      const afterOne = merged(log, first)
      const afterTwo = merged(log, second)
      const oneTwo = afterOne && merged(afterOne, second)
      const twoOne = afterTwo && merged(afterTwo, first)
      assert.strictEqual(oneTwo === undefined, twoOne === undefined)
      if (oneTwo === undefined || twoOne === undefined) return
      for (const n of days) assert.strictEqual(text(at(oneTwo, n)), text(at(twoOne, n)), `day ${n}`)
    },
    runs
  )

  it.prop(
    "shows after a rebase what its merge makes of the trunk, and a second rebase adds nothing",
    [histories, shortHistories, shortHistories],
    ([before, theirs, ours]) => {
      const base = updates(before)
      const changes = [...base, ...updates(theirs, trunkId, 200), ...updates(ours, oneId, 300)]
      const branch = forkedAt(base.length, oneId)
      const up = rebased(changes, branch)
      const direct = merged(changes, branch)
      assert.strictEqual(up === undefined, direct === undefined)
      if (up === undefined || direct === undefined) return
      const later = merged(up.changes, up.branch)!
      for (const n of days) {
        const shown = stateAt(up.changes, { ...up.branch, whenAt: day(n) })
        assert.strictEqual(text(shown), text(at(direct, n)))
        assert.strictEqual(text(at(later, n)), text(at(direct, n)))
      }
      assert.lengthOf(rebased(up.changes, up.branch)!.changes, up.changes.length)
      assert.deepStrictEqual(conflicts(up.changes, up.branch), [])
    },
    runs
  )

  it.prop(
    "has after a rebase exactly what was decided, for as long as there was a conflict",
    [histories, shortHistories, shortHistories],
    ([before, theirs, ours]) => {
      const base = updates(before)
      const changes = [...base, ...updates(theirs, trunkId, 200), ...updates(ours, oneId, 300)]
      const branch = forkedAt(base.length, oneId)
      const found = conflicts(changes, branch)
      const resolutions = found.map(({ from, path }, index) => ({
        path,
        from,
        take: index % 2 === 0 ? ("ours" as const) : ("theirs" as const)
      }))
      const up = rebased(changes, branch, resolutions)!
      for (const [index, conflict] of found.entries()) {
        const wanted = index % 2 === 0 ? conflict.ours : conflict.theirs
        for (const { from, state, to } of segments(up.changes, up.branch)) {
          const isWithin =
            (to === undefined || to > conflict.from) &&
            (conflict.to === undefined || from < conflict.to)
          if (isWithin) {
            assert.strictEqual(text({ at: valueAt(state, conflict.path) }), text({ at: wanted }))
          }
        }
      }
      assert.deepStrictEqual(conflicts(up.changes, up.branch), [])
    },
    runs
  )

  it.prop(
    "differs from the trunk where it says, and nowhere else",
    [histories, shortHistories],
    ([before, ours]) => {
      const base = updates(before)
      const changes = [...base, ...updates(ours, oneId, 300)]
      const branch = forkedAt(base.length, oneId)
      const told = differences(changes, branch)
      const paths = new Set(ours.map(({ path }) => path))
      for (const n of days) {
        const is: JsonObject = stateAt(changes, { ...branch, whenAt: day(n) })
        for (const path of paths) {
          const one = told.find(
            (found) =>
              found.path === path &&
              found.from <= day(n) &&
              (found.to === undefined || day(n) < found.to)
          )
          assert.strictEqual(
            one !== undefined,
            !same(valueAt(at(base, n), path), valueAt(is, path))
          )
          if (one !== undefined) assert.deepStrictEqual(one.branch, valueAt(is, path))
        }
      }
    },
    runs
  )

  it("tells which later change of the trunk ends what it says", () => {
    const later = change(1, trunkId, "UPDATE", day(5), [{ path: "/customFields/a", value: 1 }])
    const own = change(2, oneId, "UPDATE", day(2), [{ path: "/customFields/a", value: 2 }])
    assert.deepStrictEqual(shadowed([later, own], forkedAt(1, oneId)), [
      { path: "/customFields/a", from: day(2), by: later.id }
    ])
  })

  it("takes back on the trunk what it has reverted, and nothing of its own tries", () => {
    const first = change(1, trunkId, "UPDATE", day(1), [{ path: "/customFields/a", value: 1 }])
    const undo = change(2, oneId, "REVERT", day(1), [], first.id)
    const tried = change(3, oneId, "UPDATE", day(1), [{ path: "/customFields/b", value: 1 }])
    const gone = change(4, oneId, "REVERT", day(1), [], tried.id)
    const after = merged([first, undo, tried, gone], forkedAt(1, oneId))!
    assert.deepStrictEqual(
      after.slice(4).map(({ kind, reverts }) => [kind, reverts]),
      [["REVERT", first.id]]
    )
    assert.strictEqual(text(at(after, 9)), "{}")
  })
})
