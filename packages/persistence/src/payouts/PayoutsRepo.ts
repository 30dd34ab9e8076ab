/** Payouts, each of one policy, whose lock is that of its payouts. */
import type { Action } from "@quittance/domain/requests/Action"
import type { CurrentCaller, Forbidden, UserNotFound } from "@quittance/domain/requests/Caller"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import {
  Payout,
  type PayoutId,
  PayoutNotFound,
  type PayoutStatus
} from "@quittance/domain/payouts/Payout"
import { HolderName } from "@quittance/domain/payments/Party"
import { PaymentMethodId, type PolicyId } from "@quittance/domain/values/Ids"
import type { PageRequest } from "@quittance/domain/values/Page"
import { PgTypes } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { type AuthorizedPolicy, PoliciesRepo } from "../policies/PoliciesRepo.ts"
import { InstantColumn, IntColumn, toDate } from "../sql/Columns.ts"
import { withoutNulls } from "../sql/Rows.ts"
import { TenantSql } from "../sql/TenantSql.ts"

const Row = Schema.Struct({
  ...Struct.omit(Payout.fields, ["payee"]),
  payeeName: HolderName,
  paymentMethodId: PaymentMethodId,
  amount: IntColumn,
  requestedAt: InstantColumn
})
const decode = Schema.decodeUnknownEffect(Row)
const encode = Schema.encodeSync(Payout)

type Scoped = CurrentTenant | CurrentCaller

export class PayoutsRepo extends Context.Service<
  PayoutsRepo,
  {
    insert(payout: Payout): Effect.Effect<void, never, CurrentTenant>
    /** Records what a command has made of a payout: its status, checks and outcome. */
    update(payout: Payout): Effect.Effect<void, never, CurrentTenant>
    /** The policy of a payout, with the permission on it; with `lock` its head is locked. */
    authorize<A extends Action>(
      action: A,
      id: PayoutId,
      options?: { readonly lock?: boolean }
    ): Effect.Effect<AuthorizedPolicy<A>, Forbidden | PayoutNotFound | UserNotFound, Scoped>
    /** One that is there. */
    find(id: PayoutId): Effect.Effect<Payout, never, CurrentTenant>
    /** Those of numbers that travel with money, with one of the statuses. */
    ofNumbers(
      numbers: ReadonlyArray<string>,
      statuses: ReadonlyArray<PayoutStatus>
    ): Effect.Effect<ReadonlyArray<Payout>, never, CurrentTenant>
    /** Those of a policy, the newest first. */
    listByPolicy(
      id: PolicyId,
      page: PageRequest
    ): Effect.Effect<
      { readonly rows: ReadonlyArray<Payout>; readonly total: number },
      never,
      CurrentTenant
    >
  }
>()("@quittance/persistence/PayoutsRepo") {
  static readonly layer = Layer.effect(
    PayoutsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const policies = yield* PoliciesRepo
      const columns = sql`id, kind, policy_id, customer_id, refund_id, bank_account_id,
        payment_method_id, payee_name, amount, currency, status, end_to_end_id, remittance,
        requested_by, requested_at, payee_check, screening, approval_id, outcome`

      const insert = Effect.fn("PayoutsRepo.insert")(function* (payout: Payout) {
        const { approvalId, outcome: _, payee, payeeCheck, screening, ...others } = payout
        const row = {
          tenantId: yield* CurrentTenant,
          ...others,
          payeeName: payee.name,
          paymentMethodId: payee.paymentMethodId,
          requestedAt: toDate(payout.requestedAt),
          payeeCheck: PgTypes.jsonb(payeeCheck),
          screening: PgTypes.jsonb(screening),
          approvalId: approvalId ?? null
        }
        yield* tenantSql.write(sql`INSERT INTO payout ${sql.insert(row)}`)
      }, Effect.orDie)

      const update = Effect.fn("PayoutsRepo.update")(function* (payout: Payout) {
        const { outcome, payeeCheck, status } = encode(payout)
        const changed = {
          status,
          payeeCheck: PgTypes.jsonb(payeeCheck),
          outcome: outcome === undefined ? null : PgTypes.jsonb(outcome)
        }
        yield* tenantSql.write(sql`
          UPDATE payout SET ${sql.update(changed)}
          WHERE tenant_id = ${yield* CurrentTenant} AND id = ${payout.id}
        `)
      }, Effect.orDie)

      const authorize = Effect.fn("PayoutsRepo.authorize")(function* <A extends Action>(
        action: A,
        payoutId: PayoutId,
        options: { readonly lock?: boolean } = {}
      ) {
        const [row] = yield* Effect.orDie(
          tenantSql.read(sql<{ readonly policyId: PolicyId }>`
            SELECT policy_id FROM payout
            WHERE tenant_id = ${yield* CurrentTenant} AND id = ${payoutId}
          `)
        )
        if (row === undefined) return yield* new PayoutNotFound({ payoutId })
        // The policy of a payout is never deleted.
        return yield* Effect.catchTag(
          policies.authorize(action, row.policyId, options),
          "PolicyNotFound",
          Effect.die
        )
      })

      const find = Effect.fn("PayoutsRepo.find")(function* (id: PayoutId) {
        const [row] = yield* tenantSql.read(sql`
          SELECT ${columns} FROM payout WHERE tenant_id = ${yield* CurrentTenant} AND id = ${id}
        `)
        return yield* found(row!)
      }, Effect.orDie)

      const ofNumbers = Effect.fn("PayoutsRepo.ofNumbers")(function* (
        numbers: ReadonlyArray<string>,
        statuses: ReadonlyArray<PayoutStatus>
      ) {
        if (numbers.length === 0) return []
        const rows = yield* tenantSql.read(sql`
          SELECT ${columns} FROM payout
          WHERE tenant_id = ${yield* CurrentTenant} AND end_to_end_id = ANY (${[...numbers]})
            AND status = ANY (${[...statuses]})
          ORDER BY policy_id, id
        `)
        return yield* Effect.forEach(rows, found)
      }, Effect.orDie)

      const listByPolicy = Effect.fn("PayoutsRepo.listByPolicy")(function* (
        id: PolicyId,
        { count, page }: PageRequest
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT ${columns} FROM payout WHERE tenant_id = ${tenantId} AND policy_id = ${id}
          ORDER BY requested_at DESC, id DESC LIMIT ${count} OFFSET ${(page - 1) * count}
        `)
        const [counted] = yield* tenantSql.read(sql<{ readonly total: number }>`
          SELECT count(*)::int AS total FROM payout
          WHERE tenant_id = ${tenantId} AND policy_id = ${id}
        `)
        return { rows: yield* Effect.forEach(rows, found), total: counted!.total }
      }, Effect.orDie)

      return PayoutsRepo.of({ insert, update, authorize, find, ofNumbers, listByPolicy })
    })
  ).pipe(Layer.provide(PoliciesRepo.layer))
}

const found = (row: object): Effect.Effect<Payout> =>
  decode(withoutNulls(row)).pipe(
    Effect.map(({ payeeName: name, paymentMethodId, ...payout }): Payout => ({
      ...payout,
      payee: { name, paymentMethodId }
    })),
    Effect.orDie
  )
