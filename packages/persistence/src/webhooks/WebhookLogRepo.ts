/** What the owner of an endpoint sees of its deliveries, page by page. */
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { WebhookId } from "@quittance/domain/values/Ids"
import type { Instant } from "@quittance/domain/values/Instant"
import type { PageRequest } from "@quittance/domain/values/Page"
import {
  AttemptCounts,
  DeadEvent,
  LastAttempt,
  WebhookAttempt,
  WebhookDeliveries,
  WebhookLane
} from "@quittance/domain/webhooks/WebhookLog"
import type { ListAttempts } from "@quittance/domain/webhooks/WebhookRequests"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { InstantColumn, toDate } from "../sql/Columns.ts"
import { withoutNulls } from "../sql/Rows.ts"
import { TenantSql } from "../sql/TenantSql.ts"

const AttemptRow = Schema.Struct({ ...WebhookAttempt.fields, triedAt: InstantColumn })
const DeadRow = Schema.Struct({ ...DeadEvent.fields, diedAt: InstantColumn })
const LaneRow = Schema.Struct({ ...WebhookLane.fields, dueAt: InstantColumn })

const { last: _last, lastHour: _lastHour, ...standing } = WebhookDeliveries.fields
const StandingRow = Schema.Struct({
  ...standing,
  failingSince: Schema.optionalKey(InstantColumn),
  oldestDueAt: Schema.optionalKey(InstantColumn)
})
const LastRow = Schema.Struct({ ...LastAttempt.fields, triedAt: InstantColumn })
const decodeStanding = Schema.decodeUnknownEffect(StandingRow)
const decodeLast = Schema.decodeUnknownEffect(LastRow)
const decodeCounts = Schema.decodeUnknownEffect(AttemptCounts)
const noAttempts = Object.fromEntries(Object.keys(AttemptCounts.fields).map((key) => [key, 0]))

/** One page of a list, and how many items there are in all. */
export interface Listed<A> {
  readonly items: ReadonlyArray<A>
  readonly total: number
}

export class WebhookLogRepo extends Context.Service<
  WebhookLogRepo,
  {
    /** What was tried, the newest first. */
    attempts(
      id: WebhookId,
      filter: ListAttempts,
      page: PageRequest
    ): Effect.Effect<Listed<WebhookAttempt>, never, CurrentTenant>
    /** What is no longer tried, the newest first. */
    dead(id: WebhookId, page: PageRequest): Effect.Effect<Listed<DeadEvent>, never, CurrentTenant>
    /** The records with events that wait at an instant of real time, the next to be tried first. */
    lanes(
      id: WebhookId,
      now: Instant,
      page: PageRequest
    ): Effect.Effect<Listed<WebhookLane>, never, CurrentTenant>
    /** How all of it stands at an instant of real time; the endpoint is there. */
    deliveries(id: WebhookId, now: Instant): Effect.Effect<WebhookDeliveries, never, CurrentTenant>
  }
>()("@quittance/persistence/WebhookLogRepo") {
  static readonly layer = Layer.effect(
    WebhookLogRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const listed = Effect.fnUntraced(function* <A, I>(
        schema: Schema.Codec<A, I>,
        { count, page }: PageRequest,
        { columns, from, order }: Readonly<Record<"columns" | "from" | "order", Statement.Fragment>>
      ) {
        const rows = yield* tenantSql.read(sql`
          SELECT ${columns} FROM ${from} ORDER BY ${order} LIMIT ${count} OFFSET ${(page - 1) * count}
        `)
        const [counted] = yield* tenantSql.read(
          sql<{ total: number }>`SELECT count(*)::int AS total FROM ${from}`
        )
        const decode = Schema.decodeUnknownEffect(schema)
        const items = yield* Effect.forEach(rows, (row) => decode(withoutNulls(row)))
        return { items, total: counted!.total }
      }, Effect.orDie)

      const attempts = Effect.fn("WebhookLogRepo.attempts")(function* (
        id: WebhookId,
        { eventId, from, outcome, subject, to }: ListAttempts,
        page: PageRequest
      ) {
        const tenantId = yield* CurrentTenant
        const conditions = [
          sql`tenant_id = ${tenantId}`,
          sql`webhook_id = ${id}`,
          ...(outcome === undefined ? [] : [sql`outcome = ${outcome}`]),
          // By the subject of the event, which has an index.
          ...(eventId === undefined
            ? []
            : [
                sql`(subject, event_id) = (SELECT subject, id FROM event
                  WHERE tenant_id = ${tenantId} AND id = ${eventId})`
              ]),
          ...(subject === undefined ? [] : [sql`subject = ${subject}`]),
          ...(from === undefined ? [] : [sql`tried_at >= ${toDate(from)}`]),
          ...(to === undefined ? [] : [sql`tried_at < ${toDate(to)}`])
        ]
        return yield* listed(AttemptRow, page, {
          columns: sql`event_id, subject, seq AS sequence, try AS number,
            nullif(replay_id, '') AS replay_id, tried_at, duration AS milliseconds, outcome, status,
            address, excerpt`,
          from: sql`webhook_attempt WHERE ${sql.and(conditions)}`,
          order: sql`webhook_attempt.number DESC`
        })
      })

      const dead = Effect.fn("WebhookLogRepo.dead")(function* (id: WebhookId, page: PageRequest) {
        const tenantId = yield* CurrentTenant
        return yield* listed(DeadRow, page, {
          columns: sql`event_id, subject, seq AS sequence, previous AS previous_sequence, died_at,
            outcome, status`,
          from: sql`webhook_dead WHERE tenant_id = ${tenantId} AND webhook_id = ${id}`,
          order: sql`died_at DESC, subject, seq`
        })
      })

      const lanes = Effect.fn("WebhookLogRepo.lanes")(function* (
        id: WebhookId,
        now: Instant,
        page: PageRequest
      ) {
        const tenantId = yield* CurrentTenant
        return yield* listed(LaneRow, page, {
          columns: sql`subject, nullif(replay_id, '') AS replay_id, done_seq AS done_sequence,
            last_seq AS last_sequence, attempts, due_at,
            coalesce(claimed_until > ${toDate(now)}, false) AS is_under_way`,
          from: sql`webhook_lane WHERE tenant_id = ${tenantId} AND webhook_id = ${id}
            AND due_at IS NOT NULL`,
          order: sql`due_at, subject, replay_id`
        })
      })

      const deliveries = Effect.fn("WebhookLogRepo.deliveries")(function* (
        id: WebhookId,
        now: Instant
      ) {
        const tenantId = yield* CurrentTenant
        const own = sql`tenant_id = ${tenantId} AND webhook_id = ${id}`
        const [row] = yield* tenantSql.read(sql`
          SELECT CASE WHEN s.is_enabled THEN 'ENABLED' ELSE 'DISABLED' END AS status, w.failing_since,
            greatest(coalesce(h.position, 0) - s.position, 0)::int AS behind, l.*,
            (SELECT count(*)::int FROM webhook_dead WHERE ${own}) AS dead
          FROM (SELECT * FROM webhook_stream WHERE ${own}) s
          JOIN webhook w ON w.tenant_id = s.tenant_id AND w.id = s.webhook_id
          LEFT JOIN event_head h ON h.tenant_id = s.tenant_id
          CROSS JOIN (
            SELECT count(*)::int AS waiting, min(due_at) AS oldest_due_at,
              count(*) FILTER (WHERE claimed_until > ${toDate(now)})::int AS under_way
            FROM webhook_lane WHERE ${own} AND due_at IS NOT NULL
          ) l
        `)
        const [newest] = yield* tenantSql.read(sql`
          SELECT tried_at, duration AS milliseconds, outcome, status FROM webhook_attempt
          WHERE ${own} ORDER BY number DESC LIMIT 1
        `)
        const hourAgo = DateTime.toDateUtc(
          DateTime.subtract(DateTime.makeUnsafe(now), { hours: 1 })
        )
        const counts = yield* tenantSql.read(sql<{
          readonly outcome: string
          readonly count: number
        }>`
          SELECT outcome, count(*)::int AS count FROM webhook_attempt
          WHERE ${own} AND tried_at > ${hourAgo} GROUP BY outcome
        `)
        const counted = Object.fromEntries(counts.map(({ count, outcome }) => [outcome, count]))
        const found: WebhookDeliveries = {
          ...(yield* decodeStanding(withoutNulls(row!))),
          lastHour: yield* decodeCounts({ ...noAttempts, ...counted }),
          ...(newest === undefined ? {} : { last: yield* decodeLast(withoutNulls(newest)) })
        }
        return found
      }, Effect.orDie)

      return WebhookLogRepo.of({ attempts, dead, lanes, deliveries })
    })
  )
}
