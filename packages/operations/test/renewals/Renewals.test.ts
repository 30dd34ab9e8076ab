/** The end of a term: renewed tacitly, on acceptance, or not at all. */
import { assert, layer } from "@effect/vitest"
import type { Product } from "@quittance/domain/products/Product"
import type { PolicyQuote } from "@quittance/domain/products/Quote"
import { PortfolioRepo } from "@quittance/persistence/portfolio/PortfolioRepo"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Effect, Layer } from "effect"
import { Billing } from "../../src/billing/Billing.ts"
import { Branches } from "../../src/branches/Branches.ts"
import { PolicyLifecycle as ContractSteps } from "../../src/lifecycle/PolicyLifecycle.ts"
import { Policies } from "../../src/policies/Policies.ts"
import { Quotes } from "../../src/quotes/Quotes.ts"
import { Sales } from "../../src/lifecycle/PolicySale.ts"
import * as PolicyLifecycle from "../SoldPolicies.ts"
import * as World from "../World.ts"
import type { BranchId, PolicyId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const renewing = (mode: Product["renewal"]["mode"]): Product => ({
  ...World.motor,
  renewal: { mode, openDaysBefore: 75 }
})

/** A policy of a term from 1 April 2026. */
const inForce = Effect.fnUntraced(function* (mode: Product["renewal"]["mode"]) {
  const product = renewing(mode)
  const world = yield* World.make(undefined, [product])
  const { policyId } = yield* PolicyLifecycle.signed(world, { product })
  return { world, policyId, product }
})

const read = (world: World.World, policyId: PolicyId, whenAt?: string) =>
  World.as(
    world,
    world.manager
  )(
    Policies.use((policies) =>
      policies.get({ policyId, ...(whenAt === undefined ? {} : { whenAt: World.at(whenAt) }) })
    )
  )

const offers = (world: World.World, policyId: PolicyId) =>
  World.as(
    world,
    world.manager
  )(
    Effect.map(
      Branches.use((branches) => branches.listByPolicy({ policyId }, { page: 1, count: 10 })),
      ({ data }) => data.filter(({ branchType }) => branchType === "RENEWAL")
    )
  )

const publish = Effect.fnUntraced(function* (world: World.World, product: Product) {
  const products = yield* ProductsRepo
  const sql = yield* TenantSql
  yield* Effect.provideService(
    sql.transaction(products.publish(product, World.at("2026-03-10T09:00:00Z"))),
    CurrentTenant,
    world.tenant
  )
})

/** The live policies that have a version of the product now. */
const selected = Effect.fnUntraced(function* (world: World.World, version: string) {
  const { productId } = World.motor
  const repo = yield* PortfolioRepo
  const sql = yield* TenantSql
  const page = Effect.flatMap(
    repo.walk({ productId, productVersions: [version] }, 10),
    ({ next }) => next
  )
  const found = yield* Effect.provideService(sql.transaction(page), CurrentTenant, world.tenant)
  return found.map(({ id }) => id)
})

const TestLayer = Layer.merge(
  PolicyLifecycle.layer,
  PortfolioRepo.layer.pipe(Layer.provide(PolicyLifecycle.layer))
)

layer(TestLayer, { excludeTestServices: true })("the end of a term", (it) => {
  it.effect("brings the next one tacitly, under the version that is current by then", () =>
    Effect.gen(function* () {
      const { policyId, product, world } = yield* inForce("TACIT")
      yield* publish(world, { ...product, version: "next" })
      yield* PolicyLifecycle.moveTo(world, "2027-01-14T12:00:00Z")
      assert.deepStrictEqual(yield* offers(world, policyId), [])
      yield* PolicyLifecycle.moveTo(world, "2027-01-16T12:00:00Z")
      const [offer] = yield* offers(world, policyId)
      assert.deepInclude(offer!, { status: "OPEN", stage: "QUOTED" })
      assert.strictEqual(offer?.effectiveAt, "2027-03-31T22:00:00.000Z")

      yield* PolicyLifecycle.moveTo(world, "2027-04-01T12:00:00Z")
      assert.strictEqual((yield* offers(world, policyId))[0]?.status, "MERGED")
      const after = yield* read(world, policyId)
      assert.strictEqual(after.status, "POLICY_STARTED")
      assert.strictEqual(after.endedAt, "2028-03-31T22:00:00.000Z")
      assert.strictEqual(after.quote?.provider.version, "next")
      assert.deepStrictEqual(yield* selected(world, "next"), [policyId])
      assert.deepStrictEqual(yield* selected(world, product.version), [])
      const before = yield* read(world, policyId, "2027-03-01T00:00:00Z")
      assert.strictEqual(before.quote?.provider.version, product.version)

      // Another year on, the same again.
      yield* PolicyLifecycle.moveTo(world, "2028-04-02T12:00:00Z")
      assert.strictEqual((yield* read(world, policyId)).endedAt, "2029-03-31T22:00:00.000Z")
    })
  )

  it.effect("has its tiers compared as it is priced, and those of a change from its day on", () =>
    Effect.gen(function* () {
      const { policyId, world } = yield* inForce("TACIT")
      yield* PolicyLifecycle.moveTo(world, "2027-02-01T12:00:00Z")
      const run = World.as(world, world.manager)
      const [offer] = yield* offers(world, policyId)
      const compared = (branchId: BranchId | undefined) =>
        run(Quotes.use((quotes) => quotes.available({ policyId, branchId })))
      const nameless = (quote: PolicyQuote | undefined) => ({ ...quote, id: undefined })
      const at = { policyId, branchId: offer!.id }
      const { quote, selectedTier } = yield* run(Policies.use((policies) => policies.get(at)))
      const { tiers } = yield* compared(offer!.id)
      const chosen = tiers.find(({ id }) => id === selectedTier!.id)
      assert.deepStrictEqual(nameless(chosen!.quote), nameless(quote))

      const change = yield* run(
        Branches.use((branches) => branches.open({ policyId }, { branchType: "MTA" }))
      )
      const asOfNow = yield* compared(change.id)
      for (const { id: tierId, quote } of asOfNow.tiers) {
        const calculated = yield* run(
          Quotes.use((quotes) => quotes.calculate({ policyId, branchId: change.id }, { tierId }))
        )
        assert.deepStrictEqual(nameless(quote), nameless(calculated.quote))
      }
      assert.deepStrictEqual(yield* compared(undefined), asOfNow)
    })
  )

  it.effect("keeps a change that was made while the renewal was on offer", () =>
    Effect.gen(function* () {
      const { policyId, world } = yield* inForce("TACIT")
      yield* PolicyLifecycle.moveTo(world, "2027-01-20T12:00:00Z")
      const run = World.as(world, world.manager)
      const branch = yield* run(
        Branches.use((branches) => branches.open({ policyId }, { branchType: "MTA" }))
      )
      const at = { policyId, branchId: branch.id }
      const customFields = [{ key: "annualMileage", value: 30_000 }]
      yield* run(Policies.use((policies) => policies.update(at, { customFields })))
      yield* PolicyLifecycle.endorse(world, at)
      yield* PolicyLifecycle.moveTo(world, "2027-04-01T12:00:00Z")
      const after = yield* read(world, policyId)
      assert.strictEqual(after.endedAt, "2028-03-31T22:00:00.000Z")
      const mileage = after.customFields?.find(({ key }) => key === "annualMileage")
      assert.strictEqual(mileage?.value, 30_000)
    })
  )

  it.effect("stops a policy whose renewal was not accepted, and renews one that was", () =>
    Effect.gen(function* () {
      const { policyId, product, world } = yield* inForce("ON_ACCEPTANCE")
      const accepted = yield* PolicyLifecycle.signed(world, { product })
      yield* PolicyLifecycle.moveTo(world, "2027-02-01T12:00:00Z")
      const [offer] = yield* offers(world, accepted.policyId)
      const at = { policyId: accepted.policyId, branchId: offer!.id }
      yield* World.as(world, world.manager)(Sales.use((sales) => sales.accept(at)))
      yield* PolicyLifecycle.moveTo(world, "2027-04-01T12:00:00Z")
      assert.deepInclude(yield* read(world, policyId), {
        status: "POLICY_STOPPED",
        stoppedAt: World.at("2027-03-31T22:00:00.000Z")
      })
      assert.deepInclude(yield* read(world, accepted.policyId), {
        status: "POLICY_STARTED",
        endedAt: World.at("2028-03-31T22:00:00.000Z")
      })
    })
  )

  it.effect("stops a policy whose renewal was refused, and one that is never renewed", () =>
    Effect.gen(function* () {
      const { policyId, world } = yield* inForce("TACIT")
      yield* PolicyLifecycle.moveTo(world, "2027-02-01T12:00:00Z")
      const [offer] = yield* offers(world, policyId)
      yield* World.as(
        world,
        world.manager
      )(Branches.use((branches) => branches.invalidate(offer!.id, { reason: "RENEWAL_REFUSED" })))
      yield* PolicyLifecycle.moveTo(world, "2027-04-01T12:00:00Z")
      const refused = yield* read(world, policyId)
      assert.strictEqual(refused.stop?.reason, World.motor.reasons.renewalRefused)

      const never = yield* inForce("NEVER")
      yield* PolicyLifecycle.moveTo(never.world, "2027-04-01T12:00:00Z")
      const expired = yield* read(never.world, never.policyId)
      assert.strictEqual(expired.stop?.reason, World.motor.reasons.expired)
      assert.deepStrictEqual(yield* offers(never.world, never.policyId), [])
    })
  )

  it.effect("renews nothing that stops before", () =>
    Effect.gen(function* () {
      const { policyId, world } = yield* inForce("TACIT")
      yield* PolicyLifecycle.moveTo(world, "2026-06-01T12:00:00Z")
      const when = { policyId, whenAt: World.at("2026-09-01T00:00:00Z") }
      yield* World.as(
        world,
        world.manager
      )(ContractSteps.use((steps) => steps.stop(when, { reason: "SALE" })))
      yield* PolicyLifecycle.moveTo(world, "2027-04-01T12:00:00Z")
      assert.deepInclude(yield* read(world, policyId), {
        status: "POLICY_STOPPED",
        stoppedAt: World.at("2026-09-01T00:00:00.000Z")
      })
      assert.deepStrictEqual(yield* offers(world, policyId), [])
    })
  )

  it.effect("is renewed where it stops within the next one, and ends with that", () =>
    Effect.gen(function* () {
      for (const mode of ["TACIT", "NEVER"] as const) {
        const { policyId, world } = yield* inForce(mode)
        const run = World.as(world, world.manager)
        const whenAt = World.at("2027-07-01T00:00:00Z")
        yield* run(
          ContractSteps.use((steps) => steps.stop({ policyId, whenAt }, { reason: "SALE" }))
        )
        yield* PolicyLifecycle.moveTo(world, "2027-04-02T12:00:00Z")
        const { status } = yield* read(world, policyId)
        if (mode === "NEVER") {
          assert.strictEqual(status, "POLICY_STOPPED")
          continue
        }
        assert.strictEqual(status, "POLICY_STARTED")
        const { instalments } = yield* run(Billing.use((billing) => billing.schedule({ policyId })))
        assert.deepStrictEqual(
          instalments.map(({ periodEnd, periodStart }) => [periodStart, periodEnd]),
          [
            ["2027-05-01", "2027-06-01"],
            ["2027-06-01", "2027-07-01"]
          ]
        )
        yield* PolicyLifecycle.moveTo(world, "2028-05-01T12:00:00Z")
        const after = yield* read(world, policyId)
        assert.deepInclude(after, { status: "POLICY_STOPPED", endedAt: whenAt })
        assert.strictEqual((yield* offers(world, policyId)).length, 1)
      }
    })
  )

  it.effect("is renewed where a stop that gave the offer up was withdrawn", () =>
    Effect.gen(function* () {
      const { policyId, world } = yield* inForce("TACIT")
      yield* PolicyLifecycle.moveTo(world, "2027-02-01T12:00:00Z")
      const run = World.as(world, world.manager)
      const whenAt = World.at("2027-03-01T00:00:00Z")
      yield* run(ContractSteps.use((steps) => steps.stop({ policyId, whenAt }, { reason: "SALE" })))
      assert.strictEqual((yield* offers(world, policyId))[0]?.status, "INVALIDATED")
      yield* run(ContractSteps.use((steps) => steps.withdrawStop({ policyId })))
      yield* PolicyLifecycle.moveTo(world, "2027-04-02T12:00:00Z")
      assert.strictEqual((yield* read(world, policyId)).status, "POLICY_STARTED")
    })
  )

  it.effect("is renewed as it was accepted, whatever becomes of a variant of the offer", () =>
    Effect.gen(function* () {
      const { policyId, world } = yield* inForce("ON_ACCEPTANCE")
      yield* PolicyLifecycle.moveTo(world, "2027-02-01T12:00:00Z")
      const run = World.as(world, world.manager)
      const [offer] = yield* offers(world, policyId)
      yield* run(Sales.use((sales) => sales.accept({ policyId, branchId: offer!.id })))
      const fork = yield* run(
        Branches.use((branches) => branches.fork(offer!.id, { name: "Variant" }))
      )
      yield* run(
        Branches.use((branches) => branches.invalidate(fork.id, { reason: "BROKER_REQUEST" }))
      )
      yield* PolicyLifecycle.moveTo(world, "2027-04-02T12:00:00Z")
      assert.strictEqual((yield* read(world, policyId)).status, "POLICY_STARTED")
    })
  )

  it.effect("is renewed as early as its invoices need it, also once it was accepted", () =>
    Effect.gen(function* () {
      const product: Product = {
        ...renewing("ON_ACCEPTANCE"),
        invoicing: {
          ...World.motor.invoicing,
          default: { ...World.motor.invoicing.default, frequency: "YEARLY" },
          issueLeadDays: 20
        }
      }
      const world = yield* World.make(undefined, [product])
      const { policyId } = yield* PolicyLifecycle.signed(world, { product })
      yield* PolicyLifecycle.moveTo(world, "2027-02-01T12:00:00Z")
      const run = World.as(world, world.manager)
      const [offer] = yield* offers(world, policyId)
      yield* run(Sales.use((sales) => sales.accept({ policyId, branchId: offer!.id })))
      yield* PolicyLifecycle.moveTo(world, "2027-03-13T12:00:00Z")
      assert.strictEqual((yield* offers(world, policyId))[0]?.status, "MERGED")
    })
  )

  it.effect("keeps an accepted renewal through a stop that is undone without a gap", () =>
    Effect.gen(function* () {
      const product = {
        ...renewing("ON_ACCEPTANCE"),
        invoicing: { ...World.motor.invoicing, issueLeadDays: 20 }
      }
      const world = yield* World.make(undefined, [product])
      const { policyId } = yield* PolicyLifecycle.signed(world, { product })
      const run = World.as(world, world.manager)
      yield* PolicyLifecycle.moveTo(world, "2027-02-01T12:00:00Z")
      const [offer] = yield* offers(world, policyId)
      yield* run(Sales.use((sales) => sales.accept({ policyId, branchId: offer!.id })))
      yield* PolicyLifecycle.moveTo(world, "2027-03-30T12:00:00Z")
      assert.strictEqual((yield* offers(world, policyId))[0]?.status, "MERGED")
      yield* run(ContractSteps.use((steps) => steps.stop({ policyId }, { reason: "SALE" })))
      yield* run(ContractSteps.use((steps) => steps.reinstate({ policyId }, { gap: "COVERED" })))
      yield* PolicyLifecycle.moveTo(world, "2027-04-02T12:00:00Z")
      const after = yield* read(world, policyId)
      assert.deepStrictEqual(
        [after.status, after.endedAt],
        ["POLICY_STARTED", "2028-03-31T22:00:00.000Z"]
      )
    })
  )
})
