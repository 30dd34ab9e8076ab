/** A part of a stream of events as it is answered. */
import { Result, Schema } from "effect"
import { Event, eventOf, eventText, FeedEvent, type StoredEvent } from "./Event.ts"

/** A part of the feed. */
export const FeedPage = Schema.Struct({
  data: Schema.Array(FeedEvent),
  /** The `after` of the next request. */
  next: Schema.Int,
  /** Whether more is there already; a page may hold few or none and yet more follow. */
  hasMore: Schema.Boolean,
  /** Another one than before says that the database was restored. */
  epoch: Schema.String
}).annotate({ identifier: "FeedPage" })
export type FeedPage = typeof FeedPage.Type

/** A part of the events of one policy. */
export const PolicyEventPage = Schema.Struct({
  data: Schema.Array(Event),
  next: Schema.Int,
  hasMore: Schema.Boolean
}).annotate({ identifier: "PolicyEventPage" })

/** The tenant has no such event. */
export class EventNotFound extends Schema.TaggedError<EventNotFound>()("EventNotFound", {
  eventId: Event.fields.id
}) {
  override get message() {
    return `Event ${this.eventId} is not there; \`GET /events\` lists the tenant's events, and \`…/dead\` those that a webhook lacks.`
  }
}

/** An event with its place in the feed, as its row has it. */
export interface PlacedEvent extends StoredEvent {
  readonly position: number
}

/** What was read of a feed. */
export interface FeedPart {
  readonly events: ReadonlyArray<PlacedEvent>
  /** The last position that was looked at. */
  readonly reached: number
  /** The last position of the feed. */
  readonly head: number
  readonly epoch: string
}

/** A part of a feed as text. */
export interface FeedText {
  readonly text: string
  /** Whether it holds no event. */
  readonly isEmpty: boolean
  readonly next: number
  readonly hasMore: boolean
}

/**
 * The text of a part of a feed. It ends before an event of a newer release, which only that can tell: the
 * reader gets it from there, later.
 */
export const feedText = ({ epoch, events, head, reached }: FeedPart): FeedText => {
  const texts: Array<string> = []
  for (const { position, ...row } of events) {
    const event = eventOf(row)
    if (Result.isFailure(event)) {
      return textOf({ texts, next: position - 1, hasMore: false, epoch })
    }
    texts.push(eventText(event.success, position))
  }
  return textOf({ texts, next: reached, hasMore: reached < head, epoch })
}

const textOf = ({
  epoch,
  hasMore,
  next,
  texts
}: Pick<FeedPage, "epoch" | "hasMore" | "next"> & {
  readonly texts: ReadonlyArray<string>
}): FeedText => ({
  text: `{"data":[${texts.join(",")}],"next":${next},"hasMore":${hasMore},"epoch":${JSON.stringify(epoch)}}`,
  isEmpty: texts.length === 0,
  next,
  hasMore
})

/** The text of a part of a policy's events, of which one more than the page holds was read. */
export const policyEventsText = (
  events: ReadonlyArray<StoredEvent>,
  { after, count }: { readonly after: number; readonly count: number }
): string => {
  const texts: Array<string> = []
  let next = after
  for (const row of events.slice(0, count)) {
    const event = eventOf(row)
    if (Result.isFailure(event)) return pageOf(texts, next, false)
    texts.push(eventText(event.success))
    next = row.sequence
  }
  return pageOf(texts, next, events.length > count)
}

const pageOf = (texts: ReadonlyArray<string>, next: number, hasMore: boolean): string =>
  `{"data":[${texts.join(",")}],"next":${next},"hasMore":${hasMore}}`
