/** What payers want, and the mandates that they gave on the account from which they pay. */
import type { PayerMandate } from "@quittance/domain/collections/PayerMandate"
import { PaymentMode } from "@quittance/domain/customers/Customer"
import { DebitScheme, endsOn, MandateStatus } from "@quittance/domain/payments/Mandate"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { BankAccountId, CustomerId, MandateId, PaymentMethodId } from "@quittance/domain/values/Ids"
import { LocalDate } from "@quittance/domain/values/LocalDate"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TenantSql } from "../sql/TenantSql.ts"

const Row = Schema.Struct({
  customerId: CustomerId,
  paymentMode: PaymentMode,
  mandates: Schema.Array(
    Schema.Struct({
      id: MandateId,
      paymentMethodId: PaymentMethodId,
      bankAccountId: BankAccountId,
      scheme: DebitScheme,
      status: MandateStatus,
      signedOn: Schema.NullOr(LocalDate),
      lastPresentedOn: Schema.NullOr(LocalDate),
      isSpent: Schema.Boolean
    })
  )
})
const decode = Schema.decodeUnknownEffect(Schema.Array(Row))

/** A payer, and the mandates on the payment method that they prefer, the oldest first. */
export interface Payer {
  readonly wantsDebit: boolean
  readonly mandates: ReadonlyArray<PayerMandate>
}

export class CollectionFactsRepo extends Context.Service<
  CollectionFactsRepo,
  {
    /** Their mandates are locked against an end until the transaction ends. */
    payers(
      ids: ReadonlyArray<CustomerId>
    ): Effect.Effect<ReadonlyMap<CustomerId, Payer>, never, CurrentTenant>
  }
>()("@quittance/persistence/CollectionFactsRepo") {
  static readonly layer = Layer.effect(
    CollectionFactsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const payers = Effect.fn("CollectionFactsRepo.payers")(function* (
        ids: ReadonlyArray<CustomerId>
      ) {
        const tenantId = yield* CurrentTenant
        // Who withdraws or blocks one waits, and then finds what was planned on it.
        yield* tenantSql.write(sql`
          SELECT FROM mandate m WHERE m.tenant_id = ${tenantId}
            AND m.customer_id = ANY (${[...ids]}) AND m.status = 'ACTIVE'
          ORDER BY m.id FOR SHARE
        `)
        const rows = yield* tenantSql.read(sql`
          SELECT c.id AS customer_id, c.payment_mode, coalesce((
            SELECT json_agg(json_build_object('id', m.id, 'paymentMethodId', m.payment_method_id,
                'bankAccountId', m.bank_account_id, 'scheme', m.scheme, 'status', m.status,
                'signedOn', m.signed_on, 'lastPresentedOn', m.last_presented_on,
                'isSpent', m.type = 'ONE_OFF' AND EXISTS (
                  SELECT FROM debit d WHERE d.tenant_id = m.tenant_id AND d.mandate_id = m.id
                    AND d.status NOT IN ('REJECTED', 'CANCELLED')))
              ORDER BY m.created_at, m.id)
            FROM payment_method p
            JOIN mandate m ON m.tenant_id = p.tenant_id AND m.payment_method_id = p.id
            WHERE p.tenant_id = c.tenant_id AND p.id = c.preferred_payment_method_id
              AND p.status = 'ACTIVE'
          ), '[]') AS mandates
          FROM customer c WHERE c.tenant_id = ${tenantId} AND c.id = ANY (${[...ids]})
        `)
        return new Map(
          (yield* decode(rows)).map(({ customerId, mandates, paymentMode }) => [
            customerId,
            { wantsDebit: paymentMode === "DIRECT_DEBIT", mandates: mandates.map(standing) }
          ])
        )
      }, Effect.orDie)

      return CollectionFactsRepo.of({ payers })
    })
  )
}

const standing = ({
  lastPresentedOn,
  signedOn,
  ...mandate
}: (typeof Row.Type)["mandates"][number]): PayerMandate => ({
  ...mandate,
  // Without a signature it is a draft, or was withdrawn as one: it can't be used whatever its end.
  endsOn: endsOn({
    signedOn: signedOn ?? unsigned,
    lastPresentedOn: lastPresentedOn ?? undefined
  })
})

const unsigned = LocalDate.make("1970-01-01")
