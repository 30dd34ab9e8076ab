/**
 * What a branch and its base branch have come to, by a reading of its own of section 2 of the domain's rules:
 * instant by instant and path by path, with all worked out anew.
 */
import { canonicalJson } from "../src/values/CanonicalJson.ts"
import { type Change, touch } from "../src/policies/Change.ts"
import type { Forked } from "../src/branches/Conflicts.ts"
import type { Instant } from "../src/values/Instant.ts"
import * as Naive from "./NaiveView.ts"

/** What was at the fork, is on the base branch, and is on the branch. */
export interface Sides {
  readonly base: unknown
  readonly theirs: unknown
  readonly ours: unknown
}

export const isSame = (a: unknown, b: unknown): boolean =>
  a === undefined || b === undefined ? a === b : canonicalJson(a) === canonicalJson(b)

export const isConflict = ({ base, ours, theirs }: Sides): boolean =>
  !isSame(ours, base) && !isSame(theirs, base) && !isSame(ours, theirs)

/** The three as they are under the stops that are in force by now, which hide what no longer shows. */
const sidesOf = (log: ReadonlyArray<Change>, branch: Forked) => {
  const base = { branchId: branch.base.branchId }
  const up = { ...branch, base: { ...branch.base, seq: Infinity } }
  const hidden = Naive.hidden(log, up)
  const fork = log.filter(
    ({ branchId, seq }) => branchId === branch.branchId || seq <= branch.base.seq
  )
  const inForce = Naive.recordedBut(log, up, hidden)
  const stops = Naive.openStops(inForce)
  return {
    stop: stops.map(({ effectiveAt }) => effectiveAt).sort()[0],
    base: Naive.shownBut(fork, base, hidden),
    theirs: Naive.shownBut(log, base, hidden),
    ours: Naive.shownBut(fork, branch, hidden)
  }
}

/** What is not a fact of a policy's data: how a sale goes on, and what happens to the contract. */
const isStep = (path: string): boolean => ["/stage", "/quoteId", "/contract"].includes(path)

/** The paths that a change sets, or that a revert gives back. */
const pathsOf = ({ patch, reverts }: Change, log: ReadonlyArray<Change>): ReadonlyArray<string> =>
  reverts === undefined
    ? patch.map(({ path }) => path)
    : log.filter(({ id }) => id === reverts).flatMap((undone) => pathsOf(undone, log))

/** The paths of what one of two views has and the other one has not. */
const moved = (
  log: ReadonlyArray<Change>,
  a: ReadonlyArray<Change>,
  b: ReadonlyArray<Change>
): ReadonlyArray<string> =>
  [...a.filter((change) => !b.includes(change)), ...b.filter((change) => !a.includes(change))]
    .flatMap((change) => pathsOf(change, log))
    .filter((path) => !isStep(path))

/** What both have moved: the upper of two paths that touch, and of those none below another. */
const contested = (
  ours: ReadonlyArray<string>,
  theirs: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const upper = ours.flatMap((our) =>
    theirs
      .filter((their) => touch(our, their))
      .map((their) => (their.length < our.length ? their : our))
  )
  return [...new Set(upper)].filter((path) =>
    upper.every((other) => other.length >= path.length || !touch(other, path))
  )
}

export interface Reading {
  /** From when on a stop lets nothing of the branch be seen. */
  readonly stop: Instant | undefined
  /** The paths on which both have moved since the fork. */
  readonly contested: ReadonlyArray<string>
  /** What the three say of a path at an instant, in all that lies below it. */
  readonly at: (path: string, instant: Instant) => Sides
  /** Every plain value that one of the three has at an instant. */
  readonly leavesAt: (instant: Instant) => ReadonlyArray<string>
}

export const read = (log: ReadonlyArray<Change>, branch: Forked): Reading => {
  const { base, ours, stop, theirs } = sidesOf(log, branch)
  const made = new Map<Instant, Readonly<Record<keyof Sides, Naive.Nodes>>>()
  const nodesAt = (instant: Instant) => {
    const until = (changes: ReadonlyArray<Change>) =>
      Naive.nodesOf(changes.filter(({ effectiveAt }) => effectiveAt <= instant))
    const nodes = made.get(instant) ?? {
      base: until(base),
      theirs: until(theirs),
      ours: until(ours)
    }
    made.set(instant, nodes)
    return nodes
  }
  return {
    stop,
    contested: contested(moved(log, base, ours), moved(log, base, theirs)),
    at: (path, instant) => {
      const nodes = nodesAt(instant)
      return {
        base: Naive.nested(nodes.base, path),
        theirs: Naive.nested(nodes.theirs, path),
        ours: Naive.nested(nodes.ours, path)
      }
    },
    leavesAt: (instant) => {
      const nodes = nodesAt(instant)
      const all = [nodes.base, nodes.theirs, nodes.ours].flatMap(Naive.leaves)
      return [...new Set(all)].filter((path) => !isStep(path))
    }
  }
}
