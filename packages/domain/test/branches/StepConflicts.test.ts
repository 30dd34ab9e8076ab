import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import type { Change, ChangeKind } from "../../src/policies/Change.ts"
import { type Lineage, standing } from "../../src/policies/ChangeView.ts"
import { contractFault, isContractStep } from "../../src/policies/LifecycleCommands.ts"
import { mergeDrafts, type Resolution } from "../../src/branches/Merge.ts"
import { rebaseContract } from "../../src/branches/StepConflicts.ts"
import { branchIds, day, int, runs, trunkId } from "../RandomLogs.ts"
import { add, logOf, plus, upTo } from "../Recording.ts"
import type { BranchId } from "../../src/values/Ids.ts"

const base = { branchId: trunkId }

const leadsTo = {
  SUSPEND: "SUSPENDED",
  REACTIVATE: "STARTED",
  STOP: "STOPPED",
  REINSTATE: "STARTED"
} as const
type Step = keyof typeof leadsTo

const step = (kind: Step, effectiveAt: number): Partial<Change> => ({
  kind,
  effectiveAt: day(effectiveAt),
  patch: [{ path: "/contract", value: leadsTo[kind] }]
})

const started = logOf({
  kind: "START",
  effectiveAt: day(0),
  patch: [{ path: "/contract", value: "STARTED" }]
})

/** The log with a change, where the contract's table allows what it leads to. */
const tried = (
  log: ReadonlyArray<Change>,
  change: Partial<Change>,
  lineage: Lineage
): ReadonlyArray<Change> => {
  const next = add(log, { ...change, branchId: lineage.branchId })
  return contractFault(next, lineage) === undefined ? next : log
}

const Attempt = Schema.Struct({
  kind: Schema.Literals(["SUSPEND", "REACTIVATE", "STOP", "REINSTATE", "REVERT"]),
  day: int(1, 10),
  target: int(0, 20)
})
type Attempt = typeof Attempt.Type

const revertible: ReadonlySet<ChangeKind> = new Set(["SUSPEND", "REACTIVATE", "STOP", "REVERT"])

const attempted = (
  log: ReadonlyArray<Change>,
  { day: at, kind, target }: Attempt,
  lineage: Lineage
): ReadonlyArray<Change> => {
  if (kind !== "REVERT") {
    // The contract's steps are taken on the base branch.
    return lineage.branchId === trunkId ? tried(log, step(kind, at), lineage) : log
  }
  const seen = standing(log, lineage).filter((change) => revertible.has(change.kind))
  if (seen.length === 0) return log
  const { effectiveAt, id } = seen[target % seen.length]!
  return tried(log, { kind, effectiveAt, reverts: id }, lineage)
}

const Attempts = Arbitrary.array(Arbitrary.schema(Attempt), { minLength: 10, maxLength: 30 })

/** A base branch that its table allows all along, and a branch that has forked from it somewhere. */
const Lives = Arbitrary.all([Attempts, Attempts, Attempts]).pipe(
  Arbitrary.map(([before, own, since]) => {
    const grown = (
      log: ReadonlyArray<Change>,
      attempts: ReadonlyArray<Attempt>,
      lineage: Lineage
    ) => attempts.reduce((all, attempt) => attempted(all, attempt, lineage), log)
    const fork = grown(started, before, base)
    const branch = { branchId: branchIds[0], base: { branchId: trunkId, seq: fork.length } }
    return { branch, log: grown(grown(fork, own, branch), since, base) }
  })
)

const Takes = Arbitrary.schema(
  Schema.Array(Schema.Literals(["ours", "theirs"])).check(
    Schema.isMinLength(5),
    Schema.isMaxLength(5)
  )
)

const steps = (log: ReadonlyArray<Change>, lineage: Lineage) =>
  standing(log, lineage)
    .filter(({ kind }) => isContractStep(kind))
    .map(({ effectiveAt, kind }) => `${kind} ${effectiveAt}`)

describe("the steps of a contract", () => {
  it.prop(
    "are such as its table allows after every merge, however what contradicts is decided",
    [Lives, Takes],
    ([{ branch, log }, takes]) => {
      assert.isUndefined(contractFault(log, base))
      const first = rebaseContract(log, branch, [])
      const found = "undecided" in first ? first.undecided : []
      const resolutions = found.map(({ from, path }, index): Resolution => ({
        path,
        from,
        take: takes[index % takes.length]!
      }))
      const result = rebaseContract(log, branch, resolutions)
      assert.notProperty(result, "undecided")
      const up = plus(log, branch.branchId, "drafts" in result ? result.drafts : [])
      const moved = upTo(log, branch)
      assert.isUndefined(contractFault(up, moved))
      assert.deepStrictEqual(rebaseContract(up, moved, []), { drafts: [] })
      const after = plus(up, trunkId, mergeDrafts(up, upTo(up, branch)))
      assert.isUndefined(contractFault(after, base))
      assert.deepStrictEqual(steps(after, base), steps(up, moved))
      const [decided] = resolutions
      if (decided?.take === "theirs") assert.deepStrictEqual(steps(after, base), steps(log, base))
    },
    runs
  )

  const branchId: BranchId = branchIds[0]
  const suspended = add(started, step("SUSPEND", 2))
  const branch = { branchId, base: { branchId: trunkId, seq: suspended.length } }
  const reverted = add(suspended, {
    kind: "REVERT",
    effectiveAt: day(2),
    branchId,
    reverts: suspended.at(-1)!.id
  })
  const log = add(reverted, step("REACTIVATE", 4))

  it("contradict a suspension that is reverted where the base branch has been reactivated since", () => {
    const result = rebaseContract(log, branch, [])
    const conflict = { path: "/contract", from: day(4), theirs: "STARTED", ours: "STARTED" }
    assert.deepStrictEqual(result, { undecided: [conflict] })
  })

  it("go without the reactivation where the branch is right, and with both where the base branch is", () => {
    const decide = (take: "ours" | "theirs") =>
      rebaseContract(log, branch, [{ path: "/contract", from: day(4), take }])
    assert.deepStrictEqual(decide("ours"), {
      drafts: [{ kind: "REVERT", effectiveAt: day(4), patch: [], reverts: log.at(-1)!.id }]
    })
    assert.deepStrictEqual(decide("theirs"), {
      drafts: [{ kind: "REVERT", effectiveAt: day(2), patch: [], reverts: log.at(-2)!.id }]
    })
  })
})
