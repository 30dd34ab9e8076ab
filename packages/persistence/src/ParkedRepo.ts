import type { Coverage } from "@quittance/auth/Grants"
import type { PageRequest } from "@quittance/domain/Page"
import { ParkedPolicy } from "@quittance/domain/Parked"
import type { PolicyId } from "@quittance/domain/Policy"
import { CurrentTenant } from "@quittance/domain/Tenant"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn } from "./Columns.ts"
import { onPolicySql } from "./OnPolicySql.ts"
import { TenantSql } from "./TenantSql.ts"

const decode = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ ...ParkedPolicy.fields, parkedAt: InstantColumn }))
)

/** What the worker left aside, as people see it. */
export class ParkedRepo extends Context.Service<
  ParkedRepo,
  {
    /** One page, what waits the longest first, and how many there are. */
    list(query: {
      readonly coverage: Coverage
      readonly page: PageRequest
    }): Effect.Effect<
      { readonly rows: ReadonlyArray<ParkedPolicy>; readonly total: number },
      never,
      CurrentTenant
    >
    find(policyId: PolicyId): Effect.Effect<ParkedPolicy | undefined, never, CurrentTenant>
  }
>()("@quittance/persistence/ParkedRepo") {
  static readonly layer = Layer.effect(
    ParkedRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const { coveredBy } = onPolicySql(sql)

      const list = Effect.fn("ParkedRepo.list")(function* ({
        coverage,
        page: { count, page }
      }: {
        readonly coverage: Coverage
        readonly page: PageRequest
      }) {
        const tenantId = yield* CurrentTenant
        const covered = sql`
          FROM parked k JOIN policy p ON p.tenant_id = k.tenant_id AND p.id = k.policy_id
          WHERE k.tenant_id = ${tenantId} AND ${sql.or(coveredBy(coverage))}
        `
        const rows = yield* tenantSql.read(sql`
          SELECT k.policy_id, k.reason, k.at AS parked_at ${covered}
          ORDER BY k.at, k.policy_id LIMIT ${count} OFFSET ${(page - 1) * count}
        `)
        const totals = yield* tenantSql.read(sql<{ readonly total: number }>`
          SELECT count(*)::int AS total ${covered}
        `)
        return { rows: yield* decode(rows), total: totals[0]!.total }
      }, Effect.orDie)

      const find = Effect.fn("ParkedRepo.find")(function* (policyId: PolicyId) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT policy_id, reason, at AS parked_at FROM parked
          WHERE tenant_id = ${tenantId} AND policy_id = ${policyId}
        `)
        return (yield* decode(rows))[0]
      }, Effect.orDie)

      return ParkedRepo.of({ list, find })
    })
  )
}
