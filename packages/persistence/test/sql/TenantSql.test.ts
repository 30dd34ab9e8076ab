import { assert, layer } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Fiber, Schema } from "effect"
import { SqlClient, SqlError, SqlSchema } from "effect/sql"
import { TenantSql } from "../../src/sql/TenantSql.ts"
import * as Ledger from "../Ledger.ts"
import { acme, as, globex } from "../Ledger.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const countBooks = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { read } = yield* TenantSql
  const rows = yield* read(sql<{ readonly count: number }>`SELECT count(*)::int AS count FROM book`)
  return rows[0]!.count
})

const insertBook = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const { write } = yield* TenantSql
  const tenantId = yield* CurrentTenant
  yield* write(sql`INSERT INTO book ${sql.insert({ tenantId, id, amount: 1 })}`)
})

/** The message of the defect that the effect must end with. */
const defectOf = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.exit(effect), (exit) => {
    assert.isTrue(Exit.hasDies(exit))
    return Exit.isFailure(exit) ? String(Cause.squash(exit.cause)) : ""
  })

class Refused extends Schema.TaggedError<Refused>()("Refused", {}) {}

layer(Ledger.layer)("TenantSql", (it) => {
  it.effect("refuses a write outside a transaction", () =>
    Effect.gen(function* () {
      assert.include(
        yield* defectOf(insertBook("x1").pipe(as(acme))),
        "needs TenantSql.transaction"
      )
    })
  )

  it.effect("refuses a savepoint outside a transaction", () =>
    Effect.gen(function* () {
      const { savepoint } = yield* TenantSql

      assert.include(
        yield* defectOf(savepoint(insertBook("x1")).pipe(as(acme))),
        "needs TenantSql.transaction"
      )
    })
  )

  it.effect("refuses a transaction that was opened past it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const problem = yield* defectOf(sql.withTransaction(countBooks).pipe(as(acme)))

      assert.include(problem, "opened past TenantSql")
    })
  )

  it.effect.each(["read", "write", "transaction", "savepoint"] as const)(
    "refuses another tenant in a transaction: %s",
    (method) =>
      Effect.gen(function* () {
        const { savepoint, transaction } = yield* TenantSql
        const uses = {
          read: countBooks,
          write: insertBook("x1"),
          transaction: transaction(Effect.void),
          savepoint: savepoint(Effect.void)
        }

        const problem = yield* defectOf(transaction(uses[method].pipe(as(globex))).pipe(as(acme)))

        assert.include(problem, "a transaction of acme was used for globex")
      })
  )

  it.effect("refuses a fiber that outlives its transaction", () =>
    Effect.gen(function* () {
      const { transaction } = yield* TenantSql
      const ended = yield* Deferred.make<void>()
      const late = Deferred.await(ended).pipe(Effect.andThen(insertBook("x1")))

      const fiber = yield* transaction(Effect.forkDetach(late)).pipe(as(acme))
      yield* Deferred.succeed(ended, undefined)

      assert.include(yield* defectOf(Fiber.join(fiber)), "outlived its transaction")
    })
  )

  it.effect("undoes everything when the effect fails, and passes the failure on", () =>
    Effect.gen(function* () {
      const { transaction } = yield* TenantSql
      const before = yield* countBooks.pipe(as(acme))

      const error = yield* insertBook("x1").pipe(
        Effect.andThen(new Refused()),
        transaction,
        as(acme),
        Effect.flip
      )

      assert.strictEqual(error._tag, "Refused")
      assert.strictEqual(yield* countBooks.pipe(as(acme)), before)
    })
  )

  it.effect("makes a failure of the database a defect", () =>
    Effect.gen(function* () {
      const { transaction } = yield* TenantSql

      const exit = yield* Effect.exit(insertBook("b1").pipe(transaction, as(acme)))

      assert.isTrue(Exit.hasDies(exit))
      const defect = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
      assert.strictEqual(SqlError.isSqlError(defect) && defect.reason._tag, "UniqueViolation")
    })
  )

  it.effect("joins the transaction around it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { read, transaction } = yield* TenantSql
      const id = read(sql<{ readonly id: string }>`SELECT txid_current()::text AS id`)

      const [outer, inner] = yield* Effect.all([id, transaction(id)]).pipe(transaction, as(acme))

      assert.deepStrictEqual(inner, outer)
    })
  )

  it.effect("does not commit half a transaction when the failure of a joined part is caught", () =>
    Effect.gen(function* () {
      const { transaction } = yield* TenantSql
      const before = yield* countBooks.pipe(as(acme))
      const part = transaction(Effect.andThen(insertBook("x1"), new Refused()))

      const problem = yield* defectOf(transaction(Effect.ignore(part)).pipe(as(acme)))

      assert.include(problem, "use a savepoint")
      assert.strictEqual(yield* countBooks.pipe(as(acme)), before)
    })
  )

  it.effect("undoes what failed behind a savepoint and commits the rest", () =>
    Effect.gen(function* () {
      const { savepoint, transaction } = yield* TenantSql
      const before = yield* countBooks.pipe(as(globex))
      const failing = transaction(Effect.andThen(insertBook("s2"), insertBook("b1")))

      yield* insertBook("s1").pipe(
        Effect.andThen(Effect.exit(savepoint(failing))),
        Effect.andThen(insertBook("s3")),
        transaction,
        as(globex)
      )

      assert.strictEqual(yield* countBooks.pipe(as(globex)), before + 2)
    })
  )

  it.effect("does not see in a snapshot what is committed meanwhile, and blocks no writer", () =>
    Effect.gen(function* () {
      const { snapshot, transaction } = yield* TenantSql
      const begun = yield* Deferred.make<void>()
      const written = yield* Deferred.make<void>()
      const before = yield* countBooks.pipe(as(globex))

      const looking = yield* Effect.gen(function* () {
        const first = yield* countBooks
        yield* Deferred.succeed(begun, undefined)
        yield* Deferred.await(written)
        return [first, yield* countBooks]
      }).pipe(snapshot, as(globex), Effect.forkChild)
      yield* Deferred.await(begun)
      yield* transaction(insertBook("during")).pipe(as(globex))
      yield* Deferred.succeed(written, undefined)

      assert.deepStrictEqual(yield* Fiber.join(looking), [before, before])
      assert.strictEqual(yield* countBooks.pipe(as(globex)), before + 1)
    })
  )

  it.effect("writes nothing in a snapshot, and begins none inside a transaction", () =>
    Effect.gen(function* () {
      const { snapshot, transaction } = yield* TenantSql

      const exit = yield* Effect.exit(insertBook("x1").pipe(snapshot, as(acme)))

      assert.isTrue(Exit.hasDies(exit))
      assert.include(Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "", "read-only transaction")
      assert.include(
        yield* defectOf(transaction(snapshot(Effect.void)).pipe(as(acme))),
        "a snapshot can't begin inside a transaction"
      )
    })
  )

  it.effect("reads outside of the transaction in what runs after its commit", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { transaction } = yield* TenantSql
      const seen = yield* Deferred.make<number, SqlError.SqlError>()
      const look = sql.afterCommit(
        countBooks.pipe(
          as(acme),
          Effect.exit,
          Effect.flatMap((exit) => Deferred.done(seen, exit)),
          Effect.asVoid
        )
      )

      yield* transaction(look).pipe(as(acme))

      assert.strictEqual(yield* Deferred.await(seen), yield* countBooks.pipe(as(acme)))
    })
  )

  it.effect("keeps parameters, fragments, names and documents as they are", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { read } = yield* TenantSql
      const find = SqlSchema.findAll({
        Request: Schema.Struct({ ids: Schema.Array(Schema.String), least: Schema.Int }),
        Result: Schema.Struct({
          bookId: Schema.String,
          doubleAmount: Schema.Int,
          note: Schema.Record(Schema.String, Schema.String)
        }),
        execute: ({ ids, least }) =>
          read(sql`
            SELECT id AS book_id, amount * ${2}::int AS double_amount,
              jsonb_build_object('snake_case', id, 'camelCase', ${"é'$1"}::text) AS note
            FROM book WHERE ${sql.and([sql.in("id", ids), sql`amount >= ${least}`])} ORDER BY id -- by id`)
      })

      const rows = yield* find({ ids: ["b3", "b1", "b2"], least: 20 }).pipe(as(acme))

      assert.deepStrictEqual(
        rows,
        [2, 3].map((n) => ({
          bookId: `b${n}`,
          doubleAmount: n * 20,
          note: { snake_case: `b${n}`, camelCase: "é'$1" }
        }))
      )
    })
  )
})
