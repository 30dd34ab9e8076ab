/** The rows about customers, table by table, as the data map says. */
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { type ExportedTable, exportedTables } from "@quittance/domain/privacy/DataExport"
import { dataTables } from "@quittance/domain/privacy/DataSubjects"
import type { CustomerId } from "@quittance/domain/values/Ids"
import type { DataSubject } from "@quittance/domain/values/PersonalData"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { TenantSql } from "../sql/TenantSql.ts"

/** The rows of one table, and how many are left out since they may tell of others. */
export interface PersonalRows {
  readonly table: ExportedTable
  readonly rows: ReadonlyArray<Readonly<Record<string, Schema.Json>>>
  readonly leftOut: number
}

const Row = Schema.Struct({
  rows: Schema.Array(Schema.Record(Schema.String, Schema.Json)),
  leftOut: Schema.Int
})
const decode = Schema.decodeUnknownEffect(Row)

export class PersonalRowsRepo extends Context.Service<
  PersonalRowsRepo,
  {
    /** All rows about these customers, of one state of the database. */
    of(
      ids: ReadonlyArray<CustomerId>
    ): Effect.Effect<ReadonlyArray<PersonalRows>, never, CurrentTenant>
  }
>()("@quittance/persistence/PersonalRowsRepo") {
  static readonly layer = Layer.effect(
    PersonalRowsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      /** The policies that these customers were ever on, and whether others were, too. */
      const policies = (tenantId: string, ids: ReadonlyArray<string>) => sql`
        SELECT l.policy_id AS id, bool_or(l.customer_id <> ALL (${ids})) AS is_shared
        FROM customer_policy l WHERE l.tenant_id = ${tenantId} AND l.policy_id IN (
          SELECT own.policy_id FROM customer_policy own
          WHERE own.tenant_id = ${tenantId} AND own.customer_id = ANY (${ids})
        )
        GROUP BY l.policy_id`

      /** Rows of a policy with other persons on it are left out, and counted. */
      const ofPolicies = (
        tenantId: string,
        { hidden, subject, table }: ExportedTable,
        ids: ReadonlyArray<string>
      ) => sql`
        SELECT coalesce(jsonb_agg(to_jsonb(t) - ${[...hidden]}::text[]) FILTER (WHERE NOT p.is_shared), '[]')
          AS rows, (count(*) FILTER (WHERE p.is_shared))::int AS left_out
        FROM (${policies(tenantId, ids)}) p
        JOIN ${sql(table)} t ON t.tenant_id = ${tenantId} AND t.${sql(subject.column)} = p.id`

      /** Rows that name a customer, and rows that are found through those of another table. */
      const belongs = (
        tenantId: string,
        subject: DataSubject,
        ids: ReadonlyArray<string>
      ): Statement.Fragment => {
        if (subject.kind !== "THROUGH") return sql`${sql(subject.column)} = ANY (${ids})`
        const { column, key, table } = subject
        return sql`${sql(column)} IN (
          SELECT ${sql(key)} FROM ${sql(table)}
          WHERE tenant_id = ${tenantId} AND ${belongs(tenantId, dataTables.get(table)!.subject!, ids)}
        )`
      }

      const ofCustomers = (
        tenantId: string,
        { hidden, subject, table }: ExportedTable,
        ids: ReadonlyArray<string>
      ) => sql`
        SELECT coalesce(jsonb_agg(to_jsonb(t) - ${[...hidden]}::text[]), '[]') AS rows, 0 AS left_out
        FROM ${sql(table)} t
        WHERE t.tenant_id = ${tenantId} AND ${belongs(tenantId, subject, ids)}`

      const of = Effect.fn("PersonalRowsRepo.of")(
        function* (ids: ReadonlyArray<CustomerId>) {
          const tenantId = yield* CurrentTenant
          return yield* Effect.forEach(exportedTables, (table) => {
            const statement = table.subject.kind === "POLICY" ? ofPolicies : ofCustomers
            return tenantSql.read(statement(tenantId, table, ids)).pipe(
              Effect.flatMap(([row]) => decode(row)),
              Effect.map((found): PersonalRows => ({ table, ...found }))
            )
          })
        },
        tenantSql.snapshot,
        Effect.orDie
      )

      return PersonalRowsRepo.of({ of })
    })
  )
}
