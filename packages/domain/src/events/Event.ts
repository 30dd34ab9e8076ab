/**
 * An event as it is told to others: in the feed, to consumers, to webhooks. It is what its row says in the
 * published form, and nothing else.
 */
import { Result, Schema } from "effect"
import { type EventName, eventNames, eventTypes } from "../EventType.ts"
import { type EventPayload, type EventType, Subject } from "../requests/Event.ts"
import { Environment, TenantId } from "../requests/Tenancy.ts"
import { Instant } from "../values/Instant.ts"
import * as PrefixedId from "../values/PrefixedId.ts"

export const EventId = PrefixedId.schema("event")
export type EventId = typeof EventId.Type

/** Grows by one for a type whose data would no longer be read by those who read them until now. */
export const eventSchemaVersion = 1

export const Event = Schema.Struct({
  id: EventId,
  type: Schema.Literals(eventNames),
  /** When it took effect, in the tenant's time. */
  timestamp: Instant,
  tenant: TenantId,
  environment: Environment,
  /** The version of the type's schema. */
  schema: Schema.Literal(eventSchemaVersion),
  /** The record in whose order it stands. */
  subject: Subject,
  /** The place among the events of the subject, from 1 without a gap. */
  sequence: Schema.Int.check(Schema.isGreaterThan(0)),
  /** The `sequence` of the event of the subject that came before it in the same stream; 0 for the first. */
  previousSequence: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)),
  /** When it was recorded, in the tenant's time. */
  recordedAt: Instant,
  /** As the schema of the type says. */
  data: Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Int]))
}).annotate({ identifier: "Event" })
export type Event = typeof Event.Type

/** An event with its place among all events of the tenant, from 1 without a gap. */
export const FeedEvent = Schema.Struct({
  position: Schema.Int.check(Schema.isGreaterThan(0)),
  ...Event.fields
}).annotate({ identifier: "FeedEvent" })
export type FeedEvent = typeof FeedEvent.Type

/** An event as its row has it, in some stream. */
export interface StoredEvent extends Pick<
  Event,
  | "environment"
  | "id"
  | "previousSequence"
  | "recordedAt"
  | "sequence"
  | "subject"
  | "tenant"
  | "timestamp"
> {
  readonly kind: string
  readonly policyId: string | null
  readonly payload: EventPayload
}

/** A newer release has recorded what this one does not know. */
export class UnknownEventKind extends Schema.TaggedError<UnknownEventKind>()("UnknownEventKind", {
  id: Schema.String,
  kind: Schema.String
}) {
  override get message() {
    return `Event ${this.id} is of the kind ${this.kind}, which this release does not know: run the newer one.`
  }
}

interface Published {
  readonly type: EventName
  readonly decode: (payload: unknown) => Event["data"]
}

const publishedKinds = new Map<string, Published>(
  Object.entries(eventTypes).map(([kind, { data, type }]: readonly [string, EventType]) => [
    kind,
    // Types are those of the list, and a test holds that data are made of identifiers and numbers.
    { type: type as EventName, decode: Schema.decodeUnknownSync(data) as Published["decode"] }
  ])
)

/** The event in its published form. A row of a known kind that does not read is a defect. */
export const eventOf = (row: StoredEvent): Result.Result<Event, UnknownEventKind> => {
  const { environment, id, kind, payload, policyId, previousSequence } = row
  const { recordedAt, sequence, subject, tenant, timestamp } = row
  const published = publishedKinds.get(kind)
  if (published === undefined) return Result.fail(new UnknownEventKind({ id, kind }))
  const data = published.decode(policyId === null ? payload : { ...payload, policyId })
  return Result.succeed({
    id,
    type: published.type,
    timestamp,
    tenant,
    environment,
    schema: eventSchemaVersion,
    subject,
    sequence,
    previousSequence,
    recordedAt,
    data
  })
}

/**
 * The JSON text of an event, as it is sent: the same characters for the same event each time, members in the
 * order of the schemas, after its position in a feed where one is given.
 */
export const eventText = (event: Event, position?: number): string => {
  const { data, environment, id, previousSequence, recordedAt, schema, sequence } = event
  const { subject, tenant, timestamp, type } = event
  return JSON.stringify({
    position,
    id,
    type,
    timestamp,
    tenant,
    environment,
    schema,
    subject,
    sequence,
    previousSequence,
    recordedAt,
    data
  })
}

const encoder = new TextEncoder()

/** The bytes of an event's text. */
export const eventBytes = (event: Event): Uint8Array<ArrayBuffer> =>
  encoder.encode(eventText(event))
