/** The events of people and brokerage firms. */
import { type EventType, recordEventType } from "../requests/Event.ts"
import { UserId } from "../requests/Caller.ts"
import { BrokerageFirmId } from "../values/Ids.ts"

export const accessEvents = {
  "user.create": recordEventType("user.created", "userId", UserId),
  "user.update": recordEventType("user.updated", "userId", UserId),
  "user.disable": recordEventType("user.disabled", "userId", UserId),
  "user.enable": recordEventType("user.enabled", "userId", UserId),
  "firm.create": recordEventType("brokerage_firm.created", "brokerageFirmId", BrokerageFirmId),
  "firm.update": recordEventType("brokerage_firm.updated", "brokerageFirmId", BrokerageFirmId)
} satisfies Record<string, EventType>
