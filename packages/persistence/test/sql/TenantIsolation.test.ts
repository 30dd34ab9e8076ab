/** One tenant attacks another's rows in every way that a statement can. */
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlError } from "effect/sql"
import * as net from "node:net"
import { Database } from "../../src/sql/Database.ts"
import { TenantSql } from "../../src/sql/TenantSql.ts"
import { SuperuserSql } from "@quittance/testing/PgTest"
import * as Ledger from "../Ledger.ts"
import { acme, as, globex } from "../Ledger.ts"
import type { TenantId } from "@quittance/domain/requests/Tenancy"

/** Each would answer a row if it saw the rows of globex, or tell that the row `g1` is there. */
const readings = {
  "by its tenant": "SELECT * FROM book WHERE tenant_id = 'globex'",
  "by exclusion": "SELECT * FROM book WHERE tenant_id <> 'acme'",
  "by a condition that always holds":
    "SELECT * FROM book WHERE tenant_id <> 'acme' OR (tenant_id = 'globex' AND 1 = 1)",
  "by its key": "SELECT * FROM book WHERE id = 'g1'",
  "by an operator that fails on it": "SELECT * FROM book WHERE 1 / (amount - 777) = 100",
  "through a join":
    "SELECT l.* FROM book b JOIN line l ON l.book_id = b.id WHERE l.tenant_id <> b.tenant_id",
  "through an outer join":
    "SELECT l.* FROM book b RIGHT JOIN line l ON b.tenant_id = l.tenant_id AND b.id = l.book_id WHERE l.tenant_id = 'globex'",
  "in a subselect": "SELECT 1 AS one WHERE EXISTS (SELECT FROM book WHERE tenant_id = 'globex')",
  "in a scalar subselect":
    "SELECT n FROM (SELECT (SELECT max(amount) FROM book WHERE id = 'g1') AS n) s WHERE n > 0",
  "in a lateral subselect":
    "SELECT l.* FROM book b, LATERAL (SELECT * FROM line WHERE tenant_id <> b.tenant_id) l",
  "in a common table expression":
    "WITH b AS MATERIALIZED (SELECT * FROM book) SELECT * FROM b WHERE tenant_id = 'globex'",
  "in a recursion":
    "WITH RECURSIVE b AS (SELECT id FROM book WHERE tenant_id = 'globex' UNION SELECT n.id FROM book n JOIN b ON n.id > b.id) SELECT * FROM b",
  "in an aggregate":
    "SELECT n FROM (SELECT count(*) FILTER (WHERE tenant_id = 'globex') AS n FROM book) c WHERE n > 0",
  "in a window":
    "SELECT 1 AS one FROM (SELECT tenant_id, lag(tenant_id) OVER (ORDER BY tenant_id) AS before FROM book) w WHERE before <> tenant_id",
  "in a set operation": "SELECT tenant_id FROM book EXCEPT SELECT 'acme'",
  "as a whole row": "SELECT 1 AS one FROM book WHERE to_jsonb(book) ->> 'tenant_id' = 'globex'",
  "by its place on disk": "SELECT * FROM book WHERE ctid > '(0,0)' AND tenant_id <> 'acme'",
  "locking it": "SELECT * FROM book WHERE tenant_id = 'globex' FOR UPDATE",
  "through a view of the owner": "SELECT * FROM book_of_owner WHERE tenant_id = 'globex'",
  "through a view of the caller": "SELECT * FROM book_of_caller WHERE tenant_id = 'globex'",
  "through a function of the owner": "SELECT * FROM books_of_owner() WHERE tenant_id = 'globex'",
  "in the planner's statistics":
    "SELECT 1 AS one FROM pg_stats WHERE tablename = 'book' AND most_common_vals::text LIKE '%globex%'"
}

/** Each would change, add or reveal a row of globex; none may, and not all of them fail. */
const writings = {
  update: "UPDATE book SET amount = 0 WHERE tenant_id = 'globex'",
  "update of all rows": "UPDATE book SET amount = amount RETURNING tenant_id",
  "update through a join":
    "UPDATE book b SET amount = 0 FROM line l WHERE l.book_id = b.id AND b.tenant_id = 'globex' RETURNING b.id",
  "move of a row to it": "UPDATE book SET tenant_id = 'globex' WHERE id = 'b9'",
  "move of a row to no tenant": "UPDATE book SET tenant_id = '' WHERE id = 'b9'",
  insert: "INSERT INTO book VALUES ('globex', 'stolen', 1)",
  "insert of several": "INSERT INTO book VALUES ('acme', 'own', 1), ('globex', 'stolen', 1)",
  "insert of what was read": "INSERT INTO book SELECT 'globex', 's' || id, 1 FROM book",
  "insert with returning": "INSERT INTO book VALUES ('globex', 'stolen', 1) RETURNING *",
  upsert:
    "INSERT INTO book VALUES ('globex', 'g1', 0) ON CONFLICT (tenant_id, id) DO UPDATE SET amount = 0 RETURNING *",
  "upsert that does nothing": "INSERT INTO book VALUES ('globex', 'g1', 0) ON CONFLICT DO NOTHING",
  "upsert that moves":
    "INSERT INTO book VALUES ('acme', 'b1', 0) ON CONFLICT (tenant_id, id) DO UPDATE SET tenant_id = 'globex'",
  merge:
    "MERGE INTO book b USING (VALUES ('globex', 'g1')) v (t, i) ON b.tenant_id = v.t AND b.id = v.i WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT VALUES (v.t, v.i, 0)",
  delete: "DELETE FROM line WHERE tenant_id = 'globex'",
  "delete through a join":
    "DELETE FROM line l USING book b WHERE b.id = l.book_id AND l.tenant_id = 'globex' RETURNING l.book_id",
  "delete in a common table expression":
    "WITH d AS (DELETE FROM line WHERE tenant_id = 'globex' RETURNING *) SELECT * FROM d",
  "through a view of the owner": "UPDATE book_of_owner SET amount = 0 WHERE tenant_id = 'globex'",
  "a line on its book": "INSERT INTO line VALUES ('acme', 'g1', 1)",
  "a line of its own on its book": "INSERT INTO line VALUES ('globex', 'g1', 9)"
}

/** Each would lift the isolation itself. */
const escapes = {
  "switching row security off": ["SET row_security = off", "SELECT * FROM book"],
  "becoming the owner": ["SET ROLE quittance_owner"],
  "becoming the superuser": ["SET SESSION AUTHORIZATION postgres"],
  "dropping the role": ["SET ROLE NONE", "SET ROLE quittance_owner"],
  "disabling the policies": ["ALTER TABLE book DISABLE ROW LEVEL SECURITY"],
  "freeing the owner of them": ["ALTER TABLE book NO FORCE ROW LEVEL SECURITY"],
  "dropping a policy": ["DROP POLICY tenant_isolation ON book"],
  "adding a policy": ["CREATE POLICY all_rows ON book USING (true)"],
  "changing a policy": ["ALTER POLICY tenant_isolation ON book USING (true)"],
  "changing its own role": ["ALTER ROLE quittance_runtime BYPASSRLS"],
  "joining the owner's role": ["GRANT quittance_owner TO quittance_runtime"],
  "creating a table": ["CREATE TABLE mine AS SELECT * FROM book"],
  "shadowing a table": ["CREATE TEMPORARY TABLE book (tenant_id text)"],
  "creating a schema": ["CREATE SCHEMA mine"],
  "creating a function": ["CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'"],
  "creating a view": ["CREATE VIEW mine AS SELECT * FROM book"],
  "watching with a trigger": [
    "CREATE TRIGGER watch AFTER INSERT ON book EXECUTE FUNCTION suppress_redundant_updates_trigger()"
  ],
  "rewriting with a rule": ["CREATE RULE watch AS ON INSERT TO book DO ALSO SELECT 1"],
  "emptying a table": ["TRUNCATE book CASCADE"],
  "dropping a table": ["DROP TABLE book CASCADE"],
  "taking a foreign key": ["ALTER TABLE book ADD FOREIGN KEY (tenant_id) REFERENCES tenant"],
  "reading raw statistics": ["SELECT * FROM pg_statistic"],
  "reading the server's files": ["SELECT pg_read_file('PG_VERSION')"],
  "copying into a table": ["COPY book FROM PROGRAM 'echo globex,stolen,1'"],
  "copying to a file": ["COPY book TO '/tmp/quittance-stolen'"],
  "copying to a program": ["COPY book TO PROGRAM 'cat'"],
  "loading another library": ["LOAD 'auto_explain'"]
}

/** Everything globex has, as one who is not bound by row level security sees it. */
const possessions = Effect.gen(function* () {
  const sql = yield* SuperuserSql
  return yield* sql`
    SELECT (SELECT jsonb_agg(b ORDER BY id) FROM book b WHERE tenant_id = 'globex') AS books,
      (SELECT jsonb_agg(l ORDER BY book_id, number) FROM line l WHERE tenant_id = 'globex') AS lines
  `
})

const reasonOf = (error: SqlError.SqlError) => error.reason._tag

/** Whether an answer tells of globex or of the record that only it has. */
const betrays = (rows: ReadonlyArray<unknown>) => /globex|g1/u.test(JSON.stringify(rows))

layer(Ledger.layer)("tenant isolation", (it) => {
  it.effect.each(Object.entries(readings))("hides another tenant's rows %s", ([, text]) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { read, transaction } = yield* TenantSql
      const statement = sql.unsafe(text)
      // The attack is a real one: it finds or breaks something where nothing hides the rows.
      const found = Effect.orElseSucceed(() => ["broken"])
      const unbound = yield* (yield* SuperuserSql).unsafe(text).pipe(found)
      const theirs = yield* Effect.andThen(setTenant(globex), statement).pipe(
        sql.withTransaction,
        found
      )
      assert.isAbove(unbound.length + theirs.length, 0)

      assert.deepStrictEqual(yield* transaction(statement).pipe(as(acme)), [])
      if (!text.includes("FOR UPDATE")) {
        assert.deepStrictEqual(yield* read(statement).pipe(as(acme)), [])
      }
      assert.deepStrictEqual(yield* statement, [])
    })
  )

  it.effect("shows nothing at all without a tenant", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      assert.deepStrictEqual(yield* sql`SELECT * FROM book`, [])
      assert.deepStrictEqual(yield* sql.withTransaction(sql`SELECT * FROM line`), [])
    })
  )

  it.effect.each(Object.entries(writings))("keeps another tenant's rows from: %s", ([, text]) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const before = yield* possessions
      const write = Effect.andThen(setTenant(acme), sql.unsafe(text)).pipe(sql.withTransaction)

      const outcome = yield* Effect.result(write)
      const unset = yield* Effect.result(sql.unsafe(text))

      assert.deepStrictEqual(yield* possessions, before)
      for (const result of [outcome, unset]) {
        if (result._tag === "Success") assert.isFalse(betrays(result.success))
        else assert.oneOf(reasonOf(result.failure), ["AuthorizationError", "ConstraintError"])
      }
    })
  )

  it.effect.each(Object.entries(escapes))("does not let the runtime role out by %s", ([, texts]) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const statements = Effect.forEach(texts, (text) => sql.unsafe(text))

      const error = yield* Effect.andThen(setTenant(acme), statements).pipe(
        sql.withTransaction,
        Effect.flip
      )

      assert.strictEqual(reasonOf(error), "AuthorizationError")
    })
  )

  it.effect("takes a parent of another tenant for one that is not there", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const forge = (bookId: string) =>
        Effect.andThen(setTenant(acme), sql`INSERT INTO line VALUES ('acme', ${bookId}, 7)`).pipe(
          sql.withTransaction,
          Effect.flip,
          Effect.map((error) => String(error.reason.cause).replaceAll(bookId, "?"))
        )

      assert.strictEqual(yield* forge("g1"), yield* forge("missing"))
    })
  )

  it.effect("copies out only the tenant's own rows", () =>
    Effect.gen(function* () {
      const copied = yield* bytesOf("COPY book TO STDOUT")

      assert.include(copied, "acme\tb1\t")
      assert.notInclude(copied, "globex")
    })
  )

  it.effect("does not copy rows in past the policies", () =>
    Effect.gen(function* () {
      assert.include(
        yield* bytesOf("COPY book FROM STDIN"),
        "not supported with row-level security"
      )
    })
  )
})

const setTenant = Effect.fnUntraced(function* (tenant: TenantId) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`SELECT set_config('app.tenant', ${tenant}, true)`
})

/** What the server sends for a statement of acme's, byte by byte: the driver does not know COPY. */
const bytesOf = Effect.fnUntraced(
  function* (statement: string) {
    const { url } = yield* Database
    const { hostname, port } = new URL(Redacted.value(url))
    let received = ""
    const stream = () =>
      net.connect(Number(port), hostname).on("data", (chunk) => {
        received += chunk.toString("latin1")
      })
    const client = yield* PgClient.makeClient({ url, stream })
    yield* Effect.exit(
      client.withTransaction(
        Effect.andThen(
          client`SELECT set_config('app.tenant', 'acme', true)`,
          client.unsafe(statement).unprepared
        )
      )
    )
    return received
  },
  Effect.scoped,
  Effect.provide(Reactivity.layer)
)
