/** A branch beside the trunk as it is now: where both have moved since the fork, and contradict each other. */
import { Schema } from "effect"
import type { Foldable } from "../policies/Change.ts"
import { byEffect, hiddenByStops, type Lineage, stoppedFrom, unreverted } from "../policies/ChangeView.ts"
import { Instant, min } from "../values/Instant.ts"
import { above, isSame, joined, type Seen, type Stretch, stretches } from "../policies/PathHistory.ts"

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

/** A branch that has forked from the trunk. */
export type Forked = Lineage & { readonly base: NonNullable<Lineage["base"]> }

/** The branch as if it had forked from the trunk just now. */
export const moved = (branch: Forked): Forked => ({
  ...branch,
  base: { ...branch.base, seq: Number.MAX_SAFE_INTEGER }
})

/** What was at the fork, is on the trunk and is on the branch, where both have moved since. */
export interface Comparison {
  /** Each with the values of the fork, the trunk and the branch. */
  readonly parts: ReadonlyArray<Stretch>
  /** The branch with the trunk as it is now. */
  readonly after: Seen
}

export const compare = (changes: ReadonlyArray<Foldable>, branch: Forked): Comparison => {
  const trunk = { branchId: branch.base.branchId }
  const atFork = changes.filter(
    ({ branchId, seq }) => branchId !== trunk.branchId || seq <= branch.base.seq
  )
  // All are compared as the stops that are in force now let them be seen.
  const log = unreverted(changes, moved(branch))
  const hidden = hiddenByStops(log)
  const stopped = stoppedFrom(log.filter((change) => !hidden.has(change)))
  const seen = (log: ReadonlyArray<Foldable>, lineage: Lineage): Seen => {
    const shown = unreverted(log, lineage).filter((change) => !hidden.has(change))
    return { lineage, changes: byEffect(shown, lineage) }
  }
  const [base, theirs, ours] = [seen(atFork, trunk), seen(changes, trunk), seen(changes, branch)]
  const since = (after: Seen) =>
    movedPaths(changes, base.changes, after.changes).filter((path) => !isStep(path))
  const paths = bothMoved(since(ours), since(theirs))
  const parts = stretches([base, theirs, ours], paths)
  return { parts: until(parts, stopped), after: seen(changes, moved(branch)) }
}

/** Behind a stop nothing is compared, and nothing decided: no change of the branch shows there. */
const until = (
  parts: ReadonlyArray<Stretch>,
  stopped: Instant | undefined
): ReadonlyArray<Stretch> =>
  stopped === undefined
    ? parts
    : parts
        .filter(({ from }) => from < stopped)
        .map((part) => ({ ...part, to: min(part.to ?? stopped, stopped) }))

/** The paths of changes that are in one of two views of a log and not in the other. */
export const movedPaths = (
  log: ReadonlyArray<Foldable>,
  a: ReadonlyArray<Foldable>,
  b: ReadonlyArray<Foldable>
): ReadonlyArray<string> => {
  const inA = new Set(a)
  const inB = new Set(b)
  const byId = new Map(log.map((change) => [change.id, change]))
  // What a revert moves is what it takes back.
  const pathsOf = ({ patch, reverts }: Foldable): ReadonlyArray<string> => {
    const undone = reverts === undefined ? undefined : byId.get(reverts)
    return undone === undefined ? patch.map(({ path }) => path) : pathsOf(undone)
  }
  const differing = [
    ...a.filter((change) => !inB.has(change)),
    ...b.filter((change) => !inA.has(change))
  ]
  return [...new Set(differing.flatMap(pathsOf))].filter((path) => !isBookkeeping(path))
}

/** What a branch's own steps leave behind: which quote fits, and how far the sale has come. */
export const isBookkeeping = (path: string): boolean => path === "/stage" || path === "/quoteId"

/** What only steps of the contract record: whether they fit together is for its own table to say. */
const isStep = (path: string): boolean =>
  /^\/(?:contract|signedAt|firstPaidAt|suspension|suspendedAt|reactivatedAt|stop|endedAt|stoppedAt)(?:\/|$)/u.test(
    path
  )

/** Where both have moved: of two paths that touch the upper one, and none that lies below another. */
const bothMoved = (
  ours: ReadonlyArray<string>,
  theirs: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const common = new Set([...upperIn(ours, theirs), ...upperIn(theirs, ours)])
  return [...common].filter((path) => !above(path).some((upper) => common.has(upper)))
}

/** The paths of `among` that are, or lie above, one of `paths`. */
const upperIn = (
  paths: ReadonlyArray<string>,
  among: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const candidates = new Set(among)
  return paths.flatMap((path) => [path, ...above(path)].filter((upper) => candidates.has(upper)))
}

/**
 * Where a branch and the trunk contradict each other: since the fork both gave a path another value than
 * it had, over the same time, and not the same one.
 */
export const conflicts = (
  changes: ReadonlyArray<Foldable>,
  branch: Forked
): ReadonlyArray<Conflict> => conflictsIn(compare(changes, branch))

export const conflictsIn = ({ parts }: Comparison): ReadonlyArray<Conflict> =>
  joined(parts.filter(isConflict)).map(({ values: [base, theirs, ours], ...where }) => ({
    ...where,
    ...(base === undefined ? {} : { base }),
    ...(theirs === undefined ? {} : { theirs }),
    ...(ours === undefined ? {} : { ours })
  }))

const isConflict = ({ values: [base, theirs, ours] }: Stretch): boolean =>
  !isSame(ours, base) && !isSame(theirs, base) && !isSame(ours, theirs)
