/** A view of a policy as if it were the base branch: what billing would make of it. */
import type { Change } from "../Change.ts"
import type { Instant } from "../../values/Instant.ts"
import { lineageOf, type PolicyAggregate } from "./PolicyAggregate.ts"

/**
 * A policy with what its branch shows in the place of what is in force, and nothing that takes effect after
 * an instant, at which it is looked at.
 */
export const billedView = (
  policy: PolicyAggregate,
  whenAt: Instant | undefined
): PolicyAggregate => {
  const { branch, branches, changes, head, now } = policy
  const { base, branchId } = lineageOf(branches, branch)
  const own = changes.filter((change) => change.branchId === branchId)
  const shown =
    base === undefined
      ? own
      : [
          ...changes.filter(
            (change) => change.branchId === base.branchId && change.seq <= base.seq
          ),
          // Merged it would come after all that the base branch has.
          ...own.map((change): Change => ({
            ...change,
            branchId: base.branchId,
            seq: head.changeSeq + change.seq
          }))
        ]
  return {
    ...policy,
    now: whenAt ?? now,
    head: { ...head, defaultBranchId: base?.branchId ?? branchId },
    changes: shown.filter(({ effectiveAt }) => whenAt === undefined || effectiveAt <= whenAt)
  }
}
