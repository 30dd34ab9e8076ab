/** How PostgreSQL finds what is due where very many policies are due at one midnight. */
import { assert, layer } from "@effect/vitest"
import type { Instant } from "@quittance/domain/values/Instant"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { DueRepo } from "../../src/policies/DueRepo.ts"
import { TenantClockRepo } from "../../src/tenants/TenantClockRepo.ts"
import { TenantSql } from "../../src/sql/TenantSql.ts"
import { TenantsRepo } from "../../src/tenants/TenantsRepo.ts"
import * as PgTest from "@quittance/testing/PgTest"
import { inTenant, inTransaction } from "../People.ts"
import { Recording, Statements } from "../Statements.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const Live = DueRepo.layer.pipe(
  Layer.provide(TenantClockRepo.layer),
  Layer.provide(Recording),
  Layer.provideMerge(Statements.layer),
  Layer.provideMerge(TenantsRepo.layer),
  Layer.provideMerge(PgTest.layer)
)

const midnight = "2026-03-01T00:00:00.000Z" as Instant

const policies = Effect.gen(function* () {
  const sql = yield* PgTest.SuperuserSql
  const tenantId = yield* CurrentTenant
  yield* sql.withTransaction(
    Effect.all([
      // Products and branches are not what this is about.
      sql`SET LOCAL session_replication_role = replica`,
      sql`
        INSERT INTO policy (tenant_id, id, incremental_id, product_id, product_version, type,
          default_branch_id, change_seq, event_seq, status, created_at, last_modified_at, started_at,
          next_due_at)
        -- Digits that no identifier has, as letters.
        SELECT ${tenantId}, 'policy_test_' || translate(lpad(n::text, 21, '0'), '0125', 'ABCD'), n,
          'motor', '1', 'INDIVIDUAL', 'branch_test_' || translate(lpad(n::text, 21, '0'), '0125', 'ABCD'), 1, 1, 'POLICY_STARTED',
          now(), now(), now(), ${midnight}::timestamptz
        FROM generate_series(1, 20000) n
      `
    ])
  )
  yield* sql`VACUUM ANALYZE policy`
})

layer(Live, { excludeTestServices: true })("policies that are due at one midnight", (it) => {
  it.effect("are claimed in the order of the index, and no others are looked at", () =>
    inTenant(
      Effect.gen(function* () {
        yield* policies
        const repo = yield* DueRepo
        const sql = yield* SqlClient.SqlClient
        const { read } = yield* TenantSql
        assert.lengthOf(yield* inTransaction(repo.claim(midnight, 250)), 250)
        const [statement] = yield* Statements
        const rows = yield* inTransaction(read(sql`EXPLAIN (ANALYZE, FORMAT JSON) ${statement!}`))
        const plan = JSON.stringify(rows)
        assert.include(plan, `"Index Name":"policy_due"`)
        assert.notInclude(plan, "Sort")
        for (const [, found] of plan.matchAll(/"Actual Rows":(\d+)/gu)) {
          assert.isAtMost(Number(found), 250)
        }
      })
    )
  )
})
