/** Changes recorded in a log, and what the log then shows. */
import { canonicalJson } from "../src/values/CanonicalJson.ts"
import type { Change, Foldable } from "../src/policies/Change.ts"
import { type Lineage, stateAt } from "../src/policies/ChangeView.ts"
import type { Forked } from "../src/branches/Conflicts.ts"
import type { Instant } from "../src/values/Instant.ts"
import type { Draft } from "../src/policies/PolicyCommands.ts"
import { changeId, day, days, recorded, trunkId } from "./RandomLogs.ts"
import type { BranchId } from "../src/values/Ids.ts"

/** A log with one more change: of data on the base branch, unless it says otherwise. */
export const add = (log: ReadonlyArray<Change>, change: Partial<Change>): ReadonlyArray<Change> => {
  const seq = lastSeq(log) + 1
  const added = { kind: "UPDATE", effectiveAt: day(0), author: "user", patch: [] } as const
  const numbered = { id: changeId(seq), seq, branchId: trunkId, recordedAt: recorded(seq) }
  return [...log, { ...added, ...numbered, ...change }]
}

export const logOf = (...changes: ReadonlyArray<Partial<Change>>): ReadonlyArray<Change> => {
  let log: ReadonlyArray<Change> = []
  for (const change of changes) log = add(log, change)
  return log
}

/** A log with what was decided in it. */
export const plus = (
  log: ReadonlyArray<Change>,
  branchId: BranchId,
  drafts: ReadonlyArray<Draft>
): ReadonlyArray<Change> => {
  let grown = log
  for (const draft of drafts) grown = add(grown, { ...draft, branchId })
  return grown
}

const lastSeq = (log: ReadonlyArray<Change>): number => log.at(-1)?.seq ?? 0

/** The branch as if it had forked from the base branch just now. */
export const upTo = (log: ReadonlyArray<Change>, branch: Forked): Forked => ({
  ...branch,
  base: { ...branch.base, seq: lastSeq(log) }
})

export const textAt = (
  log: ReadonlyArray<Foldable>,
  lineage: Lineage,
  whenAt: Instant = days.at(-1)!
): string => canonicalJson(stateAt(log, { ...lineage, whenAt }))

/** The states of a lineage at every instant at which one could be another. */
export const history = (log: ReadonlyArray<Foldable>, lineage: Lineage): ReadonlyArray<string> =>
  days.map((whenAt) => textAt(log, lineage, whenAt))

/** Whether an instant lies in `[from, to)`. */
export const covers = (
  { from, to }: { readonly from: Instant; readonly to?: Instant },
  at: Instant
): boolean => from <= at && (to === undefined || at < to)

/** Nothing that is handed a log may write on it. */
export const frozen = <A>(value: A): A => {
  if (typeof value === "object" && value !== null) {
    Object.freeze(value)
    for (const member of Object.values(value)) frozen(member)
  }
  return value
}

/** A copy without a reference in common, as storage would give it. */
export const reread = <A>(value: A): A => JSON.parse(JSON.stringify(value)) as A
