/** Erasures as they are kept apart from the database, and done again in one that was restored. */
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import {
  type DoneErasure,
  ErasureRecord,
  type LiftedHold
} from "@quittance/domain/privacy/ErasureRecord"
import type { ErasureId } from "@quittance/domain/privacy/Erasing"
import type { RetentionHoldId } from "@quittance/domain/privacy/RetentionHold"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { toDate } from "../sql/Columns.ts"
import { withoutNulls } from "../sql/Rows.ts"
import { TenantSql } from "../sql/TenantSql.ts"

type Done = DoneErasure["erasure"]
type Lifted = LiftedHold["hold"]

const decode = Schema.decodeUnknownEffect(ErasureRecord)

export class ErasureRecordsRepo extends Context.Service<
  ErasureRecordsRepo,
  {
    /** The lifted holds and the erasures of the tenant, each in the order in which they were done. */
    readonly all: Effect.Effect<ReadonlyArray<ErasureRecord>, never, CurrentTenant>
    /** The erasures that the database lacks, of customers whom it has; in the order that is given. */
    missing(erasures: ReadonlyArray<Done>): Effect.Effect<ReadonlyArray<Done>, never, CurrentTenant>
    /** Does an erasure again, in the running transaction; how many rows of each table it took. */
    replay(erasure: Done): Effect.Effect<Readonly<Record<string, number>>, never, CurrentTenant>
    /** Lifts a hold again that is in force in the database; whether there was one. */
    lift(hold: Lifted): Effect.Effect<boolean, never, CurrentTenant>
  }
>()("@quittance/persistence/ErasureRecordsRepo") {
  static readonly layer = Layer.effect(
    ErasureRecordsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const all = Effect.gen(function* () {
        const tenantId = yield* CurrentTenant
        const lifted = yield* tenantSql.read(sql<{
          readonly id: RetentionHoldId
          readonly liftedAt: Date
        }>`
          SELECT id, lifted_at FROM retention_hold
          WHERE tenant_id = ${tenantId} AND lifted_at IS NOT NULL ORDER BY lifted_at, id
        `)
        const done = yield* tenantSql.read(sql<{ readonly erasedAt: Date }>`
          SELECT id, customer_id, policy_id, class, ground, privacy_request_id, erased_at
          FROM erasure WHERE tenant_id = ${tenantId} ORDER BY recorded_at, id
        `)
        const rows = [
          ...lifted.map(({ id, liftedAt }) => ({ tenantId, hold: { id, liftedAt } })),
          ...done.map((row) => ({ tenantId, erasure: withoutNulls(row) }))
        ]
        return yield* Effect.forEach(rows, (row) => decode(JSON.parse(JSON.stringify(row))))
      }).pipe(Effect.orDie, Effect.withSpan("ErasureRecordsRepo.all"))

      const missing = Effect.fn("ErasureRecordsRepo.missing")(function* (
        erasures: ReadonlyArray<Done>
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql<{ readonly id: ErasureId }>`
          SELECT e.id FROM unnest(${erasures.map(({ id }) => id)}::text[],
            ${erasures.map(({ customerId }) => customerId)}::text[]) e (id, customer_id)
          WHERE EXISTS (
            SELECT FROM customer c WHERE c.tenant_id = ${tenantId} AND c.id = e.customer_id
          ) AND NOT EXISTS (
            SELECT FROM erasure d WHERE d.tenant_id = ${tenantId} AND d.id = e.id
          )
        `)
        const ids = new Set(rows.map(({ id }) => id))
        return erasures.filter(({ id }) => ids.has(id))
      }, Effect.orDie)

      const replay = Effect.fn("ErasureRecordsRepo.replay")(function* (done: Done) {
        const { class: name, customerId, erasedAt, ground, id, policyId, privacyRequestId } = done
        const [row] = yield* tenantSql.write(sql<{
          readonly counts: Readonly<Record<string, number>>
        }>`
          SELECT erase(${yield* CurrentTenant}, ${customerId}, ${name}, ${policyId ?? null}, ${id},
            ${privacyRequestId ?? null}, ${ground}, ${toDate(erasedAt)}) AS counts
        `)
        return row!.counts
      }, Effect.orDie)

      const lift = Effect.fn("ErasureRecordsRepo.lift")(function* ({ id, liftedAt }: Lifted) {
        const rows = yield* tenantSql.write(sql`
          UPDATE retention_hold SET lifted_at = ${toDate(liftedAt)}
          WHERE tenant_id = ${yield* CurrentTenant} AND id = ${id} AND lifted_at IS NULL
          RETURNING id
        `)
        return rows.length > 0
      }, Effect.orDie)

      return ErasureRecordsRepo.of({ all, missing, replay, lift })
    })
  )
}
