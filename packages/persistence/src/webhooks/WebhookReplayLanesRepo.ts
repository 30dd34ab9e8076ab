/** What replays leave for senders: which records' events are sent once more, and which events those are. */
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { ReplayId, type WebhookId } from "@quittance/domain/values/Ids"
import { fromEpochMillis } from "@quittance/domain/values/Instant"
import { knownKindsOf, spansOf } from "@quittance/domain/webhooks/WebhookFilter"
import {
  numberKey,
  type ReplayedEvents,
  ReplayedPart,
  ReplaySource
} from "@quittance/domain/webhooks/WebhookReplay"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn, IntColumn, toDate } from "../sql/Columns.ts"
import { withoutNulls } from "../sql/Rows.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { unnested } from "../sql/UnnestRows.ts"
import { isOfFirm, policyOfEvent } from "./EventsOfFirm.ts"
import {
  type ClaimedLane,
  EndpointOfTenant,
  type FanOut,
  type OpenEndpoint
} from "./WebhookLanesRepo.ts"

const ReplayOfTenant = Schema.Struct({ ...EndpointOfTenant.fields, replayId: ReplayId })
export type ReplayOfTenant = typeof ReplayOfTenant.Type
const decodeReplays = Schema.decodeUnknownEffect(Schema.Array(ReplayOfTenant))

const Part = Schema.Struct({
  ...ReplayedPart.fields,
  id: ReplayId,
  source: ReplaySource,
  position: IntColumn,
  fromPosition: IntColumn,
  toPosition: IntColumn,
  recordedFrom: Schema.optionalKey(InstantColumn),
  recordedBefore: Schema.optionalKey(InstantColumn)
})
const decodePart = Schema.decodeUnknownEffect(Part)

/** An event of a replay that a sender is through with. */
export interface ReplayedEvent extends Pick<ClaimedLane, "subject"> {
  readonly replayId: ReplayId
  readonly seq: number
  readonly hasArrived: boolean
}

export class WebhookReplayLanesRepo extends Context.Service<
  WebhookReplayLanesRepo,
  {
    /** The replays for which the feed is still to be looked through. */
    readonly behind: Effect.Effect<ReadonlyArray<ReplayOfTenant>>
    /**
     * Wakes the lanes of a replay's next events, and moves the replay, but not past an event of a kind that
     * is not known; whether more may wait. The transaction holds the stream of the endpoint.
     */
    fanOut(
      replay: Pick<ReplayOfTenant, "replayId" | "webhookId">,
      endpoint: OpenEndpoint,
      options: Omit<FanOut, "kinds">
    ): Effect.Effect<boolean, never, CurrentTenant>
    /** What a sender needs to know of the replays that these lanes belong to. */
    of(
      webhookId: WebhookId,
      lanes: ReadonlyArray<ClaimedLane>
    ): Effect.Effect<ReadonlyMap<string, ReplayedEvents>, never, CurrentTenant>
    /**
     * Counts what has arrived and what is left, removes lanes that are done, and ends replays with them.
     * What has arrived is dead no longer.
     */
    settle(
      webhookId: WebhookId,
      replays: ReadonlyArray<ReplayId>,
      events: ReadonlyArray<ReplayedEvent>,
      now: number
    ): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/WebhookReplayLanesRepo") {
  static readonly layer = Layer.effect(
    WebhookReplayLanesRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const behind = Effect.gen(function* () {
        const rows = yield* tenantSql.unscoped(
          "webhook_replay",
          sql`
            SELECT r.tenant_id, r.webhook_id, r.id AS replay_id FROM webhook_replay r
            JOIN webhook_stream s ON s.tenant_id = r.tenant_id AND s.webhook_id = r.webhook_id
            JOIN tenant t ON t.tenant_id = r.tenant_id
            WHERE t.disabled_at IS NULL AND s.is_enabled AND r.finished_at IS NULL
              AND r.position < r.to_position
            ORDER BY r.tenant_id, r.webhook_id, r.id
          `
        )
        return yield* decodeReplays(rows)
      }).pipe(Effect.orDie, Effect.withSpan("WebhookReplayLanesRepo.behind"))

      const parts = Effect.fnUntraced(function* (
        webhookId: WebhookId,
        ids: ReadonlyArray<ReplayId>
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT id, source, position, from_position, to_position, recorded_from, recorded_before,
            types, subject
          FROM webhook_replay
          WHERE tenant_id = ${tenantId} AND webhook_id = ${webhookId} AND id = ANY (${[...ids]})
        `)
        return yield* Effect.forEach(rows, (row) => decodePart(withoutNulls(row)))
      }, Effect.orDie)

      const finish = Effect.fnUntraced(function* (webhookId: WebhookId, now: number) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          UPDATE webhook_replay r SET finished_at = ${toDate(fromEpochMillis(now))}
          WHERE tenant_id = ${tenantId} AND webhook_id = ${webhookId} AND finished_at IS NULL
            AND position >= to_position AND NOT EXISTS (
              SELECT FROM webhook_lane l WHERE l.tenant_id = ${tenantId}
                AND l.webhook_id = ${webhookId} AND l.replay_id = r.id
            )
        `)
      }, Effect.orDie)

      const fanOut = Effect.fn("WebhookReplayLanesRepo.fanOut")(function* (
        { replayId, webhookId }: Pick<ReplayOfTenant, "replayId" | "webhookId">,
        { brokerageFirmId, filters, fromPosition }: OpenEndpoint,
        { known, limit, now }: Omit<FanOut, "kinds">
      ) {
        const tenantId = yield* CurrentTenant
        const [part] = yield* parts(webhookId, [replayId])
        if (part === undefined || part.position >= part.toPosition) return false
        const { position, recordedBefore, recordedFrom, subject, toPosition, types } = part
        // The events of one record have an index of their own.
        const until = subject === undefined ? Math.min(position + limit, toPosition) : toPosition
        const isWanted = (kind: string, at: string) => sql`EXISTS (
          SELECT FROM span s WHERE s.kind = ${sql.literal(kind)}
            AND ${sql.literal(at)} > s.after AND ${sql.literal(at)} <= s.until
        )`
        const conditions = [
          ...(types === undefined ? [] : [sql`n.kind = ANY (${[...knownKindsOf(types)]})`]),
          isWanted("n.kind", "n.position"),
          isOfFirm(sql, tenantId, brokerageFirmId),
          ...(recordedFrom === undefined ? [] : [sql`n.recorded_at >= ${toDate(recordedFrom)}`]),
          ...(recordedBefore === undefined ? [] : [sql`n.recorded_at < ${toDate(recordedBefore)}`])
        ]
        const [moved] = yield* tenantSql.write(sql<{ readonly reached: bigint }>`
          WITH span AS MATERIALIZED (
            SELECT kind, "after", "until" FROM ${unnested(sql, spansOf(filters), spanTypes)} x
          ), next AS MATERIALIZED (
            SELECT f.position, f.subject, f.seq, e.kind, ${policyOfEvent(sql, brokerageFirmId)}, e.recorded_at
            FROM event_feed f JOIN event e
              ON e.tenant_id = f.tenant_id AND e.subject = f.subject AND e.seq = f.seq
            WHERE f.tenant_id = ${tenantId} AND f.position > ${position} AND f.position <= ${until}
              ${subject === undefined ? sql`` : sql`AND f.subject = ${subject}`}
          ), reach AS (
            SELECT least(${until}::bigint,
              (SELECT min(position) - 1 FROM next WHERE kind <> ALL (${[...known]}))) AS position
          ), found AS (
            SELECT n.subject, min(n.seq) AS first, max(n.seq) AS last
            FROM next n JOIN reach ON n.position <= reach.position
            WHERE ${sql.and(conditions)} GROUP BY n.subject
          ), begun AS (
            SELECT x.subject, x.first, x.last, coalesce(nullif(l.first_seq, 0), (
                SELECT min(g.seq) FROM event_feed g WHERE g.tenant_id = ${tenantId}
                  AND g.subject = x.subject AND g.position > ${fromPosition}
              ), 0) AS stream_first, coalesce((
                SELECT p.seq FROM event p CROSS JOIN LATERAL (
                  SELECT position FROM event_feed WHERE tenant_id = ${tenantId}
                    AND subject = x.subject AND seq = p.seq OFFSET 0
                ) g WHERE p.tenant_id = ${tenantId} AND p.subject = x.subject AND p.seq < x.first
                  AND ${isWanted("p.kind", "g.position")} ORDER BY p.seq DESC LIMIT 1
              ), 0) AS previous
            FROM found x LEFT JOIN webhook_lane l ON l.tenant_id = ${tenantId}
              AND l.webhook_id = ${webhookId} AND l.replay_id = '' AND l.subject = x.subject
          ), woken AS (
            INSERT INTO webhook_lane AS l (tenant_id, webhook_id, replay_id, subject, done_seq,
              last_seq, previous, first_seq, due_at)
            SELECT ${tenantId}, ${webhookId}, ${replayId}, subject, first - 1, last, previous,
              stream_first, ${toDate(fromEpochMillis(now))}
            FROM begun
            ON CONFLICT (tenant_id, webhook_id, replay_id, subject) DO UPDATE
            SET last_seq = excluded.last_seq, due_at = coalesce(l.due_at, excluded.due_at)
          )
          UPDATE webhook_replay r SET position = reach.position FROM reach
          WHERE r.tenant_id = ${tenantId} AND r.webhook_id = ${webhookId} AND r.id = ${replayId}
          RETURNING reach.position AS reached
        `)
        yield* finish(webhookId, now)
        // What stopped before an event of a newer release has nothing more for this one.
        return Number(moved!.reached) === until && until < toPosition
      }, Effect.orDie)

      const of = Effect.fn("WebhookReplayLanesRepo.of")(function* (
        webhookId: WebhookId,
        lanes: ReadonlyArray<ClaimedLane>
      ) {
        const ids = [
          ...new Set(lanes.flatMap(({ replayId }) => (replayId === "" ? [] : [replayId])))
        ]
        if (ids.length === 0) return new Map<string, ReplayedEvents>()
        const tenantId = yield* CurrentTenant
        const subjects = [...new Set(lanes.map(({ subject }) => subject))]
        const dead = yield* tenantSql.read(sql<{
          readonly replayId: string
          readonly subject: string
          readonly sequence: number
          readonly previous: number
        }>`
          SELECT replay_id, subject, seq AS sequence, previous FROM webhook_dead
          WHERE tenant_id = ${tenantId} AND webhook_id = ${webhookId} AND replay_id = ANY (${ids})
            AND subject = ANY (${subjects})
        `)
        const ofReplay = Map.groupBy(dead, ({ replayId }) => replayId)
        return new Map(
          (yield* parts(webhookId, ids)).map((part): readonly [string, ReplayedEvents] => [
            part.id,
            {
              ...part,
              previousOf: new Map(
                (ofReplay.get(part.id) ?? []).map((one) => [numberKey(one), one.previous])
              )
            }
          ])
        )
      }, Effect.orDie)

      const settle = Effect.fn("WebhookReplayLanesRepo.settle")(function* (
        webhookId: WebhookId,
        replays: ReadonlyArray<ReplayId>,
        events: ReadonlyArray<ReplayedEvent>,
        now: number
      ) {
        const tenantId = yield* CurrentTenant
        const ofWebhook = sql`tenant_id = ${tenantId} AND webhook_id = ${webhookId}`
        if (events.length > 0) {
          const rows = sql`${unnested(sql, events, eventTypes)} x`
          yield* tenantSql.write(sql`
            UPDATE webhook_replay r SET delivered = r.delivered + x.delivered, dead = r.dead + x.dead
            FROM (
              SELECT "replayId", count(*) FILTER (WHERE "hasArrived") AS delivered,
                count(*) FILTER (WHERE NOT "hasArrived") AS dead FROM ${rows} GROUP BY 1
            ) x WHERE r.tenant_id = ${tenantId} AND r.webhook_id = ${webhookId} AND r.id = x."replayId"
          `)
          yield* tenantSql.write(sql`
            DELETE FROM webhook_dead d USING ${rows} WHERE x."hasArrived" AND d.tenant_id = ${tenantId}
              AND d.webhook_id = ${webhookId} AND d.subject = x."subject" AND d.seq = x."seq"
          `)
        }
        yield* tenantSql.write(sql`
          DELETE FROM webhook_lane
          WHERE ${ofWebhook} AND replay_id = ANY (${[...replays]}) AND due_at IS NULL AND claim IS NULL
        `)
        yield* finish(webhookId, now)
      }, Effect.orDie)

      return WebhookReplayLanesRepo.of({ behind, fanOut, of, settle })
    })
  )
}

const spanTypes = { kind: "text", after: "bigint", until: "bigint" } as const

const eventTypes = {
  replayId: "text",
  subject: "text",
  seq: "integer",
  hasArrived: "boolean"
} as const
