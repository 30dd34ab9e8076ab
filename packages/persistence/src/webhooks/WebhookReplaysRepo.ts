/** The replays of an endpoint, as those who look after it start, see and end them. */
import type { EventId } from "@quittance/domain/events/Event"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { ReplayId, WebhookId } from "@quittance/domain/values/Ids"
import type { Instant } from "@quittance/domain/values/Instant"
import type { PageRequest } from "@quittance/domain/values/Page"
import { Replay, type ReplayedPart } from "@quittance/domain/webhooks/WebhookReplay"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn, IntColumn, toDate } from "../sql/Columns.ts"
import { withoutNulls } from "../sql/Rows.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import type { Listed } from "./WebhookLogRepo.ts"

const Row = Schema.Struct({
  ...Replay.fields,
  fromPosition: IntColumn,
  toPosition: IntColumn,
  position: IntColumn,
  recordedFrom: Schema.optionalKey(InstantColumn),
  recordedBefore: Schema.optionalKey(InstantColumn),
  createdAt: InstantColumn,
  finishedAt: Schema.optionalKey(InstantColumn)
})
const decode = Schema.decodeUnknownEffect(Row)

/** A replay that is about to begin. */
export interface NewReplay extends Pick<Replay, "createdAt" | "id" | "webhookId"> {}

export class WebhookReplaysRepo extends Context.Service<
  WebhookReplaysRepo,
  {
    /** How many of an endpoint's are running. */
    running(webhookId: WebhookId): Effect.Effect<number, never, CurrentTenant>
    /** A part of the feed, which is looked through afterwards. */
    startFeed(replay: NewReplay, part: ReplayedPart): Effect.Effect<void, never, CurrentTenant>
    /**
     * Events that are no longer tried: one, whichever replay has it, or all that no replay has. How many
     * they are.
     */
    startDead(
      replay: NewReplay,
      eventId: EventId | undefined
    ): Effect.Effect<number, never, CurrentTenant>
    find(
      webhookId: WebhookId,
      id: ReplayId
    ): Effect.Effect<Replay | undefined, never, CurrentTenant>
    /** One page, the newest first. */
    list(
      webhookId: WebhookId,
      page: PageRequest
    ): Effect.Effect<Listed<Replay>, never, CurrentTenant>
    /** Removes it and what waits of it; nothing is stored of what is under way. */
    remove(webhookId: WebhookId, id: ReplayId): Effect.Effect<void, never, CurrentTenant>
    /** Removes those that were done before an instant; how many there were, at most `limit`. */
    purge(before: Instant, limit: number): Effect.Effect<number, never, CurrentTenant>
  }
>()("@quittance/persistence/WebhookReplaysRepo") {
  static readonly layer = Layer.effect(
    WebhookReplaysRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const running = Effect.fn("WebhookReplaysRepo.running")(function* (webhookId: WebhookId) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.read(sql<{ readonly total: number }>`
          SELECT count(*)::int AS total FROM webhook_replay
          WHERE tenant_id = ${tenantId} AND webhook_id = ${webhookId} AND finished_at IS NULL
        `)
        return row!.total
      }, Effect.orDie)

      const startFeed = Effect.fn("WebhookReplaysRepo.startFeed")(function* (
        { createdAt, id, webhookId }: NewReplay,
        { fromPosition, recordedBefore, recordedFrom, subject, toPosition, types }: ReplayedPart
      ) {
        const tenantId = yield* CurrentTenant
        const instant = (value: Instant | undefined) => (value === undefined ? null : toDate(value))
        yield* tenantSql.write(sql`
          INSERT INTO webhook_replay (tenant_id, webhook_id, id, source, position, from_position,
            to_position, recorded_from, recorded_before, types, subject, created_at, finished_at)
          VALUES (${tenantId}, ${webhookId}, ${id}, 'FEED', ${fromPosition}, ${fromPosition},
            ${toPosition}, ${instant(recordedFrom)}, ${instant(recordedBefore)},
            ${types === undefined ? null : [...types]}, ${subject ?? null}, ${toDate(createdAt)},
            ${toPosition > fromPosition ? null : toDate(createdAt)})
        `)
      }, Effect.orDie)

      const startDead = Effect.fn("WebhookReplaysRepo.startDead")(function* (
        { createdAt, id, webhookId }: NewReplay,
        eventId: EventId | undefined
      ) {
        const tenantId = yield* CurrentTenant
        const of = sql`tenant_id = ${tenantId} AND webhook_id = ${webhookId}`
        const [row] = yield* tenantSql.write(sql<{ readonly events: number }>`
          WITH taken AS (
            UPDATE webhook_dead SET replay_id = ${id}
            WHERE ${of} AND ${eventId === undefined ? sql`replay_id IS NULL` : sql`event_id = ${eventId}`}
            RETURNING subject, seq
          ), woken AS (
            INSERT INTO webhook_lane (tenant_id, webhook_id, replay_id, subject, done_seq, last_seq,
              previous, due_at)
            SELECT ${tenantId}, ${webhookId}, ${id}, subject, min(seq) - 1, max(seq), 0,
              ${toDate(createdAt)}
            FROM taken GROUP BY subject
          ), counted AS (SELECT count(*)::int AS events FROM taken), added AS (
            INSERT INTO webhook_replay (tenant_id, webhook_id, id, source, position, from_position,
              to_position, created_at, finished_at)
            SELECT ${tenantId}, ${webhookId}, ${id}, 'DEAD', 0, 0, 0, ${toDate(createdAt)},
              CASE WHEN events = 0 THEN ${toDate(createdAt)} END FROM counted
          )
          SELECT events FROM counted
        `)
        return row!.events
      }, Effect.orDie)

      const columns = sql`r.id, r.webhook_id, r.source, r.from_position, r.to_position,
        r.recorded_from, r.recorded_before, r.types, r.subject, r.position, r.delivered, r.dead,
        r.created_at, r.finished_at,
        CASE WHEN r.finished_at IS NULL THEN 'RUNNING' ELSE 'DONE' END AS status,
        (SELECT count(*)::int FROM webhook_lane l WHERE l.tenant_id = r.tenant_id
          AND l.webhook_id = r.webhook_id AND l.replay_id = r.id AND l.due_at IS NOT NULL) AS waiting`

      const find = Effect.fn("WebhookReplaysRepo.find")(function* (
        webhookId: WebhookId,
        id: ReplayId
      ) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.read(sql`
          SELECT ${columns} FROM webhook_replay r
          WHERE r.tenant_id = ${tenantId} AND r.webhook_id = ${webhookId} AND r.id = ${id}
        `)
        return row === undefined ? undefined : yield* decode(withoutNulls(row))
      }, Effect.orDie)

      const list = Effect.fn("WebhookReplaysRepo.list")(function* (
        webhookId: WebhookId,
        { count, page }: PageRequest
      ) {
        const tenantId = yield* CurrentTenant
        const from = sql`webhook_replay r WHERE r.tenant_id = ${tenantId} AND r.webhook_id = ${webhookId}`
        const rows = yield* tenantSql.read(sql`
          SELECT ${columns} FROM ${from} ORDER BY r.created_at DESC, r.id
          LIMIT ${count} OFFSET ${(page - 1) * count}
        `)
        const [counted] = yield* tenantSql.read(
          sql<{ readonly total: number }>`SELECT count(*)::int AS total FROM ${from}`
        )
        const items = yield* Effect.forEach(rows, (row) => decode(withoutNulls(row)))
        return { items, total: counted!.total }
      }, Effect.orDie)

      const remove = Effect.fn("WebhookReplaysRepo.remove")(function* (
        webhookId: WebhookId,
        id: ReplayId
      ) {
        const tenantId = yield* CurrentTenant
        const of = sql`tenant_id = ${tenantId} AND webhook_id = ${webhookId}`
        yield* tenantSql.write(sql`DELETE FROM webhook_lane WHERE ${of} AND replay_id = ${id}`)
        yield* tenantSql.write(
          sql`UPDATE webhook_dead SET replay_id = NULL WHERE ${of} AND replay_id = ${id}`
        )
        yield* tenantSql.write(sql`DELETE FROM webhook_replay WHERE ${of} AND id = ${id}`)
      }, Effect.orDie)

      const purge = Effect.fn("WebhookReplaysRepo.purge")(function* (
        before: Instant,
        limit: number
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.write(sql`
          DELETE FROM webhook_replay WHERE (tenant_id, webhook_id, id) IN (
            SELECT tenant_id, webhook_id, id FROM webhook_replay
            WHERE tenant_id = ${tenantId} AND finished_at < ${toDate(before)} LIMIT ${limit}
          ) RETURNING 1 AS one
        `)
        return rows.length
      }, Effect.orDie)

      return WebhookReplaysRepo.of({ running, startFeed, startDead, find, list, remove, purge })
    })
  )
}
