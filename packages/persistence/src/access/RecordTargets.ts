import type { Target } from "@quittance/auth/Grants"
import type { BrokerageFirmId } from "@quittance/domain/values/Amount"
import { type Prefix, prefixOf } from "@quittance/domain/values/PrefixedId"
import { CurrentTenant } from "@quittance/domain/tenants/Tenant"
import { Context, Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { onPolicySql } from "../policies/PolicyMembersSql.ts"
import { TenantSql } from "../sql/TenantSql.ts"

/** What records hang on: the same that the checks in the statements of their repositories look at. */
export class TargetsRepo extends Context.Service<
  TargetsRepo,
  {
    /** The targets of those of the records that the tenant has, whatever they are, by identifier. */
    find(
      ids: ReadonlyArray<string>
    ): Effect.Effect<ReadonlyMap<string, Target>, never, CurrentTenant>
  }
>()("@quittance/persistence/TargetsRepo") {
  static readonly layer = Layer.effect(
    TargetsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const { isOn } = onPolicySql(sql)

      /** Every record with the one that a grant may name for it, and its firm. */
      const hangsOnPolicy = (table: string) => (tenantId: string, ids: ReadonlyArray<string>) =>
        sql`
        SELECT x.id, p.id AS record_id, p.brokerage_firm_id FROM ${sql(table)} x
        JOIN policy p ON p.tenant_id = x.tenant_id AND p.id = x.policy_id
        WHERE x.tenant_id = ${tenantId} AND x.id = ANY (${ids})`

      const shapes: Partial<
        Record<Prefix, (tenantId: string, ids: ReadonlyArray<string>) => Statement.Fragment>
      > = {
        policy: (tenantId, ids) => sql`
          SELECT p.id, p.id AS record_id, p.brokerage_firm_id FROM policy p
          WHERE p.tenant_id = ${tenantId} AND p.id = ANY (${ids})`,
        // A customer is read and changed in the context of any policy that it is on.
        customer: (tenantId, ids) => sql`
          SELECT c.id, o.id AS record_id, o.brokerage_firm_id
          FROM customer c LEFT JOIN LATERAL (
            SELECT p.id, p.brokerage_firm_id FROM customer_policy l
            JOIN policy p ON p.tenant_id = l.tenant_id AND p.id = l.policy_id
            WHERE l.tenant_id = c.tenant_id AND l.customer_id = c.id AND ${isOn(tenantId)}
          ) o ON true
          WHERE c.tenant_id = ${tenantId} AND c.id = ANY (${ids})`,
        asset: hangsOnPolicy("asset"),
        branch: hangsOnPolicy("branch"),
        quote: hangsOnPolicy("quote"),
        invoice: hangsOnPolicy("document"),
        credit_note: hangsOnPolicy("document"),
        payment: hangsOnPolicy("payment"),
        brokerage_firm: (tenantId, ids) => sql`
          SELECT f.id, NULL::text AS record_id, f.id AS brokerage_firm_id FROM brokerage_firm f
          WHERE f.tenant_id = ${tenantId} AND f.id = ANY (${ids})`,
        user: (tenantId, ids) => sql`
          SELECT u.id, u.id AS record_id, u.brokerage_firm_id FROM app_user u
          WHERE u.tenant_id = ${tenantId} AND u.id = ANY (${ids})`
      }

      const find = Effect.fn("TargetsRepo.find")(function* (ids: ReadonlyArray<string>) {
        const tenantId = yield* CurrentTenant
        const selects = [...Map.groupBy(new Set(ids), prefixOf)].flatMap(([prefix, of]) => {
          const shape = prefix === undefined ? undefined : shapes[prefix]
          return shape === undefined ? [] : [shape(tenantId, of)]
        })
        if (selects.length === 0) return new Map()
        const rows = yield* tenantSql.read(sql<{
          readonly id: string
          readonly recordId: string | null
          readonly path: ReadonlyArray<BrokerageFirmId> | null
        }>`
          SELECT x.id, x.record_id, f.path FROM (${sql.join(" UNION ALL ", false)(selects)}) x
          LEFT JOIN brokerage_firm f ON f.tenant_id = ${tenantId} AND f.id = x.brokerage_firm_id
        `)
        return new Map(
          [...Map.groupBy(rows, ({ id }) => id)].map(([id, of]): [string, Target] => [
            id,
            {
              firms: [...new Set(of.flatMap(({ path }) => path ?? []))],
              records: of.flatMap(({ recordId }) => recordId ?? [])
            }
          ])
        )
      }, Effect.orDie)

      return TargetsRepo.of({ find })
    })
  )
}
