/** An event as it is told to consumers: what its row says in the published form, and nothing else. */
import { Result, Schema } from "effect"
import { eventTypes } from "../EventType.ts"
import type { EventPayload } from "../requests/Event.ts"
import type { Instant } from "../values/Instant.ts"

/** An event with its place in its tenant's feed. */
export interface FeedEvent {
  /** The place among all events of the tenant, from 1 without a gap. */
  readonly position: number
  readonly id: string
  readonly type: string
  readonly subject: string
  /** The place among the events of the subject, from 1 without a gap. */
  readonly sequence: number
  /** When it took effect, in the tenant's time. */
  readonly timestamp: Instant
  /** When it was recorded, in the tenant's time. */
  readonly recordedAt: Instant
  /** As the kind's `data` says. */
  readonly data: unknown
}

/** An event as its row has it. */
export interface StoredEvent extends Omit<FeedEvent, "data" | "type"> {
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

const decoders = new Map(
  Object.entries(eventTypes).map(([kind, { data, type }]) => [
    kind,
    { type, decode: Schema.decodeUnknownSync(data) }
  ])
)

/** The event in its published form. A row of a known kind that does not read is a defect. */
export const published = ({
  kind,
  payload,
  policyId,
  ...event
}: StoredEvent): Result.Result<FeedEvent, UnknownEventKind> => {
  const found = decoders.get(kind)
  if (found === undefined) return Result.fail(new UnknownEventKind({ id: event.id, kind }))
  const facts = policyId === null ? payload : { ...payload, policyId }
  return Result.succeed({ ...event, type: found.type, data: found.decode(facts) })
}
