/** The events of a policy's log: one for each kind of change. */
import { InvalidationReason } from "./Branch.ts"
import { type Change, type ChangeKind, origin } from "./Change.ts"
import { type EventPayload, type EventType, eventType } from "../requests/Event.ts"
import { BranchId, ChangeId, PolicyId } from "../values/Ids.ts"
import type { Instant } from "../values/Instant.ts"
import { PolicyStatus } from "./Policy.ts"
import { BranchType } from "../products/ProductTerms.ts"

type ChangeEventKind = `policy.${Lowercase<ChangeKind>}`

const change = { policyId: PolicyId, branchId: BranchId, changeId: ChangeId }
const branch = { policyId: PolicyId, branchId: BranchId }

export const policyEvents = {
  "policy.create": eventType("policy.created", change),
  "policy.update": eventType("policy.updated", change),
  "policy.quote": eventType("policy.quoted", change),
  "policy.outdate": eventType("policy.quote_outdated", change),
  "policy.confirm": eventType("policy.confirmed", change),
  "policy.reopen": eventType("policy.reopened", change),
  "policy.sign": eventType("policy.signed", change),
  // Of the branch that was merged, not of the one that took its changes.
  "policy.merge": eventType("branch.merged", branch),
  "policy.first_payment": eventType("policy.first_payment_received", change),
  "policy.start": eventType("policy.started", change),
  "policy.suspend": eventType("policy.suspended", change),
  "policy.reactivate": eventType("policy.reactivated", change),
  "policy.announce_stop": eventType("policy.stop_announced", change),
  "policy.stop": eventType("policy.stopped", change),
  "policy.reinstate": eventType("policy.reinstated", change),
  "policy.renew": eventType("policy.renewed", change),
  "policy.rebase": eventType("branch.rebased", change),
  "policy.revert": eventType("change.reverted", change)
} satisfies Record<ChangeEventKind, EventType>

/** The events of a branch that have no change: it was opened, or it was invalidated. */
export const branchEvents = {
  "branch.open": eventType("branch.opened", { ...branch, branchType: BranchType }),
  "branch.invalidate": eventType("branch.invalidated", { ...branch, reason: InvalidationReason })
} satisfies Record<string, EventType>

/**
 * The events of what takes effect, at once or later on its day: an endorsement, a stop, a start. They belong
 * to no change, so consumers need no calendar of their own for a day named in advance.
 */
export const effectEvents = {
  "branch.take_effect": eventType("branch.took_effect", branch),
  "policy.change_status": eventType("policy.status_changed", {
    policyId: PolicyId,
    from: PolicyStatus,
    to: PolicyStatus
  })
} satisfies Record<string, EventType>

/** The kind of the event that a change leaves behind. */
export const changeEventKind = (kind: ChangeKind): ChangeEventKind =>
  // `toLowerCase` does to a text what `Lowercase` does to its type.
  `policy.${kind.toLowerCase()}` as ChangeEventKind

/** An event of a policy before it has its number. */
export interface PolicyHappening {
  readonly kind: ChangeEventKind | keyof typeof branchEvents | keyof typeof effectEvents
  readonly at: Instant
  readonly payload: EventPayload
}

/** What a change tells. That of a sale holds from the beginning of time, and is told as of its recording. */
export const happeningOf = ({
  branchId,
  effectiveAt,
  id,
  kind,
  recordedAt
}: Change): PolicyHappening => ({
  kind: changeEventKind(kind),
  at: effectiveAt === origin ? recordedAt : effectiveAt,
  payload: { changeId: id, branchId }
})
