import { assert, layer } from "@effect/vitest"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Reconciliation } from "../../src/reconciliation/Reconciliation.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as World from "../World.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** A database whose own setting is another zone than the products', and not UTC. */
const elsewhere = Layer.effectDiscard(
  Effect.gen(function* () {
    const superuser = yield* SuperuserSql
    const [found] = yield* superuser<{ readonly name: string }>`SELECT current_database() AS name`
    yield* superuser`ALTER DATABASE ${superuser(found!.name)} SET TimeZone = 'America/Juneau'`
    // Open connections still have the old setting.
    yield* superuser`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()
    `
  })
)

const TestLayer = elsewhere.pipe(
  Layer.provideMerge(Layer.merge(Reconciliation.layer, Contracts.layer)),
  Layer.provideMerge(World.layer)
)

layer(TestLayer, { excludeTestServices: true })("a database in another time zone", (it) => {
  it.effect("bills each period once, on its own days, and repairs nothing (tz-db-loop-150)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [setting] = yield* Effect.retry(
        sql<{ readonly zone: string }>`SELECT current_setting('TimeZone') AS zone`,
        { times: 20 }
      )
      assert.strictEqual(setting?.zone, "UTC", "every session says what it needs")
      const world = yield* World.make()
      const contract = yield* Contracts.signed(world)
      for (const instant of [
        "2026-04-01T00:00:00Z",
        "2026-05-31T23:00:00Z",
        "2026-07-01T06:00:00Z"
      ]) {
        yield* Contracts.moveTo(world, instant)
        yield* Contracts.moveTo(world, instant)
      }
      const invoices = yield* Contracts.invoices(world, contract)
      assert.deepStrictEqual(
        invoices.map(({ period, type }) => [type, period.start, period.end]).slice(0, 3),
        [
          ["INVOICE", "2026-04-01", "2026-05-01"],
          ["INVOICE", "2026-05-01", "2026-06-01"],
          ["INVOICE", "2026-06-01", "2026-07-01"]
        ]
      )
      assert.strictEqual(new Set(invoices.map(({ period }) => period.start)).size, invoices.length)
      const { difference } = yield* Reconciliation.use((books) => books.reconcile).pipe(
        Effect.provideService(CurrentTenant, world.tenant)
      )
      assert.isUndefined(difference)
    })
  )
})
