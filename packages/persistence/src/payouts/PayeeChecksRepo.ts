/** What payees' banks have said of the names of account holders. */
import { type PayeeCheck, PayeeCheckResult } from "@quittance/domain/payouts/Payout"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { PaymentMethodId } from "@quittance/domain/values/Ids"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn, toDate } from "../sql/Columns.ts"
import { withoutNulls } from "../sql/Rows.ts"
import { TenantSql } from "../sql/TenantSql.ts"

const decode = Schema.decodeUnknownEffect(
  Schema.Struct({
    result: PayeeCheckResult,
    nameAtBank: Schema.optionalKey(Schema.String),
    checkedAt: InstantColumn
  })
)

export class PayeeChecksRepo extends Context.Service<
  PayeeChecksRepo,
  {
    /** The last answer. */
    find(id: PaymentMethodId): Effect.Effect<PayeeCheck | undefined, never, CurrentTenant>
    put(id: PaymentMethodId, check: PayeeCheck): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/PayeeChecksRepo") {
  static readonly layer = Layer.effect(
    PayeeChecksRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const find = Effect.fn("PayeeChecksRepo.find")(function* (id: PaymentMethodId) {
        const [row] = yield* tenantSql.read(sql`
          SELECT result, name_at_bank, checked_at FROM payee_check
          WHERE tenant_id = ${yield* CurrentTenant} AND payment_method_id = ${id}
        `)
        return row === undefined ? undefined : yield* decode(withoutNulls(row))
      }, Effect.orDie)

      const put = Effect.fn("PayeeChecksRepo.put")(function* (
        paymentMethodId: PaymentMethodId,
        { checkedAt, nameAtBank, result }: PayeeCheck
      ) {
        const row = {
          tenantId: yield* CurrentTenant,
          paymentMethodId,
          result,
          nameAtBank: nameAtBank ?? null,
          checkedAt: toDate(checkedAt)
        }
        yield* tenantSql.write(sql`
          INSERT INTO payee_check ${sql.insert(row)}
          ON CONFLICT (tenant_id, payment_method_id) DO UPDATE SET result = excluded.result,
            name_at_bank = excluded.name_at_bank, checked_at = excluded.checked_at
        `)
      }, Effect.orDie)

      return PayeeChecksRepo.of({ find, put })
    })
  )
}
