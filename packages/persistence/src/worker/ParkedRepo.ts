import type { Coverage } from "@quittance/auth/Grants"
import type { PageRequest } from "@quittance/domain/values/Page"
import { ParkedPolicy } from "@quittance/domain/policies/ParkedPolicy"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { waitsAside } from "../policies/ParkedOfferSql.ts"
import { InstantColumn } from "../sql/Columns.ts"
import { onPolicySql } from "../policies/PolicyMembersSql.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { BranchId, type PolicyId } from "@quittance/domain/values/Ids"
import { CurrentTenant, type TenantId } from "@quittance/domain/requests/Tenancy"

const ParkedRow = Schema.Struct({
  ...ParkedPolicy.fields,
  branchId: Schema.NullOr(BranchId),
  parkedAt: InstantColumn
})
const decode = Schema.decodeUnknownEffect(Schema.Array(ParkedRow))

const shown = ({ branchId, ...row }: typeof ParkedRow.Type): ParkedPolicy =>
  branchId === null ? row : { ...row, branchId }

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
    /** The policy where it waits as a whole, else the first of its offers that does. */
    find(policyId: PolicyId): Effect.Effect<ParkedPolicy | undefined, never, CurrentTenant>
  }
>()("@quittance/persistence/ParkedRepo") {
  static readonly layer = Layer.effect(
    ParkedRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const { coveredBy } = onPolicySql(sql)

      /** Parked policies, and open offers until they are rebased on the base branch and quoted. */
      const parkedOf = (tenantId: TenantId) => sql`
        SELECT policy_id, NULL AS branch_id, reason, at AS parked_at FROM parked
        WHERE tenant_id = ${tenantId}
        UNION ALL
        SELECT policy_id, id, aside ->> 'reason', (aside ->> 'at')::timestamptz FROM branch
        WHERE tenant_id = ${tenantId} AND ${waitsAside(sql)}
      `

      const list = Effect.fn("ParkedRepo.list")(function* ({
        coverage,
        page: { count, page }
      }: {
        readonly coverage: Coverage
        readonly page: PageRequest
      }) {
        const tenantId = yield* CurrentTenant
        const covered = sql`
          FROM (${parkedOf(tenantId)}) k
          JOIN policy p ON p.tenant_id = ${tenantId} AND p.id = k.policy_id
          WHERE ${sql.or(coveredBy(coverage))}
        `
        const rows = yield* tenantSql.read(sql`
          SELECT k.policy_id, k.branch_id, k.reason, k.parked_at ${covered}
          ORDER BY k.parked_at, k.policy_id, k.branch_id NULLS FIRST LIMIT ${count} OFFSET ${(page - 1) * count}
        `)
        const totals = yield* tenantSql.read(sql<{ readonly total: number }>`
          SELECT count(*)::int AS total ${covered}
        `)
        return { rows: (yield* decode(rows)).map(shown), total: totals[0]!.total }
      }, Effect.orDie)

      const find = Effect.fn("ParkedRepo.find")(function* (policyId: PolicyId) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT k.* FROM (${parkedOf(tenantId)}) k WHERE k.policy_id = ${policyId}
          ORDER BY k.branch_id NULLS FIRST LIMIT 1
        `)
        return (yield* decode(rows)).map(shown)[0]
      }, Effect.orDie)

      return ParkedRepo.of({ list, find })
    })
  )
}
