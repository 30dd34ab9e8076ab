/** What is known of the invoices and payers that entries name. */
import type { AccountOwners, PayableInvoice } from "@quittance/domain/treasury/EntryMatch"
import { unpaidStatuses } from "@quittance/domain/billing/Invoice"
import { seriesOf } from "@quittance/domain/billing/InvoiceNumber"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { Currency } from "@quittance/domain/values/Amount"
import { CustomerId, InvoiceId, PaymentId, PolicyId } from "@quittance/domain/values/Ids"
import { LocalDate } from "@quittance/domain/values/LocalDate"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { IntColumn } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { unnested } from "../sql/UnnestRows.ts"

const Row = Schema.Struct({
  invoiceId: InvoiceId,
  policyId: PolicyId,
  customerId: CustomerId,
  number: Schema.String,
  currency: Currency,
  due: IntColumn,
  isWrittenOff: Schema.Boolean,
  payerName: Schema.NullOr(Schema.String)
})
const decode = Schema.decodeUnknownEffect(Schema.Array(Row))

const RecordedRow = Schema.Struct({
  invoiceId: InvoiceId,
  paymentId: PaymentId,
  amount: IntColumn,
  paidOn: LocalDate
})
const decodeRecorded = Schema.decodeUnknownEffect(Schema.Array(RecordedRow))

/** An invoice with the name of who pays it. */
export interface NamedInvoice extends PayableInvoice {
  readonly payerName: string
}

/** So many invoices are looked at for suggestions. */
const most = 200

export class MatchFactsRepo extends Context.Service<
  MatchFactsRepo,
  {
    /** Invoices by their numbers, such as `INV000042`. */
    byNumber(
      numbers: ReadonlyArray<string>
    ): Effect.Effect<ReadonlyMap<string, NamedInvoice>, never, CurrentTenant>
    byId(
      ids: ReadonlyArray<InvoiceId>
    ): Effect.Effect<ReadonlyMap<InvoiceId, NamedInvoice>, never, CurrentTenant>
    /** The customers of accounts, by the prints of these, and what they owe. */
    byAccount(
      prints: ReadonlyArray<string>
    ): Effect.Effect<ReadonlyMap<string, AccountOwners>, never, CurrentTenant>
    /** Unpaid invoices of an amount, or of a payer whose name has one of these words. */
    likely(
      due: number,
      words: ReadonlyArray<string>
    ): Effect.Effect<ReadonlyArray<NamedInvoice>, never, CurrentTenant>
  }
>()("@quittance/persistence/MatchFactsRepo") {
  static readonly layer = Layer.effect(
    MatchFactsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const unpaid = sql`i.status = ANY(${[...unpaidStatuses]})`
      const due = sql`(CASE WHEN ${unpaid} THEN i.total - i.paid ELSE 0 END)`
      const columns = sql`i.id AS invoice_id, i.policy_id, i.customer_id,
        i.series || lpad(i.number::text, greatest(6, length(i.number::text)), '0') AS number,
        i.currency, ${due} AS due,
        i.status = 'WRITTEN_OFF' AS is_written_off, c.name AS payer_name`
      const joined = sql`JOIN customer c ON c.tenant_id = i.tenant_id AND c.id = i.customer_id`

      /** Payments by hand that no entry stands for. */
      const recordedOn = Effect.fnUntraced(function* (ids: ReadonlyArray<InvoiceId>) {
        if (ids.length === 0) return new Map<InvoiceId, Array<typeof RecordedRow.Type>>()
        const rows = yield* tenantSql.read(sql`
          SELECT p.invoice_id, p.id AS payment_id, p.amount, p.paid_at::date::text AS paid_on
          FROM ${unnested(
            sql,
            ids.map((id) => ({ id })),
            { id: "text" }
          )} AS n
          JOIN invoice i ON i.tenant_id = ${yield* CurrentTenant} AND i.id = n.id
          JOIN payment p ON p.tenant_id = i.tenant_id AND p.policy_id = i.policy_id
            AND p.invoice_id = i.id
          WHERE p.method = 'BANK_TRANSFER'
            AND NOT EXISTS (SELECT 1 FROM payment_return r
              WHERE r.tenant_id = p.tenant_id AND r.payment_id = p.id)
            AND NOT EXISTS (SELECT 1 FROM bank_entry_payment b
              WHERE b.tenant_id = p.tenant_id AND b.payment_id = p.id AND b.undone_at IS NULL)
        `)
        return Map.groupBy(yield* decodeRecorded(rows), ({ invoiceId }) => invoiceId)
      })

      const invoicesOf = Effect.fnUntraced(function* (statement: Statement.Statement<object>) {
        const rows = yield* decode(yield* tenantSql.read(statement))
        const recorded = yield* recordedOn(rows.map(({ invoiceId }) => invoiceId))
        return rows.map(({ payerName, ...row }): NamedInvoice => ({
          ...row,
          payerName: payerName ?? "",
          recorded: (recorded.get(row.invoiceId) ?? []).map(({ amount, paidOn, paymentId }) => ({
            amount,
            paidOn,
            paymentId
          }))
        }))
      })

      const byNumber = Effect.fn("MatchFactsRepo.byNumber")(function* (
        numbers: ReadonlyArray<string>
      ) {
        const asked = [...new Set(numbers)].flatMap(numberOf)
        if (asked.length === 0) return new Map<string, NamedInvoice>()
        const found = yield* invoicesOf(sql`
          SELECT ${columns} FROM ${unnested(sql, asked, { number: "bigint" })} AS n
          JOIN invoice i ON i.tenant_id = ${yield* CurrentTenant}
            AND i.series = ${seriesOf.INVOICE} AND i.number = n.number
          ${joined}
        `)
        return new Map(found.map((invoice) => [invoice.number, invoice]))
      }, Effect.orDie)

      const byId = Effect.fn("MatchFactsRepo.byId")(function* (ids: ReadonlyArray<InvoiceId>) {
        const found = yield* invoicesOf(sql`
          SELECT ${columns} FROM invoice i ${joined}
          WHERE i.tenant_id = ${yield* CurrentTenant} AND i.id = ANY(${[...ids]})
            AND i.type = 'INVOICE'
        `)
        return new Map(found.map((invoice) => [invoice.invoiceId, invoice]))
      }, Effect.orDie)

      const byAccount = Effect.fn("MatchFactsRepo.byAccount")(function* (
        prints: ReadonlyArray<string>
      ) {
        const distinct = [...new Set(prints)].map((print) => ({ print }))
        if (distinct.length === 0) return new Map<string, AccountOwners>()
        const tenantId = yield* CurrentTenant
        const owners = yield* tenantSql.read(sql<{
          readonly print: string
          readonly customerIds: Array<CustomerId>
        }>`
          SELECT n.print, array_agg(DISTINCT m.customer_id) AS customer_ids
          FROM ${unnested(sql, distinct, { print: "text" })} AS n
          JOIN payment_method m ON m.tenant_id = ${tenantId} AND m.iban_print = decode(n.print, 'hex')
          GROUP BY n.print
        `)
        const single = owners.flatMap(({ customerIds: ids }) => (ids.length === 1 ? ids : []))
        const open =
          single.length === 0
            ? []
            : yield* invoicesOf(sql`
                SELECT ${columns} FROM receivable r
                JOIN invoice i ON i.tenant_id = r.tenant_id AND i.policy_id = r.policy_id
                  AND i.customer_id = r.customer_id ${joined}
                WHERE r.tenant_id = ${tenantId} AND r.customer_id = ANY(${single})
                  AND i.type = 'INVOICE' AND ${unpaid}
              `)
        return new Map(
          owners.map(({ customerIds, print }) => [
            print,
            {
              customerIds,
              open: open.filter(({ customerId }) => customerIds.includes(customerId))
            }
          ])
        )
      }, Effect.orDie)

      const likely = Effect.fn("MatchFactsRepo.likely")(function* (
        amount: number,
        words: ReadonlyArray<string>
      ) {
        const named = words.map((word) => sql`c.search LIKE '% ' || search_fold(${word}) || '%'`)
        return yield* invoicesOf(sql`
          SELECT ${columns} FROM invoice i ${joined}
          WHERE i.tenant_id = ${yield* CurrentTenant} AND i.type = 'INVOICE' AND ${unpaid}
            AND (${due} = ${amount} ${named.length === 0 ? sql`` : sql`OR (${sql.and(named)})`})
          ORDER BY ${due} = ${amount} DESC, i.issued_at, i.id LIMIT ${most}
        `)
      }, Effect.orDie)

      return MatchFactsRepo.of({ byNumber, byId, byAccount, likely })
    })
  )
}

/** The counter of a number that may be an invoice's. */
const numberOf = (text: string): ReadonlyArray<{ readonly number: number }> => {
  const [, digits] = new RegExp(`^${seriesOf.INVOICE}(\\d{6,15})$`, "u").exec(text) ?? []
  return digits === undefined ? [] : [{ number: Number(digits) }]
}
