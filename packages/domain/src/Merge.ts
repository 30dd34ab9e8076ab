/**
 * A branch and the trunk brought together: where they are in conflict, what a rebase adds to the branch,
 * what a merge records on the trunk.
 */
import { Schema } from "effect"
import { canonicalJson } from "./CanonicalJson.ts"
import { type Foldable, type JsonObject, type PatchEntry, valueAt } from "./Change.ts"
import { type Lineage, type Segment, segments, standing, visible } from "./ChangeView.ts"
import { Instant } from "./Instant.ts"
import type { Draft } from "./PolicyCommands.ts"

/** What a path is over `[from, to)`; an absent value is a path with nothing at it. */
export const Conflict = Schema.Struct({
  path: Schema.String,
  from: Instant,
  to: Schema.optionalKey(Instant),
  /** On the trunk as it was at the fork. */
  base: Schema.optionalKey(Schema.Json),
  /** On the trunk now. */
  theirs: Schema.optionalKey(Schema.Json),
  /** On the branch. */
  ours: Schema.optionalKey(Schema.Json)
}).annotate({ identifier: "Conflict" })
export type Conflict = typeof Conflict.Type

/** Which of the two holds from a conflict's start on. */
export const Resolution = Schema.Struct({
  path: Schema.String,
  from: Instant,
  take: Schema.Literals(["ours", "theirs"])
}).annotate({ identifier: "Resolution" })
export type Resolution = typeof Resolution.Type

/** A branch that has forked from the trunk. */
export type Forked = Lineage & { readonly base: NonNullable<Lineage["base"]> }

/** The trunk and the branch over time, and the paths on which both have moved since the fork. */
interface Comparison {
  readonly paths: ReadonlyArray<string>
  /** Every instant at which one of the three changes. */
  readonly instants: ReadonlyArray<Instant>
  readonly base: ReadonlyArray<Segment>
  readonly theirs: ReadonlyArray<Segment>
  readonly ours: ReadonlyArray<Segment>
}

const compare = (changes: ReadonlyArray<Foldable>, branch: Forked): Comparison => {
  const trunk = { branchId: branch.base.branchId }
  const atFork = changes.filter(
    ({ branchId, seq }) => branchId !== trunk.branchId || seq <= branch.base.seq
  )
  const before = standing(atFork, trunk)
  const moved = movedPaths(before, standing(changes, trunk))
  const paths = bothMoved(movedPaths(before, standing(changes, branch)), moved)
  if (paths.length === 0) return { paths, instants: [], base: [], theirs: [], ours: [] }
  const base = segments(atFork, trunk)
  const theirs = segments(changes, trunk)
  const ours = segments(changes, branch)
  const instants = [...new Set([...base, ...theirs, ...ours].map(({ from }) => from))].sort()
  return { paths, instants, base, theirs, ours }
}

/** The paths of changes that stand in one of two logs and not in the other. */
export const movedPaths = (
  a: ReadonlyArray<Foldable>,
  b: ReadonlyArray<Foldable>
): ReadonlySet<string> => {
  const inA = new Set(a)
  const inB = new Set(b)
  const differing = [
    ...a.filter((change) => !inB.has(change)),
    ...b.filter((change) => !inA.has(change))
  ]
  return new Set(
    differing
      .flatMap(({ patch }) => patch.map(({ path }) => path))
      .filter((path) => !isBookkeeping(path))
  )
}

/** What a branch's own steps leave behind: which quote fits, and how far the sale has come. */
export const isBookkeeping = (path: string): boolean => path === "/stage" || path === "/quoteId"

/** Where both have moved: of two paths that touch the upper one, and none that lies below another. */
const bothMoved = (
  ours: ReadonlySet<string>,
  theirs: ReadonlySet<string>
): ReadonlyArray<string> => {
  const common = new Set([...upperIn(ours, theirs), ...upperIn(theirs, ours)])
  return [...common].filter((path) => !above(path).some((upper) => common.has(upper))).sort()
}

/** The paths of `among` that are, or lie above, one of `paths`. */
const upperIn = (paths: ReadonlySet<string>, among: ReadonlySet<string>): ReadonlyArray<string> =>
  [...paths].flatMap((path) => [path, ...above(path)].filter((upper) => among.has(upper)))

/** Every path above one: `/a/b/c` lies below `/a/b` and `/a`. */
const above = (path: string): ReadonlyArray<string> =>
  [...path.matchAll(/\//gu)]
    .map(({ index }) => path.slice(0, index))
    .filter((upper) => upper !== "")

/** The state in force at an instant; before the first one there is nothing. */
export const at = (timeline: ReadonlyArray<Segment>, instant: Instant): JsonObject =>
  timeline.findLast(({ from }) => from <= instant)?.state ?? {}

type Value = Schema.Json | undefined

export const isSame = (a: Value, b: Value): boolean =>
  a === b || (a !== undefined && b !== undefined && canonicalJson(a) === canonicalJson(b))

/**
 * Where a branch and the trunk contradict each other: since the fork both gave a path another value than
 * it had, over the same time, and not the same one.
 */
export const conflicts = (
  changes: ReadonlyArray<Foldable>,
  branch: Forked
): ReadonlyArray<Conflict> => conflictsIn(compare(changes, branch))

const conflictsIn = ({
  base,
  instants,
  ours,
  paths,
  theirs
}: Comparison): ReadonlyArray<Conflict> =>
  paths.flatMap((path) => {
    const found: Array<{ -readonly [K in keyof Conflict]: Conflict[K] }> = []
    for (const [index, from] of instants.entries()) {
      const to = instants[index + 1]
      const was = valueAt(at(base, from), path)
      const their = valueAt(at(theirs, from), path)
      const our = valueAt(at(ours, from), path)
      if (isSame(our, was) || isSame(their, was) || isSame(our, their)) continue
      const last = found.at(-1)
      const goesOn =
        last?.to === from &&
        isSame(last.base, was) &&
        isSame(last.theirs, their) &&
        isSame(last.ours, our)
      if (goesOn) {
        if (to === undefined) delete last.to
        else last.to = to
      } else {
        found.push({
          path,
          from,
          ...(to === undefined ? {} : { to }),
          ...(was === undefined ? {} : { base: was }),
          ...(their === undefined ? {} : { theirs: their }),
          ...(our === undefined ? {} : { ours: our })
        })
      }
    }
    return found
  })

/** What a rebase leads to: the changes that it adds to the branch, or what is still undecided. */
export type Rebased =
  | { readonly drafts: ReadonlyArray<Draft> }
  | { readonly undecided: ReadonlyArray<Conflict> }

/**
 * Moves a branch's fork to the head of the trunk. Where only one side has moved its value holds, where
 * both have the resolution says whose; what the branch's own changes do not yet say is added to them.
 *
 * @param head the number of the trunk's last change
 */
export const rebase = (
  changes: ReadonlyArray<Foldable>,
  branch: Forked,
  head: number,
  resolutions: ReadonlyArray<Resolution>
): Rebased => {
  const comparison = compare(changes, branch)
  const found = conflictsIn(comparison)
  const takenOf = ({ from, path }: Conflict) =>
    resolutions.find((resolution) => resolution.path === path && resolution.from === from)?.take
  const undecided = found.filter((conflict) => takenOf(conflict) === undefined)
  if (undecided.length > 0) return { undecided }
  const wanted = (path: string, instant: Instant): Value => {
    const conflict = found.find(
      ({ from, path: where, to }) =>
        where === path && from <= instant && (to === undefined || instant < to)
    )
    const our = valueAt(at(comparison.ours, instant), path)
    const their = valueAt(at(comparison.theirs, instant), path)
    if (conflict !== undefined) return takenOf(conflict) === "ours" ? our : their
    return isSame(our, valueAt(at(comparison.base, instant), path)) ? their : our
  }
  const moved: Forked = { ...branch, base: { ...branch.base, seq: head } }
  return { drafts: additions(changes, moved, comparison, wanted) }
}

/** The changes that a branch needs so that its paths have what is wanted, from one instant to the next. */
const additions = (
  changes: ReadonlyArray<Foldable>,
  branch: Forked,
  { instants, paths }: Comparison,
  wanted: (path: string, instant: Instant) => Value
): ReadonlyArray<Draft> => {
  const drafts: Array<Draft & { readonly patch: Array<PatchEntry> }> = []
  if (paths.length === 0) return drafts
  const lastSeq = Math.max(...changes.map(({ seq }) => seq))
  for (const effectiveAt of instants) {
    const recordedAt = changes.at(-1)!.recordedAt
    const added = drafts.map((draft, index) => ({
      ...draft,
      branchId: branch.branchId,
      seq: lastSeq + 1 + index,
      recordedAt
    }))
    const state = at(segments([...changes, ...added], branch), effectiveAt)
    const patch = paths.flatMap((path): Array<PatchEntry> => {
      const value = wanted(path, effectiveAt)
      if (isSame(value, valueAt(state, path))) return []
      return [value === undefined ? { path, removed: true } : { path, value }]
    })
    if (patch.length > 0) drafts.push({ kind: "UPDATE", effectiveAt, patch })
  }
  return drafts
}

/**
 * What merging records on the trunk, from a branch that has been rebased: its changes at their effective
 * times, the data of one instant as one patch; which quote fits apart from it; and what it reverts.
 */
export const mergeDrafts = (
  changes: ReadonlyArray<Foldable>,
  branch: Lineage
): ReadonlyArray<Draft> => {
  const own = visible(changes, branch).filter(({ branchId }) => branchId === branch.branchId)
  const patches = new Map<Instant, ReadonlyArray<PatchEntry>>()
  for (const { effectiveAt, patch } of own) {
    patches.set(effectiveAt, compacted([...(patches.get(effectiveAt) ?? []), ...patch]))
  }
  const merged = [...patches].flatMap(([effectiveAt, patch]): Array<Draft> => {
    // New business brings the sale as a whole: nothing of it can be taken back alone.
    if (branch.base === undefined) return [{ kind: "MERGE", effectiveAt, patch }]
    const data = patch.filter(({ path }) => !isBookkeeping(path))
    const quote = patch.filter(({ path }) => path === "/quoteId")
    return [
      ...(data.length > 0 ? [{ kind: "UPDATE", effectiveAt, patch: data } as const] : []),
      ...(quote.length > 0 ? [{ kind: "QUOTE", effectiveAt, patch: quote } as const] : [])
    ]
  })
  return [...revertsOf(changes, own), ...merged]
}

/** A branch's reverts of what lies on the trunk; those of its own changes have nothing left to undo. */
const revertsOf = (
  changes: ReadonlyArray<Foldable>,
  own: ReadonlyArray<Foldable>
): ReadonlyArray<Draft> =>
  own.flatMap(({ branchId, effectiveAt, reverts }): Array<Draft> => {
    const undone = changes.find(({ id }) => id !== undefined && id === reverts)
    if (reverts === undefined || undone === undefined || undone.branchId === branchId) return []
    return [{ kind: "REVERT", effectiveAt, patch: [], reverts }]
  })

/** A patch without the entries that a later one makes void: on the same path, or on one above it. */
const compacted = (patch: ReadonlyArray<PatchEntry>): ReadonlyArray<PatchEntry> => {
  const later = new Set<string>()
  return patch
    .toReversed()
    .filter(({ path }) => {
      const isVoid = later.has(path) || above(path).some((upper) => later.has(upper))
      later.add(path)
      return !isVoid
    })
    .reverse()
}

/** The trunk and a branch contradict each other. */
export class BranchConflict extends Schema.TaggedError<BranchConflict>()("BranchConflict", {
  conflicts: Schema.Array(Conflict)
}) {
  override get message() {
    return "Rebase the branch with a resolution (`ours` or `theirs`) for each of the conflicts in details."
  }
}
