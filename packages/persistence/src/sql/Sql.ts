/**
 * Connections to PostgreSQL. Tables use snake_case and the code camelCase; the keys inside JSON
 * columns are data and stay as they are.
 */
import { PgClient } from "@effect/sql-pg"
import * as Settings from "@quittance/domain/values/Settings"
import {
  Config,
  Context,
  Duration,
  Effect,
  Layer,
  type Redacted,
  Schedule,
  type Scope,
  String
} from "effect"
import { Reactivity } from "effect/reactivity"
import { hasProperty } from "effect/Predicate"
import { SqlClient, SqlError } from "effect/sql"
import { ConnectionShare } from "./ConnectionShare.ts"
import { Database } from "./Database.ts"
import * as PipelinedClient from "./PipelinedClient.ts"
import { assertSettings, isPooled } from "./Pooler.ts"
import * as Roles from "./Roles.ts"
import { assertVersion } from "./ServerVersion.ts"

/**
 * The pool that serves requests, bound by row level security.
 *
 * `DATABASE_POOL` is its size (default 10), `DATABASE_STATEMENT_TIMEOUT` the longest a statement may
 * take (default 10 seconds), `DATABASE_TENANT_SHARE` how many of its connections one tenant may use at
 * a time (default half of them). Its sessions run as `quittance_runtime` whatever the login is. A login
 * that may create roles creates the two roles where they are missing; any other needs to find them
 * and to be a member of the runtime role. It fails at start when the role could step past row level
 * security, and waits up to half a minute for a server that is not there yet.
 */
export const layer = Layer.effectContext(
  Effect.gen(function* () {
    const { url } = yield* Database
    // Wrong values are refused before connecting to a server that may be unavailable.
    yield* poolSettings
    yield* withClient(url, Effect.andThen(assertVersion, Roles.ensureFor(Roles.runtimeRole)))
    const client = yield* pool(url, Roles.runtimeRole)
    yield* Effect.provideService(Roles.assertRuntime, SqlClient.SqlClient, client)
    if (yield* isPooled) {
      yield* Effect.provideService(assertSettings, SqlClient.SqlClient, client)
    }
    return Context.make(SqlClient.SqlClient, client).pipe(
      Context.add(LookupSql, yield* pool(url, Roles.runtimeRole, shared)),
      Context.add(ConnectionShare, yield* share)
    )
  })
).pipe(Layer.provide(Reactivity.layer))

/**
 * Connections for statements that find few rows by their keys. Many of them are under way on each at a
 * time, so that they leave and come back together: a statement that took long would hold up the others.
 */
export class LookupSql extends Context.Service<LookupSql, SqlClient.SqlClient>()(
  "@quittance/persistence/LookupSql"
) {}

const share = Effect.gen(function* () {
  const { maxConnections } = yield* poolSettings
  // One is left for what belongs to no tenant, such as whether this program is ready.
  const atOnce = Math.max(1, maxConnections - 1)
  const each = yield* Settings.count("DATABASE_TENANT_SHARE", poolSizes).pipe(
    Config.withDefault(Math.ceil(maxConnections / 2))
  )
  return { atOnce, each: Math.min(each, atOnce) }
})

/** One pool for everything, as benchmarks measure it. */
export const succeed = (client: SqlClient.SqlClient) =>
  Layer.merge(Layer.succeed(SqlClient.SqlClient, client), Layer.succeed(LookupSql, client))

/** A further connection is opened when this many lookups are under way on each. */
const shared: Make = (config) =>
  PgClient.make({ ...config, multiplex: true, multiplexConcurrency: 16, maxConnections: 4 })

type Make = (
  config: PgClient.PgPoolConfig
) => Effect.Effect<SqlClient.SqlClient, SqlError.SqlError, Scope.Scope | Reactivity.Reactivity>

/**
 * The one connection that migrates: it runs as `quittance_owner`, without a limit of time. Creates
 * the roles like `layer`.
 */
export const layerOwner = PgClient.layerFrom(
  Effect.gen(function* () {
    const { ownerUrl } = yield* Database
    yield* withClient(ownerUrl, Effect.andThen(assertVersion, Roles.ensureFor(Roles.ownerRole)))
    return yield* PgClient.make({
      ...options(ownerUrl),
      maxConnections: 1,
      startupParameters: { ...session, role: Roles.ownerRole }
    })
  })
)

const poolSettings = Effect.gen(function* () {
  const maxConnections = yield* Settings.count("DATABASE_POOL", poolSizes).pipe(
    Config.withDefault(10)
  )
  const statementTimeout = yield* Settings.duration("DATABASE_STATEMENT_TIMEOUT").pipe(
    Config.withDefault(Duration.seconds(10))
  )
  return { maxConnections, statementTimeout }
})

/** A pool as `layer` has it, of any role. */
export const pool = Effect.fn("Sql.pool")(function* (
  url: Redacted.Redacted,
  role: string,
  make: Make = PipelinedClient.make
) {
  const { maxConnections, statementTimeout } = yield* poolSettings
  const direct = {
    startupParameters: {
      ...session,
      role,
      statement_timeout: `${Duration.toMillis(statementTimeout)}`,
      lock_timeout: "5s",
      idle_in_transaction_session_timeout: "15s"
    }
  }
  return yield* make({
    ...options(url),
    maxConnections,
    ...((yield* isPooled) ? pooled : direct)
  })
})

/** Transactions of one program at a time; PostgreSQL itself is at its best with far fewer. */
const poolSizes = { minimum: 1, maximum: 1000 }

const session = { timezone: "UTC", search_path: "public" }

const pooled = { prepare: false }

const options = (url: Redacted.Redacted): PgClient.PgPoolConfig => ({
  url,
  applicationName: "quittance",
  connectTimeout: "5 seconds",
  transformQueryNames: String.camelToSnake,
  transformResultNames: String.snakeToCamel,
  transformJson: false
})

/** Runs an effect on a connection of the login itself, which is closed afterwards. */
const withClient = <A, E>(
  url: Redacted.Redacted,
  effect: Effect.Effect<A, E, SqlClient.SqlClient>
): Effect.Effect<A, Config.ConfigError | E | SqlError.SqlError, Reactivity.Reactivity> =>
  Effect.flatMap(isPooled, (isPooledOne) =>
    onClient(url, isPooledOne ? pooled : { startupParameters: session }, effect)
  )

const onClient = <A, E>(
  url: Redacted.Redacted,
  more: Partial<PgClient.PgPoolConfig>,
  effect: Effect.Effect<A, E, SqlClient.SqlClient>
): Effect.Effect<A, E | SqlError.SqlError, Reactivity.Reactivity> => {
  const once = PgClient.make({ ...options(url), maxConnections: 1, ...more }).pipe(
    Effect.flatMap((client) => Effect.provideService(effect, SqlClient.SqlClient, client)),
    Effect.scoped
  )
  const waiting = Effect.retry(once, {
    while: isAway,
    schedule: Schedule.spaced("500 millis"),
    times: 60
  })
  return Effect.catchIf(once, isAway, (error) =>
    Effect.logWarning("The database does not answer yet", error.reason.cause).pipe(
      Effect.andThen(waiting)
    )
  )
}

/** Whether the server can't be reached, or is still starting. */
const isAway = (error: unknown): error is SqlError.SqlError =>
  SqlError.isSqlError(error) &&
  (error.reason._tag === "ConnectionError" ||
    (hasProperty(error.reason.cause, "code") && error.reason.cause.code === "57P03"))
