/**
 * What the owner of an endpoint sees of its deliveries: attempts, deliveries that have failed for good, and
 * those that wait.
 */
import { Schema } from "effect"
import { EventId } from "../events/Event.ts"
import { Subject } from "../requests/Event.ts"
import { ReplayId } from "../values/Ids.ts"
import { Instant } from "../values/Instant.ts"
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
