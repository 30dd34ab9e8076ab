/** Events that an endpoint is sent once more, beside all that it is sent anyway. */
import { Schema } from "effect"
import { TypePattern } from "../events/EventFilter.ts"
import type { PlacedEvent } from "../events/EventPage.ts"
import { Subject } from "../requests/Event.ts"
import { ReplayId, WebhookId } from "../values/Ids.ts"
import { Instant } from "../values/Instant.ts"
import { knownKindsOf } from "./WebhookFilter.ts"
import { type Lane, type Stream, type Turn, turnOf } from "./WebhookLane.ts"

/** The most replays of an endpoint that may go on at a time. */
export const maximumReplays = 5

/** `FEED` a part of the feed; `DEAD` events that were no longer tried. */
export const ReplaySource = Schema.Literals(["FEED", "DEAD"])
export type ReplaySource = typeof ReplaySource.Type

/** Which events of the feed: all of the endpoint's stream that every member lets through. */
export const ReplayedPart = Schema.Struct({
  /** What comes after this position, up to the other one with it. */
  fromPosition: Schema.Int,
  toPosition: Schema.Int,
  /** What was recorded at this instant or later, and before the other one. */
  recordedFrom: Schema.optionalKey(Instant),
  recordedBefore: Schema.optionalKey(Instant),
  types: Schema.optionalKey(Schema.Array(TypePattern)),
  subject: Schema.optionalKey(Subject)
})
export type ReplayedPart = typeof ReplayedPart.Type

export const Replay = Schema.Struct({
  id: ReplayId,
  webhookId: WebhookId,
  source: ReplaySource,
  ...ReplayedPart.fields,
  status: Schema.Literals(["RUNNING", "DONE"]),
  /** Up to where the feed was looked through for it. */
  position: Schema.Int,
  /** How many records have events that wait. */
  waiting: Schema.Int,
  /** How many events have arrived, and how many are no longer tried. */
  delivered: Schema.Int,
  dead: Schema.Int,
  /** Real time. */
  createdAt: Instant,
  finishedAt: Schema.optionalKey(Instant)
}).annotate({ identifier: "Replay" })
export type Replay = typeof Replay.Type

export class ReplayNotFound extends Schema.TaggedError<ReplayNotFound>()("ReplayNotFound", {
  replayId: ReplayId
}) {
  override get message() {
    return `The webhook has no replay ${this.replayId}; list its replays to see those that it has.`
  }
}

export class TooManyReplays extends Schema.TaggedError<TooManyReplays>()("TooManyReplays", {
  maximum: Schema.Int
}) {
  override get message() {
    return `The webhook has ${this.maximum} replays that are running; wait until one is done, or delete one.`
  }
}

export class WebhookDisabled extends Schema.TaggedError<WebhookDisabled>()("WebhookDisabled", {
  webhookId: WebhookId
}) {
  override get message() {
    return `Webhook ${this.webhookId} is disabled; enable it first.`
  }
}

/** What a sender needs to know of a replay. */
export interface ReplayedEvents extends ReplayedPart {
  readonly source: ReplaySource
  /** Of `DEAD`: by subject and number what the event's body names as the one before it. */
  readonly previousOf: ReadonlyMap<string, number>
}

/** What tells events of one tenant apart. */
export const numberKey = ({
  sequence,
  subject
}: Pick<PlacedEvent, "sequence" | "subject">): string => `${sequence} ${subject}`

/** Whether a replay has an event of the endpoint's stream in it. */
const isReplayed = (replay: ReplayedEvents): ((event: PlacedEvent) => boolean) => {
  if (replay.source === "DEAD") return (event) => replay.previousOf.has(numberKey(event))
  const { fromPosition, recordedBefore, recordedFrom, subject, toPosition, types } = replay
  const kinds = types === undefined ? undefined : new Set(knownKindsOf(types))
  return (event) =>
    event.position > fromPosition &&
    event.position <= toPosition &&
    (recordedFrom === undefined || event.recordedAt >= recordedFrom) &&
    (recordedBefore === undefined || event.recordedAt < recordedBefore) &&
    (subject === undefined || event.subject === subject) &&
    (kinds === undefined || kinds.has(event.kind))
}

/** The next events of a lane that belongs to a replay, with the bytes that they were first sent with. */
export const turnOfReplay = <E extends PlacedEvent>(
  lane: Lane,
  read: ReadonlyArray<E>,
  stream: Stream,
  size: number,
  replay: ReplayedEvents
): Turn<E> => {
  const turn = turnOf(lane, read, stream, size, isReplayed(replay))
  const events = turn.events.map((event) => ({
    ...event,
    previousSequence: replay.previousOf.get(numberKey(event)) ?? event.previousSequence
  }))
  return { ...turn, events }
}
