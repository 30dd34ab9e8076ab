/** The events of duties of the sale. */
import { type EventType, recordEventType } from "../requests/Event.ts"
import { BrokerageFirmId } from "../values/Ids.ts"

export const complianceEvents = {
  "firm.register": recordEventType("brokerage_firm.registered", "brokerageFirmId", BrokerageFirmId)
} satisfies Record<string, EventType>
