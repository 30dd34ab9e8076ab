import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { BranchId } from "../src/Branch.ts"
import { canonicalJson } from "../src/CanonicalJson.ts"
import {
  apply,
  type Change,
  type ChangeId,
  fold,
  type JsonObject,
  mergePatches,
  type PatchEntry,
  segments,
  visible
} from "../src/Change.ts"
import { fromEpochMillis, type Instant } from "../src/Instant.ts"
import * as Validity from "../src/Validity.ts"

const branchId = BranchId.make("branch_test_346789ABCDEFGHJKLMNPQ")
const other = BranchId.make("branch_test_QPNMLKJHGFEDCBA987643")
const policyId = "policy_test_346789ABCDEFGHJKLMNPQ"

const day = (n: number): Instant => fromEpochMillis(Date.UTC(2026, 0, 1 + n))

/** Paths as commands make them: plain members, fields by key, whole customers and parts of them. */
const paths = [
  "/name",
  "/startedAt",
  "/customFields/a",
  "/customFields/b",
  "/customers/c1",
  "/customers/c1/role",
  "/customers/c1/customFields/x",
  "/customers/c2",
  "/assets/a1",
  "/assets/a1/customFields/y"
]

const Step = Schema.Struct({
  path: Schema.Literals(paths as [string, ...Array<string>]),
  day: Schema.Literals([0, 1, 2, 3, 4, 5]),
  value: Schema.Literals([0, 1, 2]),
  removed: Schema.Boolean,
  elsewhere: Schema.Boolean
})
const History = Schema.Array(Step).check(Schema.isMaxLength(50))

/** Whole entities are objects, as commands record them; what lies in them is a plain value. */
const entryOf = ({ path, removed, value }: typeof Step.Type): PatchEntry =>
  removed
    ? { path, removed: true }
    : /^\/(customers|assets)\/\w+$/u.test(path)
      ? { path, value: { role: `role ${value}`, customFields: {} } }
      : { path, value }

const toChanges = (history: typeof History.Type): ReadonlyArray<Change> =>
  history.map((step, index) => ({
    id: `change_${index}` as ChangeId,
    seq: index + 1,
    branchId: step.elsewhere ? other : branchId,
    kind: "UPDATE",
    effectiveAt: day(step.day),
    recordedAt: day(10 + index),
    author: "user",
    patch: [entryOf(step)]
  }))

/** The obvious model: replay in order on a deep copy, path by path, in place. */
const naive = (changes: ReadonlyArray<Change>, whenAt: Instant): JsonObject => {
  const seen = changes
    .filter((change) => change.branchId === branchId && change.effectiveAt <= whenAt)
    .sort((a, b) => a.effectiveAt.localeCompare(b.effectiveAt) || a.seq - b.seq)
  const state: Record<string, unknown> = {}
  for (const entry of seen.flatMap(({ patch }) => patch)) {
    const keys = entry.path.split("/").slice(1)
    const last = keys.pop()!
    let at: Record<string, unknown> = state
    for (const key of keys) {
      if (typeof at[key] !== "object" || at[key] === null) at[key] = {}
      at = at[key] as Record<string, unknown>
    }
    if ("value" in entry) at[last] = structuredClone(entry.value)
    else delete at[last]
  }
  return state as JsonObject
}

/** Members that hold nothing say nothing: a removed customer leaves no trace. */
const compact = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value
  const members = Object.entries(value)
    .map(([key, member]) => [key, compact(member)] as const)
    .filter(([, member]) => canonicalJson(member) !== "{}")
  return Object.fromEntries(members)
}

describe("a change log", () => {
  const runs = { arbitrary: { runs: 300 } }

  it.prop(
    "folds to what replaying it step by step makes, at every instant",
    [Arbitrary.schema(History)],
    ([history]) => {
      const changes = toChanges(history)
      for (const n of [-1, 0, 2, 5, 9]) {
        const folded = fold(visible(changes, { branchId, whenAt: day(n) }))
        assert.strictEqual(canonicalJson(folded), canonicalJson(naive(changes, day(n))))
      }
    },
    runs
  )

  it.prop(
    "has one segment for every instant, with the state of that instant",
    [Arbitrary.schema(History)],
    ([history]) => {
      const changes = toChanges(history)
      const all = segments(changes, branchId)
      for (const [index, segment] of all.entries()) {
        assert.strictEqual(segment.to, all[index + 1]?.from)
        const expected = fold(visible(changes, { branchId, whenAt: segment.from }))
        assert.strictEqual(canonicalJson(segment.state), canonicalJson(expected))
      }
    },
    runs
  )

  it.prop(
    "reads the same from validity rows as from the fold, at every instant",
    [Arbitrary.schema(History)],
    ([history]) => {
      const changes = toChanges(history)
      const rows = Validity.ofBranch(changes, branchId, policyId)
      for (const n of [0, 1, 3, 5, 9]) {
        const at = day(n)
        const inForce = rows.filter(({ from, to }) => from <= at && (to === undefined || to > at))
        const expected = fold(visible(changes, { branchId, whenAt: at }))
        assert.strictEqual(
          canonicalJson(compact(Validity.toState(inForce))),
          canonicalJson(compact(expected))
        )
      }
      for (const { from, to } of rows) assert.isTrue(to === undefined || from < to)
    },
    runs
  )

  it.prop(
    "keeps every state when it is merged as one patch an instant",
    [Arbitrary.schema(History)],
    ([history]) => {
      const changes = toChanges(history)
      const merged = mergePatches(changes, branchId)
      for (const n of [0, 2, 5]) {
        const state = merged
          .filter(({ effectiveAt }) => effectiveAt <= day(n))
          .reduce<JsonObject>((before, { patch }) => apply(before, patch), {})
        const expected = fold(visible(changes, { branchId, whenAt: day(n) }))
        assert.strictEqual(canonicalJson(compact(state)), canonicalJson(compact(expected)))
      }
    },
    runs
  )

  it("never changes what was known once it is past", () => {
    const changes = toChanges([
      { path: "/name", day: 3, value: 0, removed: false, elsewhere: false },
      { path: "/name", day: 1, value: 1, removed: false, elsewhere: false }
    ])
    const knownAt = changes[0]!.recordedAt
    const view = { branchId, whenAt: day(5), knownAt }
    const before = fold(visible(changes.slice(0, 1), view))
    assert.deepStrictEqual(fold(visible(changes, view)), before)
    // The back-dated change slides under the later one by itself.
    assert.deepStrictEqual(fold(visible(changes, { branchId, whenAt: day(5) })), { name: 0 })
    assert.deepStrictEqual(fold(visible(changes, { branchId, whenAt: day(2) })), { name: 1 })
  })

  it("treats the names of inherited members as plain keys", () => {
    const state = apply({}, [{ path: "/customFields/__proto__", value: 1 }])
    assert.strictEqual(({} as Record<string, unknown>)["a"], undefined)
    assert.deepStrictEqual(Object.keys(state["customFields"] as object), ["__proto__"])
  })
})
