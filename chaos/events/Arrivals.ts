/** What endpoints should have been told, worked out from the feed alone, and what their receivers have taken. */
import { eventTypes } from "@quittance/domain/EventType"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type Endpoint, requests } from "./Endpoints.ts"

export interface Arrivals {
  /** Events that endpoints have taken, each counted once for an endpoint. */
  readonly taken: number
  readonly requests: number
  readonly refused: number
  /** Those that came again though they were answered, and those whose receivers kept the answer back. */
  readonly doubled: number
  readonly repeated: number
  readonly faults: ReadonlyArray<string>
}

interface Placed {
  readonly position: string
  readonly subject: string
  readonly seq: number
  readonly kind: string
}

/** Patterns as docs/webhooks.md has them. */
const fits = (patterns: ReadonlyArray<string>, type: string): boolean =>
  patterns.some(
    (pattern) =>
      pattern === "*" || pattern === type || pattern === `${type.slice(0, type.indexOf("."))}.*`
  )

const typeOf = (kind: string): string =>
  (eventTypes as Readonly<Record<string, { readonly type: string }>>)[kind]!.type

/** What one endpoint should have been told: the filter that counted at each position decides. */
const expected = Effect.fnUntraced(function* ({ id, world }: Endpoint) {
  const sql = yield* SqlClient.SqlClient
  const [webhook] = yield* sql<{
    readonly filters: ReadonlyArray<{ readonly after: number; readonly types: Array<string> }>
  }>`SELECT filters FROM webhook WHERE tenant_id = ${world.tenant} AND id = ${id}`
  const feed = yield* sql<Placed>`
    SELECT f.position::text AS position, f.subject, f.seq, e.kind
    FROM event_feed f JOIN event e USING (tenant_id, subject, seq)
    WHERE f.tenant_id = ${world.tenant} ORDER BY f.position
  `
  const wanted = feed.filter(({ kind, position }) => {
    const filter = webhook!.filters.findLast(({ after }) => after < Number(position))
    return filter !== undefined && fits(filter.types, typeOf(kind))
  })
  return new Set(wanted.map(({ seq, subject }) => `${subject}/${seq}`))
})

/** What is wrong in the tables of webhooks once all has arrived. */
const promises = (sql: SqlClient.SqlClient) => ({
  "no lane waits": sql`SELECT webhook_id, subject FROM webhook_lane WHERE due_at IS NOT NULL`,
  "no lane is taken": sql`SELECT webhook_id, subject FROM webhook_lane WHERE claim IS NOT NULL`,
  "lanes have come to their ends": sql`
    SELECT webhook_id, subject FROM webhook_lane WHERE done_seq < last_seq
  `,
  "no event is left": sql`SELECT webhook_id, subject, seq FROM webhook_dead`,
  "endpoints are told up to the end of the feed": sql`
    SELECT s.webhook_id FROM webhook_stream s JOIN event_head h USING (tenant_id)
    WHERE s.position <> h.position
  `
})

/** Compares both; a fault is an event that was lost, or came to an endpoint that it is not for. */
export const compare = Effect.fn("Arrivals.compare")(function* (
  endpoints: ReadonlyArray<Endpoint>
) {
  const sql = yield* SqlClient.SqlClient
  const faults: Array<string> = []
  for (const [promise, broken] of Object.entries(promises(sql))) {
    const rows = yield* broken
    if (rows.length === 0) continue
    faults.push(`${promise}: ${rows.length} do not keep it, such as ${JSON.stringify(rows[0])}`)
  }
  for (const endpoint of endpoints) {
    const { id, receiver } = endpoint
    const should = yield* expected(endpoint)
    const { events } = receiver.taken
    const lost = [...should].filter((event) => !events.has(event))
    const strange = [...events].find((event) => !should.has(event))
    if (lost.length > 0) faults.push(`${lost.length} events are lost for ${id}, such as ${lost[0]}`)
    if (strange !== undefined) faults.push(`${strange} came to ${id}, which had not asked for it`)
    faults.push(...receiver.faults().map((fault) => `${id}: ${fault}`))
  }
  const sum = (of: (receiver: Endpoint["receiver"]) => number) =>
    endpoints.reduce((total, { receiver }) => total + of(receiver), 0)
  const arrivals: Arrivals = {
    taken: sum(({ taken }) => taken.events.size),
    requests: requests(endpoints),
    refused: sum(({ count }) => count.refused),
    doubled: sum(({ taken }) => taken.doubled()),
    repeated: sum(({ taken }) => taken.repeated()),
    faults
  }
  return arrivals
})
