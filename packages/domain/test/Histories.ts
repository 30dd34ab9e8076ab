/** Random logs of a policy's trunk and of branches beside it, and a slow and obvious way to read them. */
import { Arbitrary, Schema } from "effect"
import { BranchId } from "../src/Branch.ts"
import {
  type Change,
  ChangeId,
  type ChangeKind,
  type JsonObject,
  type PatchEntry
} from "../src/Change.ts"
import { fromEpochMillis, type Instant } from "../src/Instant.ts"

export const trunkId = BranchId.make("branch_test_346789ABCDEFGHJKLMNPQ")
export const oneId = BranchId.make("branch_test_QPNMLKJHGFEDCBA987643")
export const twoId = BranchId.make("branch_test_RTUVWXYabcdefghijkmnp")

export const day = (n: number): Instant => fromEpochMillis(Date.UTC(2026, 0, 1 + n))
export const days = Array.from({ length: 12 }, (_, n) => n - 1)

/** Paths as commands make them: plain members, fields by key, whole customers and parts of them. */
export const paths = [
  "/name",
  "/customFields/a",
  "/customFields/b",
  "/customers/c1",
  "/customers/c1/role",
  "/customers/c1/customFields/x",
  "/customers/c2",
  "/assets/a1",
  "/assets/a1/customFields/y"
] as const

const Step = Schema.Struct({
  path: Schema.Literals(paths),
  day: Schema.Literals([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
  value: Schema.Literals([0, 1, 2]),
  removed: Schema.Boolean
})
export type Step = typeof Step.Type
export const History = Schema.Array(Step).check(Schema.isMinLength(50), Schema.isMaxLength(60))
export const ShortHistory = Schema.Array(Step).check(Schema.isMaxLength(8))

export const histories = Arbitrary.schema(History)
export const shortHistories = Arbitrary.schema(ShortHistory)

/** Each property is held against so many histories. */
export const runs = { arbitrary: { runs: Number(process.env["HISTORIES"] ?? 500) } }

/** Whole entities are objects, as commands record them; what lies in them is a plain value. */
export const entryOf = ({ path, removed, value }: Step): PatchEntry =>
  removed
    ? { path, removed: true }
    : /^\/(customers|assets)\/\w+$/u.test(path)
      ? { path, value: { role: `role ${value}`, customFields: {} } }
      : { path, value }

const suffix = "346789ABCDEFGHJKLMNPQRTUVWXYabcdefghijkmnpqrtwxyz"
const idOf = (seq: number): ChangeId =>
  ChangeId.make(
    `change_test_${[...String(seq).padStart(21, "0")].map((digit) => suffix[Number(digit)]).join("")}`
  )

/** A change with a number, recorded a day after the one before. */
export const change = (
  seq: number,
  branchId: BranchId,
  kind: ChangeKind,
  effectiveAt: Instant,
  patch: ReadonlyArray<PatchEntry>,
  reverts?: ChangeId
): Change => ({
  id: idOf(seq),
  seq,
  branchId,
  kind,
  effectiveAt,
  recordedAt: day(100 + seq),
  author: "user",
  patch,
  ...(reverts === undefined ? {} : { reverts })
})

export const updates = (
  history: ReadonlyArray<Step>,
  branchId: BranchId = trunkId,
  from = 0
): ReadonlyArray<Change> =>
  history.map((step, index) =>
    change(from + index + 1, branchId, "UPDATE", day(step.day), [entryOf(step)])
  )

/** The obvious reading: these changes one after the other, path by path, on a deep copy. */
export const replayed = (
  changes: ReadonlyArray<Change>,
  whenAt: Instant,
  own?: BranchId
): JsonObject => {
  const seen = changes
    .filter(({ effectiveAt }) => effectiveAt <= whenAt)
    .sort(
      (a, b) =>
        a.effectiveAt.localeCompare(b.effectiveAt) ||
        Number(a.branchId === own) - Number(b.branchId === own) ||
        a.seq - b.seq
    )
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
export const compact = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value
  const members = Object.entries(value)
    .map(([key, member]) => [key, compact(member)] as const)
    .filter(([, member]) => member !== undefined && JSON.stringify(member) !== "{}")
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(members)
}

/** Two states that say the same have the same text. */
export const text = (state: unknown): string => JSON.stringify(compact(state))
