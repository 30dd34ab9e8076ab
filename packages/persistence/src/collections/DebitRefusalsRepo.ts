/** Debits that banks refuse by status reports: kept with the report, and followed one by one after it. */
import type { DebitId } from "@quittance/domain/collections/Debit"
import type { PaymentFileGroup, PaymentFileId } from "@quittance/domain/collections/PaymentFile"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { BankAccountId } from "@quittance/domain/values/Ids"
import type { Instant } from "@quittance/domain/values/Instant"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { InstantColumn, toDate } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { unnested } from "../sql/UnnestRows.ts"

/** A debit that its bank refuses. */
export interface RefusedDebit {
  readonly debitId: DebitId
  readonly reasonCode: string | undefined
  /** When the bank's report came. */
  readonly toldAt: Instant
}

/** What of a file is refused: all of it, a group, or the debits with these numbers. */
export interface RefusedPart {
  readonly paymentFileId: PaymentFileId
  readonly of:
    | "FILE"
    | Pick<PaymentFileGroup, "collectOn" | "sequence">
    | ReadonlyArray<{ readonly endToEndId: string; readonly reasonCode: string | undefined }>
  readonly reasonCode: string | undefined
  readonly toldAt: Instant
}

const Row = Schema.Struct({
  debitId: Schema.String,
  reasonCode: Schema.NullOr(Schema.String),
  toldAt: InstantColumn
})
const decode = Schema.decodeUnknownEffect(Schema.Array(Row))

export class DebitRefusalsRepo extends Context.Service<
  DebitRefusalsRepo,
  {
    /** The files of an account by their numbers, those with bytes alone: no bank knows others. */
    filesOf(
      id: BankAccountId,
      messageIds: ReadonlyArray<string>
    ): Effect.Effect<ReadonlyMap<string, PaymentFileId>, never, CurrentTenant>
    /** The files that debits of an account are in, by the numbers of the debits. */
    filesOfDebits(
      id: BankAccountId,
      endToEndIds: ReadonlyArray<string>
    ): Effect.Effect<ReadonlyMap<string, PaymentFileId>, never, CurrentTenant>
    /** Keeps what a bank refuses: what it has refused before, and what has failed already, stays as it is. */
    refuse(part: RefusedPart): Effect.Effect<void, never, CurrentTenant>
    /** How many debits of a file its bank has refused. */
    count(id: PaymentFileId): Effect.Effect<number, never, CurrentTenant>
    /** What nothing has followed from yet, by the ids of the debits. */
    open(
      id: PaymentFileId,
      limit: number
    ): Effect.Effect<ReadonlyArray<RefusedDebit>, never, CurrentTenant>
    /** Says that all has followed from a refusal. */
    followed(id: DebitId): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/DebitRefusalsRepo") {
  static readonly layer = Layer.effect(
    DebitRefusalsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const byNumber = (
        rows: ReadonlyArray<{ readonly number: string; readonly id: PaymentFileId }>
      ) => new Map(rows.map(({ id, number }) => [number, id]))

      const filesOf = Effect.fn("DebitRefusalsRepo.filesOf")(function* (
        id: BankAccountId,
        messageIds: ReadonlyArray<string>
      ) {
        return byNumber(
          yield* tenantSql.read(sql<{ readonly number: string; readonly id: PaymentFileId }>`
            SELECT f.message_id AS number, f.id FROM payment_file f
            WHERE f.tenant_id = ${yield* CurrentTenant} AND f.bank_account_id = ${id}
              AND f.message_id = ANY (${[...messageIds]}) AND f.sealed_at IS NOT NULL
          `)
        )
      }, Effect.orDie)

      const filesOfDebits = Effect.fn("DebitRefusalsRepo.filesOfDebits")(function* (
        id: BankAccountId,
        endToEndIds: ReadonlyArray<string>
      ) {
        return byNumber(
          yield* tenantSql.read(sql<{ readonly number: string; readonly id: PaymentFileId }>`
            SELECT d.end_to_end_id AS number, f.id FROM debit d
            JOIN payment_file f ON f.tenant_id = d.tenant_id AND f.id = d.payment_file_id
            WHERE d.tenant_id = ${yield* CurrentTenant} AND d.bank_account_id = ${id}
              AND d.end_to_end_id = ANY (${[...endToEndIds]}) AND f.sealed_at IS NOT NULL
          `)
        )
      }, Effect.orDie)

      const insert = Effect.fnUntraced(function* (
        { paymentFileId, toldAt }: RefusedPart,
        reason: Statement.Fragment,
        only: Statement.Fragment
      ) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          INSERT INTO debit_refusal (tenant_id, debit_id, payment_file_id, reason_code, told_at)
          SELECT d.tenant_id, d.id, d.payment_file_id, ${reason}, ${toDate(toldAt)}
          FROM debit d ${only} d.tenant_id = ${tenantId} AND d.payment_file_id = ${paymentFileId}
            AND d.status IN ('SUBMITTED', 'SETTLED')
          ON CONFLICT DO NOTHING
        `)
      })

      const refuse = Effect.fn("DebitRefusalsRepo.refuse")(function* (part: RefusedPart) {
        const { of, reasonCode = null } = part
        const reason = sql`${reasonCode}::text`
        if (of === "FILE") return yield* insert(part, reason, sql`WHERE`)
        if ("collectOn" in of) {
          const { collectOn, sequence } = of
          const group = sql`d.collect_on = ${collectOn} AND d.sequence = ${sequence}`
          return yield* insert(part, reason, sql`WHERE ${group} AND`)
        }
        const numbers = unnested(sql, of, { endToEndId: "text", reasonCode: "text" })
        const named = sql`JOIN ${numbers} AS n ON n."endToEndId" = d.end_to_end_id WHERE`
        yield* insert(part, sql`n."reasonCode"`, named)
      }, Effect.orDie)

      const count = Effect.fn("DebitRefusalsRepo.count")(function* (id: PaymentFileId) {
        const [row] = yield* tenantSql.read(sql<{ readonly count: number }>`
          SELECT count(*)::int AS count FROM debit_refusal
          WHERE tenant_id = ${yield* CurrentTenant} AND payment_file_id = ${id}
        `)
        return row!.count
      }, Effect.orDie)

      const open = Effect.fn("DebitRefusalsRepo.open")(function* (
        id: PaymentFileId,
        limit: number
      ) {
        const rows = yield* decode(
          yield* tenantSql.read(sql`
            SELECT debit_id, reason_code, told_at FROM debit_refusal
            WHERE tenant_id = ${yield* CurrentTenant} AND payment_file_id = ${id} AND NOT is_followed
            ORDER BY debit_id LIMIT ${limit}
          `)
        )
        return rows.map(({ debitId, reasonCode, toldAt }) => ({
          // The key of a debit.
          debitId: debitId as DebitId,
          reasonCode: reasonCode ?? undefined,
          toldAt
        }))
      }, Effect.orDie)

      const followed = Effect.fn("DebitRefusalsRepo.followed")(function* (id: DebitId) {
        yield* tenantSql.write(sql`
          UPDATE debit_refusal SET is_followed = true
          WHERE tenant_id = ${yield* CurrentTenant} AND debit_id = ${id}
        `)
      }, Effect.orDie)

      return DebitRefusalsRepo.of({ filesOf, filesOfDebits, refuse, count, open, followed })
    })
  )
}
