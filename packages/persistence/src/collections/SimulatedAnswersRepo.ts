/** What the simulated bank of a sandbox has been given, and what it is still to tell. */
import { PaymentFileId } from "@quittance/domain/collections/PaymentFile"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { type BankAccountId, BankTransferId } from "@quittance/domain/values/Ids"
import type { Instant } from "@quittance/domain/values/Instant"
import { LocalDate } from "@quittance/domain/values/LocalDate"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn, toDate } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { unnested } from "../sql/UnnestRows.ts"

/** A status report of one file, or what is told of a day of an account. */
const Kind = Schema.Literals(["REPORT", "NOTIFICATION", "STATEMENT"])

/** What the bank will tell of a file. */
export interface PlannedAnswer {
  readonly kind: typeof Kind.Type
  readonly toldOn: LocalDate
  readonly dueAt: Instant
}

const DueAnswer = Schema.Struct({
  kind: Kind,
  toldOn: LocalDate,
  dueAt: InstantColumn,
  paymentFileIds: Schema.Array(PaymentFileId),
  transferIds: Schema.Array(BankTransferId)
})
/** A message that the bank sends next, and the files and the transfers of payers that it is about. */
export type DueAnswer = typeof DueAnswer.Type
const decode = Schema.decodeUnknownEffect(Schema.Array(DueAnswer))

export class SimulatedAnswersRepo extends Context.Service<
  SimulatedAnswersRepo,
  {
    /** Files of an account that wait for their bank, the oldest first. */
    waiting(id: BankAccountId): Effect.Effect<ReadonlyArray<PaymentFileId>, never, CurrentTenant>
    /** Says that the bank was given a file, in the transaction that delivers it. */
    give(id: PaymentFileId): Effect.Effect<void, never, CurrentTenant>
    /**
     * Files that the bank has and did not look at yet, in the order in which it was given them; without those that
     * it could not read.
     */
    received(id: BankAccountId): Effect.Effect<ReadonlyArray<PaymentFileId>, never, CurrentTenant>
    /** How many debits the bank was given before a file, by the prints of their accounts, in hexadecimal. */
    before(id: PaymentFileId): Effect.Effect<ReadonlyMap<string, number>, never, CurrentTenant>
    /** Has the bank tell of a file; what is planned already stays. */
    plan(
      file: { readonly id: PaymentFileId; readonly bankAccountId: BankAccountId },
      answers: ReadonlyArray<PlannedAnswer>
    ): Effect.Effect<void, never, CurrentTenant>
    /** The earliest message that was not sent. */
    next(id: BankAccountId): Effect.Effect<DueAnswer | undefined, never, CurrentTenant>
    /** Says that a message was sent, in the transaction that takes it. */
    told(answer: DueAnswer, now: Instant): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/SimulatedAnswersRepo") {
  static readonly layer = Layer.effect(
    SimulatedAnswersRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const waiting = Effect.fn("SimulatedAnswersRepo.waiting")(function* (id: BankAccountId) {
        const rows = yield* tenantSql.read(sql<{ readonly id: PaymentFileId }>`
          SELECT id FROM payment_file
          WHERE tenant_id = ${yield* CurrentTenant} AND bank_account_id = ${id}
            AND status IN ('FILLED', 'SEALED') AND faults = '[]'
          ORDER BY opened_at, id
        `)
        return rows.map((row) => row.id)
      }, Effect.orDie)

      const give = Effect.fn("SimulatedAnswersRepo.give")(function* (id: PaymentFileId) {
        yield* tenantSql.write(sql`
          UPDATE payment_file SET is_simulated = true
          WHERE tenant_id = ${yield* CurrentTenant} AND id = ${id}
        `)
      }, Effect.orDie)

      const received = Effect.fn("SimulatedAnswersRepo.received")(function* (id: BankAccountId) {
        const rows = yield* tenantSql.read(sql<{ readonly id: PaymentFileId }>`
          SELECT f.id FROM payment_file f
          WHERE f.tenant_id = ${yield* CurrentTenant} AND f.bank_account_id = ${id}
            AND f.is_simulated AND f.faults = '[]' AND NOT EXISTS (
              SELECT FROM simulated_answer a
              WHERE a.tenant_id = f.tenant_id AND a.payment_file_id = f.id)
          ORDER BY f.delivered_at, f.id
        `)
        return rows.map((row) => row.id)
      }, Effect.orDie)

      const before = Effect.fn("SimulatedAnswersRepo.before")(function* (id: PaymentFileId) {
        const rows = yield* tenantSql.read(sql<{
          readonly print: string
          readonly count: number
        }>`
          SELECT encode(p.iban_print, 'hex') AS print, count(*)::int AS count
          FROM payment_file n
          JOIN payment_file f ON f.tenant_id = n.tenant_id
            AND (f.delivered_at, f.id) < (n.delivered_at, n.id) AND EXISTS (
              SELECT FROM simulated_answer a
              WHERE a.tenant_id = f.tenant_id AND a.payment_file_id = f.id)
          JOIN debit d ON d.tenant_id = f.tenant_id AND d.payment_file_id = f.id
          JOIN payment_method p ON p.tenant_id = d.tenant_id AND p.id = d.payment_method_id
          WHERE n.tenant_id = ${yield* CurrentTenant} AND n.id = ${id}
          GROUP BY p.iban_print
        `)
        return new Map(rows.map(({ count, print }) => [print, count]))
      }, Effect.orDie)

      const plan: SimulatedAnswersRepo["Service"]["plan"] = Effect.fn("SimulatedAnswersRepo.plan")(
        function* ({ bankAccountId, id }, answers) {
          const rows = answers.map(({ dueAt, ...answer }) => ({
            ...answer,
            dueAt: toDate(dueAt).toISOString()
          }))
          yield* tenantSql.write(sql`
            INSERT INTO simulated_answer (tenant_id, payment_file_id, bank_account_id, kind,
              told_on, due_at)
            SELECT ${yield* CurrentTenant}, ${id}, ${bankAccountId}, a.kind, a."toldOn", a."dueAt"
            FROM ${unnested(sql, rows, { kind: "text", toldOn: "date", dueAt: "timestamptz" })} AS a
            ON CONFLICT DO NOTHING
          `)
        },
        Effect.orDie
      )

      const next = Effect.fn("SimulatedAnswersRepo.next")(function* (id: BankAccountId) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT kind, told_on::text, due_at,
            coalesce(json_agg(file_id ORDER BY file_id) FILTER (WHERE file_id <> ''), '[]')
              AS payment_file_ids,
            coalesce(json_agg(transfer_id ORDER BY received_at, transfer_id)
              FILTER (WHERE transfer_id <> ''), '[]') AS transfer_ids
          FROM (
            SELECT kind, told_on, due_at, payment_file_id AS file_id, '' AS transfer_id,
              due_at AS received_at
            FROM simulated_answer
            WHERE tenant_id = ${tenantId} AND bank_account_id = ${id} AND told_at IS NULL
            UNION ALL
            SELECT 'STATEMENT', booked_on, due_at, '', id, received_at FROM simulated_transfer
            WHERE tenant_id = ${tenantId} AND bank_account_id = ${id}
          ) waiting
          GROUP BY kind, told_on, due_at, CASE WHEN kind = 'REPORT' THEN file_id END
          ORDER BY due_at, kind DESC, min(file_id) LIMIT 1
        `)
        return (yield* decode(rows))[0]
      }, Effect.orDie)

      const told = Effect.fn("SimulatedAnswersRepo.told")(function* (
        { kind, paymentFileIds, toldOn }: DueAnswer,
        now: Instant
      ) {
        yield* tenantSql.write(sql`
          UPDATE simulated_answer SET told_at = ${toDate(now)}
          WHERE tenant_id = ${yield* CurrentTenant} AND kind = ${kind} AND told_on = ${toldOn}
            AND payment_file_id = ANY (${[...paymentFileIds]})
        `)
      }, Effect.orDie)

      return SimulatedAnswersRepo.of({ waiting, give, received, before, plan, next, told })
    })
  )
}
