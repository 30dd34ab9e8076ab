/** What the members of events mean. */
import type { ParameterTerms } from "../requests/AreaReference.ts"
import { exampleId as id } from "../requests/Examples.ts"

export const eventTerms = {
  "Event.id": "The event, by its identifier: the same in the feed and in webhooks.",
  "Event.type":
    "The type of the event. `GET /event-types` lists all types; a later release may add some.",
  "Event.timestamp": "When it took effect, in the tenant's time and UTC.",
  "Event.tenant": "The tenant, by its identifier.",
  "Event.environment": "The environment of the tenant.",
  "Event.schema": "The version of the type's schema.",
  "Event.subject":
    "The record that orders it: the policy for every record of one, else the record itself.",
  "Event.sequence": "The place among the events of the subject, from 1 without a gap.",
  "Event.previousSequence":
    "The `sequence` of the subject's event before it in this stream; 0 for the first. Where you have another one, you lack an event.",
  "Event.recordedAt": "When it was recorded, in the tenant's time and UTC.",
  "Event.data":
    "Identifiers, enumerations, whole numbers and dates, as the schema of the type says.",
  "FeedEvent.position": "The place among all events of the tenant, from 1 without a gap.",
  "FeedPage.data": "The events, in the order of the feed.",
  "PolicyEventPage.data": "The events, in the order of the policy.",
  "FeedPage.next": "The `after` of your next request.",
  "PolicyEventPage.next": "The `after` of your next request.",
  "EventNotFound.details.eventId": "The event that isn't there.",
  "UnknownEventType.details.types": "The types and patterns that fit no type of event.",
  hasMore:
    "Whether more is there already. An answer may hold few events or none, and yet more follow.",
  epoch: "A new value means that the database was restored: positions may then be of other events."
}

/** What the parameters of this area mean. */
export const eventParameters: ParameterTerms = {
  eventId: { means: "The event, by its identifier.", example: id("event") },
  "events.feed.after": {
    means:
      "The last position that you have, as `next` of the answer before says it; default: 0, from the first event on.",
    example: 0
  },
  "events.feed.count": {
    means: "How many events the answer holds at most, 1 to 1000; default: 100."
  },
  "events.feed.subject": {
    means:
      "Only events of this subject: the identifier of a record, or its kind and name, such as `product:motor-fr`.",
    example: id("policy")
  },
  "events.feed.types": {
    means:
      "Only events of these types: names such as `invoice.issued`, or patterns such as `policy.*`; at most 100."
  },
  "events.ofPolicy.after": {
    means: "The `sequence` of the last event that you have; default: 0, from the first event on.",
    example: 0
  },
  "events.ofPolicy.count": {
    means: "How many events the answer holds at most, 1 to 100; default: 10."
  },
  wait: {
    means:
      "How many seconds an answer without events is held back until some come, 0 to 25; default: 0.",
    example: 20
  }
}
