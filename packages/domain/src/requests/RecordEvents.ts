/** Which events writes leave behind that the audit trail names, for records without a policy. */
import { type EventKind, eventTypes } from "../EventType.ts"
import type { Instant } from "../values/Instant.ts"
import type { EventType, SubjectFacts } from "./Event.ts"

/** One thing that happened to a record without a policy; it gets its number when it is written. */
export interface RecordEvent extends SubjectFacts {
  readonly kind: EventKind
  /** The tenant's now, unless it is said. */
  readonly occurredAt?: Instant
}

/** A write as the audit trail tells it. */
interface Write {
  readonly action: string
  readonly recordId: string
  readonly businessAt?: Instant
}

/** The events of writes, in their order; none for what is no kind of event, or records its own. */
export const eventsOfRecords = (writes: ReadonlyArray<Write>): ReadonlyArray<RecordEvent> =>
  writes.flatMap(({ action, businessAt, recordId }) => {
    if (!isEventKind(action)) return []
    const { ofRecord }: EventType = eventTypes[action]
    if (ofRecord === undefined) return []
    const at = businessAt === undefined ? {} : { occurredAt: businessAt }
    return [{ kind: action, ...at, ...ofRecord(recordId) }]
  })

const isEventKind = (action: string): action is EventKind => Object.hasOwn(eventTypes, action)
