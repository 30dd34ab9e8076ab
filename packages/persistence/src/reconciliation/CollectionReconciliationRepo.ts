/** Whether files, their debits, and the invoices and payments of these agree. */
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TenantSql } from "../sql/TenantSql.ts"

/** A record that another one contradicts. */
export interface CollectionDifference {
  readonly record: string
  readonly field: string
  readonly expected: string
  readonly found: string
}

export class CollectionReconciliationRepo extends Context.Service<
  CollectionReconciliationRepo,
  {
    /**
     * The first difference; absent where all agree: a file and its debits, a debit and its items, its payment and
     * the return of that, and invoices in progress with a debit that a bank may have.
     */
    readonly first: Effect.Effect<CollectionDifference | undefined, never, CurrentTenant>
  }
>()("@quittance/persistence/CollectionReconciliationRepo") {
  static readonly layer = Layer.effect(
    CollectionReconciliationRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const first = Effect.gen(function* () {
        const tenantId = yield* CurrentTenant
        const [difference] = yield* tenantSql.read(sql<CollectionDifference>`
          SELECT record, field, expected, found FROM (
            SELECT f.id AS record, 'debits' AS field, f.count || ' of ' || f.sum AS expected,
              count(d.id) || ' of ' || coalesce(sum(d.amount), 0) AS found
            FROM payment_file f
            LEFT JOIN debit d ON d.tenant_id = f.tenant_id AND d.payment_file_id = f.id
            WHERE f.tenant_id = ${tenantId} AND f.status <> 'OPEN'
            GROUP BY f.tenant_id, f.id
            HAVING count(d.id) <> f.count OR coalesce(sum(d.amount), 0) <> f.sum
            UNION ALL
            SELECT d.id, 'items', d.amount::text, coalesce(sum(i.amount), 0)::text
            FROM debit d
            JOIN debit_item i ON i.tenant_id = d.tenant_id AND i.debit_id = d.id
            WHERE d.tenant_id = ${tenantId} AND d.amount IS NOT NULL
            GROUP BY d.tenant_id, d.id HAVING coalesce(sum(i.amount), 0) <> d.amount
            UNION ALL
            SELECT d.id, 'payment', d.amount::text, coalesce(p.amount::text, 'none')
            FROM debit d
            LEFT JOIN payment p ON p.tenant_id = d.tenant_id AND p.id = d.payment_id
            WHERE d.tenant_id = ${tenantId} AND d.status IN ('SETTLED', 'RETURNED')
              AND p.amount IS DISTINCT FROM d.amount
            UNION ALL
            SELECT d.id, 'payment', 'returned', 'not returned' FROM debit d
            WHERE d.tenant_id = ${tenantId} AND d.status = 'RETURNED' AND NOT EXISTS (
              SELECT FROM payment_return r
              WHERE r.tenant_id = d.tenant_id AND r.payment_id = d.payment_id)
            UNION ALL
            SELECT v.id, 'status', 'a debit that its bank may have', v.status FROM invoice v
            WHERE v.tenant_id = ${tenantId} AND v.status = 'PAYMENT_IN_PROGRESS' AND NOT EXISTS (
              SELECT FROM debit_item i
              JOIN debit d ON d.tenant_id = i.tenant_id AND d.id = i.debit_id
              WHERE i.tenant_id = v.tenant_id AND i.invoice_id = v.id
                AND d.status IN ('IN_FILE', 'SUBMITTED'))
          ) AS differences
          ORDER BY record LIMIT 1
        `)
        return difference
      }).pipe(Effect.orDie, Effect.withSpan("CollectionReconciliationRepo.first"))

      return CollectionReconciliationRepo.of({ first })
    })
  )
}
