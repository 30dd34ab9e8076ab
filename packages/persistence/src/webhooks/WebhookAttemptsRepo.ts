/** What senders read of the log and leave behind: events, tries, what was left, and how an endpoint fares. */
import type { PlacedEvent } from "@quittance/domain/events/EventPage"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { ReplayId, type WebhookId } from "@quittance/domain/values/Ids"
import type { Health, Outcome } from "@quittance/domain/webhooks/WebhookDelivery"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { IntColumn } from "../sql/Columns.ts"
import { EventRow } from "../events/EventRow.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { unnested } from "../sql/UnnestRows.ts"
import type { ClaimedLane } from "./WebhookLanesRepo.ts"

const decodeEvents = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      replayId: Schema.Union([Schema.Literal(""), ReplayId]),
      position: IntColumn,
      ...EventRow.fields
    })
  )
)

/** An event with the lane that it is read for. */
export interface LaneEvent extends PlacedEvent, Pick<ClaimedLane, "replayId"> {}

/** One try, as it is kept. */
export interface KeptAttempt {
  readonly eventId: string
  readonly subject: string
  readonly seq: number
  readonly replayId: ReplayId | ""
  /** Which try of the event it was, from 1. */
  readonly try: number
  /** Milliseconds since 1970, and how many it took. */
  readonly triedAt: number
  readonly duration: number
  readonly outcome: Outcome
  readonly status: number | undefined
  readonly address: string | undefined
  readonly excerpt: string | undefined
}

/** An event that is not tried again by itself; `previous` is what its body names. */
export interface LeftEvent extends Pick<
  KeptAttempt,
  "eventId" | "outcome" | "seq" | "status" | "subject"
> {
  readonly previous: number
  readonly diedAt: number
}

export class WebhookAttemptsRepo extends Context.Service<
  WebhookAttemptsRepo,
  {
    /** The next events of each lane, in order, at most `limit` of each. */
    eventsOf(
      lanes: ReadonlyArray<ClaimedLane>,
      limit: number
    ): Effect.Effect<ReadonlyArray<LaneEvent>, never, CurrentTenant>
    keep(
      id: WebhookId,
      attempts: ReadonlyArray<KeptAttempt>,
      dead: ReadonlyArray<LeftEvent>
    ): Effect.Effect<void, never, CurrentTenant>
    /** The health of the endpoint; locked until the transaction ends. */
    health(id: WebhookId): Effect.Effect<Health | undefined, never, CurrentTenant>
    setHealth(id: WebhookId, health: Health): Effect.Effect<void, never, CurrentTenant>
    /** Stores that the webhook's managers are told that nothing arrives; `false` where they have been told. */
    tellFailing(id: WebhookId): Effect.Effect<boolean, never, CurrentTenant>
    /** Removes tries of before an instant; how many there were, at most `limit`. */
    purge(before: number, limit: number): Effect.Effect<number, never, CurrentTenant>
  }
>()("@quittance/persistence/WebhookAttemptsRepo") {
  static readonly layer = Layer.effect(
    WebhookAttemptsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const eventsOf = Effect.fn("WebhookAttemptsRepo.eventsOf")(function* (
        lanes: ReadonlyArray<ClaimedLane>,
        limit: number
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT l."replayId" AS replay_id, f.position, e.id, e.kind, t.tenant_id AS tenant,
            t.environment, l."subject" AS subject, e.seq AS sequence, 0 AS previous_sequence, e.policy_id, e.occurred_at AS timestamp,
            e.recorded_at, e.payload
          FROM tenant t CROSS JOIN ${unnested(sql, lanes, laneTypes)} l
          CROSS JOIN LATERAL (
            SELECT id, seq, kind, policy_id, occurred_at, recorded_at, payload FROM event
            WHERE tenant_id = ${tenantId} AND subject = l."subject" AND seq > l."doneSeq"
              AND seq <= l."lastSeq"
            ORDER BY seq LIMIT ${limit}
          ) e CROSS JOIN LATERAL (
            SELECT position FROM event_feed WHERE tenant_id = ${tenantId} AND subject = l."subject"
              AND seq = e.seq OFFSET 0
          ) f WHERE t.tenant_id = ${tenantId} ORDER BY l."replayId", l."subject", e.seq
        `)
        return yield* decodeEvents(rows)
      }, Effect.orDie)

      const keep = Effect.fn("WebhookAttemptsRepo.keep")(function* (
        id: WebhookId,
        attempts: ReadonlyArray<KeptAttempt>,
        dead: ReadonlyArray<LeftEvent>
      ) {
        const tenantId = yield* CurrentTenant
        const tries = attempts.map((one) => ({ ...one, triedAt: instant(one.triedAt) }))
        if (tries.length > 0) {
          yield* tenantSql.write(sql`
            INSERT INTO webhook_attempt (tenant_id, webhook_id, event_id, subject, seq, replay_id, try,
              tried_at, duration, outcome, status, address, excerpt)
            SELECT ${tenantId}, ${id}, "eventId", "subject", "seq", "replayId", "try", "triedAt",
              "duration", "outcome", "status", "address", "excerpt"
            FROM ${unnested(sql, tries, attemptTypes)} x
          `)
        }
        const left = dead.map((one) => ({ ...one, diedAt: instant(one.diedAt) }))
        if (left.length > 0) {
          yield* tenantSql.write(sql`
            INSERT INTO webhook_dead
              (tenant_id, webhook_id, event_id, subject, seq, previous, died_at, outcome, status)
            SELECT DISTINCT ON ("subject", "seq") ${tenantId}, ${id}, "eventId", "subject", "seq",
              "previous", "diedAt", "outcome", "status"
            FROM ${unnested(sql, left, deadTypes)} x ORDER BY "subject", "seq", "diedAt" DESC
            ON CONFLICT (tenant_id, webhook_id, subject, seq) DO UPDATE SET replay_id = NULL,
              died_at = excluded.died_at, outcome = excluded.outcome, status = excluded.status
          `)
        }
      }, Effect.orDie)

      const health = Effect.fn("WebhookAttemptsRepo.health")(function* (id: WebhookId) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.write(sql<{
          readonly failingSince: Date | null
          readonly failures: number
          readonly allowed: number
          readonly concurrency: number
          readonly successes: number
          readonly disabled: Health["disabled"] | null
        }>`
          SELECT w.failing_since, w.failures, w.disabled_reason AS disabled, s.allowed, s.concurrency,
            s.successes
          FROM webhook_stream s JOIN webhook w ON w.tenant_id = s.tenant_id AND w.id = s.webhook_id
          WHERE s.tenant_id = ${tenantId} AND s.webhook_id = ${id} FOR NO KEY UPDATE
        `)
        return row === undefined
          ? undefined
          : {
              ...row,
              failingSince: row.failingSince?.getTime(),
              disabled: row.disabled ?? undefined
            }
      }, Effect.orDie)

      const setHealth = Effect.fn("WebhookAttemptsRepo.setHealth")(function* (
        id: WebhookId,
        { allowed, disabled, failingSince, failures, successes }: Health
      ) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          UPDATE webhook_stream SET allowed = ${allowed}, successes = ${successes},
            is_enabled = is_enabled AND ${disabled === undefined}
          WHERE tenant_id = ${tenantId} AND webhook_id = ${id}
        `)
        yield* tenantSql.write(sql`
          UPDATE webhook SET failures = ${failures}, disabled_reason = ${disabled ?? null},
            failing_since = ${failingSince === undefined ? null : toDate(failingSince)}
          WHERE tenant_id = ${tenantId} AND id = ${id}
        `)
      }, Effect.orDie)

      const tellFailing = Effect.fn("WebhookAttemptsRepo.tellFailing")(function* (id: WebhookId) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.write(sql`
          UPDATE webhook SET failing_told_at = failing_since
          WHERE tenant_id = ${tenantId} AND id = ${id}
            AND failing_told_at IS DISTINCT FROM failing_since
          RETURNING 1 AS one
        `)
        return rows.length > 0
      }, Effect.orDie)

      const purge = Effect.fn("WebhookAttemptsRepo.purge")(function* (
        before: number,
        limit: number
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.write(sql`
          DELETE FROM webhook_attempt WHERE (tenant_id, webhook_id, number) IN (
            SELECT tenant_id, webhook_id, number FROM webhook_attempt
            WHERE tenant_id = ${tenantId} AND tried_at < ${toDate(before)} ORDER BY tried_at
            LIMIT ${limit}
          ) RETURNING 1 AS one
        `)
        return rows.length
      }, Effect.orDie)

      return WebhookAttemptsRepo.of({ eventsOf, keep, health, setHealth, tellFailing, purge })
    })
  )
}

const laneTypes = {
  replayId: "text",
  subject: "text",
  doneSeq: "integer",
  lastSeq: "integer"
} as const

const attemptTypes = {
  eventId: "text",
  subject: "text",
  seq: "integer",
  replayId: "text",
  try: "integer",
  triedAt: "timestamptz",
  duration: "integer",
  outcome: "text",
  status: "integer",
  address: "text",
  excerpt: "text"
} as const

const deadTypes = {
  eventId: "text",
  subject: "text",
  seq: "integer",
  previous: "integer",
  diedAt: "timestamptz",
  outcome: "text",
  status: "integer"
} as const

const toDate = (millis: number): Date => DateTime.toDateUtc(DateTime.makeUnsafe(millis))
const instant = (millis: number): string => toDate(millis).toISOString()
