/**
 * What a command leaves behind for others: its events, each numbered within its subject. The sequencer of
 * the area events gives them their positions once they are committed.
 */
import type { EventKind } from "@quittance/domain/EventType"
import type { EventPayload } from "@quittance/domain/requests/Event"
import type { RecordEvent } from "@quittance/domain/requests/RecordEvents"
import { recorded } from "@quittance/domain/telemetry/CurrentTrace"
import type { Instant } from "@quittance/domain/values/Instant"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Ids } from "../sql/Ids.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { unnested } from "../sql/UnnestRows.ts"
import type { PolicyId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** One thing that happened to a policy; `seq` counts on from the policy's head, which the writer holds. */
export interface PolicyEvent {
  readonly policyId: PolicyId
  readonly seq: number
  readonly kind: EventKind
  readonly occurredAt: Instant
  readonly recordedAt: Instant
  readonly payload: EventPayload
}

const policyTypes = {
  policyId: "text",
  seq: "integer",
  id: "text",
  kind: "text",
  occurredAt: "timestamptz",
  recordedAt: "timestamptz",
  payload: "jsonb"
} as const

const recordTypes = {
  subject: "text",
  place: "integer",
  id: "text",
  kind: "text",
  occurredAt: "timestamptz",
  payload: "jsonb"
} as const

export class EventsRepo extends Context.Service<
  EventsRepo,
  {
    /** Adds events of policies whose heads the transaction holds. */
    insertOfPolicies(events: ReadonlyArray<PolicyEvent>): Effect.Effect<void, never, CurrentTenant>
    /**
     * Adds events of other records. Each subject's count is held until the commit: so numbers have no
     * gap, and who commits later has the later one.
     */
    insertOfRecords(events: ReadonlyArray<RecordEvent>): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/EventsRepo") {
  static readonly layer = Layer.effect(
    EventsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const ids = yield* Ids

      const insertOfPolicies = Effect.fn("EventsRepo.insertOfPolicies")(function* (
        events: ReadonlyArray<PolicyEvent>
      ) {
        const tenantId = yield* CurrentTenant
        if (events.length === 0) return
        const trace = (yield* recorded) ?? null
        const rows = events.map((event) => ({ ...event, id: ids.next("event") }))
        yield* tenantSql.write(sql`
          INSERT INTO event (tenant_id, policy_id, subject, seq, id, kind, occurred_at, recorded_at,
            payload, trace)
          SELECT ${tenantId}, "policyId", "policyId", seq, id, kind, "occurredAt", "recordedAt", payload,
            ${trace}::text
          FROM ${unnested(sql, rows, policyTypes)} AS e
        `)
      }, Effect.orDie)

      const insertOfRecords = Effect.fn("EventsRepo.insertOfRecords")(function* (
        events: ReadonlyArray<RecordEvent>
      ) {
        const tenantId = yield* CurrentTenant
        if (events.length === 0) return
        const trace = (yield* recorded) ?? null
        const rows = events.map((event, place) => ({ ...event, place, id: ids.next("event") }))
        // Counts are taken in the order of the subjects, so that no two writers wait for each other.
        yield* tenantSql.write(sql`
          WITH e AS MATERIALIZED (SELECT * FROM ${unnested(sql, rows, recordTypes)} AS r),
          counted AS (
            INSERT INTO subject_head AS h (tenant_id, subject, seq)
            SELECT ${tenantId}, subject, count(*) FROM e GROUP BY subject ORDER BY subject
            ON CONFLICT (tenant_id, subject) DO UPDATE SET seq = h.seq + excluded.seq
            RETURNING subject, seq
          )
          INSERT INTO event (tenant_id, subject, seq, id, kind, occurred_at, recorded_at, payload,
            trace)
          SELECT ${tenantId}, e.subject, c.seq - count(*) OVER (PARTITION BY e.subject)
              + row_number() OVER (PARTITION BY e.subject ORDER BY e.place),
            e.id, e.kind, coalesce(e."occurredAt", now.at), now.at, e.payload,
            ${trace}::text
          FROM e JOIN counted c ON c.subject = e.subject, (
            SELECT coalesce(test_clock, clock_timestamp()) AS at FROM tenant
            WHERE tenant_id = ${tenantId}
          ) now
        `)
      }, Effect.orDie)

      return EventsRepo.of({ insertOfPolicies, insertOfRecords })
    })
  )
}
