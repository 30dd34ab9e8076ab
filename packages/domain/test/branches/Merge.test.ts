import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { canonicalJson } from "../../src/values/CanonicalJson.ts"
import { apply, type Change, type JsonObject } from "../../src/policies/Change.ts"
import { type Lineage, stateAt } from "../../src/policies/ChangeView.ts"
import { valueAt } from "../../src/policies/Folding.ts"
import { compare, conflictsIn, type Forked } from "../../src/branches/Conflicts.ts"
import { mergeDrafts, ownChanges, rebase, type Resolution } from "../../src/branches/Merge.ts"
import * as NaiveMerge from "../NaiveMerge.ts"
import * as Naive from "../NaiveView.ts"
import {
  days,
  int,
  type RandomLog,
  RandomLogs,
  runs,
  ShortBranches,
  trunkId
} from "../RandomLogs.ts"
import { covers, plus, upTo } from "../Recording.ts"
import type { Conflict } from "../../src/policies/Branch.ts"

const conflicts = (log: ReadonlyArray<Change>, branch: Forked) => conflictsIn(compare(log, branch))

const base = { branchId: trunkId }

/** The branch at the head of the base branch; `undefined` where a conflict is not decided. */
const rebased = (
  log: ReadonlyArray<Change>,
  branch: Forked,
  resolutions: ReadonlyArray<Resolution> = []
) => {
  const result = rebase(log, branch, resolutions)
  if ("undecided" in result) return undefined
  return { log: plus(log, branch.branchId, result.drafts), branch: upTo(log, branch) }
}

/** The base branch with a branch; `undefined` where that is in conflict with it. */
const merged = (log: ReadonlyArray<Change>, branch: Forked): ReadonlyArray<Change> | undefined => {
  const up = rebased(log, branch)
  return up && plus(up.log, trunkId, mergeDrafts(up.log, up.branch))
}

/** A state but for how far the sale has come. */
const text = ({ stage: _stage, ...state }: JsonObject): string => canonicalJson(state)

/** What a lineage shows at every instant. */
const history = (log: ReadonlyArray<Change>, lineage: Lineage): ReadonlyArray<string> =>
  days.map((whenAt) => text(stateAt(log, { ...lineage, whenAt })))

const isAt = (path: string, upper: string) => path === upper || path.startsWith(`${upper}/`)

/**
 * Whether a branch lets what a stop hides be seen again. What another one says there was not compared while
 * the stop stood, and is once it is gone.
 */
const undoesStop = (log: ReadonlyArray<Change>, branch: Forked): boolean =>
  ownChanges(log, branch).some(
    ({ reverts }) => log.find(({ id }) => id === reverts)?.kind === "STOP"
  )

const Takes = Arbitrary.schema(
  Schema.Array(Schema.Boolean).check(Schema.isMinLength(40), Schema.isMaxLength(40))
)

const resolved = (
  found: ReadonlyArray<Conflict>,
  takes: ReadonlyArray<boolean>
): ReadonlyArray<Resolution> =>
  found.map(({ from, path }, index) => ({
    path,
    from,
    take: takes[index % takes.length]! ? "ours" : "theirs"
  }))

describe("a conflict", () => {
  const assertExact = ({ branches, log }: RandomLog) => {
    for (const branch of branches) {
      const found = conflicts(log, branch)
      const naive = NaiveMerge.read(log, branch)
      for (const at of days) {
        const told = found.filter((conflict) => covers(conflict, at))
        const isBehind = naive.stop !== undefined && at >= naive.stop
        const expected = naive.contested.flatMap((path) => {
          const sides = naive.at(path, at)
          return NaiveMerge.isConflict(sides) && !isBehind ? [{ path, ...sides }] : []
        })
        assert.strictEqual(
          canonicalJson(told.map(({ from: _from, to: _to, ...sides }) => sides)),
          canonicalJson(expected.sort((a, b) => (a.path < b.path ? -1 : 1)))
        )
        for (const leaf of naive.leavesAt(at)) {
          if (isBehind || !NaiveMerge.isConflict(naive.at(leaf, at))) continue
          assert.isTrue(
            told.some(({ path }) => isAt(leaf, path)),
            `${leaf} at ${at}`
          )
        }
      }
      for (const [index, one] of found.entries()) {
        assert.isTrue(one.to === undefined || one.from < one.to)
        const next = found[index + 1]
        if (next?.path !== one.path || next.from !== one.to) continue
        const sides = ({ base, ours, theirs }: Conflict) => canonicalJson({ base, ours, theirs })
        assert.notStrictEqual(sides(one), sides(next))
      }
    }
  }

  it.prop(
    "is told exactly where both gave a path another value than it had, and not the same one",
    [RandomLogs],
    ([drawn]) => assertExact(drawn),
    runs
  )

  it.prop(
    "is told exactly, also where little has happened",
    [ShortBranches],
    ([drawn]) => assertExact(drawn),
    runs
  )
})

describe("a rebase", () => {
  it.prop(
    "gives what was decided for as long as there was a conflict, else what the side has that has moved",
    [RandomLogs, Takes],
    ([{ branches, log }, takes]) => {
      for (const branch of branches) {
        const found = conflicts(log, branch)
        const up = rebased(log, branch, resolved(found, takes))!
        const naive = NaiveMerge.read(log, branch)
        for (const at of days) {
          // Behind a stop nothing of the branch shows.
          if (naive.stop !== undefined && at >= naive.stop) continue
          const state = stateAt(up.log, { ...up.branch, whenAt: at })
          for (const leaf of naive.leavesAt(at)) {
            const index = found.findIndex((one) => covers(one, at) && isAt(leaf, one.path))
            const { base, ours, theirs } = naive.at(leaf, at)
            const decided =
              index === -1 ? NaiveMerge.isSame(ours, base) : !takes[index % takes.length]!
            const expected = decided ? theirs : ours
            assert.isTrue(NaiveMerge.isSame(valueAt(state, leaf), expected), `${leaf} at ${at}`)
          }
        }
        assert.deepStrictEqual(conflicts(up.log, up.branch), [])
        assert.strictEqual(rebased(up.log, up.branch)!.log.length, up.log.length)
      }
    },
    runs
  )

  it.prop(
    "asks for a decision on each conflict and takes no other",
    [RandomLogs, Takes],
    ([{ branches, log }, takes]) => {
      for (const branch of branches) {
        const found = conflicts(log, branch)
        const some = resolved(found, takes).filter(
          (_, index) => !takes[(index + 7) % takes.length]!
        )
        const result = rebase(log, branch, [
          ...some,
          { path: "/nowhere", from: days[0]!, take: "theirs" }
        ])
        const open = found.filter(({ from, path }) =>
          some.every((one) => one.path !== path || one.from !== from)
        )
        assert.deepStrictEqual("undecided" in result ? result.undecided : [], open)
      }
    },
    runs
  )

  it.prop(
    "before a merge makes no difference where there is no conflict",
    [ShortBranches],
    ([{ branches, log }]) => {
      const [branch] = branches
      const direct = merged(log, branch)
      const up = rebased(log, branch)
      assert.strictEqual(direct === undefined, up === undefined)
      if (direct === undefined || up === undefined) return
      assert.deepStrictEqual(history(merged(up.log, up.branch)!, base), history(direct, base))
    },
    runs
  )
})

describe("a merge", () => {
  it.prop(
    "leaves the base branch with what the branch has shown, with one change of data an instant",
    [RandomLogs, Takes],
    ([{ branches, log }, takes]) => {
      for (const branch of branches) {
        const up = rebased(log, branch, resolved(conflicts(log, branch), takes))!
        const drafts = mergeDrafts(up.log, up.branch)
        const after = plus(up.log, trunkId, drafts)
        assert.deepStrictEqual(history(after, base), history(up.log, up.branch))
        const naive = days.map((whenAt) => text(Naive.stateAt(after, { ...base, whenAt })))
        assert.deepStrictEqual(history(after, base), naive)
        for (const together of Map.groupBy(
          drafts,
          ({ effectiveAt, kind }) => `${kind} ${effectiveAt}`
        ).values()) {
          assert.isTrue(together.length === 1 || together[0]!.kind === "REVERT")
        }
        for (const { patch } of drafts) {
          const paths = patch.map(({ path }) => path)
          assert.strictEqual(new Set(paths).size, paths.length)
          assert.notInclude(paths, "/stage")
        }
      }
    },
    runs
  )

  it.prop(
    "comes to the same with another that it is not in conflict with, whichever is first",
    [ShortBranches],
    ([{ branches, log }]) => {
      const [one, two] = branches
      if (undoesStop(log, one) || undoesStop(log, two)) return
      const afterOne = merged(log, one)
      const afterTwo = merged(log, two)
      const oneTwo = afterOne && merged(afterOne, two)
      const twoOne = afterTwo && merged(afterTwo, one)
      if (oneTwo === undefined || twoOne === undefined) return
      // Which quote is accepted is for who merges last to have asked for again.
      const data = (log: ReadonlyArray<Change>) =>
        days.map((whenAt) => {
          const { quoteId: _quoteId, ...state } = stateAt(log, { ...base, whenAt })
          return text(state)
        })
      assert.deepStrictEqual(data(oneTwo), data(twoOne))
    },
    runs
  )

  it.prop(
    "of a sale brings all of it onto the base branch, each instant as one change",
    [RandomLogs],
    ([{ branches, log }]) => {
      for (const { branchId } of branches) {
        const [created] = log
        const own = [created!, ...log]
          .map((change, index) => ({ ...change, seq: index }))
          .filter((change, index) => change.branchId === branchId || index === 0)
          .map((change) => ({ ...change, branchId }))
        const drafts = mergeDrafts(own, { branchId })
        const after = plus(own, trunkId, drafts)
        assert.deepStrictEqual(history(after, base), history(own, { branchId }))
        const instants = drafts.map(({ effectiveAt }) => effectiveAt)
        assert.strictEqual(new Set(instants).size, instants.length)
        for (const { kind } of drafts) assert.strictEqual(kind, "MERGE")
      }
    },
    runs
  )

  it.prop(
    "before a stop is withdrawn shows with it all that the branch has said",
    [ShortBranches, Arbitrary.schema(int(1, 12))],
    ([{ branches, log }, at]) => {
      const [branch] = branches
      const patch = [{ path: "/contract", value: "STOPPED" }]
      const effectiveAt = days[at]!
      const data = log.map((change): Change =>
        change.kind === "REVERT" ? change : { ...change, kind: "UPDATE" }
      )
      const stopped = plus(data, trunkId, [{ kind: "STOP", effectiveAt, patch }])
      const result = rebase(data, branch, [])
      // Conflicts over what a rebase had to add after the stop can't have been decided.
      if ("undecided" in result || result.drafts.length > 0) return
      const without = merged(data, branch)!
      const stoppedThenMerged = merged(stopped, branch)!
      const reverts = stopped.at(-1)!.id
      const withdrawn = plus(stoppedThenMerged, trunkId, [
        { kind: "REVERT", effectiveAt, patch: [], reverts }
      ])
      assert.deepStrictEqual(history(withdrawn, base), history(without, base))
      const last = stateAt(without, { ...base, whenAt: days[at - 1]! })
      const stoppedAt = stateAt(stoppedThenMerged, { ...base, whenAt: days.at(-1)! })
      assert.strictEqual(text(stoppedAt), text(apply(last, patch)))
    },
    runs
  )
})
