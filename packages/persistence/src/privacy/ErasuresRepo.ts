/** Erasures: the call of the owner's function, and the record of what it did. */
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { Erasure, type ErasureStep } from "@quittance/domain/privacy/Erasing"
import type { PrivacyRequestId } from "@quittance/domain/privacy/PrivacyRequest"
import type { CustomerId, PolicyId } from "@quittance/domain/values/Ids"
import type { Instant } from "@quittance/domain/values/Instant"
import type { PageRequest } from "@quittance/domain/values/Page"
import { Context, Effect, Layer, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn, toDate } from "../sql/Columns.ts"
import { Ids } from "../sql/Ids.ts"
import { withoutNulls } from "../sql/Rows.ts"
import { TenantSql } from "../sql/TenantSql.ts"

const Row = Schema.Struct({
  ...Struct.omit(Erasure.fields, ["erasedAt"]),
  erasedAt: InstantColumn
})
const decode = Schema.decodeUnknownEffect(Row)

/** Why something is erased, for whom, and when. */
export interface ErasureGround {
  readonly ground: string
  readonly privacyRequestId?: PrivacyRequestId
  readonly at: Instant
}

export class ErasuresRepo extends Context.Service<
  ErasuresRepo,
  {
    /** Erases what one step names, in the running transaction. */
    erase(step: ErasureStep, ground: ErasureGround): Effect.Effect<Erasure, never, CurrentTenant>
    /** The policies that a customer was ever on. */
    policiesOf(id: CustomerId): Effect.Effect<ReadonlyArray<PolicyId>, never, CurrentTenant>
    /** Those of the tenant, the newest first. */
    list(
      page: PageRequest
    ): Effect.Effect<
      { readonly rows: ReadonlyArray<Erasure>; readonly total: number },
      never,
      CurrentTenant
    >
  }
>()("@quittance/persistence/ErasuresRepo") {
  static readonly layer = Layer.effect(
    ErasuresRepo,
    Effect.gen(function* () {
      const ids = yield* Ids
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const columns = sql`id, customer_id, policy_id, class, counts, ground, privacy_request_id,
        erased_at`

      const erase = Effect.fn("ErasuresRepo.erase")(function* (
        { class: name, customerId, policyId = undefined }: ErasureStep,
        { at, ground, privacyRequestId = undefined }: ErasureGround
      ) {
        const tenantId = yield* CurrentTenant
        const id = ids.next("erasure")
        yield* tenantSql.write(sql`
          SELECT erase(${tenantId}, ${customerId}, ${name}, ${policyId ?? null}, ${id},
            ${privacyRequestId ?? null}, ${ground}, ${toDate(at)})
        `)
        const [row] = yield* tenantSql.read(sql`
          SELECT ${columns} FROM erasure WHERE tenant_id = ${tenantId} AND id = ${id}
        `)
        return yield* decode(withoutNulls(row!))
      }, Effect.orDie)

      const policiesOf = Effect.fn("ErasuresRepo.policiesOf")(function* (id: CustomerId) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql<{ readonly policyId: PolicyId }>`
          SELECT policy_id FROM customer_policy
          WHERE tenant_id = ${tenantId} AND customer_id = ${id} ORDER BY policy_id
        `)
        return rows.map(({ policyId }) => policyId)
      }, Effect.orDie)

      const list = Effect.fn("ErasuresRepo.list")(function* ({ count, page }: PageRequest) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT ${columns} FROM erasure WHERE tenant_id = ${tenantId}
          ORDER BY recorded_at DESC, id DESC LIMIT ${count} OFFSET ${(page - 1) * count}
        `)
        const [counted] = yield* tenantSql.read(sql<{ readonly total: number }>`
          SELECT count(*)::int AS total FROM erasure WHERE tenant_id = ${tenantId}
        `)
        const found = rows.map((row) => decode(withoutNulls(row)))
        return { rows: yield* Effect.all(found), total: counted!.total }
      }, Effect.orDie)

      return ErasuresRepo.of({ erase, policiesOf, list })
    })
  )
}
