/** Files of debits, and the debits that one takes, has taken, or waits for. */
import {
  PaymentFile,
  PaymentFileAnswer,
  type PaymentFileId,
  PaymentFileNotFound
} from "@quittance/domain/collections/PaymentFile"
import type { DebitId } from "@quittance/domain/collections/Debit"
import type { PaymentFileFilter } from "@quittance/domain/collections/CollectionRequests"
import type { DebitStatus } from "@quittance/domain/payments/DebitLifecycle"
import type { DebitScheme } from "@quittance/domain/payments/Mandate"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { BankAccountId } from "@quittance/domain/values/Ids"
import type { Instant } from "@quittance/domain/values/Instant"
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import type { PageRequest } from "@quittance/domain/values/Page"
import { PgTypes } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn, IntColumn, toDate } from "../sql/Columns.ts"
import { withoutNulls } from "../sql/Rows.ts"
import { TenantSql } from "../sql/TenantSql.ts"

const Row = Schema.Struct({
  ...PaymentFile.fields,
  sum: IntColumn,
  openedAt: InstantColumn,
  sealedAt: Schema.optionalKey(InstantColumn),
  deliveredAt: Schema.optionalKey(InstantColumn),
  cancelledAt: Schema.optionalKey(InstantColumn),
  contentAddress: Schema.optionalKey(Schema.String)
})
const decode = Schema.decodeUnknownEffect(Row)
const encodeAnswer = Schema.encodeSync(PaymentFileAnswer)

/** A file, and where its bytes are. */
export type StoredPaymentFile = PaymentFile & { readonly contentAddress?: string }

export class PaymentFilesRepo extends Context.Service<
  PaymentFilesRepo,
  {
    /** The file of an account and a scheme that is being filled, where there is one. */
    open(
      id: BankAccountId,
      scheme: DebitScheme
    ): Effect.Effect<StoredPaymentFile | undefined, never, CurrentTenant>
    /** How many files of that account, scheme and day there are. */
    runs(
      file: Pick<PaymentFile, "bankAccountId" | "scheme" | "submitOn">
    ): Effect.Effect<number, never, CurrentTenant>
    insert(file: PaymentFile): Effect.Effect<void, never, CurrentTenant>
    update(file: StoredPaymentFile): Effect.Effect<void, never, CurrentTenant>
    find(id: PaymentFileId): Effect.Effect<StoredPaymentFile, PaymentFileNotFound, CurrentTenant>
    /** The same, locked with what it has until the transaction ends. */
    hold(id: PaymentFileId): Effect.Effect<StoredPaymentFile, PaymentFileNotFound, CurrentTenant>
    /** Whether it is still being filled, and is so until the transaction ends. */
    isFilled(id: PaymentFileId): Effect.Effect<boolean, never, CurrentTenant>
    /** How many debits a file has, and their sum. */
    totals(
      id: PaymentFileId
    ): Effect.Effect<{ readonly count: number; readonly sum: number }, never, CurrentTenant>
    /** The debits of a file in a status, the earliest first; by the day of their collection. */
    debitsIn(
      id: PaymentFileId,
      status: DebitStatus,
      options: { readonly by?: LocalDate; readonly limit: number }
    ): Effect.Effect<
      ReadonlyArray<{ readonly id: DebitId; readonly collectOn: LocalDate }>,
      never,
      CurrentTenant
    >
    /** Hands all debits of a file over, and says on their mandates that they were presented. */
    submit(id: PaymentFileId): Effect.Effect<void, never, CurrentTenant>
    /** The latest first. */
    list(
      filter: PaymentFileFilter,
      page: PageRequest
    ): Effect.Effect<
      { readonly rows: ReadonlyArray<PaymentFile>; readonly total: number },
      never,
      CurrentTenant
    >
  }
>()("@quittance/persistence/PaymentFilesRepo") {
  static readonly layer = Layer.effect(
    PaymentFilesRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const columns = sql`f.id, f.bank_account_id, f.kind, f.scheme, f.submit_on::text, f.run,
        f.message, f.message_id, f.currency, f.status, f.count, f.sum, f.groups, f.faults, f.answers, f.sha256,
        f.content_address, f.opened_at, f.sealed_at, f.delivered_at, f.cancelled_at`

      const open = Effect.fn("PaymentFilesRepo.open")(function* (
        id: BankAccountId,
        scheme: DebitScheme
      ) {
        const [row] = yield* tenantSql.read(sql`
          SELECT ${columns} FROM payment_file f
          WHERE f.tenant_id = ${yield* CurrentTenant} AND f.bank_account_id = ${id}
            AND f.kind = 'COLLECTION' AND f.scheme = ${scheme} AND f.status = 'OPEN'
        `)
        return row === undefined ? undefined : yield* decode(withoutNulls(row))
      }, Effect.orDie)

      const runs = Effect.fn("PaymentFilesRepo.runs")(function* ({
        bankAccountId,
        scheme,
        submitOn
      }: Pick<PaymentFile, "bankAccountId" | "scheme" | "submitOn">) {
        const [row] = yield* tenantSql.read(sql<{ readonly runs: number }>`
          SELECT coalesce(max(run), 0) AS runs FROM payment_file
          WHERE tenant_id = ${yield* CurrentTenant} AND bank_account_id = ${bankAccountId}
            AND kind = 'COLLECTION' AND scheme = ${scheme} AND submit_on = ${submitOn}
        `)
        return row!.runs
      }, Effect.orDie)

      const insert = Effect.fn("PaymentFilesRepo.insert")(function* (file: PaymentFile) {
        const { bankAccountId, currency, id, kind, message, messageId, run, scheme, status } = file
        const row = {
          tenantId: yield* CurrentTenant,
          id,
          bankAccountId,
          kind,
          scheme,
          run,
          message,
          messageId,
          currency,
          status,
          submitOn: file.submitOn,
          openedAt: toDate(file.openedAt)
        }
        yield* tenantSql.write(sql`INSERT INTO payment_file ${sql.insert(row)}`)
      }, Effect.orDie)

      const at = (instant: Instant | undefined) => (instant === undefined ? null : toDate(instant))

      const update = Effect.fn("PaymentFilesRepo.update")(function* (file: StoredPaymentFile) {
        const answers = file.answers.map((answer) => encodeAnswer(answer))
        const changed = {
          status: file.status,
          answers: PgTypes.jsonb(answers),
          count: file.count,
          sum: file.sum,
          groups: PgTypes.jsonb(file.groups),
          faults: PgTypes.jsonb(file.faults),
          sha256: file.sha256 ?? null,
          contentAddress: file.contentAddress ?? null,
          sealedAt: at(file.sealedAt),
          deliveredAt: at(file.deliveredAt),
          cancelledAt: at(file.cancelledAt)
        }
        yield* tenantSql.write(sql`
          UPDATE payment_file SET ${sql.update(changed)}
          WHERE tenant_id = ${yield* CurrentTenant} AND id = ${file.id}
        `)
      }, Effect.orDie)

      const select = Effect.fnUntraced(function* (id: PaymentFileId, locks: boolean) {
        const found = sql`
          SELECT ${columns} FROM payment_file f
          WHERE f.tenant_id = ${yield* CurrentTenant} AND f.id = ${id}
        `
        const rows = yield* Effect.orDie(
          locks ? tenantSql.write(sql`${found} FOR UPDATE`) : tenantSql.read(found)
        )
        if (rows[0] === undefined) return yield* new PaymentFileNotFound({ paymentFileId: id })
        return yield* Effect.orDie(decode(withoutNulls(rows[0])))
      })

      const find = Effect.fn("PaymentFilesRepo.find")((id: PaymentFileId) => select(id, false))
      const hold = Effect.fn("PaymentFilesRepo.hold")((id: PaymentFileId) => select(id, true))

      const isFilled = Effect.fn("PaymentFilesRepo.isFilled")(function* (id: PaymentFileId) {
        const rows = yield* tenantSql.write(sql<{ readonly status: string }>`
          SELECT status FROM payment_file
          WHERE tenant_id = ${yield* CurrentTenant} AND id = ${id} FOR SHARE
        `)
        return rows[0]?.status === "OPEN"
      }, Effect.orDie)

      const totals = Effect.fn("PaymentFilesRepo.totals")(function* (id: PaymentFileId) {
        const [row] = yield* tenantSql.read(sql<{ readonly count: number; readonly sum: bigint }>`
          SELECT count(*)::int AS count, coalesce(sum(amount), 0)::bigint AS sum FROM debit
          WHERE tenant_id = ${yield* CurrentTenant} AND payment_file_id = ${id}
            AND status = 'IN_FILE'
        `)
        return { count: row!.count, sum: Number(row!.sum) }
      }, Effect.orDie)

      const debitsIn: PaymentFilesRepo["Service"]["debitsIn"] = Effect.fn(
        "PaymentFilesRepo.debitsIn"
      )(function* (id, status, { by, limit }) {
        return yield* tenantSql.read(sql<{
          readonly id: DebitId
          readonly collectOn: LocalDate
        }>`
          SELECT id, collect_on::text FROM debit
          WHERE tenant_id = ${yield* CurrentTenant} AND payment_file_id = ${id}
            AND status = ${status} ${by === undefined ? sql`` : sql`AND collect_on <= ${by}`}
          ORDER BY collect_on, id LIMIT ${limit}
        `)
      }, Effect.orDie)

      const submit = Effect.fn("PaymentFilesRepo.submit")(function* (id: PaymentFileId) {
        const tenantId = yield* CurrentTenant
        const ofFile = sql`d.tenant_id = ${tenantId} AND d.payment_file_id = ${id}`
        // In one order, as everyone does who locks several mandates.
        yield* tenantSql.write(sql`
          SELECT FROM mandate m WHERE m.tenant_id = ${tenantId}
            AND m.id IN (SELECT d.mandate_id FROM debit d WHERE ${ofFile})
          ORDER BY m.id FOR NO KEY UPDATE
        `)
        yield* tenantSql.write(sql`
          UPDATE mandate m SET last_presented_on = greatest(m.last_presented_on, p.collect_on),
            amendments = (
              SELECT coalesce(jsonb_agg(CASE WHEN a->>'status' = 'PENDING'
                THEN a || '{"status": "SENT"}' ELSE a END ORDER BY n), '[]')
              FROM jsonb_array_elements(m.amendments) WITH ORDINALITY AS e(a, n))
          FROM (
            SELECT d.mandate_id, max(d.collect_on) AS collect_on FROM debit d
            WHERE ${ofFile} AND d.status = 'IN_FILE' GROUP BY d.mandate_id
          ) AS p
          WHERE m.tenant_id = ${tenantId} AND m.id = p.mandate_id
        `)
        yield* tenantSql.write(sql`
          UPDATE debit d SET status = 'SUBMITTED' WHERE ${ofFile} AND d.status = 'IN_FILE'
        `)
      }, Effect.orDie)

      const list = Effect.fn("PaymentFilesRepo.list")(function* (
        { bankAccountId, statuses }: PaymentFileFilter,
        { count, page }: PageRequest
      ) {
        const only = [sql`f.tenant_id = ${yield* CurrentTenant}`]
        if (bankAccountId !== undefined) only.push(sql`f.bank_account_id = ${bankAccountId}`)
        if (statuses !== undefined) only.push(sql`f.status = ANY (${[...statuses]})`)
        const rows = yield* tenantSql.read(sql`
          SELECT ${columns} FROM payment_file f WHERE ${sql.and(only)}
          ORDER BY f.submit_on DESC, f.id DESC LIMIT ${count} OFFSET ${(page - 1) * count}
        `)
        const [counted] = yield* tenantSql.read(sql<{ readonly total: number }>`
          SELECT count(*)::int AS total FROM payment_file f WHERE ${sql.and(only)}
        `)
        return { rows: yield* Effect.forEach(rows, shown), total: counted!.total }
      }, Effect.orDie)

      return PaymentFilesRepo.of({
        open,
        runs,
        insert,
        update,
        find,
        hold,
        isFilled,
        totals,
        debitsIn,
        submit,
        list
      })
    })
  )
}

/** A file without where its bytes are. */
export const shownFile = ({ contentAddress: _, ...file }: StoredPaymentFile): PaymentFile => file

const shown = (row: object) => Effect.orDie(Effect.map(decode(withoutNulls(row)), shownFile))
