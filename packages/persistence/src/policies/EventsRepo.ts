/** What a command leaves behind for others: the events of a policy. */
import type { Instant } from "@quittance/domain/values/Instant"
import { Context, Effect, Layer, type Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Ids } from "../sql/Ids.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { unnested } from "../sql/UnnestRows.ts"
import type { PolicyId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** One thing that happened to a policy; `seq` counts per policy, without gaps. */
export interface PolicyEvent {
  readonly policyId: PolicyId
  readonly seq: number
  readonly kind: string
  readonly occurredAt: Instant
  readonly recordedAt: Instant
  readonly payload: Schema.Json
}

const insertedTypes = {
  policyId: "text",
  seq: "integer",
  id: "text",
  kind: "text",
  occurredAt: "timestamptz",
  recordedAt: "timestamptz",
  payload: "jsonb"
} as const

export class EventsRepo extends Context.Service<
  EventsRepo,
  {
    events(events: ReadonlyArray<PolicyEvent>): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/EventsRepo") {
  static readonly layer = Layer.effect(
    EventsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const ids = yield* Ids

      const events = Effect.fn("EventsRepo.events")(function* (events: ReadonlyArray<PolicyEvent>) {
        const tenantId = yield* CurrentTenant
        if (events.length === 0) return
        const rows = events.map((event) => ({ ...event, id: ids.next("event") }))
        yield* tenantSql.write(sql`
          INSERT INTO event (tenant_id, policy_id, seq, id, kind, occurred_at, recorded_at, payload)
          SELECT ${tenantId}, "policyId", seq, id, kind, "occurredAt", "recordedAt", payload
          FROM ${unnested(sql, rows, insertedTypes)} AS e
        `)
      }, Effect.orDie)

      return EventsRepo.of({ events })
    })
  )
}
