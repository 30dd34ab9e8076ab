/** Many signed policies from one, row by row, for tests that need hundreds. */
import type { Prefix } from "@quittance/domain/values/PrefixedId"
import { Ids } from "@quittance/persistence/sql/Ids"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { World } from "./World.ts"
import type { PolicyId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** What a signed policy consists of, in the order in which rows refer to each other. */
const tables = [
  ["policy", "id = $"],
  ["branch", "policy_id = $"],
  ["policy_change", "policy_id = $"],
  ["validity", "policy_id = $"],
  ["customer", "id IN (SELECT customer_id FROM customer_policy WHERE policy_id = $)"],
  ["customer_policy", "policy_id = $"],
  ["quote", "policy_id = $"],
  ["event", "policy_id = $"]
] as const

const identifier = /\b(policy|branch|change|customer|asset|quote|event)_test_[A-Za-z0-9]{21}\b/gu

const copies = Effect.fnUntraced(function* (policyId: PolicyId, count: number) {
  const sql = yield* SqlClient.SqlClient
  const ids = yield* Ids
  const rows = new Map<string, string>()
  for (const [table, condition] of tables) {
    const [before, after = ""] = condition.split("$")
    const [found] = yield* sql<{ readonly rows: string }>`
      SELECT coalesce(json_agg(to_jsonb(t)), '[]')::text AS rows FROM ${sql(table)} t
      WHERE ${sql.literal(before!)}${policyId}${sql.literal(after)}
    `
    rows.set(table, found!.rows)
  }
  const [last] = yield* sql<{ readonly last: bigint }>`
    SELECT max(incremental_id) AS last FROM policy
  `
  const clones = Array.from({ length: count }, (_, index) => {
    const names = new Map<string, string>()
    const renamed = (text: string) =>
      text.replace(identifier, (id, prefix: Prefix) => {
        const known = names.get(id) ?? ids.next(prefix)
        names.set(id, known)
        return known
      })
    return { index, renamed, policyId: renamed(policyId) as PolicyId }
  })
  for (const [table] of tables) {
    const rowsOfClones = clones.flatMap(({ index, renamed }) => {
      const copy = JSON.parse(renamed(rows.get(table)!)) as Array<Record<string, unknown>>
      return copy.map((row) =>
        table === "policy" ? { ...row, incremental_id: Number(last!.last) + 1 + index } : row
      )
    })
    // What the database derives from other columns can't be written.
    const [given] = yield* sql<{ readonly columns: string }>`
      SELECT string_agg(quote_ident(attname), ', ') AS columns FROM pg_attribute
      WHERE attrelid = ${table}::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
    `
    const columns = sql.literal(given!.columns)
    yield* sql`
      INSERT INTO ${sql(table)} (${columns})
      SELECT ${columns} FROM jsonb_populate_recordset(NULL::${sql(table)}, ${JSON.stringify(rowsOfClones)}::text::jsonb)
    `
  }
  return clones.map(({ policyId }) => policyId)
})

/** Copies a signed policy without invoices; every identifier in its rows is a new one. */
export const make = (world: World, policyId: PolicyId, count: number) =>
  TenantSql.use((tenantSql) => tenantSql.transaction(copies(policyId, count))).pipe(
    Effect.provideService(CurrentTenant, world.tenant)
  )

/** Takes the tenant's test clock away: its time is the database's, and the worker serves it. */
export const onRealTime = (world: World) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const tenantSql = yield* TenantSql
    yield* tenantSql.transaction(
      sql`UPDATE tenant SET test_clock = NULL WHERE tenant_id = ${world.tenant}`
    )
  }).pipe(Effect.provideService(CurrentTenant, world.tenant))
