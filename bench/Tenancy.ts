import { ownerRole, runtimeRole } from "@quittance/persistence/sql/Roles"
import * as Sql from "@quittance/persistence/sql/Sql"
import * as TenantTable from "@quittance/persistence/sql/TenantTable"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import * as TestServer from "@quittance/testing/TestServer"
import { Effect, Layer } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import { compare } from "./Interleaved.ts"
import { sized } from "./Smoke.ts"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"

const tenants = sized(100, 5)
const policiesPerTenant = sized(500, 20)
const invoicesPerPolicy = 4

/** Tables as the product has them: the tenant leads every key. */
const createTables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE bench_policy (
      tenant_id text COLLATE "C", id text COLLATE "C", name text, premium bigint, state jsonb,
      PRIMARY KEY (tenant_id, id)
    )
  `
  yield* sql`
    CREATE TABLE bench_invoice (
      tenant_id text COLLATE "C", policy_id text COLLATE "C", number int, amount bigint, issued_at timestamptz,
      PRIMARY KEY (tenant_id, policy_id, number)
    )
  `
  yield* sql`
    INSERT INTO bench_policy
    SELECT 'tenant-' || t, 'policy-' || p, 'Policy ' || p, p * 100, '{"status": "STARTED"}'
    FROM generate_series(1, ${tenants}::int) t, generate_series(1, ${policiesPerTenant}::int) p
  `
  yield* sql`
    INSERT INTO bench_invoice
    SELECT tenant_id, id, number, premium / 4, '2026-01-01'::timestamptz + number * interval '1 month'
    FROM bench_policy, generate_series(1, ${invoicesPerPolicy}::int) number
  `
  yield* TenantTable.protect("bench_policy", ["SELECT"])
  yield* TenantTable.protect("bench_invoice", ["SELECT"])
  yield* sql`ANALYZE bench_policy, bench_invoice`
})

/** A role that row level security does not bind, else like the runtime role. */
const plainRole = "bench_plain"
const createPlainRole = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE ROLE ${sql(plainRole)} BYPASSRLS`
  yield* sql`GRANT SELECT ON bench_policy, bench_invoice TO ${sql(plainRole)}`
})

const statements = (sql: SqlClient.SqlClient) => ({
  record: (tenant: TenantId, turn: number) => sql`
    SELECT id, name, premium, state FROM bench_policy
    WHERE tenant_id = ${tenant} AND id = ${`policy-${1 + (turn % policiesPerTenant)}`}
  `,
  page: (tenant: TenantId, turn: number) => sql`
    SELECT id, name, premium, state FROM bench_policy
    WHERE tenant_id = ${tenant} AND id > ${`policy-${turn % 9}`} ORDER BY id LIMIT 20
  `,
  summary: (tenant: TenantId, turn: number) => sql`
    SELECT policy.id, policy.name, count(*)::int AS invoices, sum(invoice.amount)::bigint AS amount
    FROM bench_policy policy
    JOIN bench_invoice invoice ON invoice.tenant_id = policy.tenant_id AND invoice.policy_id = policy.id
    WHERE policy.tenant_id = ${tenant} AND policy.id = ${`policy-${1 + (turn % policiesPerTenant)}`}
    GROUP BY policy.id, policy.name
  `
})

/**
 * What tenant isolation costs a read: through `TenantSql.read` as the runtime role, against the same
 * query with the same parameters from a pool alike, of a role that row level security does not bind.
 */
export const bench = Effect.gen(function* () {
  const database = yield* TestServer.database(yield* TestServer.start)
  const owner = yield* Sql.pool(database.superuserUrl, ownerRole)
  const superuser = yield* Sql.pool(database.superuserUrl, "postgres")
  const plain = statements(yield* Sql.pool(database.superuserUrl, plainRole))
  const runtime = yield* Sql.pool(database.superuserUrl, runtimeRole)
  yield* Effect.provideService(createTables, SqlClient.SqlClient, owner)
  yield* Effect.provideService(createPlainRole, SqlClient.SqlClient, superuser)
  const tenantSql = yield* Effect.provide(
    TenantSql,
    Layer.provide(TenantSql.layer, Sql.succeed(runtime))
  )
  const scoped = statements(runtime)
  const tenantOf = (turn: number) => TenantId.make(`tenant-${1 + (turn % tenants)}`)

  return yield* Effect.forEach(cases, ({ concurrency, name, what }) =>
    compare(
      `a tenant's ${what} ÷ the same query without isolation`,
      1.4,
      (turn) => plain[name](tenantOf(turn), turn),
      (turn) => {
        const tenant = tenantOf(turn)
        const read = tenantSql.read(scoped[name](tenant, turn))
        return Effect.provideService(read, CurrentTenant, tenant)
      },
      { rounds: 60, operationsPerRound: 400, concurrency }
    )
  )
}).pipe(Effect.scoped, Effect.provide(Reactivity.layer))

const cases = [
  { name: "record", what: "record by its id, one at a time", concurrency: 1 },
  { name: "record", what: "record by its id, ten at once", concurrency: 10 },
  { name: "page", what: "page of twenty, ten at once", concurrency: 10 },
  { name: "summary", what: "join with totals, ten at once", concurrency: 10 }
] as const
