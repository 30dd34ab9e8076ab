import { assert, layer } from "@effect/vitest"
import { InvoicesRepo } from "@quittance/persistence/billing/InvoicesRepo"
import { DueRepo } from "@quittance/persistence/policies/DueRepo"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Cause, Effect, Exit, Fiber, Ref } from "effect"
import { SqlClient } from "effect/sql"
import { DueSteps } from "../../src/worker/DueSteps.ts"
import * as Clones from "../Clones.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as World from "../World.ts"
import type { PolicyId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** A tenant on real time with so many policies that have been due since April. */
const backlog = Effect.fnUntraced(function* (count: number) {
  const world = yield* World.make()
  const { policyId } = yield* Contracts.signed(world)
  const clones = yield* Clones.make(world, policyId, count - 1)
  yield* Clones.onRealTime(world)
  return { world, policyIds: [policyId, ...clones] }
})

/** Runs batches until one finds nothing more to do. */
const drain = (limit: number) =>
  Effect.gen(function* () {
    const dueSteps = yield* DueSteps
    let idle = false
    while (!idle) {
      const { more, ran } = yield* dueSteps.runBatch(limit)
      idle = !more && Object.keys(ran).length === 0
    }
  })

/** How many invoices each policy must have by now: one for each month begun since 1 April 2026. */
const expectedInvoices = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly months: number }>`
    SELECT least(12, 1 + (extract(year FROM t) - 2026) * 12 + extract(month FROM t) - 4)::int AS months
    FROM (SELECT clock_timestamp() AT TIME ZONE 'Europe/Paris' AS t) now
  `
  return row!.months
})

/** Every policy has each of its invoices once, and every series, ledger and log is without a gap. */
const assertWhole = (world: World.World, policyIds: ReadonlyArray<PolicyId>) =>
  Effect.provideService(whole(policyIds), CurrentTenant, world.tenant)

const whole = Effect.fnUntraced(function* (policyIds: ReadonlyArray<PolicyId>) {
  const sql = yield* SqlClient.SqlClient
  const tenantSql = yield* TenantSql
  const expected = yield* expectedInvoices
  const invoices = yield* InvoicesRepo.use((repo) => repo.ofPolicies(policyIds))
  const perPolicy = Map.groupBy(invoices, ({ policyId }) => policyId)
  for (const policyId of policyIds) {
    const own = perPolicy.get(policyId) ?? []
    assert.strictEqual(own.length, expected, policyId)
    assert.strictEqual(new Set(own.map(({ periodStart }) => periodStart)).size, expected)
  }
  assert.deepStrictEqual(
    invoices.map(({ number }) => number).sort((a, b) => a - b),
    invoices.map((_, index) => index + 1)
  )
  const [counts] = yield* tenantSql.read(sql<Record<string, number>>`
    SELECT
      (SELECT count(*) FROM entry)::int AS entries,
      (SELECT count(*) FROM invoice)::int AS invoices,
      (SELECT count(*) FROM policy_change WHERE kind = 'START')::int AS starts,
      (SELECT count(*) FROM policy WHERE status = 'POLICY_STARTED')::int AS started,
      (SELECT count(*) FROM parked)::int AS parked,
      (SELECT count(*) FROM policy p WHERE p.event_seq <>
        (SELECT count(*) FROM event e WHERE e.policy_id = p.id AND e.seq BETWEEN 1 AND p.event_seq)
      )::int AS gaps,
      (SELECT count(*) FROM policy WHERE next_due_at <= clock_timestamp())::int AS due
  `)
  assert.deepStrictEqual(counts, {
    entries: invoices.length,
    invoices: invoices.length,
    starts: policyIds.length,
    started: policyIds.length,
    parked: 0,
    gaps: 0,
    due: 0
  })
})

layer(Contracts.layer, { excludeTestServices: true })("batches of what is due", (it) => {
  it.effect("refuses a second document for one period, from any writer", () =>
    Effect.gen(function* () {
      const { policyIds, world } = yield* backlog(1)
      const run = Effect.provideService(CurrentTenant, world.tenant)
      yield* run(drain(10))
      const invoices = yield* InvoicesRepo
      const tenantSql = yield* TenantSql
      const { rows } = yield* run(invoices.listByPolicy(policyIds[0]!, { count: 1, page: 1 }))
      const [issued] = rows
      const second = { ...issued!, id: "invoice_test_346789ABCDEFGHJKLMNPQ", number: 999 } as const
      const exit = yield* Effect.exit(
        run(tenantSql.transaction(invoices.insert([second as unknown as typeof issued & {}])))
      )
      assert.isTrue(Exit.isFailure(exit))
      if (Exit.isFailure(exit)) assert.include(Cause.pretty(exit.cause), "UniqueViolation")
    })
  )

  it.effect("leaves a tenant with a test clock alone", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const contract = yield* Contracts.signed(world)
      const run = Effect.provideService(CurrentTenant, world.tenant)
      const outcome = yield* run(DueSteps.use((steps) => steps.runBatch()))
      assert.deepStrictEqual(outcome, { ran: {}, more: false })
      assert.deepStrictEqual(yield* Contracts.invoices(world, contract), [])
      const tenants = yield* DueRepo.use((due) => due.tenants)
      assert.notInclude(
        tenants.map(({ tenantId }) => tenantId),
        world.tenant
      )
    })
  )

  it.effect("neither doubles nor loses anything with four workers at once", () =>
    Effect.gen(function* () {
      for (let round = 0; round < 3; round++) {
        const { policyIds, world } = yield* backlog(200)
        yield* Effect.all(
          Array.from({ length: 4 }, () => drain(25)),
          { concurrency: "unbounded", discard: true }
        ).pipe(Effect.provideService(CurrentTenant, world.tenant))
        yield* assertWhole(world, policyIds)
      }
    })
  )

  it.effect(
    "issues about five hundred invoices at a time, and leaves the rest to the next (scale-7690, scale-1979-3109)",
    () =>
      Effect.gen(function* () {
        const { policyIds, world } = yield* backlog(120)
        const run = Effect.provideService(CurrentTenant, world.tenant)
        const { more, ran } = yield* run(DueSteps.use((steps) => steps.runBatch()))
        const perPolicy = yield* run(expectedInvoices)
        assert.isTrue(more)
        assert.isTrue(ran.issueInvoices! >= 500 && ran.issueInvoices! < 500 + perPolicy)
        yield* run(drain(1_000))
        yield* assertWhole(world, policyIds)
      })
  )

  it.effect(
    "loses nothing when its connections are cut in the middle (stuck-in-processing-169)",
    () =>
      Effect.gen(function* () {
        const { policyIds, world } = yield* backlog(200)
        const cuts = yield* Ref.make(0)
        const superuser = yield* SuperuserSql
        const cut = superuser`
        SELECT count(pg_terminate_backend(pid))::int AS cut FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()
          AND backend_xid IS NOT NULL
      `.pipe(
          Effect.flatMap(([row]) => Ref.update(cuts, (sum) => sum + Number(row!["cut"]))),
          Effect.andThen(Effect.yieldNow),
          Effect.repeat({ until: () => Effect.map(Ref.get(cuts), (sum) => sum >= 25) })
        )
        const cutter = yield* Effect.forkChild(cut)
        const stubborn = Effect.forever(Effect.catchCause(drain(5), () => Effect.void)).pipe(
          Effect.raceFirst(Fiber.join(cutter))
        )
        yield* Effect.provideService(stubborn, CurrentTenant, world.tenant)
        yield* Effect.provideService(drain(50), CurrentTenant, world.tenant)
        yield* assertWhole(world, policyIds)
      })
  )
})
