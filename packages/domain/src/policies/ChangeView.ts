/**
 * What a branch shows of a policy's log: whose changes, which of them stand, and in which order they
 * take effect.
 */
import type { ChangeKind, Foldable, JsonObject, PatchEntry } from "./Change.ts"
import { Folding } from "./Folding.ts"
import { type Instant, min } from "../values/Instant.ts"
import type { BranchId, ChangeId } from "../values/Ids.ts"

/** Whose changes a branch shows: its own, and the base branch's up to where it forked from there. */
export interface Lineage {
  readonly branchId: BranchId
  readonly base?: { readonly branchId: BranchId; readonly seq: number } | undefined
}

/** A lineage with what had taken effect by `whenAt`, of what was recorded by `knownAt`. */
export interface View extends Lineage {
  readonly whenAt?: Instant | undefined
  readonly knownAt?: Instant | undefined
}

/** The changes of a view in the order of the log, the base branch's before the branch's own. */
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

/** The changes of a view that no standing change reverts, in the order of the log. */
export const unreverted = <C extends Foldable>(
  changes: ReadonlyArray<C>,
  view: View
): ReadonlyArray<C> => {
  const log = logOf(changes, view)
  if (!log.some(({ reverts }) => reverts !== undefined)) return log
  const reverted = new Set<ChangeId>()
  // A revert can be reverted too, so the last word is read first.
  for (const { id, reverts } of log.toReversed()) {
    if (reverts !== undefined && !(id !== undefined && reverted.has(id))) reverted.add(reverts)
  }
  return log.filter(({ id }) => id === undefined || !reverted.has(id))
}

/** What no stop hides, whenever it takes effect: that the policy was sold, and what undoes a change. */
const unhidden: ReadonlySet<ChangeKind> = new Set<ChangeKind>([
  "CREATE",
  "SIGN",
  "REINSTATE",
  "REVERT"
])

/** What can't have happened to a contract while it was stopped, though it is reinstated later. */
const ofRunning: ReadonlySet<ChangeKind> = new Set<ChangeKind>([
  "START",
  "SUSPEND",
  "REACTIVATE",
  "ANNOUNCE_STOP",
  "STOP"
])

/**
 * What the stops of a log hide: each the other changes that take effect at it or later, for as long as it
 * stands. A reinstatement lets them be seen again, each at its own time, but for the steps of the contract
 * that lie in the gap; where there is no gap, nor was the stop announced. A later stop may hide an earlier one, and with that its reinstatement, but none
 * hides a stop that was recorded after it.
 */
export const hiddenByStops = <C extends Foldable>(log: ReadonlyArray<C>): ReadonlySet<C> => {
  const hidden = new Set<C>()
  for (let index = log.length - 1; index >= 0; index--) {
    const stop = log[index]!
    if (stop.kind !== "STOP" || hidden.has(stop)) continue
    const end = reinstatementOf(log, index)
    const gapEnd = end === -1 ? undefined : log[end]!.effectiveAt
    // Without a gap it is as if there had been no stop, and none that was announced.
    if (gapEnd === stop.effectiveAt) {
      const announcement = log.find((change) => announces(change, stop))
      if (announcement !== undefined) hidden.add(announcement)
    }
    for (const [at, change] of log.entries()) {
      const isOther = at < index || (at > index && change.kind !== "STOP")
      if (!isOther || unhidden.has(change.kind) || change.effectiveAt < stop.effectiveAt) continue
      const isInGap =
        gapEnd === undefined ||
        (ofRunning.has(change.kind) && at < end && change.effectiveAt < gapEnd)
      if (isInGap) hidden.add(change)
    }
  }
  for (const [end, change] of log.entries()) {
    if (change.kind !== "REINSTATE") continue
    const ended = log.filter((stop, at) => stop.kind === "STOP" && reinstatementOf(log, at) === end)
    if (ended.length > 0 && ended.every((stop) => hidden.has(stop))) hidden.add(change)
  }
  return hidden
}

/** Whether a change is the announcement of a stop: the two are recorded one after the other. */
export const announces = ({ branchId, kind, seq }: Foldable, stop: Foldable): boolean =>
  kind === "ANNOUNCE_STOP" && seq === stop.seq - 1 && branchId === stop.branchId

/** Where in a log the reinstatement is that ends a stop: the first one after it, at it or later; else -1. */
const reinstatementOf = (log: ReadonlyArray<Foldable>, stop: number): number =>
  log.findIndex(
    ({ effectiveAt, kind }, at) =>
      at > stop && kind === "REINSTATE" && effectiveAt >= log[stop]!.effectiveAt
  )

/** The changes of a view that stand, in the order of the log: neither reverted nor hidden by a stop. */
export const standing = <C extends Foldable>(
  changes: ReadonlyArray<C>,
  view: View
): ReadonlyArray<C> => {
  const kept = unreverted(changes, view)
  const hidden = hiddenByStops(kept)
  return hidden.size === 0 ? kept : kept.filter((change) => !hidden.has(change))
}

/** The stops of a log that no reinstatement has ended. */
export const openStops = <C extends Foldable>(log: ReadonlyArray<C>): ReadonlyArray<C> =>
  log.filter(({ kind }, at) => kind === "STOP" && reinstatementOf(log, at) === -1)

/** From when on a stop hides whatever is recorded now, in a log that stands; `undefined` where none does. */
export const stoppedFrom = (log: ReadonlyArray<Foldable>): Instant | undefined =>
  openStops(log).reduce<Instant | undefined>(
    (from, { effectiveAt }) => min(effectiveAt, from ?? effectiveAt),
    undefined
  )

/** All that would be seen of a view if the stops that may yet be withdrawn or reinstated were. */
export const withoutStops = (
  changes: ReadonlyArray<Foldable>,
  view: View
): ReadonlyArray<Foldable> => {
  const open = new Set(openStops(unreverted(changes, view)))
  return open.size === 0 ? changes : changes.filter((change) => !open.has(change))
}

/**
 * Changes in the order in which they take effect; of one instant a branch's own after the base branch's, as they
 * will be once they are merged.
 */
export const byEffect = <C extends Foldable>(
  changes: ReadonlyArray<C>,
  { branchId }: Lineage
): ReadonlyArray<C> => {
  const own = (change: C) => (change.branchId === branchId ? 1 : 0)
  return changes.toSorted((a, b) =>
    a.effectiveAt === b.effectiveAt
      ? own(a) - own(b) || a.seq - b.seq
      : a.effectiveAt < b.effectiveAt
        ? -1
        : 1
  )
}

/** The changes that a view sees, in the order in which they take effect. */
export const visible = <C extends Foldable>(
  changes: ReadonlyArray<C>,
  view: View
): ReadonlyArray<C> => {
  const { whenAt } = view
  return byEffect(
    standing(changes, view).filter(
      ({ effectiveAt }) => whenAt === undefined || effectiveAt <= whenAt
    ),
    view
  )
}

/** All that takes effect at one instant. */
export interface Effects {
  readonly from: Instant
  readonly patch: ReadonlyArray<PatchEntry>
}

/** What changes do that are in the order of their effect, instant by instant. */
export const effectsOf = (
  seen: ReadonlyArray<Foldable>,
  { branchId }: Lineage
): ReadonlyArray<Effects> => {
  const effects: Array<{ readonly from: Instant; readonly patch: Array<PatchEntry> }> = []
  let stageSeq = 0
  for (const change of seen) {
    if (effects.at(-1)?.from !== change.effectiveAt) {
      effects.push({ from: change.effectiveAt, patch: [] })
    }
    // The stage of a sale is no fact with a date of its own: it is where the branch's own last step has
    // brought it, whatever took effect when.
    const isLastStep = change.branchId === branchId && change.seq > stageSeq
    for (const entry of change.patch) {
      if (entry.path === "/stage" && !isLastStep) continue
      if (entry.path === "/stage") stageSeq = change.seq
      effects.at(-1)!.patch.push(entry)
    }
  }
  return effects
}

/** The state that a view shows. */
export const stateAt = (changes: ReadonlyArray<Foldable>, view: View): JsonObject => {
  const folding = new Folding()
  for (const { patch } of effectsOf(visible(changes, view), view)) folding.patch(patch)
  return folding.state()
}

/** A maximal interval `[from, to)` between two changes; `to` is absent on the last. */
export interface StateInterval {
  readonly from: Instant
  readonly to?: Instant
  /** Folded when it is asked for. */
  readonly state: JsonObject
}

/** The states that a lineage goes through over effective time, as recorded so far. */
export const segments = (
  changes: ReadonlyArray<Foldable>,
  lineage: Lineage
): ReadonlyArray<StateInterval> => {
  const effects = effectsOf(visible(changes, lineage), lineage)
  const states: Array<JsonObject | undefined> = []
  const stateOf = (index: number): JsonObject => {
    const last = states.findLastIndex((state, at) => at <= index && state !== undefined)
    const folding = new Folding(states[last])
    for (const { patch } of effects.slice(last + 1, index + 1)) folding.patch(patch)
    return (states[index] = folding.state())
  }
  return effects.map(({ from }, index) => {
    const to = effects[index + 1]?.from
    return {
      from,
      ...(to === undefined ? {} : { to }),
      get state() {
        return states[index] ?? stateOf(index)
      }
    }
  })
}

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
