import type { PageRequest } from "@quittance/domain/Page"
import { Payment } from "@quittance/domain/Payment"
import type { PolicyId } from "@quittance/domain/Policy"
import { CurrentTenant } from "@quittance/domain/Tenant"
import { PgTypes } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn, IntColumn, toDate } from "./Columns.ts"
import { TenantSql } from "./TenantSql.ts"

const PaymentRow = Schema.Struct({
  ...Payment.fields,
  amount: IntColumn,
  paidAt: InstantColumn,
  recordedAt: InstantColumn,
  creditBalance: IntColumn
})
const decode = Schema.decodeUnknownEffect(Schema.Array(PaymentRow))

export class PaymentsRepo extends Context.Service<
  PaymentsRepo,
  {
    insert(payment: Payment): Effect.Effect<void, never, CurrentTenant>
    /** The payments of a policy, the newest first. */
    listByPolicy(
      policyId: PolicyId,
      page: PageRequest
    ): Effect.Effect<
      { readonly rows: ReadonlyArray<Payment>; readonly total: number },
      never,
      CurrentTenant
    >
  }
>()("@quittance/persistence/PaymentsRepo") {
  static readonly layer = Layer.effect(
    PaymentsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const insert = Effect.fn("PaymentsRepo.insert")(function* (payment: Payment) {
        const tenantId = yield* CurrentTenant
        const row = {
          tenantId,
          ...payment,
          paidAt: toDate(payment.paidAt),
          recordedAt: toDate(payment.recordedAt),
          allocations: PgTypes.jsonb(payment.allocations)
        }
        yield* tenantSql.write(sql`INSERT INTO payment ${sql.insert(row)}`)
      }, Effect.orDie)

      const listByPolicy = Effect.fn("PaymentsRepo.listByPolicy")(function* (
        policyId: PolicyId,
        { count, page }: PageRequest
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT id, policy_id, customer_id, invoice_id, amount, currency, method, reference,
            paid_at, recorded_at, allocations, credit_balance
          FROM payment WHERE tenant_id = ${tenantId} AND policy_id = ${policyId}
          ORDER BY recorded_at DESC, id DESC LIMIT ${count} OFFSET ${(page - 1) * count}
        `)
        const totals = yield* tenantSql.read(sql<{ readonly total: number }>`
          SELECT count(*)::int AS total FROM payment
          WHERE tenant_id = ${tenantId} AND policy_id = ${policyId}
        `)
        return { rows: yield* decode(rows), total: totals[0]!.total }
      }, Effect.orDie)

      return PaymentsRepo.of({ insert, listByPolicy })
    })
  )
}
