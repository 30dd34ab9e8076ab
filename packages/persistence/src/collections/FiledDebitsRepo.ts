/** What a payment file says of its debits, read from all that they refer to. */
import type { PaymentFileId } from "@quittance/domain/collections/PaymentFile"
import { collectedStatuses } from "@quittance/domain/payments/DebitLifecycle"
import { MandateAmendment } from "@quittance/domain/payments/MandateRecord"
import { PartyAddress } from "@quittance/domain/payments/Party"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { type MandateId, PaymentMethodId } from "@quittance/domain/values/Ids"
import { LocalDate } from "@quittance/domain/values/LocalDate"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { IntColumn } from "../sql/Columns.ts"
import { withoutNulls } from "../sql/Rows.ts"
import { TenantSql } from "../sql/TenantSql.ts"

const FiledDebit = Schema.Struct({
  endToEndId: Schema.String,
  amount: IntColumn,
  currency: Schema.String,
  sequence: Schema.Literals(["FRST", "OOFF", "RCUR"]),
  collectOn: LocalDate,
  umr: Schema.String,
  signedOn: LocalDate,
  creditorIdentifier: Schema.String,
  amendments: Schema.Array(MandateAmendment),
  paymentMethodId: PaymentMethodId,
  holderName: Schema.String,
  holderAddress: Schema.optionalKey(PartyAddress),
  bic: Schema.optionalKey(Schema.String),
  sealedIban: Schema.String,
  /** The printed numbers of its invoices. */
  invoiceNumbers: Schema.Array(Schema.Struct({ series: Schema.String, number: Schema.Int }))
})
/** A debit as a file needs it; its account's number is sealed for the payment method. */
export type FiledDebit = typeof FiledDebit.Type
const decode = Schema.decodeUnknownEffect(FiledDebit)

export class FiledDebitsRepo extends Context.Service<
  FiledDebitsRepo,
  {
    /** By sequence, day, and number: the order in which the file has them. */
    ofFile(id: PaymentFileId): Effect.Effect<ReadonlyArray<FiledDebit>, never, CurrentTenant>
    /** Whether a debit of the mandate was not rejected before its settlement. */
    wasCollected(id: MandateId): Effect.Effect<boolean, never, CurrentTenant>
  }
>()("@quittance/persistence/FiledDebitsRepo") {
  static readonly layer = Layer.effect(
    FiledDebitsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const ofFile = Effect.fn("FiledDebitsRepo.ofFile")(function* (id: PaymentFileId) {
        const rows = yield* tenantSql.read(sql`
          SELECT d.end_to_end_id, d.amount, d.currency, d.sequence, d.collect_on::text, m.umr,
            m.signed_on::text, m.creditor_identifier, m.amendments, p.id AS payment_method_id,
            p.holder_name, p.holder_address, p.bic, p.sealed_iban, (
              SELECT json_agg(json_build_object('series', v.series, 'number', v.number)
                ORDER BY i.position)
              FROM debit_item i
              JOIN invoice v ON v.tenant_id = i.tenant_id AND v.id = i.invoice_id
              WHERE i.tenant_id = d.tenant_id AND i.debit_id = d.id AND i.amount > 0
            ) AS invoice_numbers
          FROM debit d
          JOIN mandate m ON m.tenant_id = d.tenant_id AND m.id = d.mandate_id
          JOIN payment_method p ON p.tenant_id = d.tenant_id AND p.id = d.payment_method_id
          WHERE d.tenant_id = ${yield* CurrentTenant} AND d.payment_file_id = ${id}
            AND d.status = 'IN_FILE'
          ORDER BY d.sequence, d.collect_on, d.end_to_end_id
        `)
        return yield* Effect.forEach(rows, (row) => decode(withoutNulls(row)))
      }, Effect.orDie)

      const wasCollected = Effect.fn("FiledDebitsRepo.wasCollected")(function* (id: MandateId) {
        const rows = yield* tenantSql.read(sql`
          SELECT FROM debit WHERE tenant_id = ${yield* CurrentTenant} AND mandate_id = ${id}
            AND ${sql.in("status", collectedStatuses)} LIMIT 1
        `)
        return rows.length > 0
      }, Effect.orDie)

      return FiledDebitsRepo.of({ ofFile, wasCollected })
    })
  )
}
