/** The events of payouts, each of the policy that it pays from. */
import { type EventType, eventType } from "../requests/Event.ts"
import { PolicyId } from "../values/Ids.ts"
import { PayoutId } from "./Payout.ts"

const payout = { policyId: PolicyId, payoutId: PayoutId }

export const payoutEvents = {
  "payout.requested": eventType("payout.requested", payout),
  "payout.approved": eventType("payout.approved", payout),
  "payout.rejected": eventType("payout.rejected", payout),
  "payout.cancelled": eventType("payout.cancelled", payout),
  "payout.payee_confirmed": eventType("payout.payee_confirmed", payout),
  "payout.paid": eventType("payout.paid", payout),
  "payout.failed": eventType("payout.failed", payout)
} satisfies Record<string, EventType>

export type PayoutEvent = keyof typeof payoutEvents
