/** What merging a branch would change, and what of it a later change of the trunk ends. */
import { Schema } from "effect"
import type { BranchId } from "./Branch.ts"
import { type Foldable, touch, valueAt } from "./Change.ts"
import { segments, visible } from "./ChangeView.ts"
import { Instant } from "./Instant.ts"
import { at, type Forked, isBookkeeping, isSame, movedPaths } from "./Merge.ts"

/** What a branch gives a path from an instant on, and a change that overrides it later. */
export interface Shadowed {
  readonly path: string
  readonly from: Instant
  readonly by: NonNullable<Foldable["id"]>
}

/** Where a later change of the trunk ends what the branch says: it slides under that one. */
export const shadowed = (
  changes: ReadonlyArray<Foldable>,
  branch: Forked
): ReadonlyArray<Shadowed> => {
  const seen = visible(changes, branch)
  return seen.flatMap((change, index) => {
    if (change.branchId !== branch.branchId) return []
    const later = seen.slice(index + 1).filter(({ branchId }) => branchId !== branch.branchId)
    return change.patch
      .filter(({ path }) => !isBookkeeping(path))
      .flatMap(({ path }) => {
        const by = later.find(({ patch }) => patch.some((entry) => touch(entry.path, path)))?.id
        return by === undefined ? [] : [{ path, from: change.effectiveAt, by }]
      })
  })
}

/** One path over a time in which the branch has another value than the trunk has now. */
export const Difference = Schema.Struct({
  path: Schema.String,
  from: Instant,
  to: Schema.optionalKey(Instant),
  base: Schema.optionalKey(Schema.Json),
  branch: Schema.optionalKey(Schema.Json)
}).annotate({ identifier: "Difference" })
export type Difference = typeof Difference.Type

/** What merging the branch would change, path by path and over time. */
export const differences = (
  changes: ReadonlyArray<Foldable>,
  branch: Forked
): ReadonlyArray<Difference> => {
  const trunkId: BranchId = branch.base.branchId
  const trunk = segments(changes, { branchId: trunkId })
  const ours = segments(changes, branch)
  const own = changes.filter(({ branchId }) => branchId === branch.branchId)
  const paths = movedPaths([], [...own, ...undoneBy(changes, own)])
  const instants = [...new Set([...trunk, ...ours].map(({ from }) => from))].sort()
  return [...paths].sort().flatMap((path) => {
    const found: Array<{ -readonly [K in keyof Difference]: Difference[K] }> = []
    for (const [index, from] of instants.entries()) {
      const was = valueAt(at(trunk, from), path)
      const is = valueAt(at(ours, from), path)
      if (isSame(was, is)) continue
      const to = instants[index + 1]
      const last = found.at(-1)
      if (last?.to === from && isSame(last.base, was) && isSame(last.branch, is)) {
        if (to === undefined) delete last.to
        else last.to = to
      } else {
        found.push({
          path,
          from,
          ...(to === undefined ? {} : { to }),
          ...(was === undefined ? {} : { base: was }),
          ...(is === undefined ? {} : { branch: is })
        })
      }
    }
    return found
  })
}

const undoneBy = (
  changes: ReadonlyArray<Foldable>,
  own: ReadonlyArray<Foldable>
): ReadonlyArray<Foldable> => {
  const reverted = new Set(own.map(({ reverts }) => reverts))
  return changes.filter(({ id }) => id !== undefined && reverted.has(id))
}
