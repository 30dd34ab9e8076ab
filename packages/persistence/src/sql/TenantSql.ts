/**
 * The only way to a tenant's rows. Repositories build statements with the `sql` tag and hand them to
 * this service; what is executed past it finds no tenant set, sees no row and may write none.
 */
import { IsAbsence } from "@quittance/domain/requests/Absence"
import { Overload } from "@quittance/domain/requests/Overload"
import * as Turns from "@quittance/domain/requests/Turns"
import { observePool } from "@quittance/domain/telemetry/Pools"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient, SqlError, type Statement } from "effect/sql"
import { ConnectionShare } from "./ConnectionShare.ts"
import { isAbsence, overload } from "./DatabaseFailure.ts"
import { LookupSql } from "./Sql.ts"
import { sendWithoutWaiting } from "./Pipelining.ts"
import type { UnscopedTable } from "./TenantTable.ts"
import { CurrentTenant, type TenantId } from "@quittance/domain/requests/Tenancy"

type Rows<A, R = never> = Effect.Effect<ReadonlyArray<A>, SqlError.SqlError, R>

export class TenantSql extends Context.Service<
  TenantSql,
  {
    /**
     * Runs one query as the current tenant. Outside a transaction the setting of the tenant and the
     * query are one statement, one round trip; inside one the query runs as it is.
     */
    read<A extends object>(statement: Statement.Statement<A>): Rows<A, CurrentTenant>

    /**
     * The same for a query that finds few rows by their keys. Outside a transaction it shares a
     * connection with others that are under way: it must never take long, and can't be cancelled.
     */
    lookup<A extends object>(statement: Statement.Statement<A>): Rows<A, CurrentTenant>

    /** Runs one statement that writes; a defect outside a transaction of this service. */
    write<A extends object>(statement: Statement.Statement<A>): Rows<A, CurrentTenant>

    /**
     * Runs the effect in a transaction whose first statement sets the current tenant. Inside another
     * one it joins it: both then commit or roll back together, so a failure of the inner one that is
     * caught still rolls back the whole, and another tenant is a defect. Failures of the database
     * itself, also to commit, are defects.
     */
    transaction<A, E, R>(
      effect: Effect.Effect<A, E, R>
    ): Effect.Effect<A, Exclude<E, SqlError.SqlError>, R | CurrentTenant>

    /**
     * Runs the effect on one snapshot of the database, however long it takes: whatever is written
     * meanwhile is not seen. It may only read, and blocks no writer. A defect inside a
     * transaction, which has begun to see already.
     */
    snapshot<A, E, R>(
      effect: Effect.Effect<A, E, R>
    ): Effect.Effect<A, Exclude<E, SqlError.SqlError>, R | CurrentTenant>

    /** Runs the effect behind a savepoint: what it wrote is undone when it fails, and only that. */
    savepoint<A, E, R>(
      effect: Effect.Effect<A, E, R>
    ): Effect.Effect<A, E | SqlError.SqlError, R | CurrentTenant>

    /** Runs a statement on a table that has no tenant; row level security hides all others. */
    unscoped<A extends object>(table: UnscopedTable, statement: Statement.Statement<A>): Rows<A>
  }
>()("@quittance/persistence/TenantSql") {
  /** With it comes what says of a failure that the database is away. */
  static readonly layer = Layer.effect(
    TenantSql,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const lookups = yield* LookupSql
      const sharing = yield* ConnectionShare
      const turns =
        sharing === undefined ? undefined : Turns.make("DATABASE", { ...sharing, waiting: 500 })
      if (turns !== undefined) yield* observePool("database", turns, sharing?.atOnce)
      /** A connection is waited for in the tenant's line: those of others stay free for others. */
      const inTurn = <A, E, R>(tenant: TenantId, effect: Effect.Effect<A, E, R>) =>
        turns === undefined ? effect : turns.run(tenant, effect)

      /** The transaction around the fiber; a defect when it is not this service's or not this tenant's. */
      const transactionOf = (context: Context.Context<never>, tenant: TenantId) => {
        const connection = Context.getOption(context, sql.transactionService)
        if (Option.isNone(connection)) return undefined
        const present = Context.get(context, OpenTransaction)
        if (present === undefined) throw defect("this transaction was opened past TenantSql")
        if (present.tenant !== tenant) {
          throw defect(`a transaction of ${present.tenant} was used for ${tenant}`)
        }
        if (present.state === "ended") throw defect("a fiber has outlived its transaction")
        return present
      }

      // Runs for every query, so it is one step and no generator.
      const readOn =
        (client: SqlClient.SqlClient) =>
        <A extends object>(statement: Statement.Statement<A>): Rows<A, CurrentTenant> =>
          Effect.contextWith((context: Context.Context<CurrentTenant>) => {
            const tenant = Context.get(context, CurrentTenant)
            if (transactionOf(context, tenant) !== undefined) return statement
            const alone = asTenant(client, tenant, statement)
            return client === sql ? inTurn(tenant, alone) : alone
          })

      const write = <A extends object>(statement: Statement.Statement<A>): Rows<A, CurrentTenant> =>
        Effect.contextWith((context: Context.Context<CurrentTenant>) => {
          const present = transactionOf(context, Context.get(context, CurrentTenant))
          if (present === undefined) throw defect("a write needs TenantSql.transaction")
          return statement
        })

      const open = <A, E, R>(tenant: TenantId, effect: Effect.Effect<A, E, R>) =>
        Effect.suspend(() => {
          const present: Transaction = { tenant, state: "open" }
          const outcome = Effect.tap(Effect.provideService(effect, OpenTransaction, present), () =>
            present.state === "doomed"
              ? Effect.die(
                  defect("what failed in a joined transaction was caught: use a savepoint")
                )
              : Effect.void
          )
          return Effect.ensuring(outcome, mark(present, "ended"))
        })

      const transaction = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        Effect.contextWith((context: Context.Context<R | CurrentTenant>) => {
          const tenant = Context.get(context, CurrentTenant)
          const present = transactionOf(context, tenant)
          if (present !== undefined) return Effect.onError(effect, () => mark(present, "doomed"))
          const setTenant = sql`SELECT set_config('app.tenant', ${tenant}, true)`
          const whole = Effect.andThen(sendWithoutWaiting(setTenant), open(tenant, effect))
          return inTurn(tenant, sql.withTransaction(whole))
        }).pipe(dieOfSqlErrors)

      const snapshot = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        Effect.contextWith((context: Context.Context<R | CurrentTenant>) => {
          const tenant = Context.get(context, CurrentTenant)
          if (transactionOf(context, tenant) !== undefined) {
            throw defect("a snapshot can't begin inside a transaction")
          }
          return Effect.provideService(
            transaction(effect),
            SqlClient.BeginTransaction,
            "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
          )
        })

      const savepoint = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        Effect.contextWith((context: Context.Context<R | CurrentTenant>) => {
          const tenant = Context.get(context, CurrentTenant)
          if (transactionOf(context, tenant) === undefined) {
            throw defect("a savepoint needs TenantSql.transaction")
          }
          return sql.withTransaction(open(tenant, effect))
        })

      return TenantSql.of({
        read: readOn(sql),
        // Statements of the same turn of the event loop leave in one write.
        lookup: (statement) => Effect.andThen(Effect.yieldNow, readOn(lookups)(statement)),
        write,
        transaction,
        snapshot,
        savepoint,
        unscoped: (_table, statement) => statement
      })
    })
  ).pipe(
    Layer.merge(Layer.succeed(IsAbsence, isAbsence)),
    Layer.merge(Layer.succeed(Overload, overload))
  )
}

/** The caller can do nothing about a database that fails, so its failures are defects. */
const dieOfSqlErrors = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, Exclude<E, SqlError.SqlError>, R> =>
  Effect.catch(effect, (error) =>
    SqlError.isSqlError(error)
      ? Effect.die(error)
      : // What is not an SqlError is excluded above; the compiler does not narrow a type parameter.
        Effect.fail(error as Exclude<E, SqlError.SqlError>)
  )

interface Transaction {
  readonly tenant: TenantId
  /** `doomed` once a joined part has failed: what it wrote must not be committed. */
  state: "open" | "doomed" | "ended"
}

const OpenTransaction = Context.Reference<Transaction | undefined>(
  "@quittance/persistence/TenantSql/OpenTransaction",
  { defaultValue: () => undefined }
)

const mark = (transaction: Transaction, state: Transaction["state"]) =>
  Effect.sync(() => {
    transaction.state = state
  })

/** A misuse that only a change of the program mends. */
const defect = (problem: string) => new Error(`TenantSql: ${problem}`)

/**
 * The setting is made by the outer side of a lateral join, the query is its inner side: `OFFSET 0`
 * keeps the planner from pulling the query out of it, and the reference to `s` from running it first.
 * A plain `FROM s, t` may read `t` before the tenant is set, and answer with another tenant's rows.
 */
const asTenant = <A extends object>(
  sql: SqlClient.SqlClient,
  tenant: TenantId,
  statement: Statement.Statement<A>
) => sql<A>`
  WITH s AS MATERIALIZED (SELECT set_config('app.tenant', ${tenant}, true) AS tenant)
  SELECT x.* FROM s CROSS JOIN LATERAL (
    SELECT r.* FROM (
${statement}
) r WHERE s.tenant IS NOT NULL OFFSET 0
  ) x
`
