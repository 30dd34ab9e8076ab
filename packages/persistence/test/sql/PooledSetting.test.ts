/** The tenant of one request must not be found by the next one on the same connection. */
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Deferred, Effect, Fiber, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TenantSql } from "../../src/sql/TenantSql.ts"
import * as Ledger from "../Ledger.ts"
import { acme, as, globex } from "../Ledger.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** One connection, so that every statement meets what the one before it has left. */
const oneConnection = Ledger.layer.pipe(
  Layer.provide(
    ConfigProvider.layer(
      ConfigProvider.fromUnknown({ DATABASE_POOL: "1", DATABASE_STATEMENT_TIMEOUT: "200 millis" })
    )
  )
)

class Refused extends Schema.TaggedError<Refused>()("Refused", {}) {}

const count = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return sql<{ readonly books: number; readonly tenant: string | null; readonly process: number }>`
    SELECT count(*)::int AS books, nullif(current_setting('app.tenant', true), '') AS tenant,
      pg_backend_pid() AS process
    FROM book
  `
})

const insert = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { write } = yield* TenantSql
  const tenantId = yield* CurrentTenant
  yield* write(sql`INSERT INTO book ${sql.insert({ tenantId, id: "new", amount: 1 })}`)
})

/** Everything that can end a use of a connection. */
const uses: Record<
  string,
  Effect.Effect<void, unknown, CurrentTenant | SqlClient.SqlClient | TenantSql>
> = {
  "a read": Effect.gen(function* () {
    const { read } = yield* TenantSql
    yield* read(yield* count)
  }),
  "a read that fails": Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { read } = yield* TenantSql
    yield* Effect.flip(read(sql`SELECT 1 / (amount - amount) AS broken FROM book`))
  }),
  "a read that takes too long": Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { read } = yield* TenantSql
    const error = yield* Effect.flip(read(sql`SELECT pg_sleep(60)`))
    assert.strictEqual(error.reason._tag, "StatementTimeoutError")
  }),
  "a commit": Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { transaction, write } = yield* TenantSql
    yield* transaction(write(sql`UPDATE book SET amount = amount`))
  }),
  "a rollback": Effect.gen(function* () {
    const { transaction } = yield* TenantSql
    yield* insert.pipe(Effect.andThen(new Refused()), transaction, Effect.flip)
  }),
  "a failure of the database": Effect.gen(function* () {
    const { transaction } = yield* TenantSql
    yield* insert.pipe(Effect.andThen(insert), transaction, Effect.exit)
  }),
  "a defect": Effect.gen(function* () {
    const { transaction } = yield* TenantSql
    yield* insert.pipe(Effect.andThen(Effect.die("broken")), transaction, Effect.exit)
  }),
  "a savepoint undone": Effect.gen(function* () {
    const { savepoint, transaction } = yield* TenantSql
    yield* transaction(Effect.exit(savepoint(Effect.andThen(insert, new Refused()))))
  }),
  "an interruption between statements": Effect.gen(function* () {
    const { transaction } = yield* TenantSql
    const inside = yield* Deferred.make<void>()
    const pause = Effect.andThen(Deferred.succeed(inside, undefined), Effect.never)
    const fiber = yield* Effect.forkChild(transaction(Effect.andThen(insert, pause)))
    yield* Deferred.await(inside)
    yield* Fiber.interrupt(fiber)
  }),
  "an interruption of a statement": Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { transaction, write } = yield* TenantSql
    const inside = yield* Deferred.make<void>()
    const pause = Effect.andThen(
      Deferred.succeed(inside, undefined),
      write(sql`SELECT pg_sleep(60)`)
    )
    const fiber = yield* Effect.forkChild(transaction(Effect.andThen(insert, pause)))
    yield* Deferred.await(inside)
    yield* Fiber.interrupt(fiber)
  })
}

layer(oneConnection)("a pooled connection", (it) => {
  it.effect.each(Object.entries(uses))("forgets the tenant after %s", ([, use]) =>
    Effect.gen(function* () {
      const { read } = yield* TenantSql
      const statement = yield* count
      const [before] = yield* statement

      yield* use.pipe(as(acme))

      const [after] = yield* statement
      assert.deepStrictEqual([after!.books, after!.tenant], [0, null])
      // Nothing of the transaction was kept, and the next tenant sees what is its own.
      const [own] = yield* read(statement).pipe(as(acme))
      const [other] = yield* read(statement).pipe(as(globex))
      assert.deepStrictEqual([own!.books, other!.books], [9, 10])
      assert.strictEqual(before!.books, 0)
    })
  )

  it.effect("is one and the same for all of these uses", () =>
    Effect.gen(function* () {
      const statement = yield* count
      const [first] = yield* statement
      const { read } = yield* TenantSql

      const [second] = yield* read(statement).pipe(as(acme))

      assert.strictEqual(second!.process, first!.process)
    })
  )
})

layer(Ledger.layer)("a pool under load", (it) => {
  it.effect("answers each tenant with its own rows, whatever ran before on the connection", () =>
    Effect.gen(function* () {
      const { read, transaction } = yield* TenantSql
      const statement = yield* count
      const once = Effect.fnUntraced(function* (turn: number) {
        const tenant = turn % 2 === 0 ? acme : globex
        const asked = read(statement)
        const refused = Effect.flip(transaction(Effect.andThen(insert, new Refused())))
        const answer = turn % 3 === 0 ? transaction(asked) : asked
        const [row] = yield* (turn % 5 === 0 ? Effect.andThen(refused, answer) : answer).pipe(
          as(tenant)
        )
        assert.deepStrictEqual([row!.tenant, row!.books], [tenant, tenant === acme ? 9 : 10])
        const [raw] = yield* statement
        assert.deepStrictEqual([raw!.tenant, raw!.books], [null, 0])
      })

      yield* Effect.forEach(Array.from({ length: 1000 }).keys(), once, {
        concurrency: 40,
        discard: true
      })
    })
  )
})
