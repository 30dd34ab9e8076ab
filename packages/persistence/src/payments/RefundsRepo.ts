import { Refund } from "@quittance/domain/payments/Refund"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn, IntColumn, toDate } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import type { PolicyId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const decode = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ ...Refund.fields, amount: IntColumn, recordedAt: InstantColumn }))
)

/** Credit balances that were paid back; a refund is never changed. */
export class RefundsRepo extends Context.Service<
  RefundsRepo,
  {
    insert(refund: Refund): Effect.Effect<void, never, CurrentTenant>
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
        const row = { tenantId, ...refund, recordedAt: toDate(refund.recordedAt) }
        yield* tenantSql.write(sql`INSERT INTO refund ${sql.insert(row)}`)
      }, Effect.orDie)

      const ofPolicies = Effect.fn("RefundsRepo.ofPolicies")(function* (
        policyIds: ReadonlyArray<PolicyId>
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT id, policy_id, customer_id, amount, currency, method, reference, recorded_at
          FROM refund WHERE tenant_id = ${tenantId} AND policy_id = ANY (${[...policyIds]})
          ORDER BY policy_id, recorded_at, id
        `)
        return yield* decode(rows)
      }, Effect.orDie)

      return RefundsRepo.of({ insert, ofPolicies })
    })
  )
}
