/**
 * `TenantSql.read` and `lookup` set the tenant and run the query in one statement, so its answer hangs on the
 * order in which the parts of a plan run. Here every shape of query runs under every kind of plan,
 * for many tenants at once, and is held against the plain truth.
 */
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Database } from "../../src/sql/Database.ts"
import * as Sql from "../../src/sql/Sql.ts"
import { TenantSql } from "../../src/sql/TenantSql.ts"
import { SuperuserSql } from "@quittance/testing/PgTest"
import * as Ledger from "../Ledger.ts"
import { shapes, type Sources } from "../Queries.ts"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"

/** What makes PostgreSQL choose other plans for the same query. */
const plans: Record<string, Record<string, string>> = {
  "of its own choice": {},
  "without nested loops": { enable_nestloop: "off" },
  "with nested loops only": { enable_hashjoin: "off", enable_mergejoin: "off" },
  "with merge joins only": { enable_hashjoin: "off", enable_nestloop: "off" },
  "without indexes": {
    enable_indexscan: "off",
    enable_indexonlyscan: "off",
    enable_bitmapscan: "off"
  },
  "with indexes only": { enable_seqscan: "off" },
  "without keeping results": { enable_material: "off", enable_memoize: "off" },
  "without hashed groups": { enable_hashagg: "off", enable_incremental_sort: "off" },
  "without sorting": { enable_sort: "off" },
  "in the written order": { join_collapse_limit: "1", from_collapse_limit: "1" },
  "by the genetic optimiser": { geqo_threshold: "2", geqo_effort: "10" },
  "as if rows cost nothing": {
    cpu_tuple_cost: "0",
    cpu_index_tuple_cost: "0",
    cpu_operator_cost: "0",
    seq_page_cost: "0",
    random_page_cost: "0"
  },
  "as if rows cost much": { cpu_tuple_cost: "1000" },
  "as if operators cost much": { cpu_operator_cost: "1000" },
  "made once": { plan_cache_mode: "force_generic_plan" },
  "made each time": { plan_cache_mode: "force_custom_plan" },
  "in parallel": {
    debug_parallel_query: "on",
    parallel_setup_cost: "0",
    parallel_tuple_cost: "0",
    min_parallel_table_scan_size: "0"
  },
  "in little memory": { work_mem: "64kB" }
}

/** Six tenants of different size, the third with no books at all; the same ids in all of them. */
const tenants = [1, 40, 0, 3, 12, 5].map((books, place) => ({
  tenant: TenantId.make(`tenant-${place}`),
  books
}))

const fill = Effect.gen(function* () {
  const sql = yield* SuperuserSql
  yield* Effect.forEach(tenants, ({ books, tenant }, place) =>
    Effect.andThen(
      sql`
        INSERT INTO book SELECT ${tenant}, 'b' || n, (n * ${7 + place}::int) % 50
        FROM generate_series(1, ${books}::int) n
      `,
      sql`
        INSERT INTO line SELECT tenant_id, id, k FROM book, generate_series(1, 3) k
        WHERE tenant_id = ${tenant} AND amount % 3 < k
      `
    )
  )
})

/** The rows of one tenant by name, for one whom row level security does not bind. */
const rowsOf = (sql: SqlClient.SqlClient, tenant: TenantId): Sources => ({
  book: sql`(SELECT * FROM book WHERE tenant_id = ${tenant})`,
  line: sql`(SELECT * FROM line WHERE tenant_id = ${tenant})`
})

const tablesOf = (sql: SqlClient.SqlClient): Sources => ({ book: sql`book`, line: sql`line` })

/** Every shape for every tenant, and its answer. */
const truth = Effect.gen(function* () {
  const sql = yield* SuperuserSql
  return yield* Effect.forEach(
    tenants.flatMap(({ tenant }) => Object.keys(shapes).map((name) => ({ name, tenant }))),
    ({ name, tenant }) =>
      Effect.map(shapes[name]!(sql, rowsOf(sql, tenant)), (rows) => ({ name, tenant, rows }))
  )
})

/** Connections of the runtime role whose sessions plan in the given way. */
const planning = (settings: Record<string, string>) =>
  TenantSql.layer.pipe(
    Layer.provideMerge(Sql.layer),
    Layer.provide(
      Layer.effect(
        Database,
        Effect.map(Database, ({ ownerUrl, url }) => {
          const planned = new URL(Redacted.value(url))
          const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)
          planned.searchParams.set("options", options.join(" "))
          return Database.of({ url: Redacted.make(planned.href), ownerUrl })
        })
      )
    ),
    Layer.fresh
  )

/** That the sessions did plan in that way. */
const assertSettings = Effect.fnUntraced(function* (settings: Record<string, string>) {
  const sql = yield* SqlClient.SqlClient
  for (const [name, value] of Object.entries(settings)) {
    const [row] = yield* sql`SELECT current_setting(${name}) AS value`
    assert.strictEqual(row!.value, value)
  }
})

const filled = Layer.provideMerge(Layer.effectDiscard(fill), Ledger.layer)
const analysed = Layer.provideMerge(
  Layer.effectDiscard(Effect.flatMap(SuperuserSql, (sql) => sql`ANALYZE book, line`)),
  filled
)

describe.each([
  { knowledge: "with no statistics", tables: filled },
  { knowledge: "with fresh statistics", tables: analysed }
])("TenantSql $knowledge", ({ tables }) => {
  layer(tables)((it) => {
    it.effect.each(Object.entries(plans))("answers the truth with plans %s", ([, settings]) =>
      Effect.gen(function* () {
        const expected = yield* truth
        const ask = Effect.fnUntraced(function* ({ how, name, rows, tenant }: Turn) {
          const sql = yield* SqlClient.SqlClient
          const tenantSql = yield* TenantSql
          const answer = yield* tenantSql[how](shapes[name]!(sql, tablesOf(sql))).pipe(
            Effect.provideService(CurrentTenant, tenant)
          )
          assert.deepStrictEqual(answer, rows, `${name} of ${tenant}`)
        })
        type Turn = (typeof turns)[number]
        // Tenants and shapes follow each other in another order in each turn.
        const turns = ([5, 11] as const).flatMap((stride) =>
          expected.map((_, place) => ({
            ...expected[(place * stride) % expected.length]!,
            how: stride === 5 ? ("read" as const) : ("lookup" as const)
          }))
        )

        yield* Effect.forEach(turns, ask, { concurrency: 16, discard: true }).pipe(
          Effect.andThen(assertSettings(settings)),
          Effect.provide(planning(settings))
        )
      })
    )
  })
})
