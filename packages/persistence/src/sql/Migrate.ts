/** Brings a database to the newest schema, as the owner role. */
import { Effect, Schema } from "effect"
import { Migrator, SqlClient, type SqlError } from "effect/sql"
import { migrations } from "../migrations.ts"
import { hasLostRace, reasonOf } from "./DatabaseFailure.ts"
import { createErase } from "../privacy/EraseFunction.ts"
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

/** A migration that the database refused, with the words in which it did. */
export class MigrationFailed extends Schema.TaggedError<MigrationFailed>()("MigrationFailed", {
  migration: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `Migration ${this.migration} failed, and nothing of its transaction was changed: ${this.reason}`
  }
}

/** What many requests read or write together, and migrations change or refer to. */
const busyTables = [
  "tenant",
  "policy",
  "event",
  "role",
  "app_user",
  "brokerage_firm",
  "customer",
  "signature",
  "document"
]

const isLockLost = (error: SqlError.SqlError) =>
  error.reason._tag === "LockTimeoutError" || hasLostRace(error)

/**
 * So many migrations are applied in one transaction where requests wait for them: a request fails after five
 * seconds, and from one release to the next there may be many migrations, on a slow machine.
 */
const atOnce = 5

/**
 * Takes the tables that requests use all at once or none of them, and answers whether there are any. Taken one after the other, a request
 * that has the second and waits for the first would be a deadlock. Each try ends before PostgreSQL looks
 * for one, and lets the requests behind it go on.
 */
const reserve = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly name: string }>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename IN ${sql.in(busyTables)}
  `
  const present = busyTables.filter((table) => rows.some(({ name }) => name === table))
  if (present.length === 0) return false
  const attempt = Effect.gen(function* () {
    yield* sql`SET LOCAL lock_timeout = '250ms'`
    yield* sql`LOCK TABLE ${sql.literal(present.join(", "))} IN ACCESS EXCLUSIVE MODE`
  })
  yield* Effect.retry(sql.withTransaction(attempt), { times: 39, while: isLockLost })
  return true
})

/** The library's words name the migration alone, without its zeros. */
const failed = ({ cause, message }: Migrator.MigrationError) => {
  const id = /"(\d+)_/u.exec(message)?.[1] ?? ""
  const migration = Object.keys(migrations).find(
    (name) => Number(name.split("_")[0]) === Number(id)
  )
  return new MigrationFailed({ migration: migration ?? message, reason: reasonOf(cause) })
}

/** Waits for other programs that migrate, until the transaction ends. */
const inTurn = SqlClient.SqlClient.use(
  (sql) => sql`SELECT pg_advisory_xact_lock(hashtext('quittance migrations'))`
)

/** Applies the next migrations in one transaction, of an empty database all; answers their names. */
const turn = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* inTurn
      const names = yield* pending
      const isServing = names.length > 0 && (yield* reserve)
      const next = isServing ? names.slice(0, atOnce) : names
      const known = Object.entries(migrations).filter(([name]) => name <= (next.at(-1) ?? ""))
      // From here a lock that is not to be had soon would hold up every request behind it.
      yield* sql`SET LOCAL lock_timeout = '10s'`
      yield* Migrator.make({})({ loader: Migrator.fromRecord(Object.fromEntries(known)), table })
      return next
    })
  )
})

/** What follows from all migrations together. */
const finish = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* inTurn
  yield* sql`GRANT SELECT ON ${sql(table)} TO ${sql(runtimeRole)}`
  // What it empties follows from the data map of this release, and from the tables that are there now.
  if (yield* isNewest) yield* createErase
})

/**
 * Applies what is pending, a few migrations in each transaction; answers the names of what it applied. One that
 * fails leaves those before it, on which programs of the release before go on. Processes that start
 * together wait for each other and then find nothing to do. Requests go on until then, and wait while the
 * tables that all of them use are changed.
 */
export const run = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const applied: Array<string> = []
  for (let next = yield* turn; next.length > 0; next = yield* turn) applied.push(...next)
  yield* sql.withTransaction(finish)
  return applied
}).pipe(
  Effect.mapError((error) =>
    error._tag === "MigrationError" && error.kind === "Failed" ? failed(error) : error
  ),
  Effect.withSpan("Migrate.run")
)

/**
 * The migrations that the database lacks. It may have newer ones than this program knows: they add, and
 * a program goes on with the schema of the next release. Fails where it has one between those of this
 * program that this program does not know.
 */
export const pending = Effect.gen(function* () {
  const applied = yield* appliedNames
  const names = Object.keys(migrations)
  const foreign = applied.find((name) => !names.includes(name) && name < names.at(-1)!)
  if (foreign !== undefined) {
    return yield* new MigrationMismatch({
      migration: foreign,
      problem:
        "is in the database but not in this program, which has later ones: " +
        "run the release that the database was migrated with, or a newer one"
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

/** The databases that have been found complete. Releases only add to a schema, so they stay so. */
const complete = new WeakSet<SqlClient.SqlClient>()

/**
 * What is pending, asked until nothing is, and then only whether the database answers: while the migrations
 * of the next release run, their table is locked, and a program that serves has to stay ready.
 */
export const missing = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  if (complete.has(sql)) return yield* Effect.as(sql`SELECT`, [])
  const names = yield* pending
  if (names.length === 0) complete.add(sql)
  return names
}).pipe(Effect.withSpan("Migrate.missing"))

/** Whether the database has no migration of a later release, whose function is to stay. */
const isNewest = Effect.map(
  Effect.suspend(() => appliedNames),
  (applied) => applied.every((name) => name in migrations)
)

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
