/**
 * What takes effect of a policy, as events: its status has changed, or a branch's change for a later day is
 * effective now. Folding the first kind gives the status that the policy shows.
 */
import { type Instant, max } from "../../values/Instant.ts"
import { origin } from "../Change.ts"
import { visible } from "../ChangeView.ts"
import type { PolicyHappening } from "../PolicyEvents.ts"
import { type PolicyAggregate, statusAt } from "./PolicyAggregate.ts"

/** Up to which instant events have told what took effect. */
const toldUntil = ({ head }: Pick<PolicyAggregate, "head">): Instant =>
  head.toldUntil ?? head.lastModifiedAt

/** The policy before a command or a step of the worker, and as that leaves it. */
export interface Step {
  readonly before: PolicyAggregate
  readonly after: PolicyAggregate
}

/**
 * What has taken effect since the events before told so: first what was recorded and came by itself, one
 * instant after the other, then what the step leads to at once.
 */
export const effectsOf = ({ after, before }: Step): ReadonlyArray<PolicyHappening> => {
  const { now } = after
  let { status } = before.head
  const moveTo = (next: typeof status, at: Instant): ReadonlyArray<PolicyHappening> => {
    if (next === status) return []
    const payload = { from: status, to: next }
    status = next
    return [{ kind: "policy.change_status", at, payload }]
  }
  const came = dueEffects(before, now).flatMap(([at, branchIds]) => [
    ...branchIds.map(tookEffect(at)),
    ...moveTo(statusAt(before, at), at)
  ])
  const merged = mergedNow({ after, before }).map(({ at, id }) => tookEffect(at)(id))
  return [...came, ...merged, ...moveTo(after.head.status, effectOfStep({ after, before }))]
}

/** The head once so many events have told what there is by now. */
export const told = (before: PolicyAggregate, after: PolicyAggregate, events: number) => ({
  ...after.head,
  eventSeq: before.head.eventSeq + events,
  toldUntil: max(after.now, toldUntil(before))
})

const tookEffect =
  (at: Instant) =>
  (branchId: string): PolicyHappening => ({ kind: "branch.take_effect", at, payload: { branchId } })

/** The instants since then at which something took effect that was recorded before them, and of which branches. */
const dueEffects = (
  policy: PolicyAggregate,
  now: Instant
): ReadonlyArray<readonly [Instant, ReadonlyArray<string>]> => {
  const { branches, changes, head } = policy
  const since = toldUntil(policy)
  if (now <= since) return []
  const coming = visible(changes, { branchId: head.defaultBranchId }).filter(
    ({ effectiveAt, recordedAt }) =>
      effectiveAt > since && effectiveAt <= now && recordedAt < effectiveAt
  )
  return [...Map.groupBy(coming, ({ effectiveAt }) => effectiveAt)].map(([at]) => {
    const merged = branches
      .filter(({ effectiveAt, mergedAt }) => effectiveAt === at && mergedAt !== null)
      .map(({ id }) => id)
    // What the base branch itself had recorded for that instant, such as a stop.
    return [at, merged.length > 0 ? merged : [head.defaultBranchId]]
  })
}

/** The branches beside the base branch that were merged by the step and hold already. */
const mergedNow = ({ after, before }: Step) =>
  after.branches.flatMap(({ effectiveAt, id, mergedAt }) => {
    const was = before.branches.find((branch) => branch.id === id)
    const isNew = mergedAt !== null && was?.mergedAt == null
    return isNew && effectiveAt !== null && effectiveAt <= after.now
      ? [{ id, at: effectiveAt }]
      : []
  })

/** When what the step has recorded on the base branch took effect; else the present. */
const effectOfStep = ({ after, before }: Step): Instant => {
  const effective = after.changes
    .slice(before.changes.length)
    .filter(
      ({ branchId, effectiveAt }) =>
        branchId === after.head.defaultBranchId && effectiveAt > origin && effectiveAt <= after.now
    )
    .map(({ effectiveAt }) => effectiveAt)
  return effective.length === 0 ? after.now : effective.reduce(max)
}
