/** Which offer of a renewal takes effect: what the worker offered, or what was accepted. */
import { assert, layer } from "@effect/vitest"
import type { Product } from "@quittance/domain/products/Product"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { shippedProduct } from "@quittance/testing/ShippedProducts"
import { Effect, Layer } from "effect"
import { Branches } from "../../src/branches/Branches.ts"
import { PolicyLifecycle as ContractSteps } from "../../src/lifecycle/PolicyLifecycle.ts"
import { ParkedPolicies } from "../../src/worker/ParkedPolicies.ts"
import { Policies } from "../../src/policies/Policies.ts"
import { PolicyHistory } from "../../src/policies/PolicyHistory.ts"
import { Quotes } from "../../src/quotes/Quotes.ts"
import { Sales } from "../../src/lifecycle/PolicySale.ts"
import * as PolicyLifecycle from "../SoldPolicies.ts"
import * as World from "../World.ts"
import type { BranchId, PolicyId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const TestLayer = Layer.merge(ParkedPolicies.layer, PolicyHistory.layer).pipe(
  Layer.provideMerge(PolicyLifecycle.layer)
)
const all = { page: 1, count: 100 }

const fleet = shippedProduct("fleet-fr")

/** A policy whose term ends with March 2027, and what is done with the offers of its next one. */
const scene = Effect.fnUntraced(function* () {
  const world = yield* World.make()
  const { policyId } = yield* PolicyLifecycle.signed(world)
  const run = World.as(world, world.manager)
  const offers = run(Branches.use((branches) => branches.listByPolicy({ policyId }, all))).pipe(
    Effect.map(({ data }) => data.filter(({ branchType }) => branchType === "RENEWAL"))
  )
  const offer = (branchId: BranchId) =>
    Effect.map(offers, (found) => found.find(({ id }) => id === branchId)!)
  const drive = (branchId: BranchId, mileage: number) =>
    run(
      Policies.use((policies) =>
        policies.update(
          { policyId, branchId },
          { customFields: [{ key: "annualMileage", value: mileage }] }
        )
      )
    )
  const accept = (branchId: BranchId) =>
    Effect.andThen(
      run(Quotes.use((quotes) => quotes.quote({ policyId, branchId }, {}))),
      run(Sales.use((sales) => sales.accept({ policyId, branchId })))
    )
  const inForce = Effect.map(
    run(Policies.use((policies) => policies.get({ policyId }))),
    ({ customFields, endedAt }) => ({
      endedAt,
      mileage: customFields?.find(({ key }) => key === "annualMileage")?.value
    })
  )
  yield* PolicyLifecycle.moveTo(world, "2027-02-10T12:00:00Z")
  const [first] = yield* offers
  return { world, run, policyId, first: first!, offers, offer, drive, accept, inForce }
})

const renewedTo = World.at("2028-03-31T22:00:00.000Z")
const renewed = "2027-04-02T12:00:00Z"

const publish = Effect.fnUntraced(function* (world: World.World, product: Product) {
  const products = yield* ProductsRepo
  const sql = yield* TenantSql
  const published = products.publish(product, World.at("2026-04-01T00:00:00Z"))
  yield* Effect.provideService(sql.transaction(published), CurrentTenant, world.tenant)
})

const gaveWay = { status: "INVALIDATED", reason: "CONCURRENT_BRANCH_MERGED" }
const endOf = ({
  invalidation,
  status
}: {
  status: string
  invalidation?: { reason: string }
}) => ({
  status,
  reason: invalidation?.reason
})

/** A fleet under a product that refers nothing, of which the next version refers it. */
const referredFleet = Effect.fnUntraced(function* () {
  const { derogations: _derogations, ...lenient } = fleet
  const world = yield* World.make(undefined, [lenient])
  const poor = { premiumsPaid: 1_000_000, claimsPaid: 2_010_000 }
  const examples = World.examples(fleet.fields.policy).filter(({ key }) => !(key in poor))
  const customFields = [
    ...examples,
    ...Object.entries(poor).map(([key, value]) => ({ key, value }))
  ]
  const { policyId } = yield* PolicyLifecycle.signed(world, {
    product: lenient,
    policy: { customFields }
  })
  yield* publish(world, { ...fleet, version: "next" })
  yield* PolicyLifecycle.moveTo(world, "2027-03-20T12:00:00Z")
  const offer = (id: PolicyId) =>
    World.as(
      world,
      world.manager
    )(
      Effect.map(
        Branches.use((branches) => branches.listByPolicy({ policyId: id }, all)),
        ({ data }) => data.find(({ branchType }) => branchType === "RENEWAL")!
      )
    )
  return { world, policyId, offer: offer(policyId), run: World.as(world, world.manager) }
})

layer(TestLayer, { excludeTestServices: true })("the offers of a renewal", (it) => {
  it.effect("merge as the worker made them, and not a variant that was not accepted", () =>
    Effect.gen(function* () {
      const { drive, first, inForce, offer, run, world } = yield* scene()
      const variant = yield* run(
        Branches.use((branches) => branches.fork(first.id, { name: "Variant" }))
      )
      yield* drive(variant.id, 49_000)
      yield* PolicyLifecycle.moveTo(world, renewed)
      assert.strictEqual((yield* offer(first.id)).status, "MERGED")
      assert.deepStrictEqual(endOf(yield* offer(variant.id)), gaveWay)
      assert.deepStrictEqual(yield* inForce, { endedAt: renewedTo, mileage: 12_000 })
    })
  )

  it.effect("are made once more where a user has changed the worker's own", () =>
    Effect.gen(function* () {
      const { drive, first, inForce, offer, offers, world } = yield* scene()
      yield* drive(first.id, 49_000)
      yield* PolicyLifecycle.moveTo(world, renewed)
      assert.deepStrictEqual(endOf(yield* offer(first.id)), gaveWay)
      const merged = (yield* offers).filter(({ status }) => status === "MERGED")
      assert.lengthOf(merged, 1)
      assert.deepStrictEqual(yield* inForce, { endedAt: renewedTo, mileage: 12_000 })
    })
  )

  it.effect("stay the worker's own where a user has only quoted it again", () =>
    Effect.gen(function* () {
      const { first, offers, policyId, run, world } = yield* scene()
      yield* run(Quotes.use((quotes) => quotes.quote({ policyId, branchId: first.id }, {})))
      yield* PolicyLifecycle.moveTo(world, renewed)
      assert.deepStrictEqual(
        (yield* offers).map(({ id, status }) => [id, status]),
        [[first.id, "MERGED"]]
      )
    })
  )

  it.effect("give way to the one that was accepted, changed or forked", () =>
    Effect.gen(function* () {
      for (const isForked of [true, false]) {
        const { accept, drive, first, inForce, offer, offers, run, world } = yield* scene()
        const { id } = isForked
          ? yield* run(Branches.use((branches) => branches.fork(first.id, { name: "Variant" })))
          : first
        yield* drive(id, 49_000)
        yield* accept(id)
        yield* PolicyLifecycle.moveTo(world, renewed)
        assert.strictEqual((yield* offer(id)).status, "MERGED")
        const others = (yield* offers).filter((other) => other.id !== id)
        for (const other of others) assert.deepStrictEqual(endOf(other), gaveWay)
        assert.deepStrictEqual(yield* inForce, { endedAt: renewedTo, mileage: 49_000 })
      }
    })
  )

  it.effect("end with the term where the worker's own was refused and no variant accepted", () =>
    Effect.gen(function* () {
      const { drive, first, inForce, policyId, run, world } = yield* scene()
      const variant = yield* run(
        Branches.use((branches) => branches.fork(first.id, { name: "Variant" }))
      )
      yield* drive(variant.id, 49_000)
      yield* run(
        Branches.use((branches) => branches.invalidate(first.id, { reason: "RENEWAL_REFUSED" }))
      )
      yield* PolicyLifecycle.moveTo(world, renewed)
      assert.strictEqual((yield* inForce).endedAt, World.at("2027-03-31T22:00:00.000Z"))
      const { stop } = yield* run(Policies.use((policies) => policies.get({ policyId })))
      assert.strictEqual(stop?.reason, World.motor.reasons.renewalRefused)
    })
  )

  it.effect(
    "are refused by the customer alone: invalidating the worker's own otherwise brings another",
    () =>
      Effect.gen(function* () {
        for (const reason of ["FORKED", "BROKER_REQUEST", "QUOTE_INVALIDATED"] as const) {
          const { drive, first, inForce, offer, run, world } = yield* scene()
          const variant = yield* run(
            Branches.use((branches) => branches.fork(first.id, { name: "Variant" }))
          )
          yield* drive(variant.id, 49_000)
          yield* run(Branches.use((branches) => branches.invalidate(first.id, { reason })))
          yield* PolicyLifecycle.moveTo(world, renewed)
          assert.deepStrictEqual(endOf(yield* offer(variant.id)), gaveWay)
          assert.deepStrictEqual(yield* inForce, { endedAt: renewedTo, mileage: 12_000 })
        }
      })
  )

  it.effect(
    "lead to the variant for which the worker's own was invalidated, once that is accepted",
    () =>
      Effect.gen(function* () {
        const { accept, drive, first, inForce, run, world } = yield* scene()
        const variant = yield* run(
          Branches.use((branches) => branches.fork(first.id, { name: "Variant" }))
        )
        yield* run(Branches.use((branches) => branches.invalidate(first.id, { reason: "FORKED" })))
        yield* PolicyLifecycle.moveTo(world, "2027-02-11T12:00:00Z")
        yield* drive(variant.id, 49_000)
        yield* accept(variant.id)
        yield* PolicyLifecycle.moveTo(world, renewed)
        assert.deepStrictEqual(yield* inForce, { endedAt: renewedTo, mileage: 49_000 })
      })
  )

  it.effect(
    "end with the term where the customer wants none, and not where he wants no variant",
    () =>
      Effect.gen(function* () {
        const termEnd = World.at("2027-03-31T22:00:00.000Z")
        const given = yield* scene()
        yield* given.run(
          Branches.use((x) => x.invalidate(given.first.id, { reason: "CUSTOMER_REQUEST" }))
        )
        yield* PolicyLifecycle.moveTo(given.world, renewed)
        assert.strictEqual((yield* given.inForce).endedAt, termEnd)

        const { drive, first, inForce, run, world } = yield* scene()
        const variant = yield* run(
          Branches.use((branches) => branches.fork(first.id, { name: "Variant" }))
        )
        yield* drive(first.id, 20_000)
        yield* run(
          Branches.use((branches) =>
            branches.invalidate(variant.id, { reason: "CUSTOMER_REQUEST" })
          )
        )
        yield* PolicyLifecycle.moveTo(world, renewed)
        assert.deepStrictEqual(yield* inForce, { endedAt: renewedTo, mileage: 12_000 })
      })
  )

  it.effect(
    "wait for an underwriter where a rule of the product refers them, also when accepted",
    () =>
      Effect.gen(function* () {
        const { offer, policyId, run, world } = yield* referredFleet()
        const { id: branchId } = yield* offer
        yield* run(Quotes.use((quotes) => quotes.quote({ policyId, branchId }, {})))
        const accepted = yield* Effect.flip(
          run(Sales.use((sales) => sales.accept({ policyId, branchId })))
        )
        assert.strictEqual(accepted._tag, "DerogationRequired")
        yield* PolicyLifecycle.moveTo(world, renewed)
        assert.strictEqual((yield* offer).status, "OPEN")
        const { data } = yield* run(ParkedPolicies.use((parked) => parked.list(all)))
        assert.lengthOf(data, 1)
        assert.include(data[0]!.reason, fleet.derogations![0]!.label)
      })
  )

  it.effect("can't be reverted once one is in force, and were merged when they were", () =>
    Effect.gen(function* () {
      const { first, offer, policyId, run, world } = yield* scene()
      yield* PolicyLifecycle.moveTo(world, "2027-04-10T12:00:00Z")
      const was = yield* offer(first.id)
      const { data } = yield* run(PolicyHistory.use((h) => h.changes({ policyId }, all)))
      const renewal = data.find(
        ({ kind, patch }) => kind === "UPDATE" && patch.some(({ path }) => path === "/terms")
      )
      const mta = { branchType: "MTA", effectiveAt: World.at("2027-04-01T00:00:00+02:00") } as const
      const { id: branchId } = yield* run(Branches.use((b) => b.open({ policyId }, mta)))
      for (const at of [{ policyId }, { policyId, branchId }]) {
        const revert = ContractSteps.use((steps) => steps.revert({ ...at, changeId: renewal!.id }))
        assert.strictEqual((yield* Effect.flip(run(revert)))._tag, "ChangeNotRevertible")
      }
      yield* PolicyLifecycle.moveTo(world, "2027-06-20T12:00:00Z")
      assert.deepStrictEqual(yield* offer(first.id), was)
    })
  )
})
