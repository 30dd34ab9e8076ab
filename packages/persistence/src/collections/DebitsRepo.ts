/** Debits, each of one policy, whose lock is that of its debits. */
import type { Coverage } from "@quittance/auth/Grants"
import {
  Debit,
  type DebitId,
  type DebitItem,
  DebitNotFound
} from "@quittance/domain/collections/Debit"
import type { InvoiceCollection } from "@quittance/domain/billing/InvoiceCollection"
import type { PaymentFileId } from "@quittance/domain/collections/PaymentFile"
import type { DebitSequence } from "@quittance/domain/collections/PayerMandate"
import type { DebitFilter } from "@quittance/domain/collections/CollectionRequests"
import type { Action } from "@quittance/domain/requests/Action"
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { PolicyId } from "@quittance/domain/values/Ids"
import type { PageRequest } from "@quittance/domain/values/Page"
import { PgTypes } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { BilledPoliciesRepo } from "../policies/BilledPoliciesRepo.ts"
import type { AuthorizedPolicy } from "../policies/PoliciesRepo.ts"
import { InstantColumn, IntColumn } from "../sql/Columns.ts"
import { withoutNulls } from "../sql/Rows.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { unnested } from "../sql/UnnestRows.ts"

const decode = Schema.decodeUnknownEffect(
  Schema.Struct({
    ...Debit.fields,
    amount: Schema.optionalKey(IntColumn),
    plannedAt: InstantColumn
  })
)

const insertedTypes = {
  id: "text",
  policyId: "text",
  customerId: "text",
  bankAccountId: "text",
  paymentMethodId: "text",
  mandateId: "text",
  scheme: "text",
  endToEndId: "text",
  currency: "text",
  status: "text",
  notificationDays: "integer",
  earliest: "date",
  submitOn: "date",
  collectOn: "date",
  attempt: "integer",
  replaces: "text",
  notifiedOn: "date",
  plannedAt: "timestamptz"
} as const

const itemTypes = {
  debitId: "text",
  invoiceId: "text",
  position: "integer",
  notified: "bigint"
} as const

/** Invoices that a debit collects from now on, too. */
export interface AddedItems {
  readonly debitId: DebitId
  /** How many it has already. */
  readonly after: number
  readonly items: ReadonlyArray<DebitItem>
}

interface DebitQuery {
  readonly filter: DebitFilter & { readonly paymentFileId?: PaymentFileId }
  readonly coverage: Coverage
  readonly page: PageRequest
}

export class DebitsRepo extends Context.Service<
  DebitsRepo,
  {
    /** Adds debits that are planned, without their items. */
    insert(debits: ReadonlyArray<Debit>): Effect.Effect<void, never, CurrentTenant>
    /** Adds items, whose invoices are written. */
    addItems(added: ReadonlyArray<AddedItems>): Effect.Effect<void, never, CurrentTenant>
    /** The debits of these policies that invoices may still join, locked: planned, and told to no one. */
    open(
      policyIds: ReadonlyArray<PolicyId>
    ): Effect.Effect<ReadonlyArray<Debit>, never, CurrentTenant>
    /** The policy of a debit, with the permission on it; with `lock` its head is locked. */
    authorize<A extends Action>(
      action: A,
      id: DebitId,
      options?: { readonly lock?: boolean }
    ): Effect.Effect<AuthorizedPolicy<A>, DebitNotFound | Forbidden, CurrentTenant | CurrentCaller>
    /** Records what a step has made of one, under the lock of its policy. */
    update(debit: Debit): Effect.Effect<void, never, CurrentTenant>
    /** Records that a file has it: its amounts, and its place in the sequence of its mandate. */
    putInFile(debit: Debit, sequence: DebitSequence): Effect.Effect<void, never, CurrentTenant>
    /** Says on its invoices that they are to be transferred. */
    transferInstead(
      debit: Pick<Debit, "items">,
      collection: InvoiceCollection
    ): Effect.Effect<void, never, CurrentTenant>
    /** One that is there, locked until the transaction ends. */
    hold(id: DebitId): Effect.Effect<Debit, never, CurrentTenant>
    /** One that is there. */
    find(id: DebitId): Effect.Effect<Debit, never, CurrentTenant>
    /** Those on policies of a coverage, by the day of their collection, the latest first. */
    list(
      query: DebitQuery
    ): Effect.Effect<
      { readonly rows: ReadonlyArray<Debit>; readonly total: number },
      never,
      CurrentTenant
    >
  }
>()("@quittance/persistence/DebitsRepo") {
  static readonly layer = Layer.effect(
    DebitsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const policies = yield* BilledPoliciesRepo
      const columns = sql`d.id, d.policy_id, d.customer_id, d.bank_account_id, d.payment_method_id,
        d.mandate_id, d.scheme, d.end_to_end_id, d.currency, d.status, d.notification_days,
        d.notified_on::text, d.earliest::text, d.submit_on::text, d.collect_on::text, d.attempt,
        d.amount, d.cancellation, d.planned_at, d.payment_file_id, d.payment_id, d.flag,
        d.reason_code, d.failed_on::text, d.replaces, (
          SELECT json_agg(json_strip_nulls(json_build_object('invoiceId', i.invoice_id,
            'notified', i.notified, 'amount', i.amount)) ORDER BY i.position)
          FROM debit_item i WHERE i.tenant_id = d.tenant_id AND i.debit_id = d.id
        ) AS items`

      const insert = Effect.fn("DebitsRepo.insert")(function* (debits: ReadonlyArray<Debit>) {
        if (debits.length === 0) return
        yield* tenantSql.write(sql`
          INSERT INTO debit (tenant_id, id, policy_id, customer_id, bank_account_id,
            payment_method_id, mandate_id, scheme, end_to_end_id, currency, status,
            notification_days, earliest, submit_on, collect_on, attempt, replaces,
            notified_on, planned_at)
          SELECT ${yield* CurrentTenant}, id, "policyId", "customerId", "bankAccountId",
            "paymentMethodId", "mandateId", scheme, "endToEndId", currency, status,
            "notificationDays", earliest, "submitOn", "collectOn", attempt, replaces,
            "notifiedOn", "plannedAt"
          FROM ${unnested(sql, debits, insertedTypes)} AS n
        `)
      }, Effect.orDie)

      const addItems = Effect.fn("DebitsRepo.addItems")(function* (
        added: ReadonlyArray<AddedItems>
      ) {
        const rows = added.flatMap(({ after, debitId, items }) =>
          items.map(({ invoiceId, notified }, index) => ({
            debitId,
            invoiceId,
            notified,
            position: after + index
          }))
        )
        if (rows.length === 0) return
        yield* tenantSql.write(sql`
          INSERT INTO debit_item (tenant_id, debit_id, invoice_id, position, notified)
          SELECT ${yield* CurrentTenant}, "debitId", "invoiceId", position, notified
          FROM ${unnested(sql, rows, itemTypes)} AS n
        `)
      }, Effect.orDie)

      const open = Effect.fn("DebitsRepo.open")(function* (policyIds: ReadonlyArray<PolicyId>) {
        const rows = yield* tenantSql.write(sql`
          SELECT ${columns} FROM debit d
          WHERE d.tenant_id = ${yield* CurrentTenant} AND d.policy_id = ANY (${[...policyIds]})
            AND d.status = 'PLANNED' AND d.notified_on IS NULL
          ORDER BY d.id FOR NO KEY UPDATE OF d
        `)
        return yield* Effect.forEach(rows, found)
      }, Effect.orDie)

      const authorize = Effect.fn("DebitsRepo.authorize")(function* <A extends Action>(
        action: A,
        debitId: DebitId,
        options: { readonly lock?: boolean } = {}
      ) {
        const [row] = yield* Effect.orDie(
          tenantSql.read(sql<{ readonly policyId: PolicyId }>`
            SELECT policy_id FROM debit
            WHERE tenant_id = ${yield* CurrentTenant} AND id = ${debitId}
          `)
        )
        if (row === undefined) return yield* new DebitNotFound({ debitId })
        return yield* policies.authorize(action, row.policyId, options)
      })

      const update = Effect.fn("DebitsRepo.update")(function* (debit: Debit) {
        const tenantId = yield* CurrentTenant
        const changed = {
          ...Struct.pick(debit, ["status", "earliest", "submitOn", "collectOn", "paymentMethodId"]),
          cancellation: debit.cancellation ?? null,
          notifiedOn: debit.notifiedOn ?? null,
          amount: debit.amount ?? null,
          paymentFileId: debit.paymentFileId ?? null,
          paymentId: debit.paymentId ?? null,
          flag: debit.flag ?? null,
          reasonCode: debit.reasonCode ?? null,
          failedOn: debit.failedOn ?? null
        }
        yield* tenantSql.write(sql`
          UPDATE debit SET ${sql.update(changed)} WHERE tenant_id = ${tenantId} AND id = ${debit.id}
        `)
      }, Effect.orDie)

      const transferInstead = Effect.fn("DebitsRepo.transferInstead")(function* (
        { items }: Pick<Debit, "items">,
        collection: InvoiceCollection
      ) {
        yield* tenantSql.write(sql`
          UPDATE invoice SET collection = ${PgTypes.jsonb(collection)}
          WHERE tenant_id = ${yield* CurrentTenant}
            AND id = ANY (${items.map(({ invoiceId }) => invoiceId)})
        `)
      }, Effect.orDie)

      const putInFile = Effect.fn("DebitsRepo.putInFile")(function* (
        debit: Debit,
        sequence: DebitSequence
      ) {
        const tenantId = yield* CurrentTenant
        yield* update(debit)
        yield* tenantSql.write(sql`
          UPDATE debit SET sequence = ${sequence} WHERE tenant_id = ${tenantId} AND id = ${debit.id}
        `)
        for (const { amount = 0, invoiceId } of debit.items) {
          yield* tenantSql.write(sql`
            UPDATE debit_item SET amount = ${amount} WHERE tenant_id = ${tenantId}
              AND debit_id = ${debit.id} AND invoice_id = ${invoiceId}
          `)
        }
      }, Effect.orDie)

      const hold = Effect.fn("DebitsRepo.hold")(function* (id: DebitId) {
        yield* tenantSql.write(sql`
          SELECT FROM debit WHERE tenant_id = ${yield* CurrentTenant} AND id = ${id} FOR UPDATE
        `)
        return yield* find(id)
      }, Effect.orDie)

      const find = Effect.fn("DebitsRepo.find")(function* (id: DebitId) {
        const [row] = yield* tenantSql.read(sql`
          SELECT ${columns} FROM debit d WHERE d.tenant_id = ${yield* CurrentTenant} AND d.id = ${id}
        `)
        return yield* found(row!)
      }, Effect.orDie)

      const list = Effect.fn("DebitsRepo.list")(function* ({
        coverage,
        filter,
        page: { count, page }
      }: DebitQuery) {
        const { bankAccountId, collectOnFrom, collectOnTo, paymentFileId, policyId, statuses } =
          filter
        const only = [sql`d.tenant_id = ${yield* CurrentTenant}`]
        if (statuses !== undefined) only.push(sql`d.status = ANY (${[...statuses]})`)
        if (collectOnFrom !== undefined) only.push(sql`d.collect_on >= ${collectOnFrom}`)
        if (collectOnTo !== undefined) only.push(sql`d.collect_on <= ${collectOnTo}`)
        if (paymentFileId !== undefined) only.push(sql`d.payment_file_id = ${paymentFileId}`)
        if (policyId !== undefined) only.push(sql`d.policy_id = ${policyId}`)
        if (bankAccountId !== undefined) only.push(sql`d.bank_account_id = ${bankAccountId}`)
        if (coverage._tag === "Records") {
          only.push(sql`(p.brokerage_firm_id = ANY (${[...coverage.firmIds]})
            OR d.policy_id = ANY (${[...coverage.recordIds]}))`)
        }
        const selected = sql`FROM debit d
          JOIN policy p ON p.tenant_id = d.tenant_id AND p.id = d.policy_id
          WHERE ${sql.and(only)}`
        const rows = yield* tenantSql.read(sql`
          SELECT ${columns} ${selected} ORDER BY d.collect_on DESC, d.id DESC
          LIMIT ${count} OFFSET ${(page - 1) * count}
        `)
        const [counted] = yield* tenantSql.read(sql<{ readonly total: number }>`
          SELECT count(*)::int AS total ${selected}
        `)
        return { rows: yield* Effect.forEach(rows, found), total: counted!.total }
      }, Effect.orDie)

      return DebitsRepo.of({
        insert,
        addItems,
        open,
        authorize,
        update,
        putInFile,
        transferInstead,
        hold,
        find,
        list
      })
    })
  ).pipe(Layer.provide(BilledPoliciesRepo.layer))
}

const found = (row: object) => Effect.orDie(decode(withoutNulls(row)))
