/** What waits for endpoints: whom a new event concerns, who sends next, and what came of it. */
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"
import { type ReplayId, WebhookId } from "@quittance/domain/values/Ids"
import { Webhook } from "@quittance/domain/webhooks/Webhook"
import { FilterFrom } from "@quittance/domain/webhooks/WebhookFilter"
import type { Lane } from "@quittance/domain/webhooks/WebhookLane"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { IntColumn } from "../sql/Columns.ts"
import { withoutNulls } from "../sql/Rows.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { unnested } from "../sql/UnnestRows.ts"
import { isOfFirm, policyOfEvent } from "./EventsOfFirm.ts"

/** Milliseconds since 1970, of the sender's own clock. */
type Millis = number

export const EndpointOfTenant = Schema.Struct({ tenantId: TenantId, webhookId: WebhookId })
export type EndpointOfTenant = typeof EndpointOfTenant.Type
const decodeEndpoints = Schema.decodeUnknownEffect(Schema.Array(EndpointOfTenant))

const Open = Schema.Struct({
  url: Webhook.fields.url,
  headers: Webhook.fields.headers,
  ordering: Webhook.fields.ordering,
  brokerageFirmId: Webhook.fields.brokerageFirmId,
  filters: Schema.Array(FilterFrom),
  position: IntColumn,
  fromPosition: IntColumn,
  concurrency: Schema.Int,
  allowed: Schema.Int,
  perSecond: Schema.Int
})
/** An endpoint whose stream the transaction holds. */
export type OpenEndpoint = typeof Open.Type
const decodeOpen = Schema.decodeUnknownEffect(Open)

/** A record whose events are sent by one sender, until its claim ends. */
export interface ClaimedLane extends Lane {
  /** Empty where it is no replay. */
  readonly replayId: ReplayId | ""
}

export interface FanOut {
  /** The kinds that are for the endpoint, and all that this release knows. */
  readonly kinds: ReadonlyArray<string>
  readonly known: ReadonlyArray<string>
  readonly limit: number
  readonly now: Millis
}

export interface Claim {
  readonly token: string
  readonly now: Millis
  readonly until: Millis
}

/** A lane as its sender leaves it, or where it has come to; without `dueAt` what comes next is due at once. */
export interface SettledLane extends Omit<ClaimedLane, "firstSeq" | "lastSeq"> {
  /** Otherwise it stays the sender's. */
  readonly isOver: boolean
  readonly dueAt: Millis | undefined
}

/** What tells the lanes of an endpoint apart. */
export const laneKey = ({ replayId, subject }: Pick<ClaimedLane, "replayId" | "subject">): string =>
  `${replayId} ${subject}`

export class WebhookLanesRepo extends Context.Service<
  WebhookLanesRepo,
  {
    /** The endpoints that are behind their tenant's feed. */
    readonly behind: Effect.Effect<ReadonlyArray<EndpointOfTenant>>
    /** Holds the stream of an endpoint until the transaction ends; `undefined` where it can't be had. */
    open(webhookId: WebhookId): Effect.Effect<OpenEndpoint | undefined, never, CurrentTenant>
    /**
     * Wakes the lanes of the next events of these kinds, and moves the stream, but not past an event of a
     * kind that is not known; whether more may wait.
     */
    fanOut(
      webhookId: WebhookId,
      endpoint: OpenEndpoint,
      options: FanOut
    ): Effect.Effect<boolean, never, CurrentTenant>
    /**
     * The endpoints with a lane that may be sent now and whose rate lets them until `paced`: one of each
     * tenant first, the longest unserved first.
     */
    due(now: Millis, paced: Millis, limit: number): Effect.Effect<ReadonlyArray<EndpointOfTenant>>
    /** Takes lanes that are due, as many as the endpoint still allows. */
    claim(
      webhookId: WebhookId,
      limit: number,
      claim: Claim
    ): Effect.Effect<ReadonlyArray<ClaimedLane>, never, CurrentTenant>
    /** Puts off the next claim until so many events may have been sent. */
    pace(
      webhookId: WebhookId,
      events: number,
      now: Millis
    ): Effect.Effect<void, never, CurrentTenant>
    /** Stores where lanes stand, and gives those back that are over; the keys of those that were the sender's. */
    settle(
      webhookId: WebhookId,
      token: string,
      lanes: ReadonlyArray<SettledLane>,
      now: Millis
    ): Effect.Effect<ReadonlySet<string>, never, CurrentTenant>
  }
>()("@quittance/persistence/WebhookLanesRepo") {
  static readonly layer = Layer.effect(
    WebhookLanesRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const behind = Effect.gen(function* () {
        const rows = yield* tenantSql.unscoped(
          "webhook_stream",
          sql`
            SELECT s.tenant_id, s.webhook_id FROM webhook_stream s
            JOIN tenant t ON t.tenant_id = s.tenant_id
            JOIN event_head h ON h.tenant_id = s.tenant_id
            WHERE t.disabled_at IS NULL AND s.is_enabled AND h.position > s.position
            ORDER BY s.tenant_id, s.webhook_id
          `
        )
        return yield* decodeEndpoints(rows)
      }).pipe(Effect.orDie, Effect.withSpan("WebhookLanesRepo.behind"))

      const open = Effect.fn("WebhookLanesRepo.open")(function* (webhookId: WebhookId) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.write(sql`
          SELECT s.position, s.from_position, s.concurrency, s.allowed, s.per_second, w.url, w.headers,
            w.ordering, w.brokerage_firm_id, w.filters
          FROM webhook_stream s
          JOIN webhook w ON w.tenant_id = s.tenant_id AND w.id = s.webhook_id
          WHERE s.tenant_id = ${tenantId} AND s.webhook_id = ${webhookId} AND s.is_enabled
          FOR NO KEY UPDATE OF s SKIP LOCKED
        `)
        return row === undefined ? undefined : yield* decodeOpen(withoutNulls(row))
      }, Effect.orDie)

      const fanOut = Effect.fn("WebhookLanesRepo.fanOut")(function* (
        webhookId: WebhookId,
        { brokerageFirmId, position }: OpenEndpoint,
        { kinds, known, limit, now }: FanOut
      ) {
        const tenantId = yield* CurrentTenant
        const [moved] = yield* tenantSql.write(sql<{ readonly more: boolean }>`
          WITH next AS MATERIALIZED (
            SELECT f.position, f.subject, f.seq, e.kind, ${policyOfEvent(sql, brokerageFirmId)}
            FROM event_feed f JOIN event e
              ON e.tenant_id = f.tenant_id AND e.subject = f.subject AND e.seq = f.seq
            WHERE f.tenant_id = ${tenantId} AND f.position > ${position}
              AND f.position <= ${position + limit}
          ), reach AS (
            SELECT least(h.position, ${position + limit},
              (SELECT min(position) - 1 FROM next WHERE kind <> ALL (${known}))) AS position,
              h.position AS head
            FROM event_head h WHERE h.tenant_id = ${tenantId}
          ), found AS (
            SELECT n.subject, min(n.seq) AS first, max(n.seq) AS last
            FROM next n JOIN reach ON n.position <= reach.position
            WHERE n.kind = ANY (${kinds}) AND ${isOfFirm(sql, tenantId, brokerageFirmId)}
            GROUP BY n.subject
          ), woken AS (
            INSERT INTO webhook_lane AS l
              (tenant_id, webhook_id, replay_id, subject, done_seq, last_seq, previous, first_seq, due_at)
            SELECT ${tenantId}, ${webhookId}, '', subject, first - 1, last, 0, first, ${at(now)}
            FROM found
            ON CONFLICT (tenant_id, webhook_id, replay_id, subject) DO UPDATE
            SET last_seq = excluded.last_seq, due_at = coalesce(l.due_at, excluded.due_at),
              done_seq = CASE WHEN l.last_seq = 0 THEN excluded.done_seq ELSE l.done_seq END,
              first_seq = CASE WHEN l.last_seq = 0 THEN excluded.first_seq ELSE l.first_seq END
          )
          UPDATE webhook_stream s SET position = reach.position
          FROM reach WHERE s.tenant_id = ${tenantId} AND s.webhook_id = ${webhookId}
          RETURNING reach.position = ${position + limit} AND reach.position < reach.head AS more
        `)
        return moved?.more ?? false
      }, Effect.orDie)

      const isFree = (now: Millis) =>
        sql`l.due_at <= ${at(now)} AND (l.claimed_until IS NULL OR l.claimed_until <= ${at(now)})`
      const claimed = (now: Millis) => sql`(SELECT count(*) FROM webhook_lane c
        WHERE c.tenant_id = s.tenant_id AND c.webhook_id = s.webhook_id AND c.claimed_until > ${at(now)})`

      const due = Effect.fn("WebhookLanesRepo.due")(function* (
        now: Millis,
        paced: Millis,
        limit: number
      ) {
        const rows = yield* tenantSql.unscoped(
          "webhook_stream",
          sql`
            SELECT tenant_id, webhook_id FROM (
              SELECT s.tenant_id, s.webhook_id, s.served_at,
                row_number() OVER (PARTITION BY s.tenant_id ORDER BY s.served_at) AS turn
              FROM webhook_stream s JOIN tenant t ON t.tenant_id = s.tenant_id
              WHERE t.disabled_at IS NULL AND s.is_enabled AND s.paced_until <= ${at(paced)}
                AND EXISTS (SELECT FROM webhook_lane l WHERE l.tenant_id = s.tenant_id
                  AND l.webhook_id = s.webhook_id AND ${isFree(now)})
                AND ${claimed(now)} < s.allowed
            ) d ORDER BY turn, served_at LIMIT ${limit}
          `
        )
        return yield* decodeEndpoints(rows)
      }, Effect.orDie)

      const claim = Effect.fn("WebhookLanesRepo.claim")(function* (
        webhookId: WebhookId,
        limit: number,
        { now, token, until }: Claim
      ) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          UPDATE webhook_stream SET served_at = ${at(now)}
          WHERE tenant_id = ${tenantId} AND webhook_id = ${webhookId}
        `)
        return yield* tenantSql.write(sql<ClaimedLane>`
          WITH free AS (
            SELECT l.replay_id, l.subject FROM webhook_lane l
            WHERE l.tenant_id = ${tenantId} AND l.webhook_id = ${webhookId} AND ${isFree(now)}
            ORDER BY l.replay_id <> '', l.due_at LIMIT (
              SELECT least(${limit}, greatest(0, s.allowed - ${claimed(now)})) FROM webhook_stream s
              WHERE s.tenant_id = ${tenantId} AND s.webhook_id = ${webhookId}
            ) FOR NO KEY UPDATE SKIP LOCKED
          )
          UPDATE webhook_lane l SET claim = ${token}, claimed_until = ${at(until)} FROM free
          WHERE l.tenant_id = ${tenantId} AND l.webhook_id = ${webhookId}
            AND l.replay_id = free.replay_id AND l.subject = free.subject
          RETURNING l.replay_id, l.subject, l.done_seq, l.last_seq, l.previous, l.first_seq, l.ahead,
            l.attempts
        `)
      }, Effect.orDie)

      const pace = Effect.fn("WebhookLanesRepo.pace")(function* (
        webhookId: WebhookId,
        events: number,
        now: Millis
      ) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          UPDATE webhook_stream SET paced_until =
            greatest(paced_until, ${at(now)}) + make_interval(secs => ${events}::float8 / per_second)
          WHERE tenant_id = ${tenantId} AND webhook_id = ${webhookId}
        `)
      }, Effect.orDie)

      const settle = Effect.fn("WebhookLanesRepo.settle")(function* (
        webhookId: WebhookId,
        token: string,
        lanes: ReadonlyArray<SettledLane>,
        now: Millis
      ) {
        const tenantId = yield* CurrentTenant
        const rows = lanes.map((lane) => ({
          ...lane,
          dueAt: lane.dueAt === undefined ? undefined : at(lane.dueAt).toISOString()
        }))
        const settled = yield* tenantSql.write(sql<Pick<ClaimedLane, "replayId" | "subject">>`
          UPDATE webhook_lane l SET done_seq = x."doneSeq", previous = x."previous",
            ahead = x."ahead", attempts = x."attempts",
            claim = CASE WHEN NOT x."isOver" THEN l.claim END,
            claimed_until = CASE WHEN NOT x."isOver" THEN l.claimed_until END,
            due_at = CASE WHEN NOT x."isOver" THEN l.due_at WHEN x."dueAt" IS NOT NULL THEN x."dueAt"
              WHEN l.last_seq > x."doneSeq" THEN ${at(now)} END
          FROM ${unnested(sql, rows, laneTypes)} x
          WHERE l.tenant_id = ${tenantId} AND l.webhook_id = ${webhookId}
            AND l.replay_id = x."replayId" AND l.subject = x."subject" AND l.claim = ${token}
          RETURNING l.replay_id, l.subject
        `)
        return new Set(settled.map(laneKey))
      }, Effect.orDie)

      return WebhookLanesRepo.of({ behind, open, fanOut, due, claim, pace, settle })
    })
  )
}

const laneTypes = {
  replayId: "text",
  subject: "text",
  doneSeq: "integer",
  previous: "integer",
  ahead: "bigint[]",
  attempts: "integer",
  isOver: "boolean",
  dueAt: "timestamptz"
} as const

const at = (millis: Millis): Date => DateTime.toDateUtc(DateTime.makeUnsafe(millis))
