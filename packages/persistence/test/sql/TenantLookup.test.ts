/** Lookups share their connections: neither the tenant nor the failure of one may be another's. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TenantSql } from "../../src/sql/TenantSql.ts"
import * as Ledger from "../Ledger.ts"
import { acme, as, globex } from "../Ledger.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const books = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { lookup } = yield* TenantSql
  const rows = yield* lookup(sql<{ readonly tenantId: string; readonly process: number }>`
    SELECT tenant_id, pg_backend_pid() AS process FROM book
  `)
  return { tenants: new Set(rows.map(({ tenantId }) => tenantId)), process: rows[0]!.process }
})

const broken = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { lookup } = yield* TenantSql
  return yield* Effect.flip(lookup(sql`SELECT 1 / (amount - amount) AS broken FROM book`))
})

layer(Ledger.layer)("TenantSql.lookup", (it) => {
  it.effect("answers each tenant its own rows over few connections, between others that fail", () =>
    Effect.gen(function* () {
      yield* books.pipe(as(acme))
      const asked = Array.from({ length: 6 }, () => [
        books.pipe(as(acme)),
        books.pipe(as(globex)),
        Effect.as(broken.pipe(as(acme)), undefined)
      ])
      const answers = yield* Effect.all(
        asked.map((turn) => Effect.all(turn, { concurrency: "unbounded" })),
        { concurrency: "unbounded" }
      )
      for (const [own, theirs] of answers) {
        assert.deepStrictEqual([...own!.tenants], [acme])
        assert.deepStrictEqual([...theirs!.tenants], [globex])
      }
      const processes = answers.flat().map((answer) => answer?.process)
      assert.isBelow(new Set(processes).size, 4)
    })
  )

  it.effect("runs in the transaction around it, and sees what that has written", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { lookup, transaction, write } = yield* TenantSql
      const count = sql<{ readonly books: number }>`SELECT count(*)::int AS books FROM book`
      const inside = Effect.gen(function* () {
        const tenantId = yield* CurrentTenant
        yield* write(sql`INSERT INTO book ${sql.insert({ tenantId, id: "new", amount: 1 })}`)
        return yield* lookup(count)
      })
      assert.deepStrictEqual(yield* transaction(inside).pipe(as(acme)), [{ books: 10 }])
      assert.deepStrictEqual(yield* lookup(count).pipe(as(globex)), [{ books: 10 }])
    })
  )
})
