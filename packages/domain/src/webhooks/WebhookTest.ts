/** The message that an endpoint is tried with: the published example of a type, which says that it is a test. */
import { Result } from "effect"
import { UnknownEventType } from "../events/EventFilter.ts"
import { type Event, eventText } from "../events/Event.ts"
import { publishedTypes } from "../events/EventSchemas.ts"
import type { Instant } from "../values/Instant.ts"

/** What makes the example one of its tenant, at this time. */
export interface OfTest extends Pick<Event, "environment" | "id" | "tenant"> {
  readonly now: Instant
}

/** The example of a type as an event of a tenant. */
export const testEvent = (
  type: string,
  { environment, id, now, tenant }: OfTest
): Result.Result<Event, UnknownEventType> => {
  const published = publishedTypes().find((one) => one.type === type)
  return published === undefined
    ? Result.fail(new UnknownEventType({ types: [type] }))
    : Result.succeed({
        ...published.example,
        id,
        tenant,
        environment,
        timestamp: now,
        recordedAt: now
      })
}

const encoder = new TextEncoder()

/** The bytes of an event with `"test": true`, which no real one has. */
export const testBytes = (event: Event): Uint8Array<ArrayBuffer> =>
  encoder.encode(`${eventText(event).slice(0, -1)},"test":true}`)
