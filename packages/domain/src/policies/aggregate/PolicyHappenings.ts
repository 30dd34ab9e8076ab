/**
 * What a step of a policy is told as, in this order: branches that it opens, its changes, branches that it
 * ends, and what takes effect.
 */
import type { Instant } from "../../values/Instant.ts"
import type { Change } from "../Change.ts"
import { happeningOf, type PolicyHappening } from "../PolicyEvents.ts"
import { effectsOf, type Step } from "./PolicyEffects.ts"
import type { StoredBranch } from "./StoredBranch.ts"

export const happeningsOf = (step: Step): ReadonlyArray<PolicyHappening> => [
  ...openedBy(step),
  ...changesOf(step).filter(isTold(step)).map(happeningOf),
  ...endedBy(step),
  ...effectsOf(step)
]

const changesOf = ({ after, before }: Step) => after.changes.slice(before.changes.length)

/** The first change is the policy's creation. Another branch is told as opened or merged, not as its change. */
const isTold =
  ({ before }: Step) =>
  ({ kind }: Change): boolean =>
    kind === "CREATE" ? before.changes.length === 0 : kind !== "MERGE"

/** Branches beside the first one, which the policy's creation tells, and the base branch, which a merge tells. */
const openedBy = ({ after, before }: Step): ReadonlyArray<PolicyHappening> => {
  if (before.changes.length === 0) return []
  const known = new Set(before.branches.map(({ id }) => id))
  return after.branches
    .filter(({ branchType, id }) => !known.has(id) && branchType !== "BASE")
    .map(({ branchType, createdAt, id }) => ({
      kind: "branch.open",
      at: createdAt,
      payload: { branchId: id, branchType }
    }))
}

const endedBy = ({ after, before }: Step): ReadonlyArray<PolicyHappening> => {
  const statuses = new Map(before.branches.map(({ id, status }) => [id, status]))
  return after.branches
    .filter(({ id, status }) => status !== (statuses.get(id) ?? "OPEN"))
    .flatMap((branch) => endOf(branch, after.now))
}

const endOf = (
  { id, invalidatedAt, invalidationReason, mergedAt, status }: StoredBranch,
  now: Instant
): ReadonlyArray<PolicyHappening> => {
  if (status === "MERGED") {
    return [{ kind: "policy.merge", at: mergedAt ?? now, payload: { branchId: id } }]
  }
  if (invalidationReason === null) return []
  const payload = { branchId: id, reason: invalidationReason }
  return [{ kind: "branch.invalidate", at: invalidatedAt ?? now, payload }]
}
