/** What row level security means for plans: an index that the tenant leads must stay of use. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TenantSql } from "../../src/sql/TenantSql.ts"
import * as TenantTable from "../../src/sql/TenantTable.ts"
import * as PgTest from "@quittance/testing/PgTest"
import { as } from "../Ledger.ts"
import { TenantId } from "@quittance/domain/requests/Tenancy"

const create = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE item (
      tenant_id text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, at timestamptz NOT NULL,
      amount bigint NOT NULL, tags jsonb NOT NULL, PRIMARY KEY (tenant_id, id)
    )
  `
  yield* sql`CREATE INDEX item_at ON item (tenant_id, at, id)`
  yield* sql`
    INSERT INTO item SELECT 'tenant-' || n % 20, 'i' || n, now() - n * interval '1 hour', n, '{}'
    FROM generate_series(1, 20000) n
  `
  yield* TenantTable.protect("item", ["SELECT"])
  yield* sql`ANALYZE item`
})

const withItems = Layer.effectDiscard(
  Effect.provideServiceEffect(create, SqlClient.SqlClient, PgTest.OwnerSql)
).pipe(Layer.provideMerge(PgTest.layer))

interface Node {
  readonly "Node Type": string
  readonly "Index Name"?: string
  readonly "Index Cond"?: string
  readonly "Parent Relationship"?: string
  readonly "Actual Loops": number
  readonly "Actual Rows": number
  readonly Plans?: ReadonlyArray<Node>
}

/** The nodes of the plan that a query of a tenant runs by. */
const planOf = Effect.fnUntraced(function* (query: string) {
  const sql = yield* SqlClient.SqlClient
  const { read, transaction } = yield* TenantSql
  const explained = yield* read(
    sql.unsafe<{ readonly "QUERY PLAN": readonly [{ readonly Plan: Node }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${query}`
    )
  ).pipe(transaction, as(TenantId.make("tenant-7")))
  const nodes: Array<Node> = []
  const walk = (node: Node) => {
    nodes.push(node)
    node.Plans?.forEach(walk)
  }
  walk(Object.values(explained[0]!)[0]![0].Plan)
  return nodes
})

layer(withItems)("row level security", (it) => {
  it.effect.each([
    ["no condition", "SELECT * FROM item"],
    ["a key", "SELECT * FROM item WHERE id = 'i7'"],
    ["a range of texts", "SELECT * FROM item WHERE id >= 'i7' AND id < 'i8'"],
    ["a range of instants", "SELECT * FROM item WHERE at > now() - interval '1 day'"],
    ["an order", "SELECT * FROM item ORDER BY at LIMIT 5"],
    ["a list of keys", "SELECT * FROM item WHERE id = ANY(ARRAY['i7', 'i8'])"]
  ])("searches an index by the tenant with %s", ([what, query]) =>
    Effect.gen(function* () {
      const conditions = (yield* planOf(query!)).flatMap((node) => node["Index Cond"] ?? [])

      assert.lengthOf(conditions, 1)
      assert.include(conditions[0], "tenant_id = (InitPlan")
      if (what !== "no condition" && what !== "an order")
        assert.match(conditions[0]!, /\b(id|at)\b/u)
    })
  )

  it.effect("searches no index by an operator that might leak", () =>
    Effect.gen(function* () {
      const conditions = (yield* planOf("SELECT * FROM item WHERE id LIKE 'i77%'")).flatMap(
        (node) => node["Index Cond"] ?? []
      )

      assert.lengthOf(conditions, 1)
      assert.notMatch(conditions[0]!, /\bid\b/u)
    })
  )

  it.effect("asks for the tenant once per table, not once per row", () =>
    Effect.gen(function* () {
      const nodes = yield* planOf("SELECT * FROM item a JOIN item b USING (amount)")
      const asked = nodes.filter((node) => node["Parent Relationship"] === "InitPlan")

      assert.deepStrictEqual(
        asked.map((node) => node["Actual Loops"]),
        [1, 1]
      )
    })
  )
})
