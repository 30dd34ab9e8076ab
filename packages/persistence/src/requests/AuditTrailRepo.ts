/** Writes the audit trail. What reads and chains it is in the area audit. */
import type { Instant } from "@quittance/domain/values/Instant"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Ids } from "../sql/Ids.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { unnested } from "../sql/UnnestRows.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { AuditActorKind, AuditDetail, AuditOutcome } from "@quittance/domain/requests/Actor"

/** A row to be written. When it was recorded is real time and the database's to say. */
export interface AuditRecord {
  readonly actorKind: AuditActorKind
  readonly actorId: string
  readonly action: string
  readonly recordId: string
  readonly requestId: string
  readonly outcome: AuditOutcome
  readonly detail: AuditDetail
  /** The tenant's now, unless it is said. */
  readonly businessAt?: Instant
}

export class AuditTrailRepo extends Context.Service<
  AuditTrailRepo,
  {
    /** Adds rows, in the transaction of what they tell. No writer waits for another. */
    insert(records: ReadonlyArray<AuditRecord>): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/AuditTrailRepo") {
  static readonly layer = Layer.effect(
    AuditTrailRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const ids = yield* Ids

      const insert = Effect.fn("AuditTrailRepo.insert")(function* (
        records: ReadonlyArray<AuditRecord>
      ) {
        const tenantId = yield* CurrentTenant
        if (records.length === 0) return
        const rows = records.map((record) => ({ ...record, id: ids.next("audit_entry") }))
        // The sealer learns of all of them by one.
        yield* tenantSql.write(sql`
          WITH written AS (
            INSERT INTO audit (tenant_id, id, business_at, actor_kind, actor_id, action, record_id,
              request_id, outcome, detail)
            SELECT ${tenantId}, a.id,
              coalesce(a."businessAt", t.test_clock, clock_timestamp()), a."actorKind",
              a."actorId", a.action, a."recordId", a."requestId", a.outcome, a.detail
            FROM tenant t, ${unnested(sql, rows, insertedTypes)} AS a
            WHERE t.tenant_id = ${tenantId}
          )
          INSERT INTO audit_pending (tenant_id, id) VALUES (${tenantId}, ${rows[0]!.id})
        `)
      }, Effect.orDie)

      return AuditTrailRepo.of({ insert })
    })
  )
}

const insertedTypes = {
  id: "text",
  businessAt: "timestamptz",
  actorKind: "text",
  actorId: "text",
  action: "text",
  recordId: "text",
  requestId: "text",
  outcome: "text",
  detail: "jsonb"
} as const
