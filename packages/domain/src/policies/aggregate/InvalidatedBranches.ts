/** Branches that can no longer be merged. */
import type { StoredBranch } from "./StoredBranch.ts"
import type { InvalidationReason } from "../Branch.ts"
import type * as Commands from "../PolicyCommands.ts"
import type { Instant } from "../../values/Instant.ts"
import type { PolicyAggregate } from "./PolicyAggregate.ts"

/** A branch that was invalidated, and why. */
export const invalidated = (
  branch: StoredBranch,
  reason: InvalidationReason,
  now: Instant
): StoredBranch => ({
  ...branch,
  status: "INVALIDATED",
  invalidatedAt: now,
  invalidationReason: reason
})

/** The branches that a stop ends with it: all of a sale, of a contract those that take effect later. */
export const branchesStopped = (
  { branches, now, state }: PolicyAggregate,
  drafts: ReadonlyArray<Commands.Draft>
): ReadonlyArray<StoredBranch> => {
  const stop = drafts.find(({ kind }) => kind === "STOP")
  if (stop === undefined) return []
  return branches
    .filter(
      ({ branchType, effectiveAt, status }) =>
        status === "OPEN" &&
        branchType !== "BASE" &&
        (state.signedAt === undefined || (effectiveAt ?? now) >= stop.effectiveAt)
    )
    .map((branch) => invalidated(branch, "POLICY_STOPPED", now))
}
