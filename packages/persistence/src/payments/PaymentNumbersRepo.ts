import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TenantSql } from "../sql/TenantSql.ts"

/** The numbers that banks and people see, counted for each tenant by their letters. */
export class PaymentNumbersRepo extends Context.Service<
  PaymentNumbersRepo,
  {
    /** The next number of some letters; the counter stays locked until the transaction ends. */
    next(letters: string): Effect.Effect<number, never, CurrentTenant>
    /** The first of so many numbers that follow each other, under the same lock. */
    take(letters: string, count: number): Effect.Effect<number, never, CurrentTenant>
  }
>()("@quittance/persistence/PaymentNumbersRepo") {
  static readonly layer = Layer.effect(
    PaymentNumbersRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const take = Effect.fn("PaymentNumbersRepo.take")(function* (letters: string, count: number) {
        const row = { tenantId: yield* CurrentTenant, letters, lastNumber: count }
        const [counted] = yield* tenantSql.write(sql<{ readonly number: string }>`
          INSERT INTO payment_number AS n ${sql.insert(row)}
          ON CONFLICT (tenant_id, letters) DO UPDATE SET
            last_number = n.last_number + excluded.last_number
          RETURNING last_number::text AS number
        `)
        return Number(counted!.number) - count + 1
      }, Effect.orDie)

      const next = (letters: string) => take(letters, 1)

      return PaymentNumbersRepo.of({ next, take })
    })
  )
}
