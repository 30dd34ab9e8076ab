/**
 * A client whose transactions need not wait for one answer before they send the next statement: what is
 * sent in one turn of the event loop leaves in one write, and PostgreSQL does it in that order.
 *
 * A statement outside a transaction has its connection for itself, and is cancelled when its fiber is
 * interrupted. Inside one nothing is cancelled: what is under way ends by itself or by its time limit,
 * and the rollback comes after it.
 */
import { PgClient, type PgConnection, PgPool } from "@effect/sql-pg"
import { Effect, Stream } from "effect"
import { SqlClient, type SqlConnection, SqlError, Statement } from "effect/sql"
import { sendWithoutWaiting } from "./Pipelining.ts"

let clients = 0

export const make = Effect.fn("PipelinedClient.make")(function* (options: PgClient.PgPoolConfig) {
  const pool = yield* PgPool.make({ ...options, multiplex: true, multiplexConcurrency: 1 })
  // Numbers of their own, beside those that Effect gives its clients.
  const transactionService = SqlClient.TransactionConnection(-++clients)
  const alone = Effect.map(pool.reserve, connectionOf)
  const spanAttributes = [["db.system.name", "postgresql"]] as const
  const { transformJson, transformQueryNames, transformResultNames } = options
  const client = yield* SqlClient.make({
    acquirer: alone,
    borrower: (use) => Effect.scoped(Effect.flatMap(alone, use)),
    transactionService,
    driver: "pg",
    compiler: PgClient.makeCompiler(transformQueryNames, transformJson),
    spanAttributes,
    ...(transformResultNames === undefined
      ? {}
      : { transformRows: Statement.defaultTransforms(transformResultNames, transformJson).array })
  })
  const withTransaction = SqlClient.makeWithTransaction({
    transactionService,
    spanAttributes,
    acquireConnection: (restore) => restore(Effect.map(pool.get, connectionOf)),
    begin: (connection, statement = "BEGIN") => sendWithoutWaiting(run(connection, statement)),
    savepoint: (connection, id) => sendWithoutWaiting(run(connection, `SAVEPOINT ${nameOf(id)}`)),
    releaseSavepoint: (connection, id) =>
      sendWithoutWaiting(run(connection, `RELEASE SAVEPOINT ${nameOf(id)}`)),
    commit,
    rollback: (connection) => run(connection, "ROLLBACK"),
    rollbackSavepoint: (connection, id) => run(connection, `ROLLBACK TO SAVEPOINT ${nameOf(id)}`)
  })
  return Object.assign(client, { withTransaction })
})

const nameOf = (id: number) => `level_${id}`

/** Never prepared: one that had to be sent again would come after what was sent behind it. */
const run = (connection: SqlConnection.Connection, statement: string) =>
  Effect.asVoid(connection.executeUnprepared(statement, [], undefined))

/** PostgreSQL answers `ROLLBACK` to a `COMMIT` of a transaction that is aborted. */
const commit = (connection: SqlConnection.Connection): Effect.Effect<void, SqlError.SqlError> =>
  Effect.flatMap(connection.executeRaw("COMMIT", []), (result) =>
    // What this driver's connections answer.
    (result as PgConnection.Result).command === "ROLLBACK"
      ? Effect.fail(new SqlError.SqlError({ reason: aborted }))
      : Effect.void
  )

const aborted = new SqlError.UnknownError({
  cause: new Error("The transaction was aborted and has been rolled back"),
  message: "The transaction was aborted and has been rolled back",
  operation: "commit"
})

type Transform = (<A extends object>(rows: ReadonlyArray<A>) => ReadonlyArray<A>) | undefined

/** A session of PostgreSQL as the client's statements want it. */
const connectionOf = (session: PgConnection.PgConnection): SqlConnection.Connection => {
  const rows =
    (prepare: boolean) => (sql: string, params: ReadonlyArray<unknown>, transform: Transform) =>
      Effect.map(session.query(sql, params, prepare), (result) =>
        transform === undefined ? result.rows : transform(result.rows)
      )
  return {
    execute: rows(true),
    executeUnprepared: rows(false),
    executeRaw: (sql, params) => session.query(sql, params),
    executeValues: (sql, params) => session.queryValues(sql, params),
    executeValuesUnprepared: (sql, params) => session.queryValues(sql, params, false),
    executeStream: () => Stream.die(new Error("Read page by page, or with a cursor."))
  }
}
