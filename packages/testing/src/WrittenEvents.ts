/**
 * Holds every event that a test has left in its database against what is published: that it is valid by the
 * schema of its type, small, and contains no free text.
 */
import { Event, eventBytes, eventOf, type StoredEvent } from "@quittance/domain/events/Event"
import { knownKinds } from "@quittance/domain/events/EventFilter"
import { publishedTypes } from "@quittance/domain/events/EventSchemas"
import { decodeStoredEvents } from "@quittance/persistence/events/EventRow"
import { Effect, Result, Schema } from "effect"
import type { SqlClient } from "effect/sql"

/** Databases of tests that write more are looked at in part. */
const most = 20_000

/** The longest identifier or name of a record; a text of a person's is not of these characters. */
const factual = /^[\w.@:-]{1,64}$/u

const instants = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/u

const isEvent = Schema.is(Event)

const types = new Map(
  publishedTypes().map(({ example, type }) => [type, Object.keys(example.data)])
)

/** What is wrong with an event. */
const faultOf = (row: StoredEvent): string | undefined => {
  const event = Result.getOrThrow(eventOf(row))
  const { data, type } = event
  const { data: example, ...head } = event
  const texts = [...Object.values(head), ...Object.values(example)].filter(
    (value) => typeof value === "string"
  )
  const members = types.get(type) ?? []
  if (!isEvent(event)) return "it is not valid by the schema"
  if (Object.keys(data).join() !== members.join()) return "its data are not those of its type"
  if (texts.some((text) => !factual.test(text) && !instants.test(text))) return "it has a free text"
  return eventBytes(event).length > 4096 ? "it is larger than 4 KiB" : undefined
}

/** Dies of the first event that is not as published; leaves out kinds that only tests or other releases know. */
export const check = Effect.fn("WrittenEvents.check")(function* (sql: SqlClient.SqlClient) {
  const [table] = yield* sql`SELECT 1 AS one FROM pg_tables WHERE tablename = 'event'`
  if (table === undefined) return
  const rows = yield* sql`
    SELECT e.id, e.kind, t.tenant_id AS tenant, t.environment, e.subject, e.seq AS sequence,
      e.seq - 1 AS previous_sequence, e.policy_id, e.occurred_at AS timestamp, e.recorded_at, e.payload
    FROM event e JOIN tenant t ON t.tenant_id = e.tenant_id
    WHERE e.kind = ANY (${knownKinds}) LIMIT ${most}
  `
  for (const row of yield* decodeStoredEvents(rows)) {
    const fault = faultOf(row)
    if (fault !== undefined) throw new Error(`${row.kind} ${row.id}: ${fault}`)
  }
}, Effect.orDie)
