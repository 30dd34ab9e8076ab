/** The events of withdrawals. */
import { type EventType, recordEventType } from "../requests/Event.ts"
import { WithdrawalId } from "./Withdrawal.ts"

export const withdrawalEvents = {
  "withdrawal.request": recordEventType("withdrawal.requested", "withdrawalId", WithdrawalId),
  "withdrawal.confirm": recordEventType("withdrawal.confirmed", "withdrawalId", WithdrawalId),
  "withdrawal.overdue": recordEventType("withdrawal.refund_overdue", "withdrawalId", WithdrawalId)
} satisfies Record<string, EventType>
