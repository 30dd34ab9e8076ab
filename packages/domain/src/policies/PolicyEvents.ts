/** The events of a policy's log: one for each kind of change. */
import type { ChangeKind } from "./Change.ts"
import { type EventType, eventType } from "../requests/Event.ts"
import { BranchId, ChangeId, PolicyId } from "../values/Ids.ts"

type ChangeEventKind = `policy.${Lowercase<ChangeKind>}`

const change = { policyId: PolicyId, branchId: BranchId, changeId: ChangeId }

export const policyEvents = {
  "policy.create": eventType("policy.created", change),
  "policy.update": eventType("policy.updated", change),
  "policy.quote": eventType("policy.quoted", change),
  "policy.outdate": eventType("policy.quote_outdated", change),
  "policy.confirm": eventType("policy.confirmed", change),
  "policy.reopen": eventType("policy.reopened", change),
  "policy.sign": eventType("policy.signed", change),
  "policy.merge": eventType("branch.merged", change),
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

/** The kind of the event that a change leaves behind. */
export const changeEventKind = (kind: ChangeKind): ChangeEventKind =>
  // `toLowerCase` does to a text what `Lowercase` does to its type.
  `policy.${kind.toLowerCase()}` as ChangeEventKind
