/** A branch beside the base branch as it is now: where both have moved since the fork, and contradict each other. */
import { isBookkeeping, type Foldable } from "../policies/Change.ts"
import {
  byEffect,
  hiddenByStops,
  type Lineage,
  stoppedFrom,
  unreverted
} from "../policies/ChangeView.ts"
import { type Instant, min } from "../values/Instant.ts"
import {
  above,
  isSame,
  joined,
  type ObservedValue,
  type PathInterval,
  pathHistory
} from "../policies/PathHistory.ts"
import type { Conflict } from "../policies/Branch.ts"

/** A branch that has forked from the base branch. */
export type Forked = Lineage & { readonly base: NonNullable<Lineage["base"]> }

/** The branch as if it had forked from the base branch just now. */
export const moved = (branch: Forked): Forked => ({
  ...branch,
  base: { ...branch.base, seq: Number.MAX_SAFE_INTEGER }
})

/** What was at the fork, is on the base branch and is on the branch, where both have moved since. */
export interface Comparison {
  /** Each with the values of the fork, the base branch and the branch. */
  readonly parts: ReadonlyArray<PathInterval>
  /** The branch with the base branch as it is now. */
  readonly after: ObservedValue
}

export const compare = (changes: ReadonlyArray<Foldable>, branch: Forked): Comparison => {
  const baseRef = { branchId: branch.base.branchId }
  const atFork = changes.filter(
    ({ branchId, seq }) => branchId !== baseRef.branchId || seq <= branch.base.seq
  )
  // All are compared as the stops that are in force now let them be seen.
  const log = unreverted(changes, moved(branch))
  const hidden = hiddenByStops(log)
  const stopped = stoppedFrom(log.filter((change) => !hidden.has(change)))
  const seen = (log: ReadonlyArray<Foldable>, lineage: Lineage): ObservedValue => {
    const shown = unreverted(log, lineage).filter((change) => !hidden.has(change))
    return { lineage, changes: byEffect(shown, lineage) }
  }
  const [base, theirs, ours] = [
    seen(atFork, baseRef),
    seen(changes, baseRef),
    seen(changes, branch)
  ]
  const since = (after: ObservedValue) =>
    movedPaths(changes, base.changes, after.changes).filter((path) => !isStep(path))
  const paths = bothMoved(since(ours), since(theirs))
  const parts = pathHistory([base, theirs, ours], paths)
  return { parts: until(parts, stopped), after: seen(changes, moved(branch)) }
}

/** Behind a stop nothing is compared, and nothing decided: no change of the branch shows there. */
const until = (
  parts: ReadonlyArray<PathInterval>,
  stopped: Instant | undefined
): ReadonlyArray<PathInterval> =>
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
  // A revert moves what the reverted change had moved.
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
 * Where a branch and the base branch contradict each other: since the fork both gave a path another value than
 * it had, over the same time, and not the same one.
 */
export const conflictsIn = ({ parts }: Comparison): ReadonlyArray<Conflict> =>
  joined(parts.filter(isConflict)).map(({ values: [base, theirs, ours], ...where }) => ({
    ...where,
    ...(base === undefined ? {} : { base }),
    ...(theirs === undefined ? {} : { theirs }),
    ...(ours === undefined ? {} : { ours })
  }))

const isConflict = ({ values: [base, theirs, ours] }: PathInterval): boolean =>
  !isSame(ours, base) && !isSame(theirs, base) && !isSame(ours, theirs)
