/** The policy and the firm that each record belongs to; the checks in the statements use the same ones. */
import type { Target } from "@quittance/auth/Grants"
import { type Prefix, prefixOf } from "@quittance/domain/values/PrefixedId"
import { Context, Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { TenantSql } from "../sql/TenantSql.ts"
import type { BrokerageFirmId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/**
 * The statement that finds records of a kind: for each its `id`, the `record_id` that a grant may name
 * for it, and its `brokerage_firm_id`; a record that belongs to several has a row for each.
 */
export type TargetStatement = (tenantId: string, ids: ReadonlyArray<string>) => Statement.Fragment

/** The statements of an area, by the prefix of the records' identifiers. */
export type TargetStatements = (
  sql: SqlClient.SqlClient
) => Partial<Record<Prefix, TargetStatement>>

export class RecordTargets extends Context.Service<
  RecordTargets,
  {
    /** The targets of those of the records that the tenant has, whatever they are, by identifier. */
    find(
      ids: ReadonlyArray<string>
    ): Effect.Effect<ReadonlyMap<string, Target>, never, CurrentTenant>
  }
>()("@quittance/persistence/RecordTargets") {
  /** Finds records by the statements of all areas. */
  static readonly layerOf = (areas: ReadonlyArray<TargetStatements>) =>
    Layer.effect(
      RecordTargets,
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const tenantSql = yield* TenantSql
        const statements: Partial<Record<Prefix, TargetStatement>> = Object.assign(
          {},
          ...areas.map((area) => area(sql))
        )

        const find = Effect.fn("RecordTargets.find")(function* (ids: ReadonlyArray<string>) {
          const tenantId = yield* CurrentTenant
          const selects = [...Map.groupBy(new Set(ids), prefixOf)].flatMap(([prefix, of]) => {
            const statement = prefix === undefined ? undefined : statements[prefix]
            return statement === undefined ? [] : [statement(tenantId, of)]
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

        return RecordTargets.of({ find })
      })
    )
}
