/** What a migration fills, it fills once and tenant by tenant. */
import { assert, layer } from "@effect/vitest"
import * as PgTest from "@quittance/testing/PgTest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { backfill } from "../../src/sql/Backfill.ts"
import { allow } from "../../src/sql/TenantTable.ts"

const tenants = [
  ["acme", 5],
  ["globex", 4],
  ["initech", 0]
] as const

layer(PgTest.layerDatabase)("a migration that fills what it adds", (it) => {
  it.effect("reaches every row of every tenant, so many at a time", () =>
    Effect.gen(function* () {
      const superuser = yield* PgTest.SuperuserSql
      for (const [tenant, rows] of tenants) {
        yield* superuser`
          INSERT INTO tenant (tenant_id, name, environment, locale, currency, time_zone)
          VALUES (${tenant}, ${tenant}, 'sandbox', 'fr-FR', 'EUR', 'Europe/Paris')
        `
        yield* superuser`
          INSERT INTO brokerage_firm (tenant_id, id, name, firm_type, path)
          SELECT ${tenant}, 'firm_' || n, 'Firm', 'RETAIL', ARRAY['firm_' || n]
          FROM generate_series(1, ${rows}::int) n
        `
      }
      const sql = yield* PgTest.OwnerSql
      const batches: Array<string> = []
      const fill = backfill(
        "brokerage_firm",
        ({ after, tenantId, upTo }) => {
          batches.push(`${tenantId} ${upTo}`)
          return sql`
            UPDATE brokerage_firm SET name = name || ' filled'
            WHERE tenant_id = ${tenantId} AND id > ${after} AND id <= ${upTo}
          `
        },
        2
      )
      yield* sql.withTransaction(Effect.provideService(fill, SqlClient.SqlClient, sql))

      assert.deepStrictEqual(batches, [
        "acme firm_2",
        "acme firm_4",
        "acme firm_5",
        "globex firm_2",
        "globex firm_4"
      ])
      const [row] = yield* superuser`
        SELECT count(*)::int AS all, count(*) FILTER (WHERE name = 'Firm filled')::int AS filled
        FROM brokerage_firm
      `
      assert.deepStrictEqual(row, { all: 9, filled: 9 })
    })
  )

  it.effect("gives the runtime role a right that the table did not have", () =>
    Effect.gen(function* () {
      const sql = yield* PgTest.OwnerSql
      const may = sql`SELECT has_table_privilege('quittance_runtime', 'brokerage_firm', 'DELETE') AS may`
      const before = yield* may
      yield* Effect.provideService(allow("brokerage_firm", ["DELETE"]), SqlClient.SqlClient, sql)
      assert.deepStrictEqual([...before, ...(yield* may)], [{ may: false }, { may: true }])
    })
  )
})
