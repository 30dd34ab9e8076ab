import { type Amount, Currency } from "@quittance/domain/values/Amount"
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import { CustomerId } from "@quittance/domain/customers/Customer"
import { DocumentCause, type DocumentLine } from "@quittance/domain/billing/InvoiceLine"
import type { Action } from "@quittance/domain/access/Grant"
import type { Instant } from "@quittance/domain/values/Instant"
import {
  DocumentId,
  InvoiceId,
  InvoiceNotFound,
  InvoiceStatus,
  InvoiceType,
  unpaidStatuses
} from "@quittance/domain/billing/Invoice"
import { LocalDate } from "@quittance/domain/values/LocalDate"
import type { PageRequest } from "@quittance/domain/values/Page"
import { PolicyId } from "@quittance/domain/policies/Policy"
import { CurrentTenant } from "@quittance/domain/tenants/Tenant"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { BilledPoliciesRepo } from "../policies/BilledPoliciesRepo.ts"
import { InstantColumn, IntColumn, toDate } from "../sql/Columns.ts"
import type { AuthorizedPolicy } from "../policies/PoliciesRepo.ts"
import { amountKept, keepAmount, KeptAmount } from "../values/AmountCodec.ts"
import { keepLines, KeptLines, linesKept } from "./InvoiceLinesCodec.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { unnested } from "../sql/UnnestRows.ts"

/** A document without its amounts by fee and tax and without its lines, which are most of it. */
export const DocumentHead = Schema.Struct({
  id: DocumentId,
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
  cause: DocumentCause,
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
export type DocumentHead = typeof DocumentHead.Type
const decodeHeads = Schema.decodeUnknownEffect(Schema.Array(DocumentHead))

/** An invoice or a credit note; its lines keep what corrections need. */
export interface DocumentRow extends DocumentHead {
  readonly amount: Amount
  readonly lines: ReadonlyArray<DocumentLine>
}

const Stored = Schema.Struct({ ...DocumentHead.fields, amount: KeptAmount, lines: KeptLines })
const decodeStored = Schema.decodeUnknownEffect(Schema.Array(Stored))
const decode = (rows: ReadonlyArray<unknown>) =>
  Effect.map(decodeStored(rows), (stored) =>
    stored.map(({ amount, lines, ...head }): DocumentRow => ({
      ...head,
      amount: amountKept(amount),
      lines: linesKept(lines)
    }))
  )

const decodeLines = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ id: DocumentId, lines: KeptLines }))
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
  creditedInvoiceId: "text"
} as const

/** How a document stands after money came or went. */
export interface Standing {
  readonly id: DocumentId
  readonly status: InvoiceStatus
  readonly paid: number
  readonly paidAt: Instant | null
}

export class DocumentsRepo extends Context.Service<
  DocumentsRepo,
  {
    /**
     * Fetches a document together with the permission on its policy. A client, whose scope was
     * checked, reaches the whole tenant. With `lock` the policy's head stays locked until the
     * transaction ends, and the document is as it was before: read it again.
     */
    authorize<A extends Action>(
      action: A,
      id: DocumentId,
      options?: { readonly lock?: boolean }
    ): Effect.Effect<
      { readonly document: DocumentRow; readonly policy: AuthorizedPolicy<A> },
      InvoiceNotFound | Forbidden,
      CurrentTenant | CurrentCaller
    >
    /** All documents of the policies, in the order of their issue. */
    ofPolicies(
      policyIds: ReadonlyArray<PolicyId>
    ): Effect.Effect<ReadonlyArray<DocumentHead>, never, CurrentTenant>
    /** The lines of some documents. */
    linesOf(
      ids: ReadonlyArray<DocumentId>
    ): Effect.Effect<ReadonlyMap<DocumentId, DocumentRow["lines"]>, never, CurrentTenant>
    /** The documents of a policy, the newest first. */
    listByPolicy(
      policyId: PolicyId,
      page: PageRequest
    ): Effect.Effect<
      { readonly rows: ReadonlyArray<DocumentRow>; readonly total: number },
      never,
      CurrentTenant
    >
    /**
     * Takes the next `count` numbers of a series and answers the first. The series stays locked until
     * the transaction ends, so that numbers have no gaps: take them last, series by name.
     */
    takeNumbers(series: string, count: number): Effect.Effect<number, never, CurrentTenant>
    insert(documents: ReadonlyArray<DocumentRow>): Effect.Effect<void, never, CurrentTenant>
    settle(standings: ReadonlyArray<Standing>): Effect.Effect<void, never, CurrentTenant>
    /** Whether an invoice on the policy still waits for money of the customer. */
    hasUnpaid(
      policyId: PolicyId,
      customerId: CustomerId
    ): Effect.Effect<boolean, never, CurrentTenant>
  }
>()("@quittance/persistence/DocumentsRepo") {
  static readonly layer = Layer.effect(
    DocumentsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const policies = yield* BilledPoliciesRepo
      const documentHead = sql`id, policy_id, customer_id, type, series, number, status,
        currency, term, period_start, period_end, cause, is_first, planned_on, issued_at, due_on,
        total, paid, paid_at, credited_invoice_id`
      const columns = sql`${documentHead}, amount, lines`

      const find = Effect.fn("DocumentsRepo.find")(function* (id: DocumentId) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT ${columns} FROM document WHERE tenant_id = ${tenantId} AND id = ${id}
        `)
        return (yield* decode(rows))[0]
      }, Effect.orDie)

      const ofPolicies = Effect.fn("DocumentsRepo.ofPolicies")(function* (
        policyIds: ReadonlyArray<PolicyId>
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT ${documentHead} FROM document
          WHERE tenant_id = ${tenantId} AND policy_id = ANY(${[...policyIds]})
          ORDER BY policy_id, issued_at, series, number
        `)
        return yield* decodeHeads(rows)
      }, Effect.orDie)

      const linesOf = Effect.fn("DocumentsRepo.linesOf")(function* (
        ids: ReadonlyArray<DocumentId>
      ) {
        if (ids.length === 0) return new Map()
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT id, lines FROM document WHERE tenant_id = ${tenantId} AND id = ANY(${[...ids]})
        `)
        return new Map((yield* decodeLines(rows)).map(({ id, lines }) => [id, linesKept(lines)]))
      }, Effect.orDie)

      const listByPolicy = Effect.fn("DocumentsRepo.listByPolicy")(function* (
        policyId: PolicyId,
        { count, page }: PageRequest
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT ${columns} FROM document WHERE tenant_id = ${tenantId} AND policy_id = ${policyId}
          ORDER BY issued_at DESC, period_start DESC, id DESC
          LIMIT ${count} OFFSET ${(page - 1) * count}
        `)
        const totals = yield* tenantSql.read(sql<{ readonly total: number }>`
          SELECT count(*)::int AS total FROM document
          WHERE tenant_id = ${tenantId} AND policy_id = ${policyId}
        `)
        return { rows: yield* decode(rows), total: totals[0]!.total }
      }, Effect.orDie)

      const takeNumbers = Effect.fn("DocumentsRepo.takeNumbers")(function* (
        series: string,
        count: number
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.write(sql<{ readonly value: bigint }>`
          INSERT INTO counter (tenant_id, series, value) VALUES (${tenantId}, ${series}, ${count})
          ON CONFLICT (tenant_id, series) DO UPDATE SET value = counter.value + excluded.value
          RETURNING value
        `)
        return Number(rows[0]!.value) - count + 1
      }, Effect.orDie)

      const insert = Effect.fn("DocumentsRepo.insert")(function* (
        documents: ReadonlyArray<DocumentRow>
      ) {
        if (documents.length === 0) return
        const tenantId = yield* CurrentTenant
        const rows = documents.map(({ amount, lines, ...head }) => ({
          ...head,
          amount: keepAmount(amount),
          lines: keepLines(lines)
        }))
        yield* tenantSql.write(sql`
          INSERT INTO document (tenant_id, ${columns})
          SELECT ${tenantId}, id, "policyId", "customerId", type, series, number, status, currency,
            term, "periodStart", "periodEnd", cause, "isFirst", "plannedOn", "issuedAt", "dueOn",
            total, paid, "paidAt", "creditedInvoiceId", amount, lines
          FROM ${unnested(sql, rows, insertedTypes)} AS d
        `)
      }, Effect.orDie)

      const settle = Effect.fn("DocumentsRepo.settle")(function* (
        standings: ReadonlyArray<Standing>
      ) {
        const tenantId = yield* CurrentTenant
        for (const { id, paid, paidAt, status } of standings) {
          yield* tenantSql.write(sql`
            UPDATE document SET status = ${status}, paid = ${paid},
              paid_at = ${paidAt === null ? null : toDate(paidAt)}
            WHERE tenant_id = ${tenantId} AND id = ${id}
          `)
        }
      }, Effect.orDie)

      const hasUnpaid = Effect.fn("DocumentsRepo.hasUnpaid")(function* (
        policyId: PolicyId,
        customerId: CustomerId
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT id FROM document WHERE tenant_id = ${tenantId} AND policy_id = ${policyId}
            AND customer_id = ${customerId} AND type = 'INVOICE'
            AND status = ANY (${[...unpaidStatuses]}) LIMIT 1
        `)
        return rows.length > 0
      }, Effect.orDie)

      const authorize = Effect.fn("DocumentsRepo.authorize")(function* <A extends Action>(
        action: A,
        id: DocumentId,
        { lock = false }: { readonly lock?: boolean } = {}
      ) {
        const document = yield* find(id)
        if (document === undefined) return yield* new InvoiceNotFound({ invoiceId: id })
        return { document, policy: yield* policies.authorize(action, document.policyId, { lock }) }
      })

      return DocumentsRepo.of({
        authorize,
        ofPolicies,
        linesOf,
        listByPolicy,
        takeNumbers,
        insert,
        settle,
        hasUnpaid
      })
    })
  ).pipe(Layer.provide(BilledPoliciesRepo.layer))
}
