/** Allocations of payments to the invoices of policies, and write-offs. */
import type { SettlementRecords } from "@quittance/domain/billing/SettlementRecords"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { InvoiceId, PolicyId } from "@quittance/domain/values/Ids"
import { InstantFromString } from "@quittance/domain/values/Instant"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TenantSql } from "../sql/TenantSql.ts"

const AllocationRow = Schema.Struct({
  policyId: PolicyId,
  invoiceId: InvoiceId,
  amount: Schema.Int,
  paidAt: InstantFromString,
  returnedAt: Schema.NullOr(InstantFromString)
})

const WriteOffRow = Schema.Struct({
  policyId: PolicyId,
  invoiceId: Schema.String,
  at: InstantFromString,
  reversals: Schema.Array(InstantFromString)
})

const decode = Schema.decodeUnknownEffect(
  Schema.Tuple([
    Schema.Struct({
      allocations: Schema.Array(AllocationRow),
      writeOffs: Schema.Array(WriteOffRow)
    })
  ])
)

export class SettlementRecordsRepo extends Context.Service<
  SettlementRecordsRepo,
  {
    /** @param ofEach those of which every allocation is wanted, and not only where a bank returned one */
    ofPolicies(
      policyIds: ReadonlyArray<PolicyId>,
      ofEach: ReadonlyArray<PolicyId>
    ): Effect.Effect<SettlementRecords, never, CurrentTenant>
  }
>()("@quittance/persistence/SettlementRecordsRepo") {
  static readonly layer = Layer.effect(
    SettlementRecordsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const ofPolicies = Effect.fn("SettlementRecordsRepo.ofPolicies")(function* (
        policyIds: ReadonlyArray<PolicyId>,
        ofEach: ReadonlyArray<PolicyId>
      ) {
        const tenantId = yield* CurrentTenant
        const ids = [...policyIds]
        const rows = yield* tenantSql.read(sql`
          SELECT
            (SELECT coalesce(jsonb_agg(jsonb_build_object('policyId', p.policy_id,
              'invoiceId', a ->> 'invoiceId', 'amount', a -> 'amount', 'paidAt', p.paid_at,
              'returnedAt', p.returned_at)), '[]')
              FROM unnest(${ids}::text[]) AS i(id) CROSS JOIN LATERAL (
                SELECT q.policy_id, q.paid_at, q.allocations, r.returned_at,
                  max(r.returned_at) OVER () IS NOT NULL OR i.id = ANY(${[...ofEach]}) AS is_wanted
                FROM payment q LEFT JOIN payment_return r
                  ON r.tenant_id = q.tenant_id AND r.payment_id = q.id
                WHERE q.tenant_id = ${tenantId} AND q.policy_id = i.id OFFSET 0) p
              CROSS JOIN jsonb_array_elements(p.allocations) a
              WHERE p.is_wanted) AS allocations,
            (SELECT coalesce(jsonb_agg(jsonb_build_object('policyId', e.policy_id,
              'invoiceId', e.source_id, 'at', e.occurred_at, 'reversals', (
                SELECT coalesce(jsonb_agg(r.occurred_at ORDER BY r.occurred_at), '[]') FROM entry r
                WHERE r.tenant_id = e.tenant_id AND r.policy_id = e.policy_id
                  AND r.kind = 'WRITE_OFF_REVERSED' AND r.source_id = e.source_id))
              ORDER BY e.recorded_at, e.id), '[]')
              FROM entry e WHERE e.tenant_id = ${tenantId} AND e.policy_id = ANY(${ids})
                AND e.kind = 'WRITE_OFF') AS write_offs
        `)
        return (yield* decode(rows))[0]
      }, Effect.orDie)

      return SettlementRecordsRepo.of({ ofPolicies })
    })
  )
}
