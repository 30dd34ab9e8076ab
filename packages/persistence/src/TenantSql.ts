/**
 * The only way to a tenant's rows. Repositories build statements with the `sql` tag and hand them to
 * this service; what is executed past it finds no tenant set, sees no row and may write none.
 */
import { CurrentTenant, type TenantId } from "@quittance/domain/Tenant"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient, SqlError, type Statement } from "effect/sql"
import type { UnscopedTable } from "./TenantTable.ts"

type Rows<A, R = never> = Effect.Effect<ReadonlyArray<A>, SqlError.SqlError, R>

export class TenantSql extends Context.Service<
  TenantSql,
  {
    /**
     * Runs one query as the current tenant. Outside a transaction the setting of the tenant and the
     * query are one statement, one round trip; inside one the query runs as it is.
     */
    read<A extends object>(statement: Statement.Statement<A>): Rows<A, CurrentTenant>

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

    /** Runs the effect behind a savepoint: what it wrote is undone when it fails, and only that. */
    savepoint<A, E, R>(
      effect: Effect.Effect<A, E, R>
    ): Effect.Effect<A, E | SqlError.SqlError, R | CurrentTenant>

    /** Runs a statement on a table that has no tenant; row level security hides all others. */
    unscoped<A extends object>(table: UnscopedTable, statement: Statement.Statement<A>): Rows<A>
  }
>()("@quittance/persistence/TenantSql") {
  static readonly layer = Layer.effect(
    TenantSql,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      /** The transaction of this service around the fiber; a defect in one of anyone else's. */
      const transactionOf = Effect.fnUntraced(function* (tenant: TenantId) {
        const present = yield* OpenTransaction
        if (present !== undefined) {
          if (present.tenant === tenant) return present
          return yield* die(`a transaction of ${present.tenant} was used for ${tenant}`)
        }
        const foreign = yield* Effect.serviceOption(sql.transactionService)
        if (Option.isSome(foreign)) {
          return yield* die("a transaction on tenant tables was opened past TenantSql.transaction")
        }
      })

      const read = Effect.fnUntraced(function* <A extends object>(
        statement: Statement.Statement<A>
      ) {
        const tenant = yield* CurrentTenant
        const present = yield* transactionOf(tenant)
        return yield* present === undefined ? asTenant(sql, tenant, statement) : statement
      })

      const write = Effect.fnUntraced(function* <A extends object>(
        statement: Statement.Statement<A>
      ) {
        const present = yield* transactionOf(yield* CurrentTenant)
        if (present === undefined) return yield* die("a write needs TenantSql.transaction")
        return yield* statement
      })

      const open = <A, E, R>(tenant: TenantId, effect: Effect.Effect<A, E, R>) =>
        Effect.suspend(() => {
          const state: Transaction = { tenant, doomed: false }
          return Effect.tap(Effect.provideService(effect, OpenTransaction, state), () =>
            state.doomed
              ? die("a failure inside a joined transaction was caught; use TenantSql.savepoint")
              : Effect.void
          )
        })

      const transaction = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
        const tenant = yield* CurrentTenant
        const present = yield* transactionOf(tenant)
        if (present !== undefined) return yield* Effect.onError(effect, () => doom(present))
        const setTenant = sql`SELECT set_config('app.tenant', ${tenant}, true)`
        return yield* sql.withTransaction(Effect.andThen(setTenant, open(tenant, effect)))
      }, dieOfSqlErrors)

      const savepoint = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
        const tenant = yield* CurrentTenant
        const present = yield* transactionOf(tenant)
        if (present === undefined) return yield* die("a savepoint needs TenantSql.transaction")
        return yield* sql.withTransaction(open(tenant, effect))
      })

      return TenantSql.of({
        read,
        write,
        transaction,
        savepoint,
        unscoped: (_table, statement) => statement
      })
    })
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
  /** Set when a joined part has failed: what it wrote must not be committed. */
  doomed: boolean
}

const OpenTransaction = Context.Reference<Transaction | undefined>(
  "@quittance/persistence/TenantSql/OpenTransaction",
  { defaultValue: () => undefined }
)

const doom = (transaction: Transaction) =>
  Effect.sync(() => {
    transaction.doomed = true
  })

const die = (problem: string) => Effect.die(new Error(`TenantSql: ${problem}`))

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
    SELECT r.* FROM (${statement}) r WHERE s.tenant IS NOT NULL OFFSET 0
  ) x
`
