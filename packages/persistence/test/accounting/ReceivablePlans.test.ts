/** How PostgreSQL pages through the accounting summary of a tenant in which very many owe something. */
import { assert, layer } from "@effect/vitest"
import { orderKeys } from "@quittance/domain/accounting/AccountingSummary"
import type { Instant } from "@quittance/domain/values/Instant"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type ReceivableQuery, ReceivablesRepo } from "../../src/accounting/ReceivablesRepo.ts"
import { TenantSql } from "../../src/sql/TenantSql.ts"
import { TenantsRepo } from "../../src/tenants/TenantsRepo.ts"
import * as PgTest from "@quittance/testing/PgTest"
import { inTenant, inTransaction } from "../People.ts"
import { Recording, Statements } from "../Statements.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { directions } from "@quittance/domain/values/Page"

const Live = ReceivablesRepo.layer.pipe(
  Layer.provide(Recording),
  Layer.provideMerge(Statements.layer),
  Layer.provideMerge(TenantsRepo.layer),
  Layer.provideMerge(PgTest.layer)
)

const owing = 20_000

const arrears = Effect.gen(function* () {
  const sql = yield* PgTest.SuperuserSql
  const tenantId = yield* CurrentTenant
  // Digits that no identifier has, as letters.
  const id = (prefix: string) =>
    sql.literal(`'${prefix}_test_' || translate(lpad(n::text, 21, '0'), '0125', 'ABCD')`)
  yield* sql.withTransaction(
    Effect.all([
      // The policies and customers themselves are not what this is about.
      sql`SET LOCAL session_replication_role = replica`,
      // VACUUM takes no row for visible to all whose commit is not on the disk yet.
      sql`SET LOCAL synchronous_commit = on`,
      sql`
        INSERT INTO receivable (tenant_id, policy_id, customer_id, product_id, time_zone, status,
          customer_name, policy_created_at, search, unpaid_count, oldest_issued_at,
          unpaid_issued_at, last_formal_notice_sent_at)
        SELECT ${tenantId}, ${id("policy")}, ${id("customer")}, 'motor', 'Europe/Paris',
          'POLICY_STARTED', 'name ' || n * 7919 % 9000, at, ' name ' || n, 1, at, ARRAY[at],
          CASE n % 5 WHEN 0 THEN at END
        FROM generate_series(1, ${owing}::int) n,
          LATERAL (SELECT timestamptz '2026-01-01' + n * 7919 % 900 * interval '1 hour' AS at) t
      `,
      sql`
        INSERT INTO customer_word (tenant_id, word, customer_id)
        SELECT tenant_id, part, customer_id FROM receivable, search_parts(search) AS part
        WHERE tenant_id = ${tenantId}
      `
    ])
  )
  yield* sql`VACUUM ANALYZE receivable, customer_word`
})

interface Node {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Index Name"?: string
  readonly Plans?: ReadonlyArray<Node>
}

const flat = (node: Node): ReadonlyArray<string> => [
  `${node["Node Type"]} ${node["Index Name"] ?? node["Relation Name"] ?? ""}`.trim(),
  ...(node.Plans ?? []).flatMap(flat)
]

/** The plans of what a query asks for: of the page, and of all else. */
const plansOf = Effect.fnUntraced(function* (query: ReceivableQuery) {
  const repo = yield* ReceivablesRepo
  const sql = yield* SqlClient.SqlClient
  const statements = yield* Statements
  const { read } = yield* TenantSql
  statements.length = 0
  yield* repo.list(query)
  return yield* Effect.forEach([...statements], (statement) =>
    Effect.map(
      inTransaction(
        read(
          sql<{ readonly queryPlan: ReadonlyArray<{ readonly Plan: Node }> }>`
            EXPLAIN (FORMAT JSON) ${statement}
          `
        )
      ),
      ([row]) => Object.values(row ?? {}).flatMap((plan) => plan.flatMap(({ Plan }) => flat(Plan)))
    )
  )
})

const planOf = (query: ReceivableQuery) => Effect.map(plansOf(query), ([page]) => page!)

const query = (more: Partial<ReceivableQuery>): ReceivableQuery => ({
  coverage: { _tag: "Tenant" },
  filter: {},
  now: "2026-06-01T00:00:00.000Z" as Instant,
  order: { by: "oldestUnpaidInvoiceIssuedAt", direction: "ASC" },
  page: { page: 1, count: 10 },
  ...more
})

layer(Live, { excludeTestServices: true })("the accounting summary of very many", (it) => {
  it.effect("is paged alike on page 1 and on page 1,000, and looks at no policy", () =>
    inTenant(
      Effect.gen(function* () {
        yield* arrears
        const first = yield* planOf(query({}))
        assert.include(first, "Index Only Scan receivable_oldest")
        for (const by of orderKeys) {
          for (const direction of directions) {
            const order = { by, direction }
            const [near, far] = [
              yield* planOf(query({ order })),
              yield* planOf(query({ order, page: { page: 1_000, count: 10 } }))
            ]
            assert.deepStrictEqual(far, near, `${by} ${direction}`)
            assert.isFalse(near.some((node) => / policy(?:_|$)/u.test(node)))
          }
        }
      })
    )
  )
  it.effect("is found by words that few have without a look at all of it", () =>
    inTenant(
      Effect.gen(function* () {
        yield* arrears
        const words = query({ filter: { words: "name 1234" } })
        const plans = yield* plansOf(words)
        assert.lengthOf(plans, 3)
        for (const plan of plans) {
          // By the index alone, or by a bitmap of it: which of them depends on what was sampled.
          assert.isTrue(
            plan.some((node) => node.endsWith("Scan customer_word_pkey")),
            plan.join(", ")
          )
          assert.isFalse(
            plan.some((node) => node.startsWith("Seq Scan")),
            plan.join(", ")
          )
        }
        for (const plan of plans.slice(1)) assert.include(plan, "Index Scan receivable_customer")
        const repo = yield* ReceivablesRepo
        // Itself, and ten that go on.
        assert.strictEqual((yield* repo.list(words)).total, 11)
      })
    )
  )
})
