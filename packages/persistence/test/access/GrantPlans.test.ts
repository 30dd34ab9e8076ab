/** How PostgreSQL runs the checks in a tenant with many people, roles and firms. */
import { assert, layer } from "@effect/vitest"
import { UserId } from "@quittance/domain/requests/Caller"
import { CustomRoleId } from "@quittance/domain/access/Grant"
import { alphabet, suffixLength } from "@quittance/domain/values/PrefixedId"
import { Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { GrantsRepo } from "../../src/access/GrantsRepo.ts"
import { RolesRepo } from "../../src/access/RolesRepo.ts"
import { TenantSql } from "../../src/sql/TenantSql.ts"
import * as PgTest from "@quittance/testing/PgTest"
import { addFirm, as, give, inTenant, inTransaction, TestLayer } from "../People.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const Live = Layer.provideMerge(RolesRepo.layer, TestLayer)
const ada = UserId.make(`user_test_${alphabet.slice(0, suffixLength)}`)
const desk = CustomRoleId.make("CLAIMS_DESK")

/** 40,000 grants of others, 2,000 roles and 5,000 firms beside those of the test. */
const crowd = Effect.gen(function* () {
  const sql = yield* PgTest.SuperuserSql
  const tenantId = yield* CurrentTenant
  yield* sql`
    INSERT INTO role (tenant_id, id, name, actions)
    SELECT ${tenantId}, 'ROLE_' || n, 'x', '{policy.read,quote.read}' FROM generate_series(1, 2000) n
  `
  yield* sql`
    INSERT INTO brokerage_firm (tenant_id, id, name, firm_type, path)
    SELECT ${tenantId}, 'firm_' || n, 'x', 'RETAIL', ARRAY['firm_' || n]
    FROM generate_series(1, 5000) n
  `
  yield* sql`
    INSERT INTO permission_grant (tenant_id, subject_id, role, kind, brokerage_firm_id)
    SELECT ${tenantId}, 'user_' || n, 'ROLE_' || (1 + n % 2000), 'FIRM', 'firm_' || (1 + n % 5000)
    FROM generate_series(1, 40000) n
  `
  yield* sql`ANALYZE role, brokerage_firm, permission_grant`
})

interface Node {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly Plans?: ReadonlyArray<Node>
}

/** Each table that a statement reads, with how. */
const scansOf = Effect.fnUntraced(function* (statement: Statement.Fragment) {
  const sql = yield* SqlClient.SqlClient
  const { read } = yield* TenantSql
  const [row] = yield* inTransaction(
    read(
      sql<{ readonly queryPlan: ReadonlyArray<{ readonly Plan: Node }> }>`
        EXPLAIN (FORMAT JSON) SELECT ${statement} AS granted
      `
    )
  )
  const scans: Array<string> = []
  const visit = (node: Node): void => {
    const table = node["Relation Name"]
    if (table !== undefined) scans.push(`${node["Node Type"]} on ${table}`)
    node.Plans?.forEach(visit)
  }
  const plan = Object.values(row ?? {})[0]
  plan?.forEach(({ Plan }) => visit(Plan))
  return scans
})

layer(Live, { excludeTestServices: true })("a check among many", (it) => {
  it.effect("looks rows up by their keys, the roles of the tenant too", () =>
    inTenant(
      Effect.gen(function* () {
        const firm = yield* addFirm("North")
        yield* inTransaction(
          RolesRepo.use((roles) => roles.put({ id: desk, name: "Desk", actions: ["policy.read"] }))
        )
        yield* give(ada, { role: desk, on: { kind: "FIRM", brokerageFirmId: firm } })
        yield* crowd
        const sql = yield* SqlClient.SqlClient
        const repo = yield* GrantsRepo
        const conditions = yield* Effect.all([
          repo.onPolicy("policy.read", {
            policyId: sql`${"policy_1"}`,
            brokerageFirmId: sql`${firm}`
          }),
          repo.onFirm("policy.read", sql`${firm}`),
          repo.onUser("policy.read", { userId: sql`${ada}`, brokerageFirmId: sql`${firm}` })
        ]).pipe(as(ada))
        for (const condition of conditions) {
          const scans = yield* scansOf(condition)
          assert.deepStrictEqual([...new Set(scans.map((scan) => scan.split(" on ")[1]))].sort(), [
            "brokerage_firm",
            "permission_grant",
            "role"
          ])
          assert.deepStrictEqual(
            scans.filter((scan) => !scan.startsWith("Index")),
            []
          )
          const { read } = yield* TenantSql
          const [row] = yield* read(sql<{ granted: boolean }>`SELECT ${condition} AS granted`)
          assert.isTrue(row?.granted)
        }
      })
    )
  )
})
