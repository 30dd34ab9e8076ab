/** The letters that acknowledge withdrawals, until each has left. */
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"
import type { Instant } from "@quittance/domain/values/Instant"
import { WithdrawalId } from "@quittance/domain/withdrawals/Withdrawal"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { dueLetters, pauseAfterClaim, pauseAfterFailure } from "../access/LetterRetries.ts"
import { toDate } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"

/** A letter that is to be sent, of any tenant. */
const DueWithdrawalLetter = Schema.Struct({ tenantId: TenantId, withdrawalId: WithdrawalId })
export type DueWithdrawalLetter = typeof DueWithdrawalLetter.Type

const Claimed = Schema.Struct({
  withdrawalId: WithdrawalId,
  /** How often it was given out to be sent, this time included. */
  attempts: Schema.Int,
  claim: Schema.String
})
export type ClaimedLetter = typeof Claimed.Type

const decode = Schema.decodeUnknownEffect(Claimed)
const decodeDue = Schema.decodeUnknownEffect(Schema.Array(DueWithdrawalLetter))

export class WithdrawalLettersRepo extends Context.Service<
  WithdrawalLettersRepo,
  {
    /** Letters of all tenants that are due, each tenant's oldest first; not those of disabled tenants. */
    due(limit: number): Effect.Effect<ReadonlyArray<DueWithdrawalLetter>>
    /**
     * Claims a letter for sending; `undefined` when it is not due, or another sender has it. It falls due
     * again by itself unless it is removed: so no letter is lost when its sender dies.
     */
    claim(id: WithdrawalId): Effect.Effect<ClaimedLetter | undefined, never, CurrentTenant>
    /** Removes a letter that was sent, and says on its withdrawal when. */
    sent(letter: ClaimedLetter, at: Instant): Effect.Effect<void, never, CurrentTenant>
    /** Lets a letter that was not sent be tried again after its pause, or no more. */
    fail(
      letter: ClaimedLetter,
      options: { readonly giveUp: boolean }
    ): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/WithdrawalLettersRepo") {
  static readonly layer = Layer.effect(
    WithdrawalLettersRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const due = Effect.fn("WithdrawalLettersRepo.due")(function* (limit: number) {
        const rows = yield* tenantSql.unscoped(
          "withdrawal_letter",
          dueLetters(sql, "withdrawal_letter", "withdrawal_id", limit)
        )
        return yield* decodeDue(rows)
      }, Effect.orDie)

      const claim = Effect.fn("WithdrawalLettersRepo.claim")(function* (id: WithdrawalId) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.write(sql`
          UPDATE withdrawal_letter SET attempts = attempts + 1,
            due_at = clock_timestamp() + ${pauseAfterClaim(sql, sql`attempts`)}
          WHERE tenant_id = ${tenantId} AND withdrawal_id = ${id} AND due_at <= clock_timestamp()
          RETURNING withdrawal_id, attempts, due_at::text AS claim
        `)
        return row === undefined ? undefined : yield* decode(row)
      }, Effect.orDie)

      const sent = Effect.fn("WithdrawalLettersRepo.sent")(function* (
        { claim, withdrawalId }: ClaimedLetter,
        at: Instant
      ) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          UPDATE withdrawal SET acknowledged_at = ${toDate(at)}
          WHERE tenant_id = ${tenantId} AND id = ${withdrawalId} AND acknowledged_at IS NULL
        `)
        yield* tenantSql.write(sql`
          DELETE FROM withdrawal_letter WHERE tenant_id = ${tenantId}
            AND withdrawal_id = ${withdrawalId} AND due_at = ${claim}::timestamptz
        `)
      }, Effect.orDie)

      const fail = Effect.fn("WithdrawalLettersRepo.fail")(function* (
        { claim, withdrawalId }: ClaimedLetter,
        { giveUp }: { readonly giveUp: boolean }
      ) {
        const tenantId = yield* CurrentTenant
        // A duty of the law is never dropped: what is not tried again stays, and is counted as failed.
        const again = giveUp
          ? sql`'infinity'`
          : sql`clock_timestamp() + ${pauseAfterFailure(sql, sql`attempts`)}`
        yield* tenantSql.write(sql`
          UPDATE withdrawal_letter SET due_at = ${again}
          WHERE tenant_id = ${tenantId} AND withdrawal_id = ${withdrawalId}
            AND due_at = ${claim}::timestamptz
        `)
      }, Effect.orDie)

      return WithdrawalLettersRepo.of({ due, claim, sent, fail })
    })
  )
}
