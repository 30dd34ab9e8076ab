/** Brings a database to the newest schema, as the owner role. */
import { Effect, Schema } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import { migrations } from "../migrations.ts"
import { runtimeRole } from "./Roles.ts"

const table = "migration"

export class MigrationMismatch extends Schema.TaggedError<MigrationMismatch>()(
  "MigrationMismatch",
  { migration: Schema.String, problem: Schema.String }
) {
  override get message() {
    return `Migration ${this.migration} ${this.problem}.`
  }
}

/**
 * Applies what is pending, all in one transaction; answers the names of what it applied. Processes
 * that start together wait for the first of them and then find nothing to do.
 */
export const run = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`SELECT pg_advisory_xact_lock(hashtext('quittance migrations'))`
      // From here a lock that is not to be had soon would hold up every request behind it.
      yield* sql`SET LOCAL lock_timeout = '10s'`
      const names = yield* pending
      yield* Migrator.make({})({ loader: Migrator.fromRecord(migrations), table })
      yield* sql`GRANT SELECT ON ${sql(table)} TO ${sql(runtimeRole)}`
      return names
    })
  )
}).pipe(Effect.withSpan("Migrate.run"))

/** The migrations that the database lacks. Fails where it has some that this program does not know. */
export const pending = Effect.gen(function* () {
  const applied = yield* appliedNames
  const names = Object.keys(migrations)
  const newer = applied.find((name) => !names.includes(name))
  if (newer !== undefined) {
    return yield* new MigrationMismatch({
      migration: newer,
      problem: "is in the database but not in this program: run a newer release"
    })
  }
  const missing = names.filter((name) => !applied.includes(name))
  const skipped = missing.find((name) => applied.some((other) => other > name))
  if (skipped !== undefined) {
    return yield* new MigrationMismatch({
      migration: skipped,
      problem: "comes before one that is already applied: give it a number after the last"
    })
  }
  return missing
}).pipe(Effect.withSpan("Migrate.pending"))

const appliedNames = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [exists] =
    yield* sql`SELECT FROM pg_tables WHERE schemaname = 'public' AND tablename = ${table}`
  if (exists === undefined) return []
  const rows = yield* sql<{ readonly name: string }>`
    SELECT lpad(migration_id::text, 4, '0') || '_' || name AS name FROM ${sql(table)} ORDER BY migration_id
  `
  return rows.map(({ name }) => name)
})
