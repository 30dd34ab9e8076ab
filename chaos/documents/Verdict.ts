/** What is wrong with documents once all were read: worked out from rows, and from what readers were given. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { expected, keyOf, type Recorded } from "./Expected.ts"

export interface Verdict {
  readonly documents: number
  readonly ready: number
  readonly faults: ReadonlyArray<string>
}

interface Row {
  readonly id: string
  readonly origin: string
  readonly eventId: string
  readonly definitionId: string
  readonly trigger: string
  readonly status: string
  readonly contentAddress: string | null
  readonly sha256: string | null
}

/** Each query finds what breaks the promise that it is called after. */
const promises = (sql: SqlClient.SqlClient) => ({
  "no document waits for ever": sql`
    SELECT tenant_id, id, status FROM document WHERE status IN ('PENDING', 'FAILED')
  `,
  "no document waits for a maker": sql`SELECT tenant_id, document_id FROM document_making`,
  "what is ready has bytes": sql`
    SELECT d.tenant_id, d.id FROM document d LEFT JOIN content c
      ON c.tenant_id = d.tenant_id AND c.address = d.content_address
    WHERE d.status = 'READY' AND c.stored_at IS NULL
  `,
  "what is ready is told of once": sql`
    SELECT d.tenant_id, d.id, count(e.id)::int FROM document d LEFT JOIN event e
      ON e.tenant_id = d.tenant_id AND e.kind = 'document.ready' AND e.payload->>'documentId' = d.id
    WHERE d.content_address IS NOT NULL GROUP BY d.tenant_id, d.id HAVING count(e.id) <> 1
  `,
  "versions count on": sql`
    SELECT tenant_id, policy_id, definition_id, version FROM (
      SELECT *, row_number() OVER (PARTITION BY tenant_id, policy_id, branch_id, definition_id,
        customer_id, asset_id, invoice_id, formal_notice_id ORDER BY version) AS nth
      FROM document WHERE origin = 'GENERATED') d
    WHERE version <> nth
  `,
  "endorsements count on": sql`
    SELECT tenant_id, policy_id, number FROM (
      SELECT tenant_id, policy_id, number,
        row_number() OVER (PARTITION BY tenant_id, policy_id ORDER BY number) AS nth
      FROM document WHERE number IS NOT NULL) d WHERE number <> nth
  `
})

/** What is there and was not called for, or was called for and is not there. */
const compared = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<Row>`
    SELECT id, origin, event_id AS "eventId", definition_id AS "definitionId", trigger, status,
      content_address AS "contentAddress", sha256
    FROM document
  `
  const feed = yield* sql<Recorded>`
    SELECT e.id, e.kind, coalesce(e.payload->>'policyId', e.subject) AS "policyId", b.id AS "branchId",
      b.branch_type AS "branchType", e.recorded_at::text AS "recordedAt"
    FROM event_feed f JOIN event e USING (tenant_id, subject, seq)
    LEFT JOIN branch b ON b.tenant_id = e.tenant_id AND b.id = e.payload->>'branchId'
    ORDER BY f.tenant_id, f.position
  `
  const due = expected(feed)
  const there = new Map<string, number>()
  // What was sealed follows from a signature, not from a definition.
  for (const { definitionId, eventId, origin, trigger } of rows) {
    if (origin !== "GENERATED") continue
    const key = keyOf(eventId, definitionId, trigger)
    there.set(key, (there.get(key) ?? 0) + 1)
  }
  const kinds = new Map(feed.map(({ branchType, id, kind }) => [id, `${kind} on ${branchType}`]))
  const said = (key: string) => `${key} of ${kinds.get(key.split(" ")[0]!)}`
  const lost = [...due].filter((key) => !there.has(key))
  const strange = [...there.keys()].filter((key) => !due.has(key))
  const doubled = [...there].filter(([, count]) => count > 1)
  const faults = [
    ...(lost.length > 0 ? [`${lost.length} documents are lost, such as ${said(lost[0]!)}`] : []),
    ...(strange.length > 0
      ? [`${strange.length} documents were not called for, such as ${said(strange[0]!)}`]
      : []),
    ...(doubled.length > 0
      ? [`${doubled.length} documents are doubled, such as ${said(doubled[0]![0])}`]
      : [])
  ]
  return { faults, rows }
})

/** Each document that has bytes was read when all was over, and had the bytes that its row says. */
const unread = (
  rows: ReadonlyArray<Row>,
  given: ReadonlyMap<string, string>
): ReadonlyArray<string> =>
  rows
    .filter(({ contentAddress }) => contentAddress !== null)
    .filter(({ id, sha256 }) => given.get(id) !== sha256)
    .map(({ id, sha256 }) => `${id} was read as ${given.get(id)}, and is ${sha256}`)

/** `given`: the SHA-256 of what readers were given of each document. */
export const reach = Effect.fn("Verdict.reach")(function* (given: ReadonlyMap<string, string>) {
  const sql = yield* SqlClient.SqlClient
  const { faults: wrong, rows } = yield* compared
  const faults = [...wrong]
  for (const [promise, broken] of Object.entries(promises(sql))) {
    const kept = yield* broken
    if (kept.length === 0) continue
    faults.push(`${promise}: ${kept.length} do not keep it, such as ${JSON.stringify(kept[0])}`)
  }
  faults.push(...unread(rows, given))
  const verdict: Verdict = {
    documents: rows.length,
    ready: rows.filter(({ status }) => status === "READY").length,
    faults
  }
  return verdict
})
