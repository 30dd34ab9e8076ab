/**
 * Random logs of one policy: any kinds of changes in any order on a base branch and two branches, also such as
 * no command would record. What is true of these is true of every log.
 */
import { Arbitrary, Schema } from "effect"
import { type Change, type ChangeKind, origin, type PatchEntry } from "../src/policies/Change.ts"
import type { Lineage } from "../src/policies/ChangeView.ts"
import { fromEpochMillis, type Instant } from "../src/values/Instant.ts"
import type { Forked } from "../src/branches/Conflicts.ts"
import { alphabet } from "../src/values/PrefixedId.ts"
import { BranchId, ChangeId } from "../src/values/Ids.ts"

/** `HISTORIES=20000 HISTORIES_SEED=7` looks at more and at others. */
export const runs = {
  arbitrary: {
    runs: Number(process.env.HISTORIES ?? 500),
    seed: process.env.HISTORIES_SEED ?? "histories",
    maxShrinks: 2_000
  },
  timeout: 3_600_000
}

export const trunkId = BranchId.make("branch_test_346789ABCDEFGHJKLMNPQ")
export const branchIds = [
  BranchId.make("branch_test_QPNMLKJHGFEDCBA987643"),
  BranchId.make("branch_test_QPNMLKJHGFEDCBA987644")
] as const

/** Instants of effect; `day(-1)` is before all of them. */
export const day = (n: number): Instant => fromEpochMillis(Date.UTC(2026, 0, 1 + n))
export const days: ReadonlyArray<Instant> = [
  origin,
  ...Array.from({ length: 12 }, (_, n) => day(n))
]

export const changeId = (seq: number): ChangeId => {
  const digit = (place: number) =>
    alphabet[Math.floor(seq / alphabet.length ** place) % alphabet.length]!
  return ChangeId.make(`change_test_${alphabet[0]!.repeat(18)}${digit(2)}${digit(1)}${digit(0)}`)
}

const kinds: ReadonlyArray<ChangeKind> = [
  ...Array.from({ length: 12 }, () => "UPDATE" as const),
  ...Array.from({ length: 4 }, () => "REVERT" as const),
  "STOP",
  "REINSTATE",
  "STOP",
  "ANNOUNCE_STOP",
  "SUSPEND",
  "QUOTE",
  "MERGE",
  "CREATE",
  "SIGN"
]

const revertible: ReadonlySet<ChangeKind> = new Set<ChangeKind>([
  "UPDATE",
  "REVERT",
  "STOP",
  "SUSPEND"
])

/** Paths as commands make them: plain members, fields by key, whole customers and parts of them. */
const paths = [
  "/name",
  "/stage",
  "/quoteId",
  "/contract",
  "/periodDuration",
  "/periodDuration/unit",
  "/customFields/a",
  "/customFields/b",
  "/customers/c1",
  "/customers/c1/role",
  "/customers/c1/customFields/x",
  "/customers/c2",
  "/customers/c2/customFields/x",
  "/assets/a1",
  "/assets/a1",
  "/assets/a1/name",
  "/assets/a1/customFields/y",
  "/assets/a2",
  "/assets/a2/customFields/y",
  "/assets/a2/customFields/z"
]

export const int = (minimum: number, maximum: number) =>
  Schema.Int.check(Schema.isBetween({ minimum, maximum }))

const Entry = Schema.Struct({
  path: int(0, paths.length - 1),
  value: int(0, 2),
  removed: int(0, 4)
})

const Step = Schema.Struct({
  kind: int(0, kinds.length - 1),
  /** Half of all is on the base branch. */
  branch: int(-1, 2),
  day: int(0, days.length - 1),
  target: int(0, 30),
  patch: Schema.Array(Entry).check(Schema.isMinLength(1), Schema.isMaxLength(3))
})
type Step = typeof Step.Type

const entity = /^\/(?:customers|assets)\/\w+$/u

/** Whole entities are objects, as commands record them; what lies in them is a plain value. */
const entryOf = ({ path: index, removed, value }: typeof Entry.Type): PatchEntry => {
  const path = paths[index]!
  // What a state has to have is replaced, never removed.
  if (removed === 0 && !path.startsWith("/periodDuration")) return { path, removed: true }
  if (entity.test(path))
    return { path, value: { seq: value, role: `role ${value}`, customFields: {} } }
  return { path, value: path === "/periodDuration" ? { unit: "DAY", amount: value } : value }
}

/** What every policy has from its creation on. */
const creation: ReadonlyArray<PatchEntry> = [
  "periodDuration",
  "customFields",
  "customers",
  "assets"
].map((name) => ({
  path: `/${name}`,
  value: {}
}))

const changeOf = (step: Step, { branchId, base }: Lineage, log: ReadonlyArray<Change>): Change => {
  // On a branch data is changed and reverted.
  const drawn = kinds[step.kind]!
  const kind = branchId === trunkId || drawn === "REVERT" || drawn === "QUOTE" ? drawn : "UPDATE"
  const seq = log.length + 1
  // Only visible changes are reverted, and only data and stops.
  const seen = log.filter(
    (change) =>
      revertible.has(change.kind) &&
      (change.branchId === branchId ||
        (change.branchId === base?.branchId && change.seq <= base.seq))
  )
  const target = seen.at(-1 - (step.target % Math.max(seen.length, 1)))
  const patch = step.patch
    .map(entryOf)
    .filter(({ path }) => branchId === trunkId || path !== "/contract")
  return {
    id: changeId(seq),
    seq,
    branchId,
    kind,
    effectiveAt: days[step.day]!,
    // Several changes of one command are recorded at one instant.
    recordedAt: recorded(seq),
    author: "user",
    patch: kind === "REVERT" ? [] : patch,
    ...(kind === "REVERT" && target !== undefined ? { reverts: target.id } : {})
  }
}

const after = (
  log: ReadonlyArray<Change>,
  steps: ReadonlyArray<Step>,
  lineageOf: (step: Step) => Lineage
): ReadonlyArray<Change> => {
  const grown = [...log]
  for (const step of steps) grown.push(changeOf(step, lineageOf(step), grown))
  return grown
}

export const recorded = (seq: number): Instant => day(100 + Math.floor(seq / 3))

const created: Change = {
  id: changeId(1),
  seq: 1,
  branchId: trunkId,
  kind: "CREATE",
  effectiveAt: origin,
  recordedAt: recorded(1),
  author: "user",
  patch: creation
}

const base: Lineage = { branchId: trunkId }

export interface RandomLog {
  readonly log: ReadonlyArray<Change>
  readonly base: Lineage
  /** Where they forked is drawn too: before or after their own changes. */
  readonly branches: readonly [Forked, Forked]
}

/** At least 50 changes each. */
export const RandomLogs: Arbitrary.Arbitrary<RandomLog> = Arbitrary.all([
  Arbitrary.array(Arbitrary.schema(Step), { minLength: 50, maxLength: 70 }),
  Arbitrary.schema(Schema.Tuple([int(1, 70), int(1, 70)]))
]).pipe(
  Arbitrary.map(([steps, forks]): RandomLog => {
    const forked = (index: 0 | 1): Forked => ({
      branchId: branchIds[index],
      base: { branchId: trunkId, seq: Math.min(forks[index], steps.length + 1) }
    })
    const branches = [forked(0), forked(1)] as const
    const log = after([created], steps, ({ branch }) => branches[branch - 1] ?? base)
    return { log, base, branches }
  })
)

const few = Arbitrary.array(Arbitrary.schema(Step), { maxLength: 5 })

/**
 * A base branch of at least 50 changes, on which little has happened since two branches forked from it that say
 * little: enough to be merged often without a conflict.
 */
export const ShortBranches: Arbitrary.Arbitrary<RandomLog> = Arbitrary.all([
  Arbitrary.array(Arbitrary.schema(Step), { minLength: 50, maxLength: 60 }),
  few,
  few,
  few
]).pipe(
  Arbitrary.map(([before, one, theirs, two]): RandomLog => {
    const fork = after([created], before, () => base)
    const forked = { branchId: trunkId, seq: fork.length }
    const branches = [
      { branchId: branchIds[0], base: forked },
      { branchId: branchIds[1], base: forked }
    ] as const
    const log = [
      { steps: one, lineage: branches[0] },
      { steps: theirs, lineage: base },
      { steps: two, lineage: branches[1] }
    ].reduce((all, { lineage, steps }) => after(all, steps, () => lineage), fork)
    return { log, base, branches }
  })
)
