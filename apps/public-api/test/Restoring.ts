/** A backup of all rows, and the restore of it, as `pg_dump` and `psql` would do. */
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect } from "effect"

interface Table {
  readonly name: string
  readonly columns: string
}

const tables = Effect.flatMap(
  SuperuserSql,
  (sql) => sql<Table>`
    SELECT c.relname AS name, string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) AS columns
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
      AND NOT a.attisdropped AND a.attgenerated = ''
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND NOT c.relispartition
    GROUP BY c.relname ORDER BY c.relname
  `
)

/** Keeps every row of the database as it is now. */
export const backUp = Effect.gen(function* () {
  const sql = yield* SuperuserSql
  yield* sql`DROP SCHEMA IF EXISTS backup CASCADE`
  yield* sql`CREATE SCHEMA backup`
  for (const { columns, name } of yield* tables) {
    yield* sql.unsafe(`CREATE TABLE backup.${name} AS SELECT ${columns} FROM public.${name}`)
  }
})

/** Brings every row back as it was; what was written since is lost. */
export const restore = Effect.gen(function* () {
  const sql = yield* SuperuserSql
  const all = yield* tables
  yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`SET LOCAL session_replication_role = replica`
      yield* sql.unsafe(`TRUNCATE ${all.map(({ name }) => `public.${name}`).join(", ")} CASCADE`)
      for (const { columns, name } of all) {
        yield* sql.unsafe(`INSERT INTO public.${name} (${columns}) OVERRIDING SYSTEM VALUE
          SELECT ${columns} FROM backup.${name}`)
      }
    })
  )
})
