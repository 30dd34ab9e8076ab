/** The events of dunning. */
import { type EventType, eventType } from "../requests/Event.ts"
import { FormalNoticeId, HoldId, PolicyId } from "../values/Ids.ts"

const notice = { policyId: PolicyId, formalNoticeId: FormalNoticeId }
const hold = { policyId: PolicyId, holdId: HoldId }

export const dunningEvents = {
  "formal_notice.written": eventType("formal_notice.written", notice),
  "formal_notice.sent": eventType("formal_notice.sent", notice),
  "formal_notice.dropped": eventType("formal_notice.dropped", notice),
  "hold.placed": eventType("hold.placed", hold),
  "hold.lifted": eventType("hold.lifted", hold)
} satisfies Record<string, EventType>
