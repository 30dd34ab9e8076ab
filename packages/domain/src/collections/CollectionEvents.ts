/** The events of debits. */
import { type EventType, recordEventType } from "../requests/Event.ts"
import { DebitId } from "./Debit.ts"

export const collectionEvents = {
  "debit.plan": recordEventType("debit.planned", "debitId", DebitId),
  "debit.extend": recordEventType("debit.extended", "debitId", DebitId)
} satisfies Record<string, EventType>
