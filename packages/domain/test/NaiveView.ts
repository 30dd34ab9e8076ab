/**
 * What a branch shows, by a reading of its own of section 2 of the domain's rules, slow and obvious: for
 * each instant all is worked out anew, on a map from every path to what is there.
 */
import { canonicalJson } from "../src/values/CanonicalJson.ts"
import type { Change, Foldable, JsonObject, PatchEntry } from "../src/policies/Change.ts"
import type { View } from "../src/policies/ChangeView.ts"
import type { Instant } from "../src/values/Instant.ts"

/** The changes that a view can show at all, in the order of the log, a branch's own after the base branch's. */
const logOf = <C extends Foldable>(log: ReadonlyArray<C>, view: View): Array<C> => {
  const found: Array<C> = []
  for (const own of [false, true]) {
    for (const change of log) {
      if (view.knownAt !== undefined && change.recordedAt > view.knownAt) continue
      if (own && change.branchId === view.branchId) found.push(change)
      if (own || view.base === undefined) continue
      if (change.branchId === view.base.branchId && change.seq <= view.base.seq) found.push(change)
    }
  }
  return found
}

const isReverted = <C extends Foldable>(change: C, log: ReadonlyArray<C>): boolean =>
  log.some(
    (other) => other.reverts !== undefined && other.reverts === change.id && !isReverted(other, log)
  )

/** What a stop never hides: that the policy was sold, and what undoes a change. */
const isOfTheSale = ({ kind }: Foldable): boolean =>
  kind === "CREATE" || kind === "SIGN" || kind === "REVERT"

/** What a contract does that runs. */
const isOfRunning = ({ kind }: Foldable): boolean =>
  ["START", "SUSPEND", "REACTIVATE", "ANNOUNCE_STOP", "STOP"].includes(kind)

/** The place of the reinstatement that a stop is ended by, if any. */
const endOf = (stop: number, log: ReadonlyArray<Foldable>): number | undefined => {
  for (const [place, { effectiveAt, kind }] of log.entries()) {
    if (place <= stop || kind !== "REINSTATE") continue
    if (effectiveAt >= log[stop]!.effectiveAt) return place
  }
  return undefined
}

/** The stops that a view's log has and no reinstatement has ended. */
export const openStops = <C extends Foldable>(log: ReadonlyArray<C>): ReadonlyArray<C> =>
  log.filter(({ kind }, place) => kind === "STOP" && endOf(place, log) === undefined)

/** Whether a stop hides what stands at a place of the log. */
const isHidden = (place: number, log: ReadonlyArray<Foldable>): boolean => {
  const change = log[place]!
  if (isOfTheSale(change)) return false
  if (change.kind === "REINSTATE") {
    // It goes with the stops that it ends.
    const ended = [...log.keys()].filter(
      (at) => log[at]!.kind === "STOP" && endOf(at, log) === place
    )
    return ended.length > 0 && ended.every((at) => isHidden(at, log))
  }
  if (change.kind === "ANNOUNCE_STOP") {
    // Of a stop that left no gap there is no word either.
    const stop = log.findIndex(({ kind, seq }) => kind === "STOP" && seq === change.seq + 1)
    const end = stop === -1 ? undefined : endOf(stop, log)
    const isWithoutGap = end !== undefined && log[end]!.effectiveAt === log[stop]!.effectiveAt
    if (isWithoutGap && !isHidden(stop, log)) return true
  }
  return log.some((stop, at) => {
    if (stop.kind !== "STOP" || at === place || change.effectiveAt < stop.effectiveAt) return false
    // None hides a stop that comes after it.
    if (change.kind === "STOP" && place > at) return false
    const end = endOf(at, log)
    if (end === undefined) return !isHidden(at, log)
    // A gap is without a contract that runs, and with all else.
    const isBefore = place < end && change.effectiveAt < log[end]!.effectiveAt
    return isBefore && isOfRunning(change) && !isHidden(at, log)
  })
}

/** The changes of a view that no other one reverts, in the order of the log. */
const kept = <C extends Foldable>(log: ReadonlyArray<C>, view: View): ReadonlyArray<C> => {
  const all = logOf(log, view)
  return all.filter((change) => !isReverted(change, all))
}

/** The changes of a view that a stop hides. */
export const hidden = <C extends Foldable>(log: ReadonlyArray<C>, view: View): ReadonlyArray<C> => {
  const all = kept(log, view)
  return all.filter((_, place) => isHidden(place, all))
}

/** All of a view but some changes, in the order of the log. */
export const recordedBut = <C extends Foldable>(
  log: ReadonlyArray<C>,
  view: View,
  but: ReadonlyArray<C>
): ReadonlyArray<C> => kept(log, view).filter((change) => !but.includes(change))

/** All of a view but some changes, in the order in which they take effect. */
export const shownBut = <C extends Foldable>(
  log: ReadonlyArray<C>,
  view: View,
  but: ReadonlyArray<C>
): ReadonlyArray<C> =>
  recordedBut(log, view, but)
    .map((change, place) => ({ change, place }))
    .sort((a, b) =>
      a.change.effectiveAt === b.change.effectiveAt
        ? a.place - b.place
        : a.change.effectiveAt.localeCompare(b.change.effectiveAt)
    )
    .map(({ change }) => change)

/** The changes that stand, in the order in which they take effect. */
export const shown = <C extends Foldable>(log: ReadonlyArray<C>, view: View): ReadonlyArray<C> =>
  shownBut(log, view, hidden(log, view))

/** Every path of a state and its value; an object is there as such, also when nothing is in it. */
export type Nodes = Map<string, unknown>
const object = Symbol("object")

const isAt = (path: string, at: string) => path === at || path.startsWith(`${at}/`)

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const put = (nodes: Nodes, path: string, value: unknown): void => {
  if (!isObject(value)) {
    nodes.set(path, value)
    return
  }
  nodes.set(path, object)
  for (const [key, member] of Object.entries(value)) put(nodes, `${path}/${key}`, member)
}

export const patch = (nodes: Nodes, entry: PatchEntry): void => {
  const keys = entry.path.split("/").slice(1)
  const above = keys.slice(0, -1).map((_, index) => `/${keys.slice(0, index + 1).join("/")}`)
  // What lies in a customer or an asset that isn't there is nowhere.
  const isLost = (keys[0] === "customers" || keys[0] === "assets") && keys.length > 2
  if (isLost && nodes.get(above[1]!) !== object) return
  for (const path of nodes.keys()) if (isAt(path, entry.path)) nodes.delete(path)
  if (!("value" in entry)) return
  for (const path of above) if (nodes.get(path) !== object) nodes.set(path, object)
  put(nodes, entry.path, entry.value)
}

/** The state of a view as its paths. */
const nodesAt = (log: ReadonlyArray<Foldable>, view: View): Nodes => {
  const seen = shown(log, view).filter(
    ({ effectiveAt }) => view.whenAt === undefined || effectiveAt <= view.whenAt
  )
  const nodes = nodesOf(seen)
  // How far the sale has come is what the branch itself was told last.
  const stages = seen
    .filter(({ branchId }) => branchId === view.branchId)
    .sort((a, b) => a.seq - b.seq)
    .flatMap(({ patch: entries }) => entries.filter(({ path }) => path === "/stage"))
  for (const entry of stages) patch(nodes, entry)
  return nodes
}

/** What some changes make one after the other, but for the stage. */
export const nodesOf = (changes: ReadonlyArray<Foldable>): Nodes => {
  const nodes: Nodes = new Map()
  for (const { patch: entries } of changes) {
    for (const entry of entries) if (entry.path !== "/stage") patch(nodes, entry)
  }
  return nodes
}

/** What is at a path, and below it. */
export const nested = (nodes: Nodes, path: string): unknown => {
  const value = nodes.get(path)
  if (value !== object) return path === "" ? membersOf(nodes, path) : value
  return membersOf(nodes, path)
}

const membersOf = (nodes: Nodes, path: string): JsonObject => {
  const keys = [...nodes.keys()]
    .filter((below) => below.startsWith(`${path}/`))
    .map((below) => below.slice(path.length + 1))
    .filter((key) => !key.includes("/"))
  // Only JSON was put in.
  return Object.fromEntries(keys.map((key) => [key, nested(nodes, `${path}/${key}`)])) as JsonObject
}

export const stateAt = (log: ReadonlyArray<Foldable>, view: View): JsonObject =>
  membersOf(nodesAt(log, view), "")

export const textAt = (log: ReadonlyArray<Foldable>, view: View): string =>
  canonicalJson(stateAt(log, view))

/** The paths of a state that have a plain value. */
export const leavesOf = (state: JsonObject): ReadonlyArray<string> => {
  const nodes: Nodes = new Map()
  put(nodes, "", state)
  return leaves(nodes)
}

/** The paths that have a plain value. */
export const leaves = (nodes: Nodes): ReadonlyArray<string> =>
  [...nodes].filter(([, value]) => value !== object).map(([path]) => path)

/** Every instant at which something of a log takes effect, and one before them all. */
export const instantsOf = (
  log: ReadonlyArray<Pick<Change, "effectiveAt">>
): ReadonlyArray<Instant> => [...new Set(log.map(({ effectiveAt }) => effectiveAt))].sort()
