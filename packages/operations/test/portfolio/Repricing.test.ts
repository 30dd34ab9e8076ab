/** A portfolio moved to the current version of its product. */
import { assert, layer } from "@effect/vitest"
import type { Product } from "@quittance/domain/products/Product"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Effect, Layer } from "effect"
import { Assets } from "../../src/assets/Assets.ts"
import { Branches } from "../../src/branches/Branches.ts"
import { PolicyLifecycle as ContractSteps } from "../../src/lifecycle/PolicyLifecycle.ts"
import { Policies } from "../../src/policies/Policies.ts"
import { PolicyHistory } from "../../src/policies/PolicyHistory.ts"
import { Quotes } from "../../src/quotes/Quotes.ts"
import { Repricing } from "../../src/portfolio/Repricing.ts"
import { Sales } from "../../src/lifecycle/PolicySale.ts"
import * as PolicyLifecycle from "../SoldPolicies.ts"
import * as World from "../World.ts"
import type { PolicyId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const TestLayer = Layer.merge(PolicyHistory.layer, Repricing.layer).pipe(
  Layer.provideMerge(PolicyLifecycle.layer)
)

const effectiveAt = World.at("2026-07-01T00:00:00+02:00")
const request = { productId: "motor-fr", selection: {}, effectiveAt, name: "Spring 2026" }

const publish = Effect.fnUntraced(function* (world: World.World, product: Product) {
  const products = yield* ProductsRepo
  const sql = yield* TenantSql
  const published = products.publish(product, World.at("2026-04-01T00:00:00Z"))
  yield* Effect.provideService(sql.transaction(published), CurrentTenant, world.tenant)
})

const run = Effect.fnUntraced(function* (world: World.World) {
  const steps: Array<readonly [number, number]> = []
  const repriced = yield* Repricing.use((repricing) =>
    repricing.run(request, (done, count) => Effect.sync(() => void steps.push([done, count])))
  ).pipe(Effect.provideService(CurrentTenant, world.tenant))
  return { ...repriced, steps }
})

const offersOf = (world: World.World, policyId: PolicyId) =>
  World.as(
    world,
    world.manager
  )(
    Effect.map(
      Branches.use((branches) => branches.listByPolicy({ policyId }, { page: 1, count: 10 })),
      ({ data }) => data.filter(({ branchType }) => branchType === "REPRICING")
    )
  )

layer(TestLayer, { excludeTestServices: true })("repricing a portfolio", (it) => {
  it.effect("opens one quoted branch for each live policy, also when it is repeated", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const other = yield* World.make()
      const lifecycle = [yield* PolicyLifecycle.signed(world), yield* PolicyLifecycle.signed(world)]
      const draft = yield* PolicyLifecycle.confirmed(world)
      const elsewhere = yield* PolicyLifecycle.signed(other)
      yield* PolicyLifecycle.moveTo(world, "2026-05-01T09:00:00Z")
      yield* publish(world, { ...World.motor, version: "next" })

      const first = yield* run(world)
      assert.deepInclude(first, { opened: 2, there: 0, failed: [] })
      assert.deepStrictEqual(first.steps, [
        [0, 2],
        [1, 2],
        [2, 2]
      ])
      assert.deepInclude(yield* run(world), { opened: 0, there: 2, failed: [] })
      for (const { policyId } of lifecycle) {
        const offers = yield* offersOf(world, policyId)
        assert.lengthOf(offers, 1)
        assert.deepInclude(offers[0]!, { stage: "QUOTED", name: "Spring 2026", effectiveAt })
      }
      assert.deepStrictEqual(yield* offersOf(world, draft.policyId), [])
      assert.deepStrictEqual(yield* offersOf(other, elsewhere.policyId), [])

      const { policyId } = lifecycle[0]!
      const [offer] = yield* offersOf(world, policyId)
      const at = { policyId, branchId: offer!.id }
      const as = World.as(world, world.manager)
      yield* as(Sales.use((sales) => sales.confirm(at)))
      yield* as(Sales.use((sales) => sales.merge(at)))
      const versionAt = (whenAt: typeof effectiveAt) =>
        Effect.map(
          as(Policies.use((policies) => policies.get({ policyId, whenAt }))),
          ({ quote }) => quote?.provider.version
        )
      assert.strictEqual(yield* versionAt(effectiveAt), "next")
      assert.strictEqual(yield* versionAt(World.at("2026-06-30T21:00:00Z")), World.motor.version)

      assert.deepInclude(yield* run(world), { opened: 0, there: 2, failed: [] })
      assert.lengthOf(yield* offersOf(world, policyId), 1)
    })
  )

  for (const who of ["a broker", "a visitor"] as const) {
    it.effect(`carries no data but the version, so that ${who} changes no price unsigned`, () =>
      Effect.gen(function* () {
        const world = yield* World.make()
        const caller = who === "a broker" ? world.north : yield* World.visitor(world)
        const { policyId } = yield* PolicyLifecycle.signed(world, { caller })
        yield* PolicyLifecycle.moveTo(world, "2026-05-01T09:00:00Z")
        yield* publish(world, { ...World.motor, version: "next" })
        yield* run(world)
        const [offer] = yield* offersOf(world, policyId)
        const fork = yield* World.as(
          world,
          world.manager
        )(Branches.use((branches) => branches.fork(offer!.id, { name: "A variant" })))
        const as = World.as(world, caller)
        for (const branchId of [offer!.id, fork.id]) {
          const at = { policyId, branchId }
          const customFields = [{ key: "annualMileage", value: 2_000 }]
          const update = Policies.use((policies) => policies.update(at, { customFields }))
          const changed = yield* Effect.flip(as(update))
          assert.deepInclude(changed, {
            _tag: "BranchRequired",
            branchType: "MTA",
            paths: ["/customFields/annualMileage"]
          })
          const added = yield* Effect.flip(
            as(
              Assets.use((assets) =>
                assets.addToPolicy(at, { customFields: World.examples(World.motor.fields.asset) })
              )
            )
          )
          assert.strictEqual(added._tag, "BranchRequired")
          const tierId = World.motor.tiers.find(({ id }) => id !== World.motor.defaultTier)!.id
          const chosen = yield* Effect.flip(
            as(Quotes.use((quotes) => quotes.quote(at, { tierId })))
          )
          assert.deepInclude(chosen, { _tag: "BranchRequired", paths: ["/selection"] })
          yield* as(Quotes.use((quotes) => quotes.quote(at, {})))
        }
      })
    )
  }

  it.effect("reverts no change in force", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const { policyId } = yield* PolicyLifecycle.signed(world)
      const as = World.as(world, world.manager)
      yield* PolicyLifecycle.moveTo(world, "2026-05-01T09:00:00Z")
      const mta = { branchType: "MTA", effectiveAt } as const
      const { id: branchId } = yield* as(Branches.use((b) => b.open({ policyId }, mta)))
      const at = { policyId, branchId }
      const customFields = [{ key: "annualMileage", value: 30_000 }]
      yield* as(Policies.use((policies) => policies.update(at, { customFields })))
      yield* PolicyLifecycle.endorse(world, at)
      yield* publish(world, { ...World.motor, version: "next" })
      yield* run(world)
      const [offer] = yield* offersOf(world, policyId)
      const { data } = yield* as(
        PolicyHistory.use((history) => history.changes({ policyId }, { page: 1, count: 100 }))
      )
      const merged = data.find(
        ({ kind, patch }) => kind === "UPDATE" && patch.some(({ path }) => path.includes("Mileage"))
      )
      const on = { policyId, branchId: offer!.id, changeId: merged!.id }
      const refused = yield* Effect.flip(as(ContractSteps.use((steps) => steps.revert(on))))
      assert.deepInclude(refused, { _tag: "BranchRequired", branchType: "MTA" })
    })
  )

  it.effect("is not taken for done where another fork has its name", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const { policyId } = yield* PolicyLifecycle.signed(world)
      const as = World.as(world, world.manager)
      yield* PolicyLifecycle.moveTo(world, "2026-05-01T09:00:00Z")
      yield* publish(world, { ...World.motor, version: "next" })
      yield* run(world)
      const [offer] = yield* offersOf(world, policyId)
      yield* as(Branches.use((branches) => branches.fork(offer!.id, { name: request.name })))
      yield* as(
        Branches.use((branches) => branches.invalidate(offer!.id, { reason: "BROKER_REQUEST" }))
      )
      assert.deepInclude(yield* run(world), { opened: 1, there: 0, failed: [] })
    })
  )

  it.effect("opens nothing on a day that lies outside the product's window", () =>
    Effect.gen(function* () {
      const limits = { ...World.motor.limits, change: { pastDays: 30, futureDays: 30 } }
      const product = { ...World.motor, limits }
      const world = yield* World.make(undefined, [product])
      const { policyId } = yield* PolicyLifecycle.signed(world, { product })
      yield* PolicyLifecycle.moveTo(world, "2026-05-01T09:00:00Z")
      yield* publish(world, { ...product, version: "next" })
      const { failed, opened } = yield* run(world)
      assert.strictEqual(opened, 0)
      assert.deepInclude(failed[0], { count: 1, example: policyId })
      assert.deepStrictEqual(yield* offersOf(world, policyId), [])
    })
  )

  it.effect("says which policies the new version can't price, and leaves them as they are", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const { policyId } = yield* PolicyLifecycle.signed(world)
      yield* PolicyLifecycle.moveTo(world, "2026-05-01T09:00:00Z")
      const [first, ...fields] = World.motor.fields.policy
      const narrowed = { ...first!, min: 69, example: 69 } as typeof first & object
      const version = {
        ...World.motor,
        version: "next",
        fields: { ...World.motor.fields, policy: [narrowed, ...fields] }
      }
      yield* publish(world, version)
      const { failed, opened } = yield* run(world)
      assert.strictEqual(opened, 0)
      assert.deepInclude(failed[0], { count: 1, example: policyId })
      assert.deepStrictEqual(yield* offersOf(world, policyId), [])
    })
  )
})
