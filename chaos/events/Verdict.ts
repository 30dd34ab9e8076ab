/** What is wrong with a feed and with what consumers were told of it, worked out from the rows alone. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Told from "./Told.ts"

export interface Verdict {
  readonly events: number
  readonly subjects: number
  /** Events that came into the feed after one that was written later. */
  readonly late: number
  readonly faults: ReadonlyArray<string>
}

/** Each query finds what breaks the promise that it is called after. */
const promises = (sql: SqlClient.SqlClient) => ({
  "no event waits for a position": sql`SELECT tenant_id, subject, seq FROM event_pending`,
  "every event has a position, and every position an event": sql`
    SELECT tenant_id, subject, seq FROM event e FULL JOIN event_feed f USING (tenant_id, subject, seq)
    WHERE e.id IS NULL OR f.position IS NULL
  `,
  "positions have no gap": sql`
    SELECT tenant_id, position FROM (
      SELECT tenant_id, position, row_number() OVER (PARTITION BY tenant_id ORDER BY position) AS nth
      FROM event_feed) f WHERE position <> nth
  `,
  "the numbers of a subject have no gap": sql`
    SELECT tenant_id, subject, seq FROM (
      SELECT tenant_id, subject, seq,
        row_number() OVER (PARTITION BY tenant_id, subject ORDER BY seq) AS nth
      FROM event) e WHERE seq <> nth
  `,
  "positions of a subject follow its numbers": sql`
    SELECT tenant_id, subject, seq FROM (
      SELECT tenant_id, subject, seq,
        row_number() OVER (PARTITION BY tenant_id, subject ORDER BY position) AS nth
      FROM event_feed) f WHERE seq <> nth
  `,
  "a policy counts its events": sql`
    SELECT p.tenant_id, p.id, p.event_seq FROM policy p WHERE p.event_seq <> (
      SELECT count(*) FROM event e WHERE e.tenant_id = p.tenant_id AND e.subject = p.id)
  `,
  "any other subject has its count": sql`
    SELECT tenant_id, subject, seq FROM subject_head h WHERE seq <> (
      SELECT count(*) FROM event e WHERE e.tenant_id = h.tenant_id AND e.subject = h.subject)
  `,
  "the head is the last position": sql`
    SELECT tenant_id, position FROM event_head h WHERE position <> (
      SELECT max(position) FROM event_feed f WHERE f.tenant_id = h.tenant_id)
  `,
  "each consumer is told each event once, in order": sql`
    WITH told_in_order AS (
      SELECT *, row_number() OVER (PARTITION BY tenant_id, consumer ORDER BY nth) AS place FROM told
    ), expected AS (
      SELECT f.*, e.id, c.consumer FROM event_feed f JOIN event e USING (tenant_id, subject, seq),
        unnest(${[...Told.names]}::text[]) AS c(consumer)
    )
    SELECT coalesce(t.tenant_id, x.tenant_id) AS tenant_id, coalesce(t.consumer, x.consumer) AS consumer,
      coalesce(t.place, x.position) AS place, t.subject, t.sequence
    FROM told_in_order t FULL JOIN expected x ON x.tenant_id = t.tenant_id
      AND x.consumer = t.consumer AND x.position = t.place
    WHERE (t.position, t.subject, t.sequence, t.event_id)
      IS DISTINCT FROM (x.position, x.subject, x.seq, x.id)
  `,
  "each consumer has come to the end": sql`
    SELECT h.tenant_id, c.consumer FROM event_head h, unnest(${[...Told.names]}::text[]) AS c(consumer)
    WHERE NOT EXISTS (SELECT FROM event_consumer e WHERE e.tenant_id = h.tenant_id
      AND e.name = c.consumer AND e.position = h.position)
  `
})

export const reach = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const faults: Array<string> = []
  for (const [promise, broken] of Object.entries(promises(sql))) {
    const rows = yield* broken
    const [first] = rows
    if (first === undefined) continue
    const named = Object.entries(first).map(([name, value]) => `${name} ${String(value)}`)
    faults.push(`${promise}: ${rows.length} do not keep it, such as ${named.join(", ")}`)
  }
  // Each was recorded when it was written, and its tenant has the time of the database.
  const [counted] = yield* sql<Omit<Verdict, "faults">>`
    SELECT count(*)::int AS events,
      count(DISTINCT (tenant_id, subject))::int AS subjects,
      (count(*) FILTER (WHERE written < before))::int AS late
    FROM (
      SELECT tenant_id, subject, recorded_at AS written,
        max(recorded_at) OVER (PARTITION BY tenant_id ORDER BY position
          ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
      FROM event_feed JOIN event USING (tenant_id, subject, seq)
    ) e
  `
  const verdict: Verdict = { ...counted!, faults }
  return verdict
})
