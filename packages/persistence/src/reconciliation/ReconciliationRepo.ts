/** What the books of a tenant hold, a page of policies at a time, to be compared with itself. */
import { type Amount, Currency } from "@quittance/domain/values/Amount"
import { InvoiceStatus, InvoiceType, unpaidStatuses } from "@quittance/domain/billing/Invoice"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { IntColumn } from "../sql/Columns.ts"
import { amountKept, KeptAmount } from "../values/AmountCodec.ts"
import { KeptLines, linesKept } from "../billing/InvoiceLinesCodec.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { CustomerId, InvoiceCause, PolicyId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const StoredDefinition = Schema.Struct({
  id: Schema.String,
  policyId: PolicyId,
  customerId: CustomerId,
  type: InvoiceType,
  status: InvoiceStatus,
  currency: Currency,
  cause: InvoiceCause,
  total: IntColumn,
  paid: IntColumn,
  amount: KeptAmount,
  lines: KeptLines
})
const decodeDocuments = Schema.decodeUnknownEffect(Schema.Array(StoredDefinition))

/** An invoice, with the amounts of its lines. */
interface BookedInvoice extends Omit<typeof StoredDefinition.Type, "amount" | "lines"> {
  readonly amount: Amount
  readonly lines: ReadonlyArray<Amount>
}

const BookedEntry = Schema.Struct({
  id: Schema.String,
  policyId: PolicyId,
  kind: Schema.String,
  sourceId: Schema.String,
  currency: Schema.String,
  accounts: Schema.Array(Schema.String),
  amounts: Schema.Array(IntColumn)
})
const decodeEntries = Schema.decodeUnknownEffect(Schema.Array(BookedEntry))

const Row = Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown))
const BookedSummary = Schema.Struct({
  policyId: PolicyId,
  customerId: Schema.String,
  stored: Row,
  derived: Row
})
const decodeSummary = Schema.decodeUnknownEffect(Schema.Array(BookedSummary))

const BookedOwed = Schema.Struct({
  policyId: PolicyId,
  customerId: CustomerId,
  amount: IntColumn
})
const decodeOwed = Schema.decodeUnknownEffect(Schema.Array(BookedOwed))

const Series = Schema.Struct({
  series: Schema.String,
  /** How many numbers were given. */
  given: IntColumn,
  invoices: IntColumn,
  last: IntColumn
})
const decodeSeries = Schema.decodeUnknownEffect(Schema.Array(Series))
const decodeIds = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: PolicyId })))

interface Page {
  readonly invoices: ReadonlyArray<BookedInvoice>
  readonly entries: ReadonlyArray<typeof BookedEntry.Type>
  readonly summary: ReadonlyArray<typeof BookedSummary.Type>
  readonly owed: ReadonlyArray<typeof BookedOwed.Type>
}

export class ReconciliationRepo extends Context.Service<
  ReconciliationRepo,
  {
    /** The next policies of the tenant, in the order of their ids. */
    policiesAfter(
      after: string,
      limit: number
    ): Effect.Effect<ReadonlyArray<PolicyId>, never, CurrentTenant>
    /**
     * The invoices and entries of some policies, the rows of their accounting summary beside what they are
     * derived from, and what is kept of their balances.
     */
    page(policyIds: ReadonlyArray<PolicyId>): Effect.Effect<Page, never, CurrentTenant>
    /** The series of document numbers: gapless where its three figures are one. */
    readonly series: Effect.Effect<ReadonlyArray<typeof Series.Type>, never, CurrentTenant>
  }
>()("@quittance/persistence/ReconciliationRepo") {
  static readonly layer = Layer.effect(
    ReconciliationRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const policiesAfter = Effect.fn("ReconciliationRepo.policiesAfter")(function* (
        after: string,
        limit: number
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT id FROM policy WHERE tenant_id = ${tenantId} AND id > ${after}
          ORDER BY id LIMIT ${limit}
        `)
        return (yield* decodeIds(rows)).map(({ id }) => id)
      }, Effect.orDie)

      const invoicesOf = Effect.fnUntraced(function* (tenantId: string, ids: Array<PolicyId>) {
        const rows = yield* tenantSql.read(sql`
          SELECT id, policy_id, customer_id, type, status, currency, cause, total, paid, amount, lines
          FROM invoice WHERE tenant_id = ${tenantId} AND policy_id = ANY(${ids}) ORDER BY id
        `)
        return (yield* decodeDocuments(rows)).map(({ amount, lines, ...head }): BookedInvoice => ({
          ...head,
          amount: amountKept(amount),
          lines: linesKept(lines).map((line) => line.amount)
        }))
      })

      const entriesOf = Effect.fnUntraced(function* (tenantId: string, ids: Array<PolicyId>) {
        const rows = yield* tenantSql.read(sql`
          SELECT id, policy_id, kind, source_id, currency, accounts, amounts FROM entry
          WHERE tenant_id = ${tenantId} AND policy_id = ANY(${ids}) ORDER BY recorded_at, id
        `)
        return yield* decodeEntries(rows)
      })

      // Written apart from the projection itself, so that a fault in one shows beside the other.
      const summaryOf = Effect.fnUntraced(function* (tenantId: string, ids: Array<PolicyId>) {
        const rows = yield* tenantSql.read(sql`
          WITH derived AS (
            SELECT d.policy_id, d.customer_id, p.product_id,
              v.definition ->> 'timeZone' AS time_zone, p.brokerage_firm_id, p.status, p.stop_reason,
              search_fold(c.name) AS customer_name, p.created_at AS policy_created_at,
              search_text(p.id, coalesce(p.external_id, ''), p.incremental_id::text,
                coalesce(p.name, '')) ||
                search_text(c.id, coalesce(c.name, ''), coalesce(c.email, '')) AS search,
              count(*)::int AS unpaid_count, min(d.issued_at) AS oldest_issued_at,
              array_agg(d.issued_at ORDER BY d.issued_at) AS unpaid_issued_at,
              (SELECT max(n.sent_at) FROM notice n WHERE n.tenant_id = ${tenantId}
                AND n.policy_id = d.policy_id AND n.customer_id = d.customer_id
                AND n.status = 'SENT' AND n.invoice_ids && array_agg(d.id)
              ) AS last_formal_notice_sent_at
            FROM invoice d
            JOIN policy p ON p.tenant_id = ${tenantId} AND p.id = d.policy_id
            JOIN customer c ON c.tenant_id = ${tenantId} AND c.id = d.customer_id
            JOIN product_version v ON v.tenant_id = ${tenantId}
              AND v.product_id = p.product_id AND v.version = p.product_version
            WHERE d.tenant_id = ${tenantId} AND d.policy_id = ANY(${ids}) AND d.type = 'INVOICE'
              AND d.status = ANY(${[...unpaidStatuses]})
            GROUP BY d.policy_id, d.customer_id, p.tenant_id, p.id, c.tenant_id, c.id,
              v.definition ->> 'timeZone'
          ), stored AS (
            SELECT * FROM receivable WHERE tenant_id = ${tenantId} AND policy_id = ANY(${ids})
          )
          SELECT coalesce(s.policy_id, x.policy_id) AS policy_id,
            coalesce(s.customer_id, x.customer_id) AS customer_id,
            CASE WHEN s.policy_id IS NOT NULL THEN to_jsonb(s) - 'tenant_id' END AS stored,
            CASE WHEN x.policy_id IS NOT NULL THEN to_jsonb(x) END AS derived
          FROM stored s FULL JOIN derived x
            ON x.policy_id = s.policy_id AND x.customer_id = s.customer_id
          ORDER BY 1, 2
        `)
        return yield* decodeSummary(rows)
      })

      const owedOf = Effect.fnUntraced(function* (tenantId: string, ids: Array<PolicyId>) {
        const rows = yield* tenantSql.read(sql`
          SELECT policy_id, customer_id, amount FROM owed_balance
          WHERE tenant_id = ${tenantId} AND policy_id = ANY(${ids}) ORDER BY policy_id, customer_id
        `)
        return yield* decodeOwed(rows)
      })

      const page = Effect.fn("ReconciliationRepo.page")(function* (
        policyIds: ReadonlyArray<PolicyId>
      ) {
        const tenantId = yield* CurrentTenant
        const ids = [...policyIds]
        return {
          invoices: yield* invoicesOf(tenantId, ids),
          entries: yield* entriesOf(tenantId, ids),
          summary: yield* summaryOf(tenantId, ids),
          owed: yield* owedOf(tenantId, ids)
        }
      }, Effect.orDie)

      const series = Effect.gen(function* () {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT d.series, coalesce(c.value, 0) AS given, d.invoices, d.last
          FROM (SELECT series, count(*) AS invoices, max(number) AS last FROM invoice
            WHERE tenant_id = ${tenantId} GROUP BY series) d
          LEFT JOIN counter c ON c.tenant_id = ${tenantId} AND c.series = d.series
          ORDER BY d.series
        `)
        return yield* decodeSeries(rows)
      }).pipe(Effect.orDie, Effect.withSpan("ReconciliationRepo.series"))

      return ReconciliationRepo.of({ policiesAfter, page, series })
    })
  )
}
