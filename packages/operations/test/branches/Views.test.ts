import { assert, layer } from "@effect/vitest"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Effect, Layer } from "effect"
import { Policies } from "../../src/policies/Policies.ts"
import { Branches } from "../../src/branches/Branches.ts"
import * as World from "../World.ts"
import { BranchId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const TestLayer = Layer.mergeAll(Branches.layer, Policies.layer).pipe(
  Layer.provideMerge(World.layer)
)

const noBranch = BranchId.make("branch_test_346789ABCDEFGHJKLMNPQ")

/** Moves the tenant's clock without running anything: nothing is due in these tests. */
const moveTo = Effect.fnUntraced(function* (world: World.World, text: string) {
  const clock = yield* TenantClockRepo
  const tenantSql = yield* TenantSql
  yield* tenantSql
    .transaction(clock.set(World.at(text)))
    .pipe(Effect.provideService(CurrentTenant, world.tenant))
})

layer(TestLayer)("views of a policy", (it) => {
  it.effect("shows what was known at an instant, and refuses to know the future", () =>
    Effect.gen(function* () {
      const world = yield* World.make(World.at("2026-03-10T09:00:00Z"))
      const policies = yield* Policies
      const run = World.as(world, world.manager)
      const { id: policyId } = yield* run(policies.create({ productId: "motor-fr", name: "first" }))
      yield* moveTo(world, "2026-03-11T09:00:00Z")
      yield* run(policies.update({ policyId }, { name: "second" }))
      const get = (knownAt: string) => run(policies.get({ policyId, knownAt: World.at(knownAt) }))
      assert.strictEqual((yield* get("2026-03-10T09:00:00Z")).name, "first")
      assert.strictEqual((yield* get("2026-03-11T08:59:59Z")).name, "first")
      assert.strictEqual((yield* get("2026-03-11T09:00:00Z")).name, "second")
      const early = yield* Effect.flip(get("2026-03-10T08:59:59Z"))
      assert.strictEqual(early._tag, "PolicyNotFound")
      const future = yield* Effect.flip(get("2026-03-11T09:00:01Z"))
      assert.deepInclude(future, { _tag: "InvalidEffectiveDate", field: "knownAt" })
    })
  )

  it.effect("tells a branch that isn't there from a branch of another policy", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const policies = yield* Policies
      const run = World.as(world, world.manager)
      const { id: policyId } = yield* run(policies.create({ productId: "motor-fr" }))
      const { id: otherId } = yield* run(policies.create({ productId: "motor-fr" }))
      const { data } = yield* run(
        Branches.use((branches) =>
          branches.listByPolicy({ policyId: otherId }, { count: 10, page: 1 })
        )
      )
      const branchId = data[0]!.id
      for (const [named, tag] of [
        [noBranch, "BranchNotFound"],
        [branchId, "InvalidBranch"]
      ] as const) {
        const at = { policyId, branchId: named }
        assert.strictEqual((yield* Effect.flip(run(policies.get(at))))._tag, tag)
        const write = policies.update(at, { name: "x" })
        assert.strictEqual((yield* Effect.flip(run(write)))._tag, tag)
      }
    })
  )

  it.effect("shows on an unsigned policy what had taken effect by an instant", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const policies = yield* Policies
      const run = World.as(world, world.manager)
      const { id: policyId } = yield* run(policies.create({ productId: "motor-fr", name: "a" }))
      const whenAt = World.at("2026-06-01T00:00:00Z")
      yield* run(policies.update({ policyId, whenAt }, { name: "b" }))
      assert.strictEqual((yield* run(policies.get({ policyId }))).name, "b")
      const before = World.at("2026-05-31T23:59:59Z")
      assert.strictEqual((yield* run(policies.get({ policyId, whenAt: before }))).name, "a")
      assert.strictEqual((yield* run(policies.get({ policyId, whenAt }))).name, "b")
      const tooLate = World.at("2030-06-01T00:00:00Z")
      const error = yield* Effect.flip(
        run(policies.update({ policyId, whenAt: tooLate }, { name: "c" }))
      )
      assert.deepInclude(error, { _tag: "InvalidEffectiveDate", field: "whenAt" })
    })
  )

  it.effect("counts anniversaries from the start, in any state and at any instant", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const policies = yield* Policies
      const run = World.as(world, world.manager)
      const created = yield* run(
        policies.create({ productId: "motor-fr", startedAt: World.at("2026-03-31T22:00:00Z") })
      )
      const renewal = (whenAt: string) =>
        Effect.map(
          run(policies.get({ policyId: created.id, whenAt: World.at(whenAt) })),
          ({ nextRenewalAt }) => nextRenewalAt
        )
      assert.strictEqual(created.nextRenewalAt, "2027-03-31T22:00:00.000Z")
      assert.strictEqual(yield* renewal("2027-03-31T21:59:59Z"), "2027-03-31T22:00:00.000Z")
      assert.strictEqual(yield* renewal("2027-03-31T22:00:00Z"), "2028-03-31T22:00:00.000Z")
      assert.strictEqual(yield* renewal("2999-01-01T00:00:00Z"), "2999-03-31T22:00:00.000Z")
      const seconds = { amount: 1, unit: "SECOND" } as const
      const short = yield* run(policies.create({ productId: "motor-fr", periodDuration: seconds }))
      const far = yield* run(
        policies.get({ policyId: short.id, whenAt: World.at("2999-12-31T23:59:58Z") })
      )
      assert.strictEqual(far.nextRenewalAt, "2999-12-31T23:59:59.000Z")
    })
  )
})
