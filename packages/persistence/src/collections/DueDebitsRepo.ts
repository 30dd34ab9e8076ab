/** Planned debits whose payers were told, as files take them. */
import type { DebitId } from "@quittance/domain/collections/Debit"
import type { DebitScheme } from "@quittance/domain/payments/Mandate"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { BankAccountId, MandateId } from "@quittance/domain/values/Ids"
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TenantSql } from "../sql/TenantSql.ts"

/** What a file of an account and a scheme takes. */
interface DueDebits {
  readonly bankAccountId: BankAccountId
  readonly scheme: DebitScheme
  /** Those that are to be handed in by this day. */
  readonly by: LocalDate
  readonly limit: number
}

export class DueDebitsRepo extends Context.Service<
  DueDebitsRepo,
  {
    /** The schemes of which an account has a file open, or debits to hand in by a day. */
    schemes(
      id: BankAccountId,
      by: LocalDate
    ): Effect.Effect<ReadonlyArray<DebitScheme>, never, CurrentTenant>
    /** Planned debits whose payers were told, the earliest first. */
    due(debits: DueDebits): Effect.Effect<ReadonlyArray<DebitId>, never, CurrentTenant>
    /** When the next planned debit is to be handed in whose payer was told. */
    nextDay(id: BankAccountId): Effect.Effect<LocalDate | undefined, never, CurrentTenant>
    /** What is planned on a mandate, told or not, locked until the transaction ends. */
    holdPlannedBy(id: MandateId): Effect.Effect<ReadonlyArray<DebitId>, never, CurrentTenant>
  }
>()("@quittance/persistence/DueDebitsRepo") {
  static readonly layer = Layer.effect(
    DueDebitsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const isDue = sql`d.status = 'PLANNED' AND d.notified_on IS NOT NULL`

      const schemes = Effect.fn("DueDebitsRepo.schemes")(function* (
        id: BankAccountId,
        by: LocalDate
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql<{ readonly scheme: DebitScheme }>`
          SELECT scheme FROM payment_file f
          WHERE f.tenant_id = ${tenantId} AND f.bank_account_id = ${id} AND f.status = 'OPEN'
          UNION
          SELECT scheme FROM debit d
          WHERE d.tenant_id = ${tenantId} AND d.bank_account_id = ${id} AND ${isDue}
            AND d.submit_on <= ${by}
          ORDER BY scheme
        `)
        return rows.map(({ scheme }) => scheme)
      }, Effect.orDie)

      const due = Effect.fn("DueDebitsRepo.due")(function* (debits: DueDebits) {
        const rows = yield* tenantSql.read(sql<{ readonly id: DebitId }>`
          SELECT d.id FROM debit d
          WHERE d.tenant_id = ${yield* CurrentTenant}
            AND d.bank_account_id = ${debits.bankAccountId} AND d.scheme = ${debits.scheme}
            AND ${isDue} AND d.submit_on <= ${debits.by}
          ORDER BY d.submit_on, d.id LIMIT ${debits.limit}
        `)
        return rows.map(({ id }) => id)
      }, Effect.orDie)

      const nextDay = Effect.fn("DueDebitsRepo.nextDay")(function* (id: BankAccountId) {
        const [row] = yield* tenantSql.read(sql<{ readonly day: LocalDate | null }>`
          SELECT min(d.submit_on)::text AS day FROM debit d
          WHERE d.tenant_id = ${yield* CurrentTenant} AND d.bank_account_id = ${id} AND ${isDue}
        `)
        return row?.day ?? undefined
      }, Effect.orDie)

      const holdPlannedBy = Effect.fn("DueDebitsRepo.holdPlannedBy")(function* (id: MandateId) {
        const rows = yield* tenantSql.write(sql<{ readonly id: DebitId }>`
          SELECT d.id FROM debit d
          WHERE d.tenant_id = ${yield* CurrentTenant} AND d.mandate_id = ${id}
            AND d.status = 'PLANNED'
          ORDER BY d.id FOR NO KEY UPDATE
        `)
        return rows.map((row) => row.id)
      }, Effect.orDie)

      return DueDebitsRepo.of({ schemes, due, nextDay, holdPlannedBy })
    })
  )
}
