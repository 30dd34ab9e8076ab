/**
 * What a branch shows of a policy's log: whose changes, which of them stand, and in which order they
 * take effect.
 */
import type { BranchId } from "./Branch.ts"
import {
  apply,
  type ChangeId,
  type ChangeKind,
  type Foldable,
  type JsonObject,
  origin,
  type PatchEntry
} from "./Change.ts"
import type { Instant } from "./Instant.ts"

/** Whose changes a branch shows: its own, and the trunk's up to where it forked from there. */
export interface Lineage {
  readonly branchId: BranchId
  readonly base?: { readonly branchId: BranchId; readonly seq: number } | undefined
}

/** A lineage with what had taken effect by `whenAt`, of what was recorded by `knownAt`. */
export interface View extends Lineage {
  readonly whenAt?: Instant | undefined
  readonly knownAt?: Instant | undefined
}

/** The changes of a lineage in the order of the log, the trunk's before the branch's own. */
const logOf = <C extends Foldable>(
  changes: ReadonlyArray<C>,
  { base, branchId, knownAt }: View
): ReadonlyArray<C> => {
  const known = (change: C) => knownAt === undefined || change.recordedAt <= knownAt
  return [
    ...(base === undefined
      ? []
      : changes.filter(
          (change) => change.branchId === base.branchId && change.seq <= base.seq && known(change)
        )),
    ...changes.filter((change) => change.branchId === branchId && known(change))
  ]
}

/**
 * The changes of a view that stand, in the order of the log: those that no standing change reverts and
 * that no stop hides. A stop hides what takes effect at it or later, until a reinstatement is recorded.
 */
export const standing = <C extends Foldable>(
  changes: ReadonlyArray<C>,
  view: View
): ReadonlyArray<C> => {
  const kept = withoutReverted(logOf(changes, view))
  return kept.some(({ kind }) => kind === "STOP") ? withoutStopped(kept) : kept
}

const withoutReverted = <C extends Foldable>(log: ReadonlyArray<C>): ReadonlyArray<C> => {
  if (!log.some(({ reverts }) => reverts !== undefined)) return log
  const reverted = new Set<ChangeId>()
  // A revert can be reverted too, so the last word is read first.
  for (const { id, reverts } of log.toReversed()) {
    if (reverts !== undefined && !(id !== undefined && reverted.has(id))) reverted.add(reverts)
  }
  return log.filter(({ id }) => id === undefined || !reverted.has(id))
}

/** What a stop never hides, whenever it takes effect: the sale itself, and what is about stops. */
const unhidden: ReadonlySet<ChangeKind> = new Set<ChangeKind>([
  "CREATE",
  "MERGE",
  "SIGN",
  "REINSTATE",
  "REVERT"
])

const withoutStopped = <C extends Foldable>(log: ReadonlyArray<C>): ReadonlyArray<C> => {
  const hidden = new Set<C>()
  for (const [index, stop] of [...log.entries()].toReversed()) {
    if (stop.kind !== "STOP" || hidden.has(stop)) continue
    const after = log.findIndex(({ kind }, at) => at > index && kind === "REINSTATE")
    const until = after === -1 ? log.length : after
    for (const [at, change] of log.slice(0, until).entries()) {
      const isOther = at < index || (at > index && change.kind !== "STOP")
      if (isOther && !unhidden.has(change.kind) && change.effectiveAt >= stop.effectiveAt) {
        hidden.add(change)
      }
    }
  }
  return hidden.size === 0 ? log : log.filter((change) => !hidden.has(change))
}

/**
 * The changes that a view sees, in the order in which they take effect; of one instant the branch's own
 * after the trunk's, as they will be once they are merged.
 */
export const visible = <C extends Foldable>(
  changes: ReadonlyArray<C>,
  view: View
): ReadonlyArray<C> => {
  const { branchId, whenAt } = view
  const own = (change: C) => (change.branchId === branchId ? 1 : 0)
  return standing(changes, view)
    .filter(({ effectiveAt }) => whenAt === undefined || effectiveAt <= whenAt)
    .sort((a, b) =>
      a.effectiveAt === b.effectiveAt
        ? own(a) - own(b) || a.seq - b.seq
        : a.effectiveAt < b.effectiveAt
          ? -1
          : 1
    )
}

/** The state that a view shows. */
export const stateAt = (changes: ReadonlyArray<Foldable>, view: View): JsonObject =>
  visible(changes, view).reduce(step(view), start).state

/** A maximal interval `[from, to)` between two changes; `to` is absent on the last. */
export interface Segment {
  readonly from: Instant
  readonly to?: Instant
  readonly state: JsonObject
}

/** The states that a lineage goes through over effective time, as recorded so far. */
export const segments = (
  changes: ReadonlyArray<Foldable>,
  lineage: Lineage
): ReadonlyArray<Segment> => {
  const result: Array<{ from: Instant; to?: Instant; state: JsonObject }> = []
  const next = step(lineage)
  let folded = start
  for (const change of visible(changes, lineage)) {
    const last = result.at(-1)
    folded = next(folded, change)
    if (last?.from === change.effectiveAt) last.state = folded.state
    else {
      if (last !== undefined) last.to = change.effectiveAt
      result.push({ from: change.effectiveAt, state: folded.state })
    }
  }
  return result
}

interface Folded {
  readonly state: JsonObject
  /** The change that the stage is from. */
  readonly stageSeq: number
}

const start: Folded = { state: {}, stageSeq: 0 }

/**
 * The stage of a sale is no fact with a date of its own: it is where the branch's own last step has
 * brought it, whatever took effect when.
 */
const step =
  ({ branchId }: Lineage) =>
  ({ stageSeq, state }: Folded, change: Foldable): Folded => {
    const moves = change.patch.some(isStage)
    if (!moves) return { stageSeq, state: apply(state, change.patch) }
    if (change.branchId === branchId && change.seq > stageSeq) {
      return { stageSeq: change.seq, state: apply(state, change.patch) }
    }
    return {
      stageSeq,
      state: apply(
        state,
        change.patch.filter((entry) => !isStage(entry))
      )
    }
  }

const isStage = ({ path }: PatchEntry): boolean => path === "/stage"

/** Where a customer or asset is on a policy; `until` is absent where it stays. */
export interface Presence {
  readonly since: Instant
  readonly until?: Instant
}

/**
 * From when to when the customer or asset that a path lies in is on the policy, the last time that it
 * came. `undefined` where it never came, and for a path that lies in neither.
 */
export const presenceOf = (
  changes: ReadonlyArray<Foldable>,
  lineage: Lineage,
  path: string
): Presence | undefined => {
  const [, kind, id] = path.split("/")
  if (kind !== "customers" && kind !== "assets") return undefined
  const entity = `/${kind}/${id}`
  let presence: Presence | undefined
  for (const { effectiveAt, patch } of visible(changes, lineage)) {
    for (const entry of patch) {
      if (entry.path !== entity) continue
      if ("value" in entry) presence = { since: effectiveAt }
      else if (presence !== undefined) presence = { ...presence, until: effectiveAt }
    }
  }
  return presence
}
