/** Offers that the base branch has moved away from: the worker brings them up to it. */
import { assert, layer } from "@effect/vitest"
import type { Product } from "@quittance/domain/products/Product"
import { DueRepo } from "@quittance/persistence/policies/DueRepo"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Effect, Layer } from "effect"
import { Branches } from "../../src/branches/Branches.ts"
import { PolicyLifecycle as ContractSteps } from "../../src/lifecycle/PolicyLifecycle.ts"
import { ParkedPolicies } from "../../src/worker/ParkedPolicies.ts"
import { Policies } from "../../src/policies/Policies.ts"
import { PolicyHistory } from "../../src/policies/PolicyHistory.ts"
import { Quotes } from "../../src/quotes/Quotes.ts"
import { Repricing } from "../../src/portfolio/Repricing.ts"
import { Sales } from "../../src/lifecycle/PolicySale.ts"
import * as PolicyLifecycle from "../SoldPolicies.ts"
import * as World from "../World.ts"
import type { BranchId, PolicyId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const all = { page: 1, count: 100 }

const TestLayer = Layer.mergeAll(Repricing.layer, ParkedPolicies.layer, PolicyHistory.layer).pipe(
  Layer.provideMerge(PolicyLifecycle.layer)
)

const publish = Effect.fnUntraced(function* (world: World.World, product: Product) {
  const products = yield* ProductsRepo
  const sql = yield* TenantSql
  const published = products.publish(product, World.at("2026-04-01T00:00:00Z"))
  yield* Effect.provideService(sql.transaction(published), CurrentTenant, world.tenant)
})

const sceneOf = Effect.fnUntraced(function* (world: World.World, policyId: PolicyId) {
  const run = World.as(world, world.manager)
  const mileage = (
    at: { readonly policyId: PolicyId; readonly branchId: BranchId },
    value: number
  ) =>
    run(
      Policies.use((policies) =>
        policies.update(at, { customFields: [{ key: "annualMileage", value }] })
      )
    )
  return {
    world,
    policyId,
    run,
    mileage,
    offer: Effect.map(
      run(Branches.use((branches) => branches.listByPolicy({ policyId }, { page: 1, count: 10 }))),
      ({ data }) =>
        data.find(({ branchType }) => branchType === "REPRICING" || branchType === "RENEWAL")!
    ),
    /** Another mileage in force from an instant on. */
    endorse: Effect.fnUntraced(function* (effectiveAt: string, value: number) {
      const opening = { branchType: "MTA", effectiveAt: World.at(effectiveAt) } as const
      const { id: branchId } = yield* run(Branches.use((x) => x.open({ policyId }, opening)))
      yield* mileage({ policyId, branchId }, value)
      yield* PolicyLifecycle.endorse(world, { policyId, branchId })
    })
  }
})

/** A new version of the product, and a repricing to it from 1 July. */
const reprice = Effect.fnUntraced(function* (
  world: World.World,
  policyId: PolicyId,
  name: string,
  version: string
) {
  yield* publish(world, { ...World.motor, version })
  const request = {
    productId: "motor-fr",
    selection: {},
    effectiveAt: World.at("2026-07-01T00:00:00+02:00"),
    name
  }
  yield* Repricing.use((repricing) => repricing.run(request, () => Effect.void)).pipe(
    Effect.provideService(CurrentTenant, world.tenant)
  )
  const { data } = yield* World.as(
    world,
    world.manager
  )(Branches.use((branches) => branches.listByPolicy({ policyId }, { page: 1, count: 10 })))
  return data.find((branch) => branch.name === name)!
})

/** A policy with a repricing on offer from 1 July, on 1 May. */
const repriced = Effect.gen(function* () {
  const world = yield* World.make()
  const { policyId } = yield* PolicyLifecycle.signed(world)
  yield* PolicyLifecycle.moveTo(world, "2026-05-01T09:00:00Z")
  yield* reprice(world, policyId, "Spring 2026", "next")
  return yield* sceneOf(world, policyId)
})

/** An open renewal that a user has changed, and that conflicts with an endorsement in force since. */
const renewing = Effect.gen(function* () {
  const world = yield* World.make()
  const { policyId } = yield* PolicyLifecycle.signed(world)
  const scene = yield* sceneOf(world, policyId)
  yield* PolicyLifecycle.moveTo(world, "2027-02-10T12:00:00Z")
  const { id: branchId } = yield* scene.offer
  yield* scene.mileage({ policyId, branchId }, 5_000)
  yield* scene.endorse("2027-03-01T00:00:00Z", 30_000)
  yield* PolicyLifecycle.moveTo(world, "2027-02-10T12:01:00Z")
  return scene
})

layer(TestLayer, { excludeTestServices: true })(
  "an offer that the base branch has moved away from",
  (it) => {
    it.effect("is rebased and priced anew by the worker, after the merge and not in it", () =>
      Effect.gen(function* () {
        const { endorse, offer, policyId, run, world } = yield* repriced
        const before = yield* offer
        yield* endorse("2026-06-01T00:00:00Z", 30_000)
        assert.deepStrictEqual(yield* offer, before)
        yield* PolicyLifecycle.moveTo(world, "2026-05-01T09:01:00Z")
        const after = yield* offer
        assert.deepInclude(after, { status: "OPEN", stage: "QUOTED" })
        const at = { policyId, branchId: after.id }
        yield* run(Sales.use((sales) => sales.confirm(at)))
        yield* run(Sales.use((sales) => sales.merge(at)))
        const { quote } = yield* run(
          Policies.use((x) => x.get({ policyId, whenAt: World.at("2026-07-02T00:00:00Z") }))
        )
        assert.strictEqual(quote?.provider.version, "next")
      })
    )

    it.effect("waits again for the person who had confirmed its old price", () =>
      Effect.gen(function* () {
        const { endorse, offer, policyId, run, world } = yield* repriced
        const { id: branchId } = yield* offer
        yield* run(Sales.use((sales) => sales.confirm({ policyId, branchId })))
        yield* endorse("2026-06-01T00:00:00Z", 30_000)
        yield* PolicyLifecycle.moveTo(world, "2026-05-01T09:01:00Z")
        assert.strictEqual((yield* offer).stage, "QUOTED")
      })
    )

    it.effect("is left as it is where no price has moved", () =>
      Effect.gen(function* () {
        const { offer, policyId, run, world } = yield* repriced
        const before = yield* offer
        yield* run(Policies.use((policies) => policies.update({ policyId }, { name: "Renamed" })))
        yield* PolicyLifecycle.moveTo(world, "2026-05-02T09:00:00Z")
        assert.deepStrictEqual(yield* offer, before)
      })
    )

    it.effect("waits alone where it contradicts the base branch, and the policy is billed on", () =>
      Effect.gen(function* () {
        const { offer, policyId, run, world } = yield* repriced
        const { id: branchId } = yield* offer
        const { id: other } = yield* reprice(world, policyId, "Summer 2026", "later")
        yield* run(Sales.use((sales) => sales.confirm({ policyId, branchId: other })))
        yield* run(Sales.use((sales) => sales.merge({ policyId, branchId: other })))
        yield* PolicyLifecycle.moveTo(world, "2026-05-01T09:01:00Z")
        const parked = run(ParkedPolicies.use((jobs) => jobs.list({ page: 1, count: 10 })))
        const [first, ...others] = (yield* parked).data
        assert.deepStrictEqual(others, [])
        assert.deepInclude(first, { policyId, branchId })
        assert.include(first?.reason, "contradicts")
        const backlog = DueRepo.use((due) => due.backlog)
        const waiting = yield* Effect.provideService(backlog, CurrentTenant, world.tenant)
        assert.strictEqual(waiting.parked, 1)
        const { status } = yield* run(Branches.use((branches) => branches.get({ branchId })))
        assert.strictEqual(status, "OPEN")
        const retried = yield* run(ParkedPolicies.use((jobs) => jobs.retry(policyId)))
        assert.deepStrictEqual(retried, { policyId, status: "PARKED", reason: first!.reason })
        yield* PolicyLifecycle.moveTo(world, "2026-08-15T12:00:00Z")
        const invoices = yield* PolicyLifecycle.invoices(world, { policyId })
        assert.deepStrictEqual(
          invoices.map(({ period }) => period.start),
          ["2026-04-01", "2026-05-01", "2026-06-01", "2026-07-01", "2026-08-01"]
        )
        yield* run(
          Branches.use((branches) => branches.invalidate(branchId, { reason: "BROKER_REQUEST" }))
        )
        assert.deepStrictEqual((yield* parked).data, [])
        const error = yield* Effect.flip(run(ParkedPolicies.use((jobs) => jobs.retry(policyId))))
        assert.strictEqual(error._tag, "PolicyNotParked")
      })
    )

    it.effect("is tried again once the base branch has moved on from what it contradicted", () =>
      Effect.gen(function* () {
        const { offer, policyId, run, world } = yield* renewing
        const { id: branchId } = yield* offer
        const opening = {
          branchType: "MTA",
          effectiveAt: World.at("2027-03-01T00:00:00Z")
        } as const
        const { data } = yield* run(PolicyHistory.use((x) => x.changes({ policyId }, all)))
        const { id: changeId } = data.find(
          ({ effectiveAt, kind }) => kind === "UPDATE" && effectiveAt === opening.effectiveAt
        )!
        const { id: mta } = yield* run(Branches.use((x) => x.open({ policyId }, opening)))
        const at = { policyId, branchId: mta }
        yield* run(ContractSteps.use((steps) => steps.revert({ ...at, changeId })))
        yield* PolicyLifecycle.endorse(world, at)
        yield* PolicyLifecycle.moveTo(world, "2027-02-10T12:02:00Z")
        const parked = run(ParkedPolicies.use((jobs) => jobs.list({ page: 1, count: 10 })))
        assert.deepStrictEqual((yield* parked).data, [])
        const { stage, status } = yield* run(Branches.use((x) => x.get({ branchId })))
        assert.deepStrictEqual([status, stage], ["OPEN", "DRAFT"])
      })
    )

    it.effect("waits alone where it is a renewal too, until a user has decided", () =>
      Effect.gen(function* () {
        const { offer, policyId, run, world } = yield* renewing
        const { id: branchId } = yield* offer
        const parked = run(ParkedPolicies.use((jobs) => jobs.list({ page: 1, count: 10 })))
        assert.deepInclude((yield* parked).data[0], { policyId, branchId })
        const failure = yield* run(
          Effect.flip(Branches.use((x) => x.rebase(branchId, { resolutions: [] })))
        )
        if (failure._tag !== "BranchConflict") return assert.fail(failure._tag)
        const take = "ours" as const
        const resolutions = failure.conflicts.map(({ from, path }) => ({ from, path, take }))
        yield* run(Branches.use((branches) => branches.rebase(branchId, { resolutions })))
        yield* run(Quotes.use((quotes) => quotes.quote({ policyId, branchId }, {})))
        assert.lengthOf((yield* parked).data, 0)
        yield* PolicyLifecycle.moveTo(world, "2027-03-15T12:00:00Z")
        const invoices = yield* PolicyLifecycle.invoices(world, { policyId })
        assert.strictEqual(invoices.at(-1)?.period.start, "2027-03-01")
      })
    )

    it.effect(
      "waits alone without a price, is tried again on request, and the policy is billed",
      () =>
        Effect.gen(function* () {
          const world = yield* World.make()
          const { policyId } = yield* PolicyLifecycle.signed(world)
          const scene = yield* sceneOf(world, policyId)
          yield* publish(world, {
            ...World.motor,
            version: "rated",
            quoteProvider: { type: "HTTP", id: "rates" }
          })
          yield* PolicyLifecycle.moveTo(world, "2027-02-10T12:00:00Z")
          const parked = scene.run(ParkedPolicies.use((jobs) => jobs.list({ page: 1, count: 10 })))
          const { id: branchId, stage } = yield* scene.offer
          assert.strictEqual(stage, "DRAFT")
          const [first, ...others] = (yield* parked).data
          assert.deepStrictEqual(others, [])
          assert.deepInclude(first, { policyId, branchId })
          assert.include(first?.reason, "quote the branch by hand")
          const again = yield* scene.run(ParkedPolicies.use((jobs) => jobs.retry(policyId)))
          assert.deepStrictEqual(again, { policyId, status: "PARKED", reason: first!.reason })
          yield* scene.endorse("2027-02-20T00:00:00Z", 30_000)
          yield* PolicyLifecycle.moveTo(world, "2027-03-02T12:00:00Z")
          assert.deepInclude((yield* parked).data[0], { policyId, branchId })
          const invoices = yield* PolicyLifecycle.invoices(world, { policyId })
          assert.strictEqual(invoices.at(-1)?.period.start, "2027-03-01")
        })
    )

    it.effect("stays accepted where it is a renewal, at the price that it then has", () =>
      Effect.gen(function* () {
        const product = {
          ...World.motor,
          renewal: { mode: "ON_ACCEPTANCE", openDaysBefore: 75 }
        } as const
        const world = yield* World.make(undefined, [product])
        const { policyId } = yield* PolicyLifecycle.signed(world, { product })
        const { endorse, offer, run } = yield* sceneOf(world, policyId)
        yield* PolicyLifecycle.moveTo(world, "2027-02-01T12:00:00Z")
        const { id: branchId } = yield* offer
        yield* run(Sales.use((sales) => sales.accept({ policyId, branchId })))
        yield* endorse("2027-02-10T00:00:00Z", 30_000)
        yield* PolicyLifecycle.moveTo(world, "2027-02-01T12:01:00Z")
        assert.deepInclude(yield* offer, { stage: "CONFIRMED", status: "OPEN" })
        const shown = yield* run(Policies.use((policies) => policies.get({ policyId, branchId })))
        assert.isDefined(shown.quote)
        yield* PolicyLifecycle.moveTo(world, "2027-04-02T12:00:00Z")
        const after = yield* run(Policies.use((policies) => policies.get({ policyId })))
        assert.strictEqual(after.status, "POLICY_STARTED")
        assert.strictEqual(
          after.quote?.totalPremium.amountWithFeesAndTaxes,
          shown.quote?.totalPremium.amountWithFeesAndTaxes
        )
      })
    )
  }
)
