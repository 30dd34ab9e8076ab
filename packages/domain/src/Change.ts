/**
 * The change log. A policy's state is the fold of its changes; a change is immutable and says when
 * it takes effect (`effectiveAt`) apart from when we learnt it (`recordedAt`).
 */
import { Schema } from "effect"
import { Author, BranchId } from "./Branch.ts"
import { Instant } from "./Instant.ts"
import * as PrefixedId from "./PrefixedId.ts"

export const ChangeId = PrefixedId.schema("change")
export type ChangeId = typeof ChangeId.Type

export const ChangeKind = Schema.Literals([
  "CREATE",
  "UPDATE",
  "QUOTE",
  "OUTDATE",
  "CONFIRM",
  "REOPEN",
  "SIGN",
  "MERGE",
  "FIRST_PAYMENT",
  "START"
])
export type ChangeKind = typeof ChangeKind.Type

/** Sets what is at a path (`/customFields/power`), or removes it with all below it. */
export const PatchEntry = Schema.Union([
  Schema.Struct({ path: Schema.String, value: Schema.Json }),
  Schema.Struct({ path: Schema.String, removed: Schema.Literal(true) })
])
export type PatchEntry = typeof PatchEntry.Type

export const Change = Schema.Struct({
  id: ChangeId,
  seq: Schema.Int,
  branchId: BranchId,
  kind: ChangeKind,
  effectiveAt: Instant,
  recordedAt: Instant,
  author: Author,
  patch: Schema.Array(PatchEntry)
}).annotate({ identifier: "Change" })
export type Change = typeof Change.Type

/** Effective before every date: where new business stands until it is signed. */
// The literal has the canonical form.
export const origin = "0001-01-01T00:00:00.000Z" as Instant

type Json = Schema.Json
export type JsonObject = { readonly [key: string]: Json }

/** What a read sees: the changes of a branch, in effect by `whenAt`, recorded by `knownAt`. */
export interface View {
  readonly branchId: BranchId
  readonly whenAt?: Instant | undefined
  readonly knownAt?: Instant | undefined
}

/** What the fold needs of a change, recorded or about to be. */
export type Foldable = Pick<Change, "branchId" | "effectiveAt" | "patch" | "recordedAt" | "seq">

/** The changes a view sees, in the order in which they take effect. */
export const visible = <C extends Foldable>(
  changes: ReadonlyArray<C>,
  view: View
): ReadonlyArray<C> =>
  changes
    .filter(
      (change) =>
        change.branchId === view.branchId &&
        (view.whenAt === undefined || change.effectiveAt <= view.whenAt) &&
        (view.knownAt === undefined || change.recordedAt <= view.knownAt)
    )
    .sort(byEffect)

const byEffect = (a: Foldable, b: Foldable): number =>
  a.effectiveAt === b.effectiveAt ? a.seq - b.seq : a.effectiveAt < b.effectiveAt ? -1 : 1

/** The state that a list of changes makes, in the given order. */
export const fold = (changes: ReadonlyArray<Pick<Change, "patch">>): JsonObject =>
  changes.reduce<JsonObject>((state, change) => apply(state, change.patch), {})

/**
 * Since when what a path lies in is on the policy: the change that put the customer or asset there.
 * `origin` for the policy itself, and for a path that puts one there.
 */
export const presentSince = (
  changes: ReadonlyArray<Foldable>,
  branchId: BranchId,
  path: string
): Instant => {
  const [, kind, id, member] = path.split("/")
  if (member === undefined || (kind !== "customers" && kind !== "assets")) return origin
  const entity = `/${kind}/${id}`
  const added = changes.find(
    (change) => change.branchId === branchId && change.patch.some((entry) => entry.path === entity)
  )
  return added?.effectiveAt ?? origin
}

/** One patch on a state; what the patch does not name is shared, not copied. */
export const apply = (state: JsonObject, patch: ReadonlyArray<PatchEntry>): JsonObject =>
  patch.reduce<JsonObject>(
    (result, entry) =>
      setAt(result, entry.path.split("/").slice(1), "value" in entry ? entry.value : undefined),
    state
  )

const setAt = (
  state: JsonObject,
  path: ReadonlyArray<string>,
  value: Json | undefined
): JsonObject => {
  const [key, ...rest] = path
  if (key === undefined) return state
  const below = rest.length === 0 ? value : setAt(objectAt(state, key), rest, value)
  if (below !== undefined) return { ...state, [key]: below }
  const { [key]: _removed, ...others } = state
  return others
}

const objectAt = (state: JsonObject, key: string): JsonObject => {
  const value = Object.hasOwn(state, key) ? state[key] : undefined
  // An array or a plain value is replaced by an object when something is set below it.
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : {}
}

/** A maximal interval `[from, to)` of one state; `to` is absent on the last. */
export interface Segment {
  readonly from: Instant
  readonly to?: Instant
  readonly state: JsonObject
}

/** The states a branch goes through over effective time, as recorded so far. */
export const segments = (
  changes: ReadonlyArray<Change>,
  branchId: BranchId
): ReadonlyArray<Segment> => {
  const result: Array<{ from: Instant; to?: Instant; state: JsonObject }> = []
  for (const change of visible(changes, { branchId })) {
    const last = result.at(-1)
    const state = apply(last?.state ?? {}, change.patch)
    if (last?.from === change.effectiveAt) last.state = state
    else {
      if (last !== undefined) last.to = change.effectiveAt
      result.push({ from: change.effectiveAt, state })
    }
  }
  return result
}

/**
 * What merging a branch records on the trunk: its changes at their effective times, the ones of one
 * instant as one patch.
 */
export const mergePatches = (
  changes: ReadonlyArray<Change>,
  branchId: BranchId
): ReadonlyArray<{ readonly effectiveAt: Instant; readonly patch: ReadonlyArray<PatchEntry> }> => {
  const result = new Map<Instant, Array<PatchEntry>>()
  for (const change of visible(changes, { branchId })) {
    const patch = result.get(change.effectiveAt) ?? []
    for (const entry of change.patch) {
      // A later entry on the same path, or above it, makes an earlier one void.
      const kept = patch.filter(
        ({ path }) => path !== entry.path && !path.startsWith(`${entry.path}/`)
      )
      patch.splice(0, patch.length, ...kept, entry)
    }
    result.set(change.effectiveAt, patch)
  }
  return [...result].map(([effectiveAt, patch]) => ({ effectiveAt, patch }))
}
