/** Rows of two tenants in every table of the schema, looked at and attacked by one of them. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TenantSql } from "../../src/sql/TenantSql.ts"
import { unscopedTables } from "../../src/sql/TenantTable.ts"
import * as PgTest from "@quittance/testing/PgTest"
import { acme, as, globex } from "../Ledger.ts"

/** The tables that may be read before a tenant is known. */
const directories = new Set<string>(unscopedTables)

interface Table {
  readonly name: string
  readonly checks: ReadonlyArray<string>
  /** The columns that may not be absent, but for the tenant's, and their types. */
  readonly columns: ReadonlyArray<{ readonly name: string; readonly type: string }>
}

const tenantTables = Effect.gen(function* () {
  const sql = yield* PgTest.SuperuserSql
  return yield* sql<Table>`
    SELECT c.relname AS name,
      ARRAY(SELECT conname FROM pg_constraint WHERE conrelid = c.oid AND contype = 'c') AS checks,
      (
        SELECT coalesce(jsonb_agg(jsonb_build_object('name', quote_ident(attname),
          'type', format_type(atttypid, atttypmod))), '[]')
        FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND attname <> 'tenant_id'
          AND attnotnull AND attgenerated = '' AND attidentity = ''
      ) AS columns
    FROM pg_class c JOIN pg_attribute t ON t.attrelid = c.oid AND t.attname = 'tenant_id'
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
    ORDER BY name
  `
})

/** Any value of a type. */
const anyValue = (type: string): string => {
  if (type.endsWith("[]")) return `'{}'::${type}`
  if (type === "jsonb") return "'{}'::jsonb"
  if (type === "bytea") return "''::bytea"
  if (type.startsWith("timestamp") || type === "date") return `'2026-01-01'::${type}`
  return `'1'::${type}`
}

const insertInto = ({ columns, name }: Table, tenant: string) => {
  const names = ["tenant_id", ...columns.map((column) => column.name)]
  const values = [`'${tenant}'`, ...columns.map(({ type }) => anyValue(type))]
  return `INSERT INTO ${name} (${names.join(", ")}) VALUES (${values.join(", ")})`
}

/** One row of each tenant in each table; what a row means is of no interest here. */
const fill = Effect.gen(function* () {
  const sql = yield* PgTest.SuperuserSql
  const tables = yield* tenantTables
  yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`SET LOCAL session_replication_role = replica`
      for (const table of tables) {
        for (const check of table.checks) {
          yield* sql`ALTER TABLE ${sql(table.name)} DROP CONSTRAINT ${sql(check)}`
        }
        for (const tenant of [acme, globex]) yield* sql.unsafe(insertInto(table, tenant))
      }
    })
  )
})

const filled = Layer.provideMerge(Layer.effectDiscard(fill), PgTest.layer)

layer(filled)("every tenant table", (it) => {
  it.effect("shows a tenant its own rows, and nothing without a tenant", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { read, transaction } = yield* TenantSql
      const tables = yield* tenantTables
      assert.isAbove(tables.length, 0)
      for (const { name } of tables.filter((table) => !directories.has(table.name))) {
        const tenants = sql`SELECT DISTINCT tenant_id FROM ${sql(name)}`
        const own = [{ tenantId: acme }]
        assert.deepStrictEqual(yield* read(tenants).pipe(as(acme)), own, name)
        assert.deepStrictEqual(yield* transaction(read(tenants)).pipe(as(acme)), own, name)
        assert.deepStrictEqual(yield* tenants, [], name)
      }
    })
  )

  it.effect("keeps its rows from every command of another tenant", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const superuser = yield* PgTest.SuperuserSql
      for (const table of yield* tenantTables) {
        const { name } = table
        const theirs = superuser`SELECT t::text AS row FROM ${sql(name)} t WHERE tenant_id = ${globex}`
        const before = yield* theirs
        assert.strictEqual(before.length, 1, name)
        for (const attack of [
          insertInto(table, globex),
          `UPDATE ${name} SET tenant_id = 'globex'`,
          `UPDATE ${name} SET tenant_id = 'acme' WHERE tenant_id = 'globex' RETURNING tenant_id`,
          `DELETE FROM ${name} WHERE tenant_id = 'globex' RETURNING tenant_id`
        ]) {
          const outcome = yield* Effect.andThen(
            sql`SELECT set_config('app.tenant', ${acme}, true)`,
            sql.unsafe(attack)
          ).pipe(sql.withTransaction, Effect.result)
          if (outcome._tag === "Success") assert.deepStrictEqual(outcome.success, [], attack)
          else assert.strictEqual(outcome.failure.reason._tag, "AuthorizationError", attack)
        }
        assert.deepStrictEqual(yield* theirs, before, name)
      }
    })
  )
})
