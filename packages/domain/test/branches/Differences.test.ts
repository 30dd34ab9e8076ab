import { assert, describe, it } from "@effect/vitest"
import { canonicalJson } from "../../src/values/CanonicalJson.ts"
import { type Change, touch } from "../../src/policies/Change.ts"
import { differences, shadowed } from "../../src/branches/Differences.ts"
import { valueAt } from "../../src/policies/Folding.ts"
import { compare, conflictsIn, type Forked } from "../../src/branches/Conflicts.ts"
import { mergeDrafts, rebase } from "../../src/branches/Merge.ts"
import * as NaiveMerge from "../NaiveMerge.ts"
import * as Naive from "../NaiveView.ts"
import {
  branchIds,
  changeId,
  day,
  days,
  RandomLogs,
  runs,
  ShortBranches,
  trunkId
} from "../RandomLogs.ts"
import { covers, plus, upTo } from "../Recording.ts"

const conflicts = (log: ReadonlyArray<Change>, branch: Forked) => conflictsIn(compare(log, branch))

const base = { branchId: trunkId }
const isStep = (path: string) => path === "/stage" || path === "/quoteId"

/** The base branch after the branch, with all that is in conflict decided for it. */
const mergedAsDecided = (log: ReadonlyArray<Change>, branch: Forked): ReadonlyArray<Change> => {
  const ours = conflicts(log, branch).map(
    ({ from, path }) => ({ path, from, take: "ours" }) as const
  )
  const result = rebase(log, branch, ours)
  const up = plus(log, branch.branchId, "drafts" in result ? result.drafts : [])
  return plus(up, trunkId, mergeDrafts(up, upTo(up, branch)))
}

const assertTrue = (log: ReadonlyArray<Change>, branch: Forked) => {
  const told = differences(log, branch)
  const after = mergedAsDecided(log, branch)
  for (const whenAt of days) {
    const was = Naive.stateAt(log, { ...base, whenAt })
    const is = Naive.stateAt(after, { ...base, whenAt })
    const now = told.filter((difference) => covers(difference, whenAt))
    for (const { base, branch: value, path } of now) {
      assert.isTrue(NaiveMerge.isSame(base, valueAt(was, path)))
      assert.isTrue(NaiveMerge.isSame(value, valueAt(is, path)))
      assert.isFalse(NaiveMerge.isSame(base, value))
    }
    for (const leaf of [...Naive.leavesOf(was), ...Naive.leavesOf(is)]) {
      const isOther = !NaiveMerge.isSame(valueAt(was, leaf), valueAt(is, leaf))
      if (!isOther || isStep(leaf)) continue
      assert.isTrue(
        now.some(({ path }) => touch(path, leaf)),
        `${leaf} at ${whenAt}`
      )
    }
  }
  for (const [index, one] of told.entries()) {
    const next = told[index + 1]
    if (next?.path !== one.path || next.from !== one.to) continue
    const isOne =
      NaiveMerge.isSame(next.base, one.base) && NaiveMerge.isSame(next.branch, one.branch)
    assert.isFalse(isOne)
  }
}

describe("the difference that a branch makes", () => {
  it.prop(
    "is what its merge changes, exactly there and to exactly that",
    [RandomLogs],
    ([{ branches, log }]) => {
      for (const branch of branches) assertTrue(log, branch)
    },
    runs
  )

  it.prop(
    "is told exactly, also where little has happened",
    [ShortBranches],
    ([{ branches, log }]) => {
      for (const branch of branches) assertTrue(log, branch)
    },
    runs
  )
})

describe("what a branch says", () => {
  it.prop(
    "is told to be ended by a later change of the base branch that has another value show, and by no other",
    [RandomLogs],
    ([{ branches, log }]) => {
      for (const branch of branches) {
        const shown = Naive.shown(log, branch)
        const instants = Naive.instantsOf(shown)
        const textAt = (path: string, at: string) => {
          const nodes = Naive.nodesOf(shown.filter(({ effectiveAt }) => effectiveAt <= at))
          return canonicalJson(Naive.nested(nodes, path) ?? null)
        }
        const expected = shown.flatMap(({ branchId, effectiveAt: from, patch }) => {
          if (branchId === trunkId) return []
          return patch.flatMap((entry) => {
            const { path } = entry
            const said = canonicalJson("value" in entry ? entry.value : null)
            if (isStep(path) || textAt(path, from) !== said) return []
            const end = instants.find((at) => at > from && textAt(path, at) !== said)
            const by = shown.findLast(
              (other) =>
                other.effectiveAt === end && other.patch.some((one) => touch(one.path, path))
            )
            return by?.branchId === trunkId ? [{ path, from, by: by.id }] : []
          })
        })
        assert.strictEqual(canonicalJson(shadowed(log, branch)), canonicalJson(expected))
      }
    },
    runs
  )

  it("until a change of its own that a later one of the base branch ends, is not ended by that", () => {
    const [branchId] = branchIds
    const set = (value: number) => [{ path: "/customFields/a", value }]
    const log = plus(
      plus([], trunkId, [{ kind: "UPDATE", effectiveAt: day(7), patch: set(1) }]),
      branchId,
      [2, 5].map((n) => ({ kind: "UPDATE", effectiveAt: day(n), patch: set(n) }))
    )
    assert.deepStrictEqual(shadowed(log, { branchId, base: { branchId: trunkId, seq: 1 } }), [
      { path: "/customFields/a", from: day(5), by: changeId(1) }
    ])
  })
})
