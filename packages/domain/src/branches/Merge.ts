/** A branch and the base branch brought together: what a rebase adds to the branch, and a merge to the base branch. */
import { Schema } from "effect"
import { isBookkeeping, type Foldable, type PatchEntry } from "../policies/Change.ts"
import { byEffect, type Lineage, unreverted } from "../policies/ChangeView.ts"
import { type Comparison, compare, conflictsIn, type Forked } from "./Conflicts.ts"
import { Folding } from "../policies/Folding.ts"
import { Instant } from "../values/Instant.ts"
import type { Draft } from "../policies/PolicyCommands.ts"
import { above, isSame, type PathInterval, type Value } from "../policies/PathHistory.ts"
import type { Conflict } from "../policies/Branch.ts"

/** Which of the two holds from a conflict's start on. */
export const Resolution = Schema.Struct({
  path: Schema.String,
  from: Instant,
  take: Schema.Literals(["ours", "theirs"])
}).annotate({ identifier: "Resolution" })
export type Resolution = typeof Resolution.Type

/** What a rebase leads to: the changes that it adds to the branch, or what is still undecided. */
export type Rebased =
  | { readonly drafts: ReadonlyArray<Draft> }
  | { readonly undecided: ReadonlyArray<Conflict> }

/**
 * Moves a branch's fork to the head of the base branch. Where only one side has moved its value holds, where
 * both have the resolution says whose; what the branch's own changes do not yet say is added to them.
 */
export const rebase = (
  changes: ReadonlyArray<Foldable>,
  branch: Forked,
  resolutions: ReadonlyArray<Resolution>
): Rebased => {
  const comparison = compare(changes, branch)
  const takenOf = ({ from, path }: Conflict) =>
    resolutions.find((resolution) => resolution.path === path && resolution.from === from)?.take
  const found = conflictsIn(comparison).map((conflict) => ({ conflict, take: takenOf(conflict) }))
  const undecided = found.filter(({ take }) => take === undefined)
  if (undecided.length > 0) return { undecided: undecided.map(({ conflict }) => conflict) }
  const theirs = found.filter(({ take }) => take === "theirs").map(({ conflict }) => conflict)
  return { drafts: additions(comparison, theirs) }
}

/**
 * The log of a branch brought up to the base branch, with all that is in conflict decided for the branch; it is
 * read with the lineage that has `moved`.
 */
export const asDecided = (
  changes: ReadonlyArray<Foldable>,
  branch: Forked
): ReadonlyArray<Foldable> => {
  const last = Math.max(0, ...changes.map(({ seq }) => seq))
  const added = additions(compare(changes, branch), []).map((draft, index): Foldable => ({
    ...draft,
    branchId: branch.branchId,
    seq: last + 1 + index,
    recordedAt: draft.effectiveAt
  }))
  return [...changes, ...added]
}

/** The changes that a branch needs beside its own, with the base branch's values in some of the conflicts. */
const additions = (
  { after, parts }: Comparison,
  theirs: ReadonlyArray<Conflict>
): ReadonlyArray<Draft> => {
  const taken = Map.groupBy(theirs, ({ path }) => path)
  const wanted = ({ from, path, values: [base, their, our] }: PathInterval): Value => {
    const isTheirs = taken
      .get(path)
      ?.some(
        (conflict) => conflict.from <= from && (conflict.to === undefined || from < conflict.to)
      )
    return isTheirs === true || isSame(our, base) ? their : our
  }
  const drafts: Array<Draft> = []
  const folding = new Folding()
  let next = 0
  const byInstant = [...Map.groupBy(parts, ({ from }) => from)]
  for (const [effectiveAt, starting] of byInstant.sort(([a], [b]) => (a < b ? -1 : 1))) {
    for (; after.changes[next] !== undefined; next++) {
      const change = after.changes[next]!
      if (change.effectiveAt > effectiveAt) break
      folding.patch(change.patch)
    }
    const patch = starting.flatMap((part): Array<PatchEntry> => {
      const { path } = part
      const value = wanted(part)
      if (isSame(value, folding.at(path))) return []
      return [value === undefined ? { path, removed: true } : { path, value }]
    })
    folding.patch(patch)
    if (patch.length > 0) drafts.push({ kind: "UPDATE", effectiveAt, patch })
  }
  return drafts
}

/**
 * What merging records on the base branch, from a branch that has been rebased: its changes at their effective
 * times, also those that a stop hides, the data of one instant as one patch; which quote fits apart from
 * it; and what it reverts.
 */
export const mergeDrafts = (
  changes: ReadonlyArray<Foldable>,
  branch: Lineage
): ReadonlyArray<Draft> => {
  const own = ownChanges(changes, branch)
  const merged = [...Map.groupBy(own, ({ effectiveAt }) => effectiveAt)].flatMap(
    ([effectiveAt, together]): Array<Draft> => {
      const patch = compacted(together.flatMap((change) => change.patch))
      // New business is recorded as a whole: no part of it can be reverted alone.
      if (branch.base === undefined) return [{ kind: "MERGE", effectiveAt, patch }]
      const data = patch.filter(({ path }) => !isBookkeeping(path))
      const quote = patch.filter(({ path }) => path === "/quoteId")
      return [
        ...(data.length > 0 ? [{ kind: "UPDATE", effectiveAt, patch: data } as const] : []),
        ...(quote.length > 0 ? [{ kind: "QUOTE", effectiveAt, patch: quote } as const] : [])
      ]
    }
  )
  return [...revertsOf(changes, own), ...merged]
}

/** A branch's own changes that it has not reverted, in the order in which they take effect. */
export const ownChanges = <C extends Foldable>(
  changes: ReadonlyArray<C>,
  branch: Lineage
): ReadonlyArray<C> =>
  byEffect(
    unreverted(changes, branch).filter(({ branchId }) => branchId === branch.branchId),
    branch
  )

/** A branch's reverts of what lies on the base branch; those of its own changes have nothing left to undo. */
const revertsOf = (
  changes: ReadonlyArray<Foldable>,
  own: ReadonlyArray<Foldable>
): ReadonlyArray<Draft> => {
  const onTrunk = new Set(
    changes.filter(({ branchId }) => branchId !== own[0]?.branchId).map(({ id }) => id)
  )
  return own.flatMap(({ effectiveAt, reverts }): Array<Draft> =>
    reverts !== undefined && onTrunk.has(reverts)
      ? [{ kind: "REVERT", effectiveAt, patch: [], reverts }]
      : []
  )
}

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
