/** Debits and files of debits by the numbers that banks repeat. */
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { Currency } from "@quittance/domain/values/Amount"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { IntColumn } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"

/** What a number of ours stands for; amounts in minor units. */
const Row = Schema.Struct({
  kind: Schema.Literals(["DEBIT", "FILE"]),
  number: Schema.String,
  recordId: Schema.String,
  paymentFileId: Schema.String,
  amount: IntColumn,
  currency: Currency
})
export type NumberedRecord = typeof Row.Type
const decode = Schema.decodeUnknownEffect(Schema.Array(Row))

export class OwnNumbersRepo extends Context.Service<
  OwnNumbersRepo,
  {
    /** What a bank may have: of files with bytes that were not cancelled. */
    find(
      numbers: ReadonlyArray<string>
    ): Effect.Effect<ReadonlyArray<NumberedRecord>, never, CurrentTenant>
  }
>()("@quittance/persistence/OwnNumbersRepo") {
  static readonly layer = Layer.effect(
    OwnNumbersRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const find = Effect.fn("OwnNumbersRepo.find")(function* (numbers: ReadonlyArray<string>) {
        const tenantId = yield* CurrentTenant
        const asked = sql`ANY (${[...numbers]})`
        const sent = sql`f.sealed_at IS NOT NULL AND f.status <> 'CANCELLED'`
        const rows = yield* tenantSql.read(sql`
          SELECT 'DEBIT' AS kind, d.end_to_end_id AS number, d.id AS record_id,
            f.id AS payment_file_id, d.amount, d.currency
          FROM debit d
          JOIN payment_file f ON f.tenant_id = d.tenant_id AND f.id = d.payment_file_id
          WHERE d.tenant_id = ${tenantId} AND d.end_to_end_id = ${asked}
            AND d.status <> 'CANCELLED' AND ${sent}
          UNION ALL
          SELECT 'FILE', f.message_id, f.id, f.id, f.sum, f.currency FROM payment_file f
          WHERE f.tenant_id = ${tenantId} AND f.message_id = ${asked} AND ${sent}
        `)
        return yield* decode(rows)
      }, Effect.orDie)

      return OwnNumbersRepo.of({ find })
    })
  )
}
