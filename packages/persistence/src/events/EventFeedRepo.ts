/** The feed of events: what waits for a position, what has one, and how far each consumer has come. */
import type { PlacedEvent } from "@quittance/domain/events/EventPage"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn, IntColumn } from "../sql/Columns.ts"
import { tryTenantLock } from "../sql/TenantLock.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"
import { EventRow } from "./EventRow.ts"

const decodeTenants = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ tenantId: TenantId }))
)
const decodePositions = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ position: IntColumn }))
)
const Progress = Schema.Struct({
  /** The last position that the consumer has done; 0 before the first. */
  position: IntColumn,
  /** The last position of the feed; 0 without events. */
  last: IntColumn,
  /** When the next event of the consumer was recorded; `null` where none waits. */
  waitingSince: Schema.NullOr(InstantColumn)
})
const decodeProgress = Schema.decodeUnknownEffect(Schema.Tuple([Progress]))
const decodeEvents = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ position: IntColumn, ...EventRow.fields }))
)

export class EventFeedRepo extends Context.Service<
  EventFeedRepo,
  {
    /** The tenants with events that wait for a position. */
    readonly waiting: Effect.Effect<ReadonlyArray<TenantId>>
    /** Makes the transaction the tenant's one sequencer, unless there is one; `false` then. */
    readonly lock: Effect.Effect<boolean, never, CurrentTenant>
    /** Gives the next events that wait their positions, the oldest first; how many there were. */
    sequence(limit: number): Effect.Effect<number, never, CurrentTenant>
    /** The tenants with events after the position of a consumer, but those that are disabled. */
    behind(consumer: string): Effect.Effect<ReadonlyArray<TenantId>>
    /** Makes the transaction the one that consumes for the tenant, unless there is one; `false` then. */
    lockConsumer(consumer: string): Effect.Effect<boolean, never, CurrentTenant>
    /** The last position that a consumer has done; 0 before the first. */
    position(consumer: string): Effect.Effect<number, never, CurrentTenant>
    /** How far a consumer has come in the tenant's feed. */
    progress(consumer: string): Effect.Effect<typeof Progress.Type, never, CurrentTenant>
    /** The next events after a position, in order. */
    after(
      position: number,
      limit: number
    ): Effect.Effect<ReadonlyArray<PlacedEvent>, never, CurrentTenant>
    /** Stores how far a consumer has come. */
    move(consumer: string, position: number): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/EventFeedRepo") {
  static readonly layer = Layer.effect(
    EventFeedRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      // From each tenant to the next in the index: what waits of one tenant is not walked through.
      const waiting = Effect.gen(function* () {
        const rows = yield* tenantSql.unscoped(
          "event_pending",
          sql`
            WITH RECURSIVE found AS (
              (SELECT tenant_id FROM event_pending ORDER BY tenant_id LIMIT 1)
              UNION ALL
              SELECT (SELECT p.tenant_id FROM event_pending p WHERE p.tenant_id > f.tenant_id
                ORDER BY p.tenant_id LIMIT 1)
              FROM found f WHERE f.tenant_id IS NOT NULL
            )
            SELECT tenant_id FROM found WHERE tenant_id IS NOT NULL
          `
        )
        return (yield* decodeTenants(rows)).map(({ tenantId }) => tenantId)
      }).pipe(Effect.orDie, Effect.withSpan("EventFeedRepo.waiting"))

      const sequence = Effect.fn("EventFeedRepo.sequence")(function* (limit: number) {
        const tenantId = yield* CurrentTenant
        // A table like this is mostly empty when it is analysed. Of a backlog the planner would then read
        // and sort all for each batch, where the index has the oldest first.
        yield* tenantSql.write(sql`
          SELECT set_config('enable_bitmapscan', 'off', true), set_config('enable_seqscan', 'off', true)
        `)
        // Writers of one subject follow each other, so its tickets grow with its numbers, and who sees a
        // later one sees all before. Tickets of other transactions may still be missing: those come later.
        const [row] = yield* tenantSql.write(sql<{ readonly events: number }>`
          WITH taken AS (
            DELETE FROM event_pending
            WHERE tenant_id = ${tenantId} AND ticket = ANY (ARRAY(
              SELECT ticket FROM event_pending WHERE tenant_id = ${tenantId}
              ORDER BY ticket LIMIT ${limit}))
            RETURNING ticket, subject, seq
          ), head AS (
            INSERT INTO event_head AS h (tenant_id, position)
            SELECT ${tenantId}, count(*) FROM taken HAVING count(*) > 0
            ON CONFLICT (tenant_id) DO UPDATE SET position = h.position + excluded.position
            RETURNING position
          ), placed AS (
            INSERT INTO event_feed (tenant_id, position, subject, seq)
            SELECT ${tenantId}, head.position - count(*) OVER () + row_number() OVER (ORDER BY ticket),
              subject, seq
            FROM taken, head
          )
          SELECT count(*)::int AS events FROM taken
        `)
        return row!.events
      }, Effect.orDie)

      const behind = Effect.fn("EventFeedRepo.behind")(function* (consumer: string) {
        const rows = yield* tenantSql.unscoped(
          "event_consumer",
          sql`
            SELECT h.tenant_id FROM event_head h JOIN tenant t ON t.tenant_id = h.tenant_id
            LEFT JOIN event_consumer c ON c.tenant_id = h.tenant_id AND c.name = ${consumer}
            WHERE t.disabled_at IS NULL AND h.position > coalesce(c.position, 0)
            ORDER BY h.tenant_id
          `
        )
        return (yield* decodeTenants(rows)).map(({ tenantId }) => tenantId)
      }, Effect.orDie)

      const position = Effect.fn("EventFeedRepo.position")(function* (consumer: string) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT position FROM event_consumer WHERE tenant_id = ${tenantId} AND name = ${consumer}
        `)
        return (yield* decodePositions(rows))[0]?.position ?? 0
      }, Effect.orDie)

      const progress = Effect.fn("EventFeedRepo.progress")(function* (consumer: string) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT p.position, coalesce(h.position, 0) AS last, e.recorded_at AS waiting_since
          FROM (
            SELECT coalesce(max(position), 0) AS position FROM event_consumer
            WHERE tenant_id = ${tenantId} AND name = ${consumer}
          ) p
          LEFT JOIN event_head h ON h.tenant_id = ${tenantId}
          LEFT JOIN event_feed f ON f.tenant_id = ${tenantId} AND f.position = p.position + 1
          LEFT JOIN event e ON e.tenant_id = ${tenantId} AND e.subject = f.subject AND e.seq = f.seq
        `)
        return (yield* decodeProgress(rows))[0]
      }, Effect.orDie)

      const after = Effect.fn("EventFeedRepo.after")(function* (position: number, limit: number) {
        const tenantId = yield* CurrentTenant
        // Positions have no gap, so the range holds as many as are asked for.
        const rows = yield* tenantSql.read(sql`
          SELECT f.position, e.id, e.kind, t.tenant_id AS tenant, t.environment, f.subject,
            f.seq AS sequence, f.seq - 1 AS previous_sequence, e.policy_id, e.occurred_at AS timestamp,
            e.recorded_at, e.payload
          FROM tenant t CROSS JOIN (
            SELECT position, subject, seq FROM event_feed
            WHERE tenant_id = ${tenantId} AND position > ${position} AND position <= ${position + limit}
          ) f CROSS JOIN LATERAL (
            SELECT id, kind, policy_id, occurred_at, recorded_at, payload FROM event
            WHERE tenant_id = ${tenantId} AND subject = f.subject AND seq = f.seq OFFSET 0
          ) e WHERE t.tenant_id = ${tenantId} ORDER BY f.position
        `)
        return yield* decodeEvents(rows)
      }, Effect.orDie)

      const move = Effect.fn("EventFeedRepo.move")(function* (consumer: string, to: number) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          INSERT INTO event_consumer (tenant_id, name, position)
          VALUES (${tenantId}, ${consumer}, ${to})
          ON CONFLICT (tenant_id, name) DO UPDATE SET position = excluded.position
        `)
      }, Effect.orDie)

      return EventFeedRepo.of({
        waiting,
        lock: tryTenantLock(sql, tenantSql, "events"),
        sequence,
        behind,
        lockConsumer: (consumer) => tryTenantLock(sql, tenantSql, `consumer ${consumer}`),
        position,
        progress,
        after,
        move
      })
    })
  )
}
