/** The events of duties of the sale. */
import { type EventType, recordEventType } from "../requests/Event.ts"
import { BrokerageFirmId } from "../values/Ids.ts"
import { StatementId } from "./Statement.ts"

export const complianceEvents = {
  "firm.register": recordEventType("brokerage_firm.registered", "brokerageFirmId", BrokerageFirmId),
  "statement.record": recordEventType("statement.recorded", "statementId", StatementId),
  "statement.confirmDeviation": recordEventType(
    "statement.deviation_confirmed",
    "statementId",
    StatementId
  )
} satisfies Record<string, EventType>
