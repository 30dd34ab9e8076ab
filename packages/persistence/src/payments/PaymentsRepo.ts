import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import type { PageRequest } from "@quittance/domain/values/Page"
import { Payment, PaymentNotFound, type PaymentReturn } from "@quittance/domain/payments/Payment"
import { PgTypes } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { BilledPoliciesRepo } from "../policies/BilledPoliciesRepo.ts"
import { InstantColumn, IntColumn, toDate } from "../sql/Columns.ts"
import type { AuthorizedPolicy } from "../policies/PoliciesRepo.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import type { PaymentId, PolicyId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Action } from "@quittance/domain/requests/Action"

const PaymentRow = Schema.Struct({
  ...Struct.omit(Payment.fields, ["returned"]),
  amount: IntColumn,
  paidAt: InstantColumn,
  recordedAt: InstantColumn,
  creditBalance: IntColumn,
  reasonCode: Schema.NullOr(Schema.String),
  fee: Schema.NullOr(IntColumn),
  returnedAt: Schema.NullOr(InstantColumn),
  returnRecordedAt: Schema.NullOr(InstantColumn)
})
const decode = Schema.decodeUnknownEffect(Schema.Array(PaymentRow))

export class PaymentsRepo extends Context.Service<
  PaymentsRepo,
  {
    insert(payment: Payment): Effect.Effect<void, never, CurrentTenant>
    /** Records that the bank took a payment back; the database refuses a second time. */
    insertReturn(id: PaymentId, returned: PaymentReturn): Effect.Effect<void, never, CurrentTenant>
    /**
     * The policy of a payment, with the permission on it. A client, whose scope was checked, reaches
     * the whole tenant. With `lock` the policy's head stays locked until the transaction ends.
     */
    authorize<A extends Action>(
      action: A,
      id: PaymentId,
      options?: { readonly lock?: boolean }
    ): Effect.Effect<
      AuthorizedPolicy<A>,
      Forbidden | PaymentNotFound,
      CurrentTenant | CurrentCaller
    >
    /** All payments of some policies, in the order of their recording. */
    ofPolicies(
      policyIds: ReadonlyArray<PolicyId>
    ): Effect.Effect<ReadonlyArray<Payment>, never, CurrentTenant>
    findMany(
      ids: ReadonlyArray<PaymentId>
    ): Effect.Effect<ReadonlyArray<Payment>, never, CurrentTenant>
    /** The payments of a policy, the newest first. */
    listByPolicy(
      policyId: PolicyId,
      page: PageRequest
    ): Effect.Effect<
      { readonly rows: ReadonlyArray<Payment>; readonly total: number },
      never,
      CurrentTenant
    >
  }
>()("@quittance/persistence/PaymentsRepo") {
  static readonly layer = Layer.effect(
    PaymentsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const policies = yield* BilledPoliciesRepo
      const payments = sql`
        SELECT p.id, p.policy_id, p.customer_id, p.invoice_id, p.amount, p.currency, p.method,
          p.reference, p.paid_at, p.recorded_at, p.allocations, p.credit_balance, r.reason_code,
          r.fee, r.returned_at, r.recorded_at AS return_recorded_at
        FROM payment p
        LEFT JOIN payment_return r ON r.tenant_id = p.tenant_id AND r.payment_id = p.id
      `

      const insert = Effect.fn("PaymentsRepo.insert")(function* (payment: Payment) {
        const tenantId = yield* CurrentTenant
        const row = {
          tenantId,
          ...Struct.omit(payment, ["returned"]),
          paidAt: toDate(payment.paidAt),
          recordedAt: toDate(payment.recordedAt),
          allocations: PgTypes.jsonb(payment.allocations)
        }
        yield* tenantSql.write(sql`INSERT INTO payment ${sql.insert(row)}`)
      }, Effect.orDie)

      const insertReturn = Effect.fn("PaymentsRepo.insertReturn")(function* (
        id: PaymentId,
        { fee, reasonCode, recordedAt, returnedAt }: PaymentReturn
      ) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          INSERT INTO payment_return (tenant_id, payment_id, reason_code, fee, returned_at, recorded_at)
          VALUES (${tenantId}, ${id}, ${reasonCode}, ${fee ?? null}, ${toDate(returnedAt)},
            ${toDate(recordedAt)})
        `)
      }, Effect.orDie)

      const authorize = Effect.fn("PaymentsRepo.authorize")(function* <A extends Action>(
        action: A,
        id: PaymentId,
        options: { readonly lock?: boolean } = {}
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* Effect.orDie(
          tenantSql.read(sql<{ readonly policyId: PolicyId }>`
            SELECT policy_id FROM payment WHERE tenant_id = ${tenantId} AND id = ${id}
          `)
        )
        if (rows[0] === undefined) return yield* new PaymentNotFound({ paymentId: id })
        return yield* policies.authorize(action, rows[0].policyId, options)
      })

      const ofPolicies = Effect.fn("PaymentsRepo.ofPolicies")(function* (
        policyIds: ReadonlyArray<PolicyId>
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          ${payments} WHERE p.tenant_id = ${tenantId} AND p.policy_id = ANY (${[...policyIds]})
          ORDER BY p.policy_id, p.recorded_at, p.id
        `)
        return (yield* decode(rows)).map(toPayment)
      }, Effect.orDie)

      const findMany = Effect.fn("PaymentsRepo.findMany")(function* (
        ids: ReadonlyArray<PaymentId>
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          ${payments} WHERE p.tenant_id = ${tenantId} AND p.id = ANY (${[...ids]})
          ORDER BY p.recorded_at, p.id
        `)
        return (yield* decode(rows)).map(toPayment)
      }, Effect.orDie)

      const listByPolicy = Effect.fn("PaymentsRepo.listByPolicy")(function* (
        policyId: PolicyId,
        { count, page }: PageRequest
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          ${payments} WHERE p.tenant_id = ${tenantId} AND p.policy_id = ${policyId}
          ORDER BY p.recorded_at DESC, p.id DESC LIMIT ${count} OFFSET ${(page - 1) * count}
        `)
        const totals = yield* tenantSql.read(sql<{ readonly total: number }>`
          SELECT count(*)::int AS total FROM payment
          WHERE tenant_id = ${tenantId} AND policy_id = ${policyId}
        `)
        return { rows: (yield* decode(rows)).map(toPayment), total: totals[0]!.total }
      }, Effect.orDie)

      return PaymentsRepo.of({
        insert,
        insertReturn,
        authorize,
        ofPolicies,
        findMany,
        listByPolicy
      })
    })
  ).pipe(Layer.provide(BilledPoliciesRepo.layer))
}

const toPayment = ({
  fee,
  reasonCode,
  returnRecordedAt,
  returnedAt,
  ...payment
}: typeof PaymentRow.Type): Payment =>
  reasonCode === null
    ? payment
    : {
        ...payment,
        returned: {
          reasonCode,
          ...(fee === null ? {} : { fee }),
          // The columns of a return are there together.
          returnedAt: returnedAt!,
          recordedAt: returnRecordedAt!
        }
      }
