/** What merging a branch would change, and what of it a later change of the trunk ends. */
import { Schema } from "effect"
import { type Foldable, touch } from "../policies/Change.ts"
import { visible } from "../policies/ChangeView.ts"
import { type Forked, isBookkeeping, moved, movedPaths } from "./Conflicts.ts"
import { Instant } from "../values/Instant.ts"
import { asDecided } from "./Merge.ts"
import { isSame, joined, stretches } from "../policies/PathHistory.ts"

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
    return change.patch
      .filter(({ path }) => !isBookkeeping(path))
      .flatMap(({ path }) => {
        const next = seen
          .slice(index + 1)
          .find((later) => later.patch.some((entry) => ends(later, branch, entry.path, path)))
        const by = next?.branchId === branch.branchId ? undefined : next?.id
        return by === undefined ? [] : [{ path, from: change.effectiveAt, by }]
      })
  })
}

/** Whether a later change ends what a branch says of a path: the trunk's if it touches it. */
const ends = (later: Foldable, { branchId }: Forked, changed: string, path: string): boolean =>
  later.branchId === branchId
    ? changed === path || path.startsWith(`${changed}/`)
    : touch(changed, path)

/** One path over a time in which the trunk would have another value with the branch than it has now. */
export const Difference = Schema.Struct({
  path: Schema.String,
  from: Instant,
  to: Schema.optionalKey(Instant),
  base: Schema.optionalKey(Schema.Json),
  branch: Schema.optionalKey(Schema.Json)
}).annotate({ identifier: "Difference" })
export type Difference = typeof Difference.Type

/**
 * What merging the branch would change, path by path and over time; what is in conflict as if it had been
 * decided for the branch.
 */
export const differences = (
  changes: ReadonlyArray<Foldable>,
  branch: Forked
): ReadonlyArray<Difference> => {
  const trunk = { branchId: branch.base.branchId }
  const lineage = moved(branch)
  const now = { lineage: trunk, changes: visible(changes, trunk) }
  const merged = { lineage, changes: visible(asDecided(changes, branch), lineage) }
  const parts = stretches([now, merged], movedPaths(changes, now.changes, merged.changes))
  return joined(parts.filter(({ values: [was, is] }) => !isSame(was, is))).map(
    ({ values: [base, is], ...where }) => ({
      ...where,
      ...(base === undefined ? {} : { base }),
      ...(is === undefined ? {} : { branch: is })
    })
  )
}
