/** Debits as they are planned, and the invoices that join them. */
import type { Debit, DebitId, DebitItem } from "@quittance/domain/collections/Debit"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { PolicyId } from "@quittance/domain/values/Ids"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TenantSql } from "../sql/TenantSql.ts"
import { unnested } from "../sql/UnnestRows.ts"
import { debitColumns, debitOf } from "./DebitRows.ts"

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
  announcement: "text",
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

export class PlannedDebitsRepo extends Context.Service<
  PlannedDebitsRepo,
  {
    /** Adds debits that are planned, without their items. */
    insert(debits: ReadonlyArray<Debit>): Effect.Effect<void, never, CurrentTenant>
    /** Adds items, whose invoices are written. */
    addItems(added: ReadonlyArray<AddedItems>): Effect.Effect<void, never, CurrentTenant>
    /** The debits of these policies that invoices may still join, locked: planned, and no letter tells their payers yet. */
    open(
      policyIds: ReadonlyArray<PolicyId>
    ): Effect.Effect<ReadonlyArray<Debit>, never, CurrentTenant>
  }
>()("@quittance/persistence/PlannedDebitsRepo") {
  static readonly layer = Layer.effect(
    PlannedDebitsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const columns = debitColumns(sql)

      const insert = Effect.fn("PlannedDebitsRepo.insert")(function* (
        debits: ReadonlyArray<Debit>
      ) {
        if (debits.length === 0) return
        yield* tenantSql.write(sql`
          INSERT INTO debit (tenant_id, id, policy_id, customer_id, bank_account_id,
            payment_method_id, mandate_id, scheme, end_to_end_id, currency, status,
            notification_days, earliest, submit_on, collect_on, attempt, replaces,
            announcement, notified_on, planned_at)
          SELECT ${yield* CurrentTenant}, id, "policyId", "customerId", "bankAccountId",
            "paymentMethodId", "mandateId", scheme, "endToEndId", currency, status,
            "notificationDays", earliest, "submitOn", "collectOn", attempt, replaces,
            announcement, "notifiedOn", "plannedAt"
          FROM ${unnested(sql, debits, insertedTypes)} AS n
        `)
      }, Effect.orDie)

      const addItems = Effect.fn("PlannedDebitsRepo.addItems")(function* (
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

      const open = Effect.fn("PlannedDebitsRepo.open")(function* (
        policyIds: ReadonlyArray<PolicyId>
      ) {
        const rows = yield* tenantSql.write(sql`
          SELECT ${columns} FROM debit d
          WHERE d.tenant_id = ${yield* CurrentTenant} AND d.policy_id = ANY (${[...policyIds]})
            AND d.status = 'PLANNED' AND d.notified_on IS NULL
            AND d.announcement IS DISTINCT FROM 'EMAIL'
          ORDER BY d.id FOR NO KEY UPDATE OF d
        `)
        return yield* Effect.forEach(rows, debitOf)
      }, Effect.orDie)

      return PlannedDebitsRepo.of({ insert, addItems, open })
    })
  )
}
