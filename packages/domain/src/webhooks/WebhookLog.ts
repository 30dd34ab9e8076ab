/**
 * What the owner of an endpoint sees of its deliveries: attempts, deliveries that have failed for good, those
 * that wait, and how all of them stand.
 */
import { Schema } from "effect"
import { EventId } from "../events/Event.ts"
import { Subject } from "../requests/Event.ts"
import { ReplayId } from "../values/Ids.ts"
import { Instant } from "../values/Instant.ts"
import { Webhook } from "./Webhook.ts"
import { Outcome } from "./WebhookDelivery.ts"

const Sequence = Schema.Int.check(Schema.isGreaterThan(0))

/** One try to deliver an event. */
export const WebhookAttempt = Schema.Struct({
  eventId: EventId,
  subject: Subject,
  sequence: Sequence,
  /** Which try of the event it was, from 1. */
  number: Schema.Int,
  replayId: Schema.optionalKey(ReplayId),
  /** Real time. */
  triedAt: Instant,
  milliseconds: Schema.Int,
  outcome: Outcome,
  /** The status of the answer, where there was one. */
  status: Schema.optionalKey(Schema.Int),
  /** Where the connection went. */
  address: Schema.optionalKey(Schema.String),
  /** The first 1,024 bytes of an answer that is no success, as text, or why there was none. */
  excerpt: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "WebhookAttempt" })
export type WebhookAttempt = typeof WebhookAttempt.Type

/** An event that is no longer tried by itself. */
export const DeadEvent = Schema.Struct({
  eventId: EventId,
  subject: Subject,
  sequence: Sequence,
  previousSequence: Schema.Int,
  diedAt: Instant,
  outcome: Outcome,
  status: Schema.optionalKey(Schema.Int)
}).annotate({ identifier: "DeadEvent" })
export type DeadEvent = typeof DeadEvent.Type

/** A record with events that wait for an endpoint. */
export const WebhookLane = Schema.Struct({
  subject: Subject,
  replayId: Schema.optionalKey(ReplayId),
  /** The last number that is done, and the last that is for the endpoint. */
  doneSequence: Schema.Int,
  lastSequence: Schema.Int,
  /** How often the next event was tried. */
  attempts: Schema.Int,
  /** When the next try is due, in real time. */
  dueAt: Instant,
  /** Whether a sender is at it. */
  isUnderWay: Schema.Boolean
}).annotate({ identifier: "WebhookLane" })
export type WebhookLane = typeof WebhookLane.Type

/** How many attempts there were of each outcome. */
export const AttemptCounts = Schema.Struct({
  DELIVERED: Schema.Int,
  STATUS: Schema.Int,
  TIMEOUT: Schema.Int,
  UNREACHABLE: Schema.Int,
  TLS: Schema.Int,
  ADDRESS: Schema.Int
} satisfies Record<Outcome, typeof Schema.Int>).annotate({ identifier: "AttemptCounts" })
export type AttemptCounts = typeof AttemptCounts.Type

/** What came of the newest attempt. */
export const LastAttempt = Schema.Struct({
  triedAt: Instant,
  milliseconds: Schema.Int,
  outcome: Outcome,
  status: Schema.optionalKey(Schema.Int)
}).annotate({ identifier: "LastAttempt" })

/** How the deliveries of an endpoint stand. Instants are in real time. */
export const WebhookDeliveries = Schema.Struct({
  status: Webhook.fields.status,
  failingSince: Webhook.fields.failingSince,
  /** How many positions of the feed have not been looked at for it. */
  behind: Schema.Int,
  /** How many records have events that wait, replays too, and how many of these are being sent. */
  waiting: Schema.Int,
  underWay: Schema.Int,
  /** When the first of them is due; an instant that has passed is since when it waits. */
  oldestDueAt: Schema.optionalKey(Instant),
  /** How many events are no longer tried by themselves. */
  dead: Schema.Int,
  /** The attempts of the last hour, by what came of them. */
  lastHour: AttemptCounts,
  last: Schema.optionalKey(LastAttempt)
}).annotate({ identifier: "WebhookDeliveries" })
export type WebhookDeliveries = typeof WebhookDeliveries.Type
