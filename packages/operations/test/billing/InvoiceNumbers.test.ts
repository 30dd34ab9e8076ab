/** Numbers of invoices follow their days, also where a transaction of an earlier day commits later. */
import { assert, layer } from "@effect/vitest"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { Conflict } from "@quittance/domain/requests/RequestErrors"
import { fromEpochMillis, type Instant, toEpochMillis } from "@quittance/domain/values/Instant"
import { InvoiceNumbersRepo } from "@quittance/persistence/billing/InvoiceNumbersRepo"
import { hasLostRace } from "@quittance/persistence/sql/DatabaseFailure"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import * as PgTest from "@quittance/testing/PgTest"
import { Cause, Deferred, Effect, Exit, Fiber, Layer } from "effect"
import { ManualCharges } from "../../src/billing/ManualCharges.ts"
import * as SoldPolicies from "../SoldPolicies.ts"
import * as World from "../World.ts"

const TestLayer = Layer.merge(ManualCharges.layer, InvoiceNumbersRepo.layer).pipe(
  Layer.provideMerge(SoldPolicies.layer)
)

const before = World.at("2026-04-15T21:59:59Z")
/** The next day in Paris. */
const after = World.at("2026-04-15T22:00:00Z")

const take = (issuedAt: Instant) =>
  InvoiceNumbersRepo.use((numbers) => numbers.take("INV", 1, issuedAt))

const isWaiting = Effect.gen(function* () {
  const sql = yield* PgTest.SuperuserSql
  const [row] = yield* sql<{ readonly waits: boolean }>`
    SELECT EXISTS (SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock') AS waits
  `
  return row!.waits
})

/** A tenant in real time. */
const live = Effect.gen(function* () {
  const world = yield* World.make()
  const superuser = yield* PgTest.SuperuserSql
  yield* superuser`UPDATE tenant SET test_clock = NULL WHERE tenant_id = ${world.tenant}`
  const now = TenantClockRepo.use((clock) => Effect.map(clock.read, (read) => read.now)).pipe(
    Effect.provideService(CurrentTenant, world.tenant)
  )
  return { world, now }
})

layer(TestLayer, { excludeTestServices: true })("numbers of invoices", (it) => {
  it.effect("are given to no earlier day than the number before", () =>
    Effect.gen(function* () {
      const { tenant } = (yield* live).world
      const tenantSql = yield* TenantSql
      const run = (issuedAt: Instant) =>
        Effect.exit(tenantSql.transaction(take(issuedAt))).pipe(
          Effect.provideService(CurrentTenant, tenant)
        )
      assert.deepStrictEqual(yield* run(after), Exit.succeed(1))
      const late = yield* run(before)
      assert.isTrue(Exit.isFailure(late) && hasLostRace(Cause.squash(late.cause)))
      // Nothing of it was kept: there is no gap. Within a quarter of an hour no day begins.
      assert.deepStrictEqual(yield* run(World.at("2026-04-15T22:14:59Z")), Exit.succeed(2))
      assert.deepStrictEqual(yield* run(after), Exit.succeed(3))
      // The clock was set back.
      assert.deepStrictEqual(yield* run(World.at("2026-04-15T20:00:00Z")), Exit.succeed(4))
    })
  )

  it.effect("are given to no command that waited for one of the next day", () =>
    Effect.gen(function* () {
      const { world, ...scene } = yield* live
      const sold = yield* SoldPolicies.signed(world)
      const tenantSql = yield* TenantSql
      const inTenant = Effect.provideService(CurrentTenant, world.tenant)
      const [isHeld, isOver] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const ahead = fromEpochMillis(toEpochMillis(yield* scene.now) + 30 * 60_000)
      const first = yield* take(ahead).pipe(
        Effect.tap(Deferred.succeed(isHeld, undefined)),
        Effect.tap(Deferred.await(isOver)),
        tenantSql.transaction,
        inTenant,
        Effect.forkChild
      )
      yield* Deferred.await(isHeld)
      const charge = { componentId: "COPY", label: "Copy", amount: 1500 }
      const second = yield* ManualCharges.use((charges) =>
        charges.make(sold.policyId, charge)
      ).pipe(World.as(world, world.manager), Effect.exit, Effect.forkChild)
      yield* Effect.repeat(isWaiting, { until: (waits) => waits })
      yield* Deferred.succeed(isOver, undefined)
      const number = yield* Fiber.join(first)
      // It was run again, and the other one still is of a later day.
      const lost = yield* Fiber.join(second)
      assert.isTrue(Exit.isFailure(lost) && Cause.squash(lost.cause) instanceof Conflict)
      const next = yield* inTenant(tenantSql.transaction(take(ahead)))
      assert.strictEqual(next, number + 1)
    })
  )
})
