import type {
  InvoiceSettlement,
  InvoiceSummary,
  StoredInvoice
} from "@quittance/domain/billing/StoredInvoice"
import { Currency } from "@quittance/domain/values/Amount"
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import {
  InvoiceNotFound,
  InvoiceStatus,
  InvoiceType,
  unpaidStatuses
} from "@quittance/domain/billing/Invoice"
import { InvoiceCollection } from "@quittance/domain/billing/InvoiceCollection"
import { LocalDate } from "@quittance/domain/values/LocalDate"
import type { PageRequest } from "@quittance/domain/values/Page"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { BilledPoliciesRepo } from "../policies/BilledPoliciesRepo.ts"
import { InstantColumn, IntColumn, toDate } from "../sql/Columns.ts"
import type { AuthorizedPolicy } from "../policies/PoliciesRepo.ts"
import { amountKept, keepAmount, KeptAmount } from "../values/AmountCodec.ts"
import { keepLines, KeptLines, linesKept } from "./InvoiceLinesCodec.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { unnested } from "../sql/UnnestRows.ts"
import {
  AnyInvoiceId,
  CustomerId,
  InvoiceCause,
  InvoiceId,
  PolicyId
} from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Action } from "@quittance/domain/requests/Action"

const SummaryRow = Schema.Struct({
  id: AnyInvoiceId,
  policyId: PolicyId,
  customerId: CustomerId,
  type: InvoiceType,
  /** Numbers are gapless per series; together they are the number that people read. */
  series: Schema.String,
  number: IntColumn,
  status: InvoiceStatus,
  currency: Currency,
  term: Schema.Int,
  periodStart: LocalDate,
  periodEnd: LocalDate,
  cause: InvoiceCause,
  /** Whether it belongs to the policy's first invoice, which may gate cover. */
  isFirst: Schema.Boolean,
  plannedOn: LocalDate,
  issuedAt: InstantColumn,
  dueOn: LocalDate,
  total: IntColumn,
  paid: IntColumn,
  /** When nothing was left to pay: it was paid, or credits took the rest back. */
  paidAt: Schema.NullOr(InstantColumn),
  creditedInvoiceId: Schema.NullOr(InvoiceId)
})
const decodeHeads = Schema.decodeUnknownEffect(Schema.Array(SummaryRow))

const Stored = Schema.Struct({
  ...SummaryRow.fields,
  collection: Schema.NullOr(InvoiceCollection),
  amount: KeptAmount,
  lines: KeptLines
})
const decodeStored = Schema.decodeUnknownEffect(Schema.Array(Stored))
const decode = (rows: ReadonlyArray<unknown>) =>
  Effect.map(decodeStored(rows), (stored) =>
    stored.map(({ amount, lines, ...head }): StoredInvoice => ({
      ...head,
      amount: amountKept(amount),
      lines: linesKept(lines)
    }))
  )

const decodeLines = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ id: AnyInvoiceId, lines: KeptLines }))
)

const insertedTypes = {
  id: "text",
  policyId: "text",
  customerId: "text",
  type: "text",
  series: "text",
  number: "bigint",
  status: "text",
  currency: "text",
  term: "integer",
  periodStart: "date",
  periodEnd: "date",
  cause: "text",
  isFirst: "boolean",
  plannedOn: "date",
  issuedAt: "timestamptz",
  dueOn: "date",
  total: "bigint",
  paid: "bigint",
  amount: "json",
  lines: "json",
  paidAt: "timestamptz",
  creditedInvoiceId: "text",
  collection: "jsonb"
} as const

export class InvoicesRepo extends Context.Service<
  InvoicesRepo,
  {
    /**
     * Fetches an invoice together with the permission on its policy. A client, whose scope was
     * checked, reaches the whole tenant. With `lock` the policy's head stays locked until the
     * transaction ends, and the invoice is as it was before: read it again.
     */
    authorize<A extends Action>(
      action: A,
      id: AnyInvoiceId,
      options?: { readonly lock?: boolean }
    ): Effect.Effect<
      { readonly invoice: StoredInvoice; readonly policy: AuthorizedPolicy<A> },
      InvoiceNotFound | Forbidden,
      CurrentTenant | CurrentCaller
    >
    find(id: AnyInvoiceId): Effect.Effect<StoredInvoice | undefined, never, CurrentTenant>
    /** All invoices of the policies, in the order of their issue. */
    ofPolicies(
      policyIds: ReadonlyArray<PolicyId>
    ): Effect.Effect<ReadonlyArray<InvoiceSummary>, never, CurrentTenant>
    /** The lines of some invoices. */
    linesOf(
      ids: ReadonlyArray<AnyInvoiceId>
    ): Effect.Effect<ReadonlyMap<AnyInvoiceId, StoredInvoice["lines"]>, never, CurrentTenant>
    /** The invoices of a policy, the newest first. */
    listByPolicy(
      policyId: PolicyId,
      page: PageRequest
    ): Effect.Effect<
      { readonly rows: ReadonlyArray<StoredInvoice>; readonly total: number },
      never,
      CurrentTenant
    >
    insert(invoices: ReadonlyArray<StoredInvoice>): Effect.Effect<void, never, CurrentTenant>
    settle(settlements: ReadonlyArray<InvoiceSettlement>): Effect.Effect<void, never, CurrentTenant>
    /** Whether an invoice on the policy still waits for money of the customer. */
    hasUnpaid(
      policyId: PolicyId,
      customerId: CustomerId
    ): Effect.Effect<boolean, never, CurrentTenant>
  }
>()("@quittance/persistence/InvoicesRepo") {
  static readonly layer = Layer.effect(
    InvoicesRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const policies = yield* BilledPoliciesRepo
      const invoiceSummary = sql`id, policy_id, customer_id, type, series, number, status,
        currency, term, period_start, period_end, cause, is_first, planned_on, issued_at, due_on,
        total, paid, paid_at, credited_invoice_id`
      const columns = sql`${invoiceSummary}, collection, amount, lines`

      const find = Effect.fn("InvoicesRepo.find")(function* (id: AnyInvoiceId) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT ${columns} FROM invoice WHERE tenant_id = ${tenantId} AND id = ${id}
        `)
        return (yield* decode(rows))[0]
      }, Effect.orDie)

      const ofPolicies = Effect.fn("InvoicesRepo.ofPolicies")(function* (
        policyIds: ReadonlyArray<PolicyId>
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT ${invoiceSummary} FROM invoice
          WHERE tenant_id = ${tenantId} AND policy_id = ANY(${[...policyIds]})
          ORDER BY policy_id, issued_at, series, number
        `)
        return yield* decodeHeads(rows)
      }, Effect.orDie)

      const linesOf = Effect.fn("InvoicesRepo.linesOf")(function* (
        ids: ReadonlyArray<AnyInvoiceId>
      ) {
        if (ids.length === 0) return new Map()
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT id, lines FROM invoice WHERE tenant_id = ${tenantId} AND id = ANY(${[...ids]})
        `)
        return new Map((yield* decodeLines(rows)).map(({ id, lines }) => [id, linesKept(lines)]))
      }, Effect.orDie)

      const listByPolicy = Effect.fn("InvoicesRepo.listByPolicy")(function* (
        policyId: PolicyId,
        { count, page }: PageRequest
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT ${columns} FROM invoice WHERE tenant_id = ${tenantId} AND policy_id = ${policyId}
          ORDER BY issued_at DESC, period_start DESC, id DESC
          LIMIT ${count} OFFSET ${(page - 1) * count}
        `)
        const totals = yield* tenantSql.read(sql<{ readonly total: number }>`
          SELECT count(*)::int AS total FROM invoice
          WHERE tenant_id = ${tenantId} AND policy_id = ${policyId}
        `)
        return { rows: yield* decode(rows), total: totals[0]!.total }
      }, Effect.orDie)

      const insert = Effect.fn("InvoicesRepo.insert")(function* (
        invoices: ReadonlyArray<StoredInvoice>
      ) {
        if (invoices.length === 0) return
        const tenantId = yield* CurrentTenant
        const rows = invoices.map(({ amount, lines, ...head }) => ({
          ...head,
          amount: keepAmount(amount),
          lines: keepLines(lines)
        }))
        yield* tenantSql.write(sql`
          INSERT INTO invoice (tenant_id, ${columns})
          SELECT ${tenantId}, id, "policyId", "customerId", type, series, number, status, currency,
            term, "periodStart", "periodEnd", cause, "isFirst", "plannedOn", "issuedAt", "dueOn",
            total, paid, "paidAt", "creditedInvoiceId", collection, amount, lines
          FROM ${unnested(sql, rows, insertedTypes)} AS d
        `)
      }, Effect.orDie)

      const settle = Effect.fn("InvoicesRepo.settle")(function* (
        settlements: ReadonlyArray<InvoiceSettlement>
      ) {
        const tenantId = yield* CurrentTenant
        for (const { id, paid, paidAt, status } of settlements) {
          yield* tenantSql.write(sql`
            UPDATE invoice SET status = ${status}, paid = ${paid},
              paid_at = ${paidAt === null ? null : toDate(paidAt)}
            WHERE tenant_id = ${tenantId} AND id = ${id}
          `)
        }
      }, Effect.orDie)

      const hasUnpaid = Effect.fn("InvoicesRepo.hasUnpaid")(function* (
        policyId: PolicyId,
        customerId: CustomerId
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT id FROM invoice WHERE tenant_id = ${tenantId} AND policy_id = ${policyId}
            AND customer_id = ${customerId} AND type = 'INVOICE'
            AND status = ANY (${[...unpaidStatuses]}) LIMIT 1
        `)
        return rows.length > 0
      }, Effect.orDie)

      const authorize = Effect.fn("InvoicesRepo.authorize")(function* <A extends Action>(
        action: A,
        id: AnyInvoiceId,
        { lock = false }: { readonly lock?: boolean } = {}
      ) {
        const invoice = yield* find(id)
        if (invoice === undefined) return yield* new InvoiceNotFound({ invoiceId: id })
        return { invoice, policy: yield* policies.authorize(action, invoice.policyId, { lock }) }
      })

      return InvoicesRepo.of({
        authorize,
        find,
        ofPolicies,
        linesOf,
        listByPolicy,
        insert,
        settle,
        hasUnpaid
      })
    })
  ).pipe(Layer.provide(BilledPoliciesRepo.layer))
}
