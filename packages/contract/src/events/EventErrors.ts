/** The errors of the area events on the wire. The last argument of each shows its details. */
import * as EventFilter from "@quittance/domain/events/EventFilter"
import * as EventPage from "@quittance/domain/events/EventPage"
import { exampleId as id } from "../requests/Examples.ts"
import { wireError } from "../requests/WireError.ts"

export const eventErrors = {
  EventNotFound: wireError(
    EventPage.EventNotFound,
    404,
    "EVENT_NOT_FOUND",
    "The tenant has no such event.",
    { eventId: id("event") }
  ),
  UnknownEventType: wireError(
    EventFilter.UnknownEventType,
    422,
    "UNKNOWN_EVENT_TYPE",
    "A type or a pattern fits no type of event.",
    { types: ["policy.exploded"] }
  )
} as const
