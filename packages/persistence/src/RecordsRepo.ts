/** What a command leaves behind for others: events of a policy, and the audit record. */
import type { Instant } from "@quittance/domain/Instant"
import type { PolicyId } from "@quittance/domain/Policy"
import { CurrentTenant } from "@quittance/domain/Tenant"
import { PgTypes } from "@effect/sql-pg"
import { Array, Context, Effect, Layer, type Schema } from "effect"
import { SqlClient } from "effect/sql"
import { toDate } from "./Columns.ts"
import { Ids } from "./Ids.ts"
import { TenantSql } from "./TenantSql.ts"

/** One thing that happened to a policy; `seq` counts per policy, without gaps. */
export interface PolicyEvent {
  readonly policyId: PolicyId
  readonly seq: number
  readonly kind: string
  readonly occurredAt: Instant
  readonly recordedAt: Instant
  readonly payload: Schema.Json
}

/** Who did what to which record; `recordedAt` is real time and the database's. */
export interface AuditRecord {
  readonly businessAt: Instant
  readonly actorKind: string
  readonly actorId: string
  readonly action: string
  readonly recordId: string
  readonly requestId: string
  readonly detail: Schema.Json
}

export class RecordsRepo extends Context.Service<
  RecordsRepo,
  {
    events(events: ReadonlyArray<PolicyEvent>): Effect.Effect<void, never, CurrentTenant>
    audit(records: ReadonlyArray<AuditRecord>): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/RecordsRepo") {
  static readonly layer = Layer.effect(
    RecordsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const ids = yield* Ids

      const events = Effect.fn("RecordsRepo.events")(function* (
        events: ReadonlyArray<PolicyEvent>
      ) {
        const tenantId = yield* CurrentTenant
        if (!Array.isReadonlyArrayNonEmpty(events)) return
        const rows = Array.map(events, (event) => ({
          tenantId,
          ...event,
          id: ids.next("event"),
          occurredAt: toDate(event.occurredAt),
          recordedAt: toDate(event.recordedAt),
          payload: PgTypes.jsonb(event.payload)
        }))
        yield* tenantSql.write(sql`INSERT INTO event ${sql.insert(rows)}`)
      }, Effect.orDie)

      const audit = Effect.fn("RecordsRepo.audit")(function* (records: ReadonlyArray<AuditRecord>) {
        const tenantId = yield* CurrentTenant
        if (!Array.isReadonlyArrayNonEmpty(records)) return
        const rows = Array.map(records, (record) => ({
          tenantId,
          ...record,
          id: ids.next("event"),
          businessAt: toDate(record.businessAt),
          outcome: "DONE",
          detail: PgTypes.jsonb(record.detail)
        }))
        yield* tenantSql.write(sql`INSERT INTO audit ${sql.insert(rows)}`)
      }, Effect.orDie)

      return RecordsRepo.of({ events, audit })
    })
  )
}
