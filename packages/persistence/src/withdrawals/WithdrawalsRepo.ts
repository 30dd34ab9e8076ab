/** Withdrawals, each of one policy, whose lock is that of its withdrawals. */
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { PolicyId } from "@quittance/domain/values/Ids"
import type { Instant } from "@quittance/domain/values/Instant"
import type { PageRequest } from "@quittance/domain/values/Page"
import {
  Withdrawal,
  type WithdrawalId,
  WithdrawalNotFound
} from "@quittance/domain/withdrawals/Withdrawal"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn, IntColumn, toDate } from "../sql/Columns.ts"
import { withoutNulls } from "../sql/Rows.ts"
import { TenantSql } from "../sql/TenantSql.ts"

const decode = Schema.decodeUnknownEffect(
  Schema.Struct({
    ...Withdrawal.fields,
    requestedAt: InstantColumn,
    endsAt: InstantColumn,
    refund: IntColumn,
    confirmedAt: Schema.optionalKey(InstantColumn),
    refundOverdueAt: Schema.optionalKey(InstantColumn),
    acknowledgedAt: Schema.optionalKey(InstantColumn)
  })
)

/** A withdrawal as it is asked for, with what proves who has asked. */
export interface NewWithdrawal extends Omit<Withdrawal, "status"> {
  readonly policyNumber: string | undefined
  readonly author: string
  readonly address: string
  readonly userAgent: string
}

/** What the confirmation of a withdrawal adds. */
export type Confirmation = Pick<Withdrawal, "endsAt" | "id" | "refund"> &
  Required<Pick<Withdrawal, "confirmedAt" | "refundDueOn">>

export class WithdrawalsRepo extends Context.Service<
  WithdrawalsRepo,
  {
    insert(withdrawal: NewWithdrawal): Effect.Effect<void, never, CurrentTenant>
    find(id: WithdrawalId): Effect.Effect<Withdrawal, WithdrawalNotFound, CurrentTenant>
    /** Those of a policy, the latest first. */
    list(
      policyId: PolicyId,
      page: PageRequest
    ): Effect.Effect<
      { readonly rows: ReadonlyArray<Withdrawal>; readonly total: number },
      never,
      CurrentTenant
    >
    /** When the last one of a policy was confirmed. */
    exercisedAt(policyId: PolicyId): Effect.Effect<Instant | undefined, never, CurrentTenant>
    /** Confirms a draft, whose letter is then to be sent; the policy is locked. */
    confirm(confirmation: Confirmation): Effect.Effect<void, never, CurrentTenant>
    /** Marks that the refund of a withdrawal is owed after its day. */
    markOverdue(id: WithdrawalId, at: Instant): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/WithdrawalsRepo") {
  static readonly layer = Layer.effect(
    WithdrawalsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const columns = sql`id, policy_id, status, name, email, requested_at, ends_at, refund, currency,
        confirmed_at, refund_due_on::text, refund_overdue_at, acknowledged_at`

      const insert = Effect.fn("WithdrawalsRepo.insert")(function* (withdrawal: NewWithdrawal) {
        const row = {
          tenantId: yield* CurrentTenant,
          id: withdrawal.id,
          policyId: withdrawal.policyId,
          status: "DRAFT",
          name: withdrawal.name,
          email: withdrawal.email,
          policyNumber: withdrawal.policyNumber ?? null,
          requestedAt: toDate(withdrawal.requestedAt),
          endsAt: toDate(withdrawal.endsAt),
          refund: withdrawal.refund,
          currency: withdrawal.currency,
          author: withdrawal.author,
          address: withdrawal.address,
          userAgent: withdrawal.userAgent
        }
        yield* tenantSql.write(sql`INSERT INTO withdrawal ${sql.insert(row)}`)
      }, Effect.orDie)

      const find = Effect.fn("WithdrawalsRepo.find")(function* (withdrawalId: WithdrawalId) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* Effect.orDie(
          tenantSql.read(sql`
            SELECT ${columns} FROM withdrawal WHERE tenant_id = ${tenantId} AND id = ${withdrawalId}
          `)
        )
        if (row === undefined) return yield* new WithdrawalNotFound({ withdrawalId })
        return yield* found(row)
      })

      const list = Effect.fn("WithdrawalsRepo.list")(function* (
        policyId: PolicyId,
        { count, page }: PageRequest
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT ${columns} FROM withdrawal
          WHERE tenant_id = ${tenantId} AND policy_id = ${policyId}
          ORDER BY requested_at DESC, id DESC LIMIT ${count} OFFSET ${(page - 1) * count}
        `)
        const [counted] = yield* tenantSql.read(sql<{ readonly total: number }>`
          SELECT count(*)::int AS total FROM withdrawal
          WHERE tenant_id = ${tenantId} AND policy_id = ${policyId}
        `)
        return { rows: yield* Effect.forEach(rows, found), total: counted!.total }
      }, Effect.orDie)

      const exercisedAt = Effect.fn("WithdrawalsRepo.exercisedAt")(function* (policyId: PolicyId) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.read(sql`
          SELECT ${columns} FROM withdrawal
          WHERE tenant_id = ${tenantId} AND policy_id = ${policyId} AND status = 'CONFIRMED'
          ORDER BY confirmed_at DESC LIMIT 1
        `)
        return row === undefined ? undefined : (yield* found(row)).confirmedAt
      }, Effect.orDie)

      const confirm = Effect.fn("WithdrawalsRepo.confirm")(function* (confirmation: Confirmation) {
        const { confirmedAt, endsAt, id, refund, refundDueOn } = confirmation
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          UPDATE withdrawal SET status = 'CONFIRMED', confirmed_at = ${toDate(confirmedAt)},
            ends_at = ${toDate(endsAt)}, refund = ${refund}, refund_due_on = ${refundDueOn}::date
          WHERE tenant_id = ${tenantId} AND id = ${id} AND status = 'DRAFT'
        `)
        yield* tenantSql.write(sql`
          INSERT INTO withdrawal_letter (tenant_id, withdrawal_id) VALUES (${tenantId}, ${id})
        `)
      }, Effect.orDie)

      const markOverdue = Effect.fn("WithdrawalsRepo.markOverdue")(function* (
        id: WithdrawalId,
        at: Instant
      ) {
        yield* tenantSql.write(sql`
          UPDATE withdrawal SET refund_overdue_at = ${toDate(at)}
          WHERE tenant_id = ${yield* CurrentTenant} AND id = ${id}
        `)
      }, Effect.orDie)

      return WithdrawalsRepo.of({ insert, find, list, exercisedAt, confirm, markOverdue })
    })
  )
}

const found = (row: object): Effect.Effect<Withdrawal> => Effect.orDie(decode(withoutNulls(row)))
