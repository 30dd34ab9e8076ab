/** How PostgreSQL reads, seals and verifies the audit trail of a tenant in which very much has happened. */
import type { ListAudit } from "@quittance/domain/audit/AuditRequests"
import { assert, layer } from "@effect/vitest"
import type { Instant } from "@quittance/domain/values/Instant"
import { Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { AuditChainRepo } from "../../src/audit/AuditChainRepo.ts"
import { AuditRepo } from "../../src/audit/AuditRepo.ts"
import { TenantSql } from "../../src/sql/TenantSql.ts"
import { TenantsRepo } from "../../src/tenants/TenantsRepo.ts"
import * as PgTest from "@quittance/testing/PgTest"
import { inTenant, inTransaction } from "../People.ts"
import { Recording, Statements } from "../Statements.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const Live = Layer.mergeAll(AuditChainRepo.layer, AuditRepo.layer).pipe(
  Layer.provide(Recording),
  Layer.provideMerge(Statements.layer),
  Layer.provideMerge(TenantsRepo.layer),
  Layer.provideMerge(PgTest.layer)
)

/** 60,000 rows, all but the last 100 of them sealed, one in 500 a refusal. */
const eventful = Effect.gen(function* () {
  const sql = yield* PgTest.SuperuserSql
  const tenantId = yield* CurrentTenant
  yield* sql`
    INSERT INTO audit (tenant_id, id, recorded_at, business_at, actor_kind, actor_id, action, record_id,
      request_id, outcome, detail, position, hash, sealed_at)
    SELECT ${tenantId},
      -- Digits that no identifier has, as letters.
      'audit_entry_test_' || translate(lpad(n::text, 21, '0'), '0125', 'ABCD'), at, at, 'USER', 'user_' || n % 2000, 'action.' || n % 300,
      'policy_' || n % 9000, 'request_' || n, CASE n % 500 WHEN 0 THEN 'REFUSED' ELSE 'DONE' END, '{}',
      s.position, CASE WHEN s.position IS NOT NULL THEN sha256('x') END,
      CASE WHEN s.position IS NOT NULL THEN at END
    FROM generate_series(1, 60000) n,
      LATERAL (SELECT '2026-01-01'::timestamptz + n * interval '1 minute' AS at) t,
      LATERAL (SELECT CASE WHEN n <= 59900 THEN n END AS position) s
  `
  yield* sql`VACUUM ANALYZE audit`
})

interface Node {
  readonly "Node Type": string
  readonly "Index Name"?: string
  readonly "Relation Name"?: string
  readonly "Actual Rows"?: number
  readonly "Rows Removed by Filter"?: number
  readonly Plans?: ReadonlyArray<Node>
}

/** How a statement gets to the rows of the trail: kinds of node and indexes, and how many it passed over. */
const readsOf = Effect.fnUntraced(function* (statement: Statement.Fragment) {
  const sql = yield* SqlClient.SqlClient
  const { read } = yield* TenantSql
  const [row] = yield* inTransaction(
    read(
      sql<{ readonly queryPlan: ReadonlyArray<{ readonly Plan: Node }> }>`
        EXPLAIN (ANALYZE, FORMAT JSON) ${statement}
      `
    )
  )
  const reads: Array<string> = []
  let passed = 0
  const visit = (node: Node): void => {
    const index = node["Index Name"]
    if (index !== undefined) reads.push(index)
    else if (node["Relation Name"] === "audit" && !node["Node Type"].startsWith("Bitmap")) {
      reads.push(node["Node Type"])
    }
    passed += node["Rows Removed by Filter"] ?? 0
    node.Plans?.forEach(visit)
  }
  const plan = Object.values(row ?? {})[0]
  plan?.forEach(({ Plan }) => visit(Plan))
  return { reads, passed }
})

/** The plans of all that an effect of a repository has executed. */
const plansOf = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const statements = yield* Statements
  statements.length = 0
  yield* effect
  return yield* Effect.forEach([...statements], readsOf)
})

const at = (text: string) => text as Instant
const filters: ReadonlyArray<readonly [string, ListAudit]> = [
  ["audit_actor", { actorId: "user_7" }],
  ["audit_record", { recordId: "policy_7" }],
  ["audit_action", { action: "action.7" }],
  ["audit_refused", { outcome: "REFUSED" }],
  ["audit_pkey", { from: at("2026-01-20T00:00:00.000Z"), to: at("2026-01-20T06:00:00.000Z") }],
  ["audit_record", { recordId: "policy_7", outcome: "DONE", from: at("2026-01-01T00:00:00.000Z") }]
]

layer(Live, { excludeTestServices: true })("an audit trail with very much in it", (it) => {
  it.effect("is listed by its indexes, whatever it is narrowed to", () =>
    inTenant(
      Effect.gen(function* () {
        yield* eventful
        const repo = yield* AuditRepo
        for (const [index, filter] of filters) {
          const plans = yield* plansOf(repo.list(filter, { count: 10, page: 1 }))
          assert.strictEqual(plans.length, 2)
          for (const { passed, reads } of plans) {
            assert.deepStrictEqual(reads, [index], JSON.stringify(filter))
            assert.isAtMost(passed, 10, JSON.stringify(filter))
          }
        }
        const whole = repo.list({}, { count: 10, page: 1 })
        const [page, count] = yield* plansOf(whole)
        assert.deepStrictEqual(page, { reads: ["audit_pkey"], passed: 0 })
        assert.deepStrictEqual(count!.reads.sort(), ["audit_position", "audit_unsealed"])
        assert.strictEqual((yield* whole).total, 60_000)
      })
    )
  )

  it.effect("is sealed and verified without looking at the rows that are not concerned", () =>
    inTenant(
      Effect.gen(function* () {
        yield* eventful
        const repo = yield* AuditChainRepo
        const [signs, unsealed] = yield* plansOf(inTransaction(repo.take(1000)))
        assert.notInclude(signs!.reads, "Seq Scan")
        assert.deepStrictEqual(unsealed, { reads: ["audit_unsealed"], passed: 0 })
        const [standing] = yield* plansOf(repo.standing)
        assert.notInclude(standing!.reads, "Seq Scan")
        const [batch] = yield* plansOf(repo.sealed({ after: 30_000, upTo: 32_000, limit: 2_001 }))
        assert.deepStrictEqual(batch, { reads: ["audit_position"], passed: 0 })
        const latest = { recordedAt: "1774000000.000000", sealedAt: "1774000000.000000" }
        const [waiting] = yield* plansOf(repo.unsealed)
        const [overdue] = yield* plansOf(repo.overdue(latest, 300))
        for (const { reads } of [waiting!, overdue!]) {
          assert.deepStrictEqual([...new Set(reads)], ["audit_unsealed"])
        }
      })
    )
  )
})
