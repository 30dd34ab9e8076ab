/** One tenant can't use up the connections of a program, however many transactions it begins. */
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Deferred, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TenantSql } from "../../src/sql/TenantSql.ts"
import * as PgTest from "@quittance/testing/PgTest"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"

const settings = { DATABASE_POOL: "4", DATABASE_TENANT_SHARE: "2" }

const crowd = TenantId.make("crowd")
const other = TenantId.make("other")

const shared = PgTest.layer.pipe(
  Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(settings)))
)

layer(shared)("a tenant with many transactions", (it) => {
  it.effect("holds no more than its share of the connections, and others read meanwhile", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const over = yield* Deferred.make<void>()
      const both = yield* Deferred.make<void>()
      let open = 0
      let most = 0
      const hold = Effect.gen(function* () {
        yield* tenantSql.read(sql`SELECT 1 AS one`)
        open += 1
        most = Math.max(most, open)
        if (open === 2) yield* Deferred.succeed(both, undefined)
        yield* Deferred.await(over)
        open -= 1
      })
      const fibers = yield* Effect.forEach(
        Array.from({ length: 20 }, () => tenantSql.transaction(hold)),
        (transaction) =>
          Effect.forkChild(Effect.provideService(transaction, CurrentTenant, crowd), {
            startImmediately: true
          })
      )
      yield* Deferred.await(both)
      const rows = yield* Effect.provideService(
        tenantSql.read(sql`SELECT current_setting('app.tenant') AS tenant`),
        CurrentTenant,
        other
      )
      assert.deepStrictEqual(rows, [{ tenant: other }])
      yield* Deferred.succeed(over, undefined)
      yield* Effect.forEach(fibers, Fiber.join)
      assert.strictEqual(most, 2)
      assert.strictEqual(open, 0)
    })
  )
})
