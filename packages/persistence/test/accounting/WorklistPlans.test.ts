/** How PostgreSQL finds a worklist in a database of very many policies: by indexes that the tenant leads. */
import { assert, layer } from "@effect/vitest"
import { worklistKinds } from "@quittance/domain/accounting/Worklist"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { WorklistRepo } from "../../src/accounting/WorklistRepo.ts"
import { TenantSql } from "../../src/sql/TenantSql.ts"
import { TenantsRepo } from "../../src/tenants/TenantsRepo.ts"
import * as PgTest from "@quittance/testing/PgTest"
import { inTenant, inTransaction } from "../People.ts"
import { Recording, Statements } from "../Statements.ts"

const Live = WorklistRepo.layer.pipe(
  Layer.provide(Recording),
  Layer.provideMerge(Statements.layer),
  Layer.provideMerge(TenantsRepo.layer),
  Layer.provideMerge(PgTest.layer)
)

const many = 20_000

/** Balances, notices and arrears of another tenant, and one balance of this one. */
const crowd = Effect.gen(function* () {
  const sql = yield* PgTest.SuperuserSql
  const tenantId = yield* CurrentTenant
  const policy = sql.literal("'policy_test_' || n")
  const customer = sql.literal("'customer_test_' || n")
  yield* sql.withTransaction(
    Effect.all([
      // The policies and customers themselves are not what this is about.
      sql`SET LOCAL session_replication_role = replica`,
      sql`
        INSERT INTO owed_balance (tenant_id, policy_id, customer_id, currency, amount, since)
        SELECT CASE n WHEN 1 THEN ${tenantId} ELSE 'another' END, ${policy}, ${customer}, 'EUR',
          n % 3, timestamptz '2026-01-01' + n * interval '1 minute'
        FROM generate_series(1, ${many}::int) n
      `,
      sql`
        INSERT INTO notice (tenant_id, id, policy_id, customer_id, invoice_ids, status, channel,
          created_at)
        SELECT 'another', 'formal_notice_test_' || n, ${policy}, ${customer}, '{}', 'TO_SEND', 'LETTER',
          timestamptz '2026-01-01'
        FROM generate_series(1, ${many}::int) n
      `,
      sql`
        INSERT INTO receivable (tenant_id, policy_id, customer_id, product_id, time_zone, status,
          policy_created_at, search, unpaid_count, oldest_issued_at, unpaid_issued_at)
        SELECT 'another', ${policy}, ${customer}, 'motor', 'Europe/Paris', 'POLICY_STARTED', at, '', 1,
          at, ARRAY[at]
        FROM generate_series(1, ${many}::int) n, (SELECT timestamptz '2026-01-01' AS at) t
      `
    ])
  )
  yield* sql`ANALYZE owed_balance, notice, receivable`
})

interface Node {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Index Name"?: string
  readonly "Index Cond"?: string
  readonly Plans?: ReadonlyArray<Node>
}

const nodesOf = (node: Node): ReadonlyArray<Node> => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

layer(Live, { excludeTestServices: true })("the worklist of a tenant beside larger ones", (it) => {
  it.effect("looks through no table as a whole, and at no row of another tenant", () =>
    inTenant(
      Effect.gen(function* () {
        yield* crowd
        const repo = yield* WorklistRepo
        const sql = yield* SqlClient.SqlClient
        const statements = yield* Statements
        const { read } = yield* TenantSql
        statements.length = 0
        yield* repo.list({
          kinds: worklistKinds,
          page: { count: 10, page: 1 },
          coverage: { _tag: "Tenant" },
          mayDo: () => ({ _tag: "Tenant" })
        })
        assert.lengthOf(statements, 2)
        for (const statement of statements) {
          const [row] = yield* inTransaction(
            read(
              sql<{ readonly queryPlan: ReadonlyArray<{ readonly Plan: Node }> }>`
                EXPLAIN (FORMAT JSON) ${statement}
              `
            )
          )
          const nodes = Object.values(row ?? {}).flatMap((plan) =>
            plan.flatMap(({ Plan }) => nodesOf(Plan))
          )
          for (const table of ["owed_balance", "notice", "receivable"]) {
            const scans = nodes.filter((node) => node["Relation Name"] === table)
            assert.isNotEmpty(scans, table)
            for (const scan of scans) {
              assert.notInclude(scan["Node Type"], "Seq Scan", table)
            }
          }
          const searched = nodes.filter((node) => node["Index Name"] !== undefined)
          assert.isNotEmpty(searched)
          for (const node of searched) {
            assert.include(node["Index Cond"] ?? "", "tenant_id", node["Index Name"])
          }
        }
      })
    )
  )
})
