import type { CustomerId, PaymentMethodId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TenantSql } from "../sql/TenantSql.ts"

/** What customers may prefer to pay by. */
export class CustomerPaymentMethodsRepo extends Context.Service<
  CustomerPaymentMethodsRepo,
  {
    /** Whether it is an active one of the customer's; it stays so while the customer is locked. */
    isTheirs(
      customerId: CustomerId,
      id: PaymentMethodId
    ): Effect.Effect<boolean, never, CurrentTenant>
  }
>()("@quittance/persistence/CustomerPaymentMethodsRepo") {
  static readonly layer = Layer.effect(
    CustomerPaymentMethodsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const isTheirs = Effect.fn("CustomerPaymentMethodsRepo.isTheirs")(function* (
        customerId: CustomerId,
        id: PaymentMethodId
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT FROM payment_method WHERE tenant_id = ${tenantId} AND id = ${id}
            AND customer_id = ${customerId} AND status = 'ACTIVE'
        `)
        return rows.length > 0
      }, Effect.orDie)

      return CustomerPaymentMethodsRepo.of({ isTheirs })
    })
  )
}
