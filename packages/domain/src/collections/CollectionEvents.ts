/** The events of debits. */
import { type EventType, recordEventType } from "../requests/Event.ts"
import { DebitId } from "./Debit.ts"

export const collectionEvents = {
  "debit.plan": recordEventType("debit.planned", "debitId", DebitId),
  "debit.extend": recordEventType("debit.extended", "debitId", DebitId),
  "debit.notify": recordEventType("debit.notified", "debitId", DebitId),
  "debit.postpone": recordEventType("debit.postponed", "debitId", DebitId),
  "debit.cancel": recordEventType("debit.cancelled", "debitId", DebitId)
} satisfies Record<string, EventType>
