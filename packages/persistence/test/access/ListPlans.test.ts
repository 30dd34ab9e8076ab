/** How PostgreSQL runs the lists of people and firms in a tenant that has very many of them. */
import type { Coverage } from "@quittance/auth/Grants"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { type FirmFilter, FirmsRepo } from "../../src/access/FirmsRepo.ts"
import { TenantSql } from "../../src/sql/TenantSql.ts"
import { TenantsRepo } from "../../src/tenants/TenantsRepo.ts"
import * as PgTest from "@quittance/testing/PgTest"
import type { UserFilter } from "../../src/access/UserQuery.ts"
import { UsersRepo } from "../../src/access/UsersRepo.ts"
import { inTenant, inTransaction } from "../People.ts"
import { Recording, Statements } from "../Statements.ts"
import type { BrokerageFirmId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const Live = Layer.mergeAll(UsersRepo.layer, FirmsRepo.layer).pipe(
  Layer.provide(Recording),
  Layer.provideMerge(Statements.layer),
  Layer.provideMerge(TenantsRepo.layer),
  Layer.provideMerge(PgTest.layer)
)

/** 4,000 firms, half of them below another, and 40,000 people of them. */
const crowd = Effect.gen(function* () {
  const sql = yield* PgTest.SuperuserSql
  const tenantId = yield* CurrentTenant
  // Digits that no identifier has, as letters.
  const id = (prefix: string, n: string) =>
    sql.literal(`'${prefix}_test_' || translate(lpad((${n})::text, 21, '0'), '0125', 'ABCD')`)
  yield* sql`
    INSERT INTO brokerage_firm (tenant_id, id, name, firm_type, path, parent_brokerage_firm_id)
    SELECT ${tenantId}, ${id("brokerage_firm", "n")}, 'Firm ' || n, 'RETAIL', p.path, p.path[2]
    FROM generate_series(1, 4000) n, LATERAL (SELECT CASE
      WHEN n <= 2000 THEN ARRAY[${id("brokerage_firm", "n")}]
      ELSE ARRAY[${id("brokerage_firm", "n")}, ${id("brokerage_firm", "n - 2000")}] END AS path) p
  `
  yield* sql`
    INSERT INTO app_user (tenant_id, id, email, first_name, last_name, status, brokerage_firm_id)
    SELECT ${tenantId}, ${id("user", "n")}, n || '@x.test', 'Ada', 'Byron', 'INVITED',
      ${id("brokerage_firm", "1 + n % 4000")}
    FROM generate_series(1, 40000) n
  `
  yield* sql`ANALYZE brokerage_firm, app_user`
})

interface Node {
  readonly "Node Type": string
  readonly "Index Name"?: string
  readonly "Relation Name"?: string
  readonly Plans?: ReadonlyArray<Node>
}

/** How each statement of the list reads its table: the kinds of node, and the indexes. */
const plansOf = Effect.fnUntraced(function* <A, E, R>(list: Effect.Effect<A, E, R>) {
  const statements = yield* Statements
  statements.length = 0
  yield* list
  const [page, count] = yield* Effect.forEach([...statements], (statement) => explained(statement))
  return { page: page!, count: count! }
})

const explained = Effect.fnUntraced(function* (statement: Statement.Fragment) {
  const sql = yield* SqlClient.SqlClient
  const { read } = yield* TenantSql
  const explain = sql<{ readonly queryPlan: ReadonlyArray<{ readonly Plan: Node }> }>`
    EXPLAIN (FORMAT JSON) ${statement}
  `
  const [row] = yield* inTransaction(read(explain))
  const nodes: Array<string> = []
  const visit = (node: Node): void => {
    nodes.push([node["Node Type"], node["Index Name"]].filter((part) => part).join(" "))
    node.Plans?.forEach(visit)
  }
  Object.values(row ?? {})[0]?.forEach(({ Plan }) => visit(Plan))
  return nodes
})

const letters = ["A", "B", "C", "3", "4", "D"]
const idOf = (prefix: string, n: number) =>
  `${prefix}_test_${String(n)
    .padStart(21, "0")
    .replace(/\d/gu, (digit) => letters[Number(digit)] ?? digit)}`
const firmIds = [7, 2007, 3000].map((n) => idOf("brokerage_firm", n) as BrokerageFirmId)
const tenantWide: Coverage = { _tag: "Tenant" }
const records: Coverage = {
  _tag: "Records",
  firmIds,
  recordIds: [idOf("user", 5), idOf("user", 6)]
}
const page = { count: 10, page: 1 }

const users = (coverage: Coverage, filter: UserFilter = {}) =>
  plansOf(UsersRepo.use((repo) => repo.list({ coverage, filter, page })))
const firms = (coverage: Coverage, filter: FirmFilter = {}) =>
  plansOf(FirmsRepo.use((repo) => repo.list({ coverage, filter, page })))

const assertNoScan = (nodes: ReadonlyArray<string>) =>
  assert.notInclude(nodes, "Seq Scan", nodes.join(", "))

layer(Live, { excludeTestServices: true })("the lists of a crowd", (it) => {
  it.effect(
    "read by an index what few firms and records cover, and a page of all in its order",
    () =>
      inTenant(
        Effect.gen(function* () {
          yield* crowd
          for (const plan of [
            yield* users(records),
            yield* users(records, { statuses: ["INVITED"], words: "ada" }),
            yield* users(tenantWide, { brokerageFirmId: firmIds[0] }),
            yield* firms(records),
            yield* firms(records, { firmType: "RETAIL", words: "firm" }),
            yield* firms(tenantWide, { parentBrokerageFirmId: firmIds[0] })
          ]) {
            assertNoScan(plan.page)
            assertNoScan(plan.count)
          }
          for (const [{ page }, index] of [
            [yield* users(tenantWide), "app_user_email_key"],
            [yield* firms(tenantWide), "brokerage_firm_created"]
          ] as const) {
            assert.include(page, `Index Scan ${index}`)
            assert.notInclude(page, "Sort")
          }
        })
      )
  )

  it.effect("count what is covered, no more", () =>
    inTenant(
      Effect.gen(function* () {
        const repo = yield* UsersRepo
        yield* crowd
        const covered = yield* repo.list({ coverage: records, filter: {}, page })
        // Ten people of each firm, and two by themselves, of whom one is of such a firm.
        assert.strictEqual(covered.total, 31)
        assert.strictEqual(covered.users.length, 10)
        const all = yield* repo.list({ coverage: tenantWide, filter: {}, page })
        assert.strictEqual(all.total, 40_000)
        const nothing: Coverage = { _tag: "Records", firmIds: [], recordIds: [] }
        const none = yield* repo.list({ coverage: nothing, filter: {}, page })
        assert.deepStrictEqual(none, { users: [], total: 0 })
      })
    )
  )
})
