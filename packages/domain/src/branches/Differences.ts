/** What merging a branch would change, and what of it a later change of the base branch ends. */
import { Schema } from "effect"
import { isBookkeeping, type Foldable, touch } from "../policies/Change.ts"
import { visible } from "../policies/ChangeView.ts"
import { type Forked, moved, movedPaths } from "./Conflicts.ts"
import { Instant } from "../values/Instant.ts"
import { asDecided } from "./Merge.ts"
import { isSame, joined, pathHistory } from "../policies/PathHistory.ts"

/** What a branch gives a path from an instant on, and a change that overrides it later. */
export interface Shadowed {
  readonly path: string
  readonly from: Instant
  readonly by: NonNullable<Foldable["id"]>
}

/**
 * Where a later change of the base branch ends what the branch says: it slides under that one, and another value
 * shows from then on.
 */
export const shadowed = (
  changes: ReadonlyArray<Foldable>,
  branch: Forked
): ReadonlyArray<Shadowed> => {
  const seen = visible(changes, branch)
  const own = seen.filter(({ branchId }) => branchId === branch.branchId)
  const said = own.flatMap(({ effectiveAt: from, patch }) =>
    patch.flatMap((entry) => (isBookkeeping(entry.path) ? [] : [{ from, entry }]))
  )
  const parts = Map.groupBy(
    pathHistory(
      [{ lineage: branch, changes: seen }],
      [...new Set(said.map(({ entry }) => entry.path))]
    ),
    ({ path }) => path
  )
  return said.flatMap(({ entry, from }): ReadonlyArray<Shadowed> => {
    const { path } = entry
    const value = "value" in entry ? entry.value : undefined
    const after = (parts.get(path) ?? []).filter((part) => part.from >= from)
    // Another change of the branch at the same instant is what it says.
    if (!isSame(after[0]?.values[0], value)) return []
    const end = after.find(({ values: [is] }) => !isSame(is, value))
    const by = seen.findLast(
      ({ effectiveAt, patch }) =>
        effectiveAt === end?.from && patch.some((other) => touch(other.path, path))
    )
    // What the branch itself says later is no shadow.
    return by?.id === undefined || by.branchId === branch.branchId
      ? []
      : [{ path, from, by: by.id }]
  })
}

/** One path over a time in which the base branch would have another value with the branch than it has now. */
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
  const baseRef = { branchId: branch.base.branchId }
  const lineage = moved(branch)
  const now = { lineage: baseRef, changes: visible(changes, baseRef) }
  const merged = { lineage, changes: visible(asDecided(changes, branch), lineage) }
  const parts = pathHistory([now, merged], movedPaths(changes, now.changes, merged.changes))
  return joined(parts.filter(({ values: [was, is] }) => !isSame(was, is))).map(
    ({ values: [base, is], ...where }) => ({
      ...where,
      ...(base === undefined ? {} : { base }),
      ...(is === undefined ? {} : { branch: is })
    })
  )
}
