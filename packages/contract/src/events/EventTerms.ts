/** What the members of events mean. */
export const eventTerms = {
  "Event.id": "The event, by its identifier: the same wherever it is told.",
  "Event.type": "What happened. `GET /event-types` lists all types; a later release may add some.",
  "Event.timestamp": "When it took effect, in the tenant's time and UTC.",
  "Event.tenant": "The tenant, by its identifier.",
  "Event.environment": "Where the tenant lives.",
  "Event.schema": "The version of the type's schema.",
  "Event.subject":
    "The record in whose order it stands: the policy for all that hangs on one, else the record itself.",
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
  epoch:
    "Another one than before says that the database was restored: positions may then tell of other events."
}
