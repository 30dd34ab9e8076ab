/** Row level security as PostgreSQL answers it, by the ids of test/security-cases.json. */
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { TenantSql } from "../../src/sql/TenantSql.ts"
import { OwnerSql, SuperuserSql } from "@quittance/testing/PgTest"
import * as Ledger from "../Ledger.ts"
import { acme, as, globex } from "../Ledger.ts"
import { find, rules } from "../SchemaRules.ts"
import type { TenantId } from "@quittance/domain/requests/Tenancy"

class Undone extends Schema.TaggedError<Undone>()("Undone", {}) {}

/** Runs statements as a tenant and undoes them; the rows of the last. */
const asTenant = Effect.fnUntraced(function* (
  tenant: TenantId,
  ...statements: ReadonlyArray<string>
) {
  const sql = yield* SqlClient.SqlClient
  let rows: ReadonlyArray<object> = []
  yield* Effect.gen(function* () {
    yield* sql`SELECT set_config('app.tenant', ${tenant}, true)`
    for (const statement of statements) rows = yield* sql.unsafe(statement)
    return yield* new Undone()
  }).pipe(
    sql.withTransaction,
    Effect.catchTag("Undone", () => Effect.void)
  )
  return rows
})

/** What the database calls the failure of a statement of acme's. */
const sqlstateOf = (...statements: ReadonlyArray<string>) =>
  Effect.map(Effect.flip(asTenant(acme, ...statements)), ({ reason }: SqlError.SqlError) => {
    // The driver's error; its code is the database's.
    const { code } = reason.cause as { readonly code?: string }
    return code
  })

const foreign = {
  read: "SELECT * FROM book WHERE id = 'g1'",
  update: "UPDATE book SET amount = 0 WHERE id = 'g1' RETURNING id",
  delete: "DELETE FROM line WHERE book_id = 'g1' RETURNING book_id"
}

layer(Ledger.layer)("row level security", (it) => {
  it.effect.each(Object.entries(foreign))(
    "RL-02 does not let a tenant %s a foreign row",
    ([, statement]) =>
      Effect.gen(function* () {
        assert.strictEqual((yield* asTenant(globex, statement)).length, 1)
        assert.deepStrictEqual(yield* asTenant(acme, statement), [])
      })
  )

  it.effect("RL-03 refuses a row of another tenant, inserted, moved or upserted", () =>
    Effect.gen(function* () {
      const statements = [
        "INSERT INTO book VALUES ('globex', 'new', 1)",
        "INSERT INTO book VALUES ('', 'new', 1)",
        "UPDATE book SET tenant_id = 'globex' WHERE id = 'b9'",
        "INSERT INTO book VALUES ('globex', 'g1', 0) ON CONFLICT (tenant_id, id) DO UPDATE SET amount = 0"
      ]
      for (const statement of statements) {
        assert.strictEqual(yield* sqlstateOf(statement), "42501", statement)
      }
    })
  )

  it.effect("RL-04 reveals by no unique key that another tenant has a record", () =>
    Effect.gen(function* () {
      const insert = "INSERT INTO book VALUES ('acme', 'g1', 1) RETURNING id"
      assert.strictEqual((yield* asTenant(acme, insert)).length, 1)
      const owner = yield* SuperuserSql
      const rule = rules["the tenant leads every index and every key"]!
      assert.deepStrictEqual(yield* find(owner, rule), [])
    })
  )

  it.effect("RL-05 finds no parent in another tenant", () =>
    Effect.gen(function* () {
      const child = (parent: string) => `INSERT INTO line VALUES ('acme', '${parent}', 7)`
      assert.strictEqual(yield* sqlstateOf(child("g1")), "23503")
      assert.strictEqual(yield* sqlstateOf(child("nowhere")), "23503")
      yield* asTenant(acme, child("b1"))
      const owner = yield* SuperuserSql
      const rule = rules["the tenant leads every foreign key, on both sides"]!
      assert.deepStrictEqual(yield* find(owner, rule), [])
    })
  )

  it.effect("RL-07 binds views and functions, also those of the owner", () =>
    Effect.gen(function* () {
      for (const source of ["book_of_caller", "book_of_owner", "books_of_owner()"]) {
        const count = `SELECT count(*)::int AS n FROM ${source}`
        assert.deepStrictEqual(yield* asTenant(acme, count), [{ n: 9 }], source)
        assert.deepStrictEqual(yield* asTenant(globex, count), [{ n: 10 }], source)
      }
      // A materialized view would keep the rows of its maker: no serving role can make one, and none exists.
      const kept = "CREATE MATERIALIZED VIEW kept AS SELECT * FROM book"
      assert.strictEqual(yield* sqlstateOf(kept), "42501")
      const owner = yield* OwnerSql
      const views = yield* owner`
        SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'm'
      `
      assert.deepStrictEqual(views, [])
    })
  )

  it.effect("RL-09 takes the empty text that a transaction leaves for no tenant", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { transaction } = yield* TenantSql
      yield* sql.reserve.pipe(
        Effect.flatMap((connection) =>
          Effect.gen(function* () {
            const run = (statement: string) => connection.execute(statement, [], undefined)
            yield* run("BEGIN")
            yield* run("SELECT set_config('app.tenant', 'acme', true)")
            yield* run("COMMIT")
            const setting = yield* run("SELECT current_setting('app.tenant', true) AS tenant")
            assert.deepStrictEqual(setting, [{ tenant: "" }])
            assert.deepStrictEqual(yield* run("SELECT * FROM book"), [])
          })
        ),
        Effect.scoped
      )
      // Not even a tenant whose name is empty has rows then.
      assert.strictEqual(yield* sqlstateOf("INSERT INTO book VALUES ('', 'b1', 1)"), "42501")
      const books = yield* transaction(sql`SELECT * FROM book`).pipe(as(acme))
      assert.strictEqual(books.length, 9)
    })
  )

  it.effect("RL-11 fails where it is switched off, and shows nothing", () =>
    Effect.gen(function* () {
      const off = "SET LOCAL row_security = off"
      assert.strictEqual(yield* sqlstateOf(off, "SELECT * FROM book"), "42501")
      assert.strictEqual(yield* sqlstateOf(off, "UPDATE book SET amount = 0"), "42501")
    })
  )
})
