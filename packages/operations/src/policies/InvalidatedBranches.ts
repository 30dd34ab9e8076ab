/** Branches that can no longer be merged. */
import type { InvalidationReason } from "@quittance/domain/policies/Branch"
import type * as Commands from "@quittance/domain/policies/PolicyCommands"
import type { Instant } from "@quittance/domain/values/Instant"
import type { BranchRow } from "@quittance/persistence/policies/PolicyLogRepo"
import type { PolicyAggregate } from "./PolicyAggregate.ts"

/** A branch that was given up, and why. */
export const invalidated = (
  branch: BranchRow,
  reason: InvalidationReason,
  now: Instant
): BranchRow => ({
  ...branch,
  status: "INVALIDATED",
  invalidatedAt: now,
  invalidationReason: reason
})

/** The branches that a stop ends with it: all of a sale, of a contract those that take effect later. */
export const branchesStopped = (
  { branches, now, state }: PolicyAggregate,
  drafts: ReadonlyArray<Commands.Draft>
): ReadonlyArray<BranchRow> => {
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
