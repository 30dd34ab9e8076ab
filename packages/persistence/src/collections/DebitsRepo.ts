/** Debits, each of one policy, whose lock is that of its debits. */
import type { Coverage } from "@quittance/auth/Grants"
import { type Debit, type DebitId, DebitNotFound } from "@quittance/domain/collections/Debit"
import type { InvoiceCollection } from "@quittance/domain/billing/InvoiceCollection"
import type { PaymentFileId } from "@quittance/domain/collections/PaymentFile"
import type { DebitSequence } from "@quittance/domain/collections/PayerMandate"
import type { DebitFilter } from "@quittance/domain/collections/CollectionRequests"
import type { Action } from "@quittance/domain/requests/Action"
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { InvoiceId, PolicyId } from "@quittance/domain/values/Ids"
import type { PageRequest } from "@quittance/domain/values/Page"
import { PgTypes } from "@effect/sql-pg"
import { Context, Effect, Layer, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { BilledPoliciesRepo } from "../policies/BilledPoliciesRepo.ts"
import type { AuthorizedPolicy } from "../policies/PoliciesRepo.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { debitColumns, debitOf } from "./DebitRows.ts"

interface DebitQuery {
  readonly filter: DebitFilter & { readonly paymentFileId?: PaymentFileId }
  readonly coverage: Coverage
  readonly page: PageRequest
}

export class DebitsRepo extends Context.Service<
  DebitsRepo,
  {
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
    /** Says on its invoices how their money is to come. */
    setCollection(
      debit: Pick<Debit, "items">,
      collection: InvoiceCollection
    ): Effect.Effect<void, never, CurrentTenant>
    /** Whether a debit that has not ended collects one of these invoices. */
    isCollected(ids: ReadonlyArray<InvoiceId>): Effect.Effect<boolean, never, CurrentTenant>
    /** Whether another debit has tried to collect the money of one once more. */
    isRetried(id: DebitId): Effect.Effect<boolean, never, CurrentTenant>
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
      const columns = debitColumns(sql)

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
          announcement: debit.announcement ?? null,
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

      const setCollection = Effect.fn("DebitsRepo.setCollection")(function* (
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

      const isCollected = Effect.fn("DebitsRepo.isCollected")(function* (
        ids: ReadonlyArray<InvoiceId>
      ) {
        const rows = yield* tenantSql.read(sql`
          SELECT FROM debit_item i
          JOIN debit d ON d.tenant_id = i.tenant_id AND d.id = i.debit_id
          WHERE i.tenant_id = ${yield* CurrentTenant} AND i.invoice_id = ANY (${[...ids]})
            AND d.status IN ('PLANNED', 'IN_FILE', 'SUBMITTED') LIMIT 1
        `)
        return rows.length > 0
      }, Effect.orDie)

      const isRetried = Effect.fn("DebitsRepo.isRetried")(function* (id: DebitId) {
        const rows = yield* tenantSql.read(sql`
          SELECT FROM debit o JOIN debit d ON d.tenant_id = o.tenant_id
            AND d.policy_id = o.policy_id AND d.replaces = o.id
          WHERE o.tenant_id = ${yield* CurrentTenant} AND o.id = ${id} AND d.status <> 'CANCELLED'
          LIMIT 1
        `)
        return rows.length > 0
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
        return yield* debitOf(row!)
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
        return { rows: yield* Effect.forEach(rows, debitOf), total: counted!.total }
      }, Effect.orDie)

      return DebitsRepo.of({
        authorize,
        update,
        putInFile,
        setCollection,
        isCollected,
        isRetried,
        hold,
        find,
        list
      })
    })
  ).pipe(Layer.provide(BilledPoliciesRepo.layer))
}
