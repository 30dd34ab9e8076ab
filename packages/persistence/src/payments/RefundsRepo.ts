import { Refund, type RefundId, type RefundReturn } from "@quittance/domain/payments/Refund"
import { Context, Effect, Layer, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn, IntColumn, toDate } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import type { PolicyId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const RefundRow = Schema.Struct({
  ...Struct.omit(Refund.fields, ["returned"]),
  amount: IntColumn,
  recordedAt: InstantColumn,
  returnedAt: Schema.NullOr(InstantColumn),
  returnRecordedAt: Schema.NullOr(InstantColumn)
})
const decode = Schema.decodeUnknownEffect(Schema.Array(RefundRow))

/** Credit balances that were paid back; a refund is never changed, and returned once at most. */
export class RefundsRepo extends Context.Service<
  RefundsRepo,
  {
    insert(refund: Refund): Effect.Effect<void, never, CurrentTenant>
    /** Records that it came back, or never left; the database refuses a second time. */
    insertReturn(id: RefundId, returned: RefundReturn): Effect.Effect<void, never, CurrentTenant>
    /** All refunds of some policies, in the order of their recording. */
    ofPolicies(
      policyIds: ReadonlyArray<PolicyId>
    ): Effect.Effect<ReadonlyArray<Refund>, never, CurrentTenant>
  }
>()("@quittance/persistence/RefundsRepo") {
  static readonly layer = Layer.effect(
    RefundsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const insert = Effect.fn("RefundsRepo.insert")(function* (refund: Refund) {
        const tenantId = yield* CurrentTenant
        const { returned: _, ...stored } = refund
        const row = { tenantId, ...stored, recordedAt: toDate(refund.recordedAt) }
        yield* tenantSql.write(sql`INSERT INTO refund ${sql.insert(row)}`)
      }, Effect.orDie)

      const insertReturn = Effect.fn("RefundsRepo.insertReturn")(function* (
        refundId: RefundId,
        { recordedAt, returnedAt }: RefundReturn
      ) {
        const row = {
          tenantId: yield* CurrentTenant,
          refundId,
          returnedAt: toDate(returnedAt),
          recordedAt: toDate(recordedAt)
        }
        yield* tenantSql.write(sql`INSERT INTO refund_return ${sql.insert(row)}`)
      }, Effect.orDie)

      const ofPolicies = Effect.fn("RefundsRepo.ofPolicies")(function* (
        policyIds: ReadonlyArray<PolicyId>
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT f.id, f.policy_id, f.customer_id, f.amount, f.currency, f.method, f.reference,
            f.recorded_at, r.returned_at, r.recorded_at AS return_recorded_at
          FROM refund f
          LEFT JOIN refund_return r ON r.tenant_id = f.tenant_id AND r.refund_id = f.id
          WHERE f.tenant_id = ${tenantId} AND f.policy_id = ANY (${[...policyIds]})
          ORDER BY f.policy_id, f.recorded_at, f.id
        `)
        return (yield* decode(rows)).map(toRefund)
      }, Effect.orDie)

      return RefundsRepo.of({ insert, insertReturn, ofPolicies })
    })
  )
}

const toRefund = ({ returnRecordedAt, returnedAt, ...refund }: typeof RefundRow.Type): Refund =>
  returnedAt === null
    ? refund
    : // The columns of a return are there together.
      { ...refund, returned: { returnedAt, recordedAt: returnRecordedAt! } }
