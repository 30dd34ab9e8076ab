/** The letters that tell payers of debits, until each has left. */
import { DebitId } from "@quittance/domain/collections/Debit"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { dueLetters, pauseAfterClaim, pauseAfterFailure } from "../access/LetterRetries.ts"
import { IntColumn } from "../sql/Columns.ts"
import { withoutNulls } from "../sql/Rows.ts"
import { TenantSql } from "../sql/TenantSql.ts"

/** A letter that is to be sent, of any tenant. */
const DueDebitLetter = Schema.Struct({ tenantId: TenantId, debitId: DebitId })
export type DueDebitLetter = typeof DueDebitLetter.Type
const decodeDue = Schema.decodeUnknownEffect(Schema.Array(DueDebitLetter))

const Claimed = Schema.Struct({
  debitId: DebitId,
  /** How often it was given out to be sent, this time included. */
  attempts: Schema.Int,
  claim: Schema.String
})
export type ClaimedDebitLetter = typeof Claimed.Type
const decode = Schema.decodeUnknownEffect(Claimed)

/** What a payer is told, beside the day. */
const Told = Schema.Struct({
  name: Schema.optionalKey(Schema.String),
  /** Absent where the payer has none. */
  email: Schema.optionalKey(Schema.String),
  creditor: Schema.String,
  creditorIdentifier: Schema.String,
  umr: Schema.String,
  last4: Schema.String,
  amount: IntColumn,
  currency: Schema.String,
  invoices: Schema.Array(Schema.Struct({ series: Schema.String, number: Schema.Int }))
})
type ToldDebit = typeof Told.Type
const decodeTold = Schema.decodeUnknownEffect(Told)

export class DebitLettersRepo extends Context.Service<
  DebitLettersRepo,
  {
    /** What the payer of a debit is told. */
    told(id: DebitId): Effect.Effect<ToldDebit, never, CurrentTenant>
    /** Has a letter sent. */
    put(id: DebitId): Effect.Effect<void, never, CurrentTenant>
    /** Letters of all tenants that are due, each tenant's oldest first; not those of disabled tenants. */
    due(limit: number): Effect.Effect<ReadonlyArray<DueDebitLetter>>
    /**
     * Claims a letter for sending; `undefined` when it is not due, or another sender has it. It falls due
     * again by itself unless it is removed: so no letter is lost when its sender dies.
     */
    claim(id: DebitId): Effect.Effect<ClaimedDebitLetter | undefined, never, CurrentTenant>
    /** Removes a letter that has left, or is tried no more. */
    remove(letter: ClaimedDebitLetter): Effect.Effect<void, never, CurrentTenant>
    /** Lets a letter that was not sent be tried again after its pause. */
    fail(letter: ClaimedDebitLetter): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/DebitLettersRepo") {
  static readonly layer = Layer.effect(
    DebitLettersRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const told = Effect.fn("DebitLettersRepo.told")(function* (id: DebitId) {
        const [row] = yield* tenantSql.read(sql`
          SELECT c.name, c.email, a.settings #>> '{holder,name}' AS creditor,
            m.creditor_identifier, m.umr, p.last4, d.currency, sum(i.notified)::bigint AS amount,
            json_agg(json_build_object('series', v.series, 'number', v.number) ORDER BY i.position)
              AS invoices
          FROM debit d
          JOIN customer c ON c.tenant_id = d.tenant_id AND c.id = d.customer_id
          JOIN bank_account a ON a.tenant_id = d.tenant_id AND a.id = d.bank_account_id
          JOIN mandate m ON m.tenant_id = d.tenant_id AND m.id = d.mandate_id
          JOIN payment_method p ON p.tenant_id = d.tenant_id AND p.id = m.payment_method_id
          JOIN debit_item i ON i.tenant_id = d.tenant_id AND i.debit_id = d.id
          JOIN invoice v ON v.tenant_id = i.tenant_id AND v.id = i.invoice_id
          WHERE d.tenant_id = ${yield* CurrentTenant} AND d.id = ${id}
          GROUP BY c.name, c.email, a.settings, m.creditor_identifier, m.umr, p.last4, d.currency
        `)
        return yield* decodeTold(withoutNulls(row!))
      }, Effect.orDie)

      const put = Effect.fn("DebitLettersRepo.put")(function* (id: DebitId) {
        yield* tenantSql.write(sql`
          INSERT INTO debit_letter (tenant_id, debit_id) VALUES (${yield* CurrentTenant}, ${id})
          ON CONFLICT DO NOTHING
        `)
      }, Effect.orDie)

      const due = Effect.fn("DebitLettersRepo.due")(function* (limit: number) {
        const rows = yield* tenantSql.unscoped(
          "debit_letter",
          dueLetters(sql, "debit_letter", "debit_id", limit)
        )
        return yield* decodeDue(rows)
      }, Effect.orDie)

      const claim = Effect.fn("DebitLettersRepo.claim")(function* (id: DebitId) {
        const [row] = yield* tenantSql.write(sql`
          UPDATE debit_letter SET attempts = attempts + 1,
            due_at = clock_timestamp() + ${pauseAfterClaim(sql, sql`attempts`)}
          WHERE tenant_id = ${yield* CurrentTenant} AND debit_id = ${id}
            AND due_at <= clock_timestamp()
          RETURNING debit_id, attempts, due_at::text AS claim
        `)
        return row === undefined ? undefined : yield* decode(row)
      }, Effect.orDie)

      const mine = Effect.fnUntraced(function* ({ claim: claimed, debitId }: ClaimedDebitLetter) {
        return sql`tenant_id = ${yield* CurrentTenant} AND debit_id = ${debitId}
          AND due_at = ${claimed}::timestamptz`
      })

      const remove = Effect.fn("DebitLettersRepo.remove")(function* (letter: ClaimedDebitLetter) {
        yield* tenantSql.write(sql`DELETE FROM debit_letter WHERE ${yield* mine(letter)}`)
      }, Effect.orDie)

      const fail = Effect.fn("DebitLettersRepo.fail")(function* (letter: ClaimedDebitLetter) {
        yield* tenantSql.write(sql`
          UPDATE debit_letter
          SET due_at = clock_timestamp() + ${pauseAfterFailure(sql, sql`attempts`)}
          WHERE ${yield* mine(letter)}
        `)
      }, Effect.orDie)

      return DebitLettersRepo.of({ told, put, due, claim, remove, fail })
    })
  )
}
