import { assert, layer } from "@effect/vitest"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { shippedProduct } from "@quittance/testing/ShippedProducts"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { Assets } from "../../src/assets/Assets.ts"
import { Billing } from "../../src/billing/Billing.ts"
import { Customers } from "../../src/customers/Customers.ts"
import { Policies } from "../../src/policies/Policies.ts"
import { Branches } from "../../src/branches/Branches.ts"
import { Sales } from "../../src/lifecycle/PolicySale.ts"
import { Quotes } from "../../src/quotes/Quotes.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as World from "../World.ts"

const LockingLayer = PoliciesRepo.layer.pipe(Layer.provideMerge(Contracts.layer))

const later = World.at("2026-03-20T00:00:00Z")

const driverFields = World.examples(World.motor.fields.customer, "DRIVER").filter(({ key }) =>
  ["birthDate", "licenceDate"].includes(key)
)

/** A policy with a driver who only comes onto it later, and a change of him. */
const laterDriver = Effect.gen(function* () {
  const world = yield* World.make()
  const policies = yield* Policies
  const customers = yield* Customers
  const run = World.as(world, world.manager)
  const { id: policyId } = yield* run(policies.create({ productId: "motor-fr" }))
  const at = { policyId, whenAt: later }
  const driver = { role: "DRIVER", customFields: driverFields }
  const { customerId } = yield* run(customers.addToPolicy(at, driver))
  return {
    customerId,
    customers,
    policies,
    policyId,
    run,
    patch: { customFields: [{ key: "firstName", value: "Alex" }] }
  }
})

const fleet = shippedProduct("fleet-fr")

layer(Contracts.layer)("data that takes effect at a chosen instant", (it) => {
  it.effect(
    "names the member that is outside the product's limits, an asset's start or whenAt",
    () =>
      Effect.gen(function* () {
        const world = yield* World.make(undefined, [fleet])
        const { policyId } = yield* Contracts.confirmed(world, { product: fleet })
        const run = World.as(world, world.manager)
        yield* run(Sales.use((sales) => sales.reopen({ policyId })))
        const far = World.at("2036-01-01T00:00:00Z")
        const customFields = World.examples(fleet.fields.asset)
        const add = (at: { readonly whenAt?: typeof far }, startedAt?: typeof far) =>
          run(
            Effect.flip(
              Assets.use((assets) =>
                assets.addToPolicy(
                  { policyId, ...at },
                  { customFields, ...(startedAt === undefined ? {} : { startedAt }) }
                )
              )
            )
          )
        for (const [refused, field] of [
          [yield* add({}, far), "startedAt"],
          [yield* add({ whenAt: far }, far), "startedAt"],
          [yield* add({ whenAt: far }), "whenAt"]
        ] as const) {
          assert.deepInclude(refused, { _tag: "InvalidEffectiveDate", field })
        }
      })
  )

  it.effect("refuses a change before the customer that it changes is on the policy", () =>
    Effect.gen(function* () {
      const { customerId, customers, patch, run } = yield* laterDriver
      const whenAt = World.at("2026-03-19T23:59:59Z")
      const error = yield* Effect.flip(run(customers.update({ customerId, whenAt }, patch)))
      assert.deepInclude(error, { _tag: "InvalidEffectiveDate", field: "whenAt", earliest: later })
    })
  )

  it.effect("keeps what is changed about a customer who comes later", () =>
    Effect.gen(function* () {
      const { customerId, customers, patch, policies, policyId, run } = yield* laterDriver
      const changed = yield* run(customers.update({ customerId }, patch))
      const read = yield* run(customers.get({ customerId }))
      for (const { customFields } of [changed, read]) {
        assert.deepInclude(customFields ?? [], { key: "firstName", value: "Alex" })
      }
      const before = yield* run(
        policies.get({ policyId, whenAt: World.at("2026-03-19T00:00:00Z") })
      )
      assert.deepStrictEqual(before.customers, [])
    })
  )

  it.effect("lets a quote be given again after priced data changed at an instant", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const policies = yield* Policies
      const quotes = yield* Quotes
      const run = World.as(world, world.manager)
      const { policyId } = yield* Contracts.confirmed(world)
      yield* run(Sales.use((sales) => sales.reopen({ policyId })))
      const patch = { customFields: [{ key: "claims", value: 1 }] }
      const changed = yield* run(policies.update({ policyId, whenAt: later }, patch))
      assert.strictEqual(changed.status, "POLICY_CREATED")
      yield* run(quotes.quote({ policyId }, {}))
      assert.strictEqual((yield* run(policies.get({ policyId }))).status, "POLICY_QUOTED")
      assert.strictEqual(
        (yield* run(Sales.use((sales) => sales.confirm({ policyId })))).status,
        "POLICY_CONFIRMED"
      )
    })
  )

  it.effect("holds the external id that the policy shows for its own", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const policies = yield* Policies
      const run = World.as(world, world.manager)
      const { id: policyId } = yield* run(policies.create({ productId: "motor-fr" }))
      yield* run(policies.update({ policyId, whenAt: later }, { externalId: "SHOWN" }))
      const slid = yield* run(policies.update({ policyId }, { externalId: "BELOW" }))
      assert.strictEqual(slid.externalId, "SHOWN")
      const error = yield* Effect.flip(
        run(policies.create({ productId: "motor-fr", externalId: "SHOWN" }))
      )
      assert.strictEqual(error._tag, "DuplicateExternalId")
    })
  )

  it.effect("shows a customer who comes later with his role, also after the signature", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const customers = yield* Customers
      const run = World.as(world, world.manager)
      const { policyId } = yield* Contracts.signed(world)
      const payer = { role: "PAYER", name: "Dominique Roux" }
      const { customerId } = yield* run(customers.addToPolicy({ policyId, whenAt: later }, payer))
      assert.strictEqual((yield* run(customers.get({ customerId }))).role, "PAYER")
      const renamed = yield* run(customers.update({ customerId }, { name: "Dominique" }))
      assert.strictEqual(renamed.role, "PAYER")
    })
  )

  it.effect("does not show a branch before it was opened", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const policies = yield* Policies
      const run = World.as(world, world.manager)
      const contract = yield* Contracts.confirmed(world)
      const { policyId } = contract
      yield* Contracts.moveTo(world, "2026-03-12T09:00:00Z")
      yield* Contracts.sign(world, contract)
      const { data } = yield* run(
        Branches.use((branches) => branches.listByPolicy({ policyId }, { count: 10, page: 1 }))
      )
      const branchId = data.find(({ branchType }) => branchType === "BASE")!.id
      const early = policies.get({ policyId, branchId, knownAt: World.at("2026-03-12T08:59:59Z") })
      assert.strictEqual((yield* Effect.flip(run(early)))._tag, "BranchNotFound")
    })
  )
})

layer(Contracts.layer)("a payer who comes after the signature", (it) => {
  it.effect("pays from the day on which he comes, and no day twice", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const customers = yield* Customers
      const run = World.as(world, world.manager)
      const contract = yield* Contracts.signed(world)
      yield* Contracts.moveTo(world, "2026-04-10T12:00:00Z")
      const { customerId: payerId } = yield* run(
        customers.addToPolicy({ policyId: contract.policyId }, { role: "PAYER", name: "Roux" })
      )
      const { instalments } = yield* run(
        Billing.use((billing) => billing.schedule({ policyId: contract.policyId }))
      )
      assert.strictEqual(instalments[0]?.periodStart, "2026-05-01")
      yield* Contracts.moveTo(world, "2027-03-31T12:00:00Z")
      const invoices = yield* Contracts.invoices(world, contract)
      const given = invoices.filter(({ type }) => type === "CREDIT_NOTE")
      assert.lengthOf(given, 1)
      assert.deepStrictEqual(
        invoices.map(({ customerId, period }) => [customerId, period.start]),
        [
          [contract.customerId, "2026-04-01"],
          // What he had been invoiced from that day on is given back, and charged to the other.
          [contract.customerId, "2026-04-10"],
          [payerId, "2026-04-10"],
          ...months.slice(1).map((start) => [payerId, start])
        ]
      )
      const sum = invoices.reduce((total, one) => total + one.total.amountWithFeesAndTaxes, 0)
      assert.strictEqual(sum, contract.premium)
    })
  )

  it.effect("pays nothing before the instant he comes", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const customers = yield* Customers
      const run = World.as(world, world.manager)
      const contract = yield* Contracts.signed(world)
      const whenAt = World.at("2026-06-15T00:00:00+02:00")
      const { customerId: payerId } = yield* run(
        customers.addToPolicy(
          { policyId: contract.policyId, whenAt },
          { role: "PAYER", name: "Roux" }
        )
      )
      yield* Contracts.moveTo(world, "2026-08-10T12:00:00Z")
      const invoices = yield* Contracts.invoices(world, contract)
      const old = contract.customerId
      assert.deepStrictEqual(
        // Those of June are issued together.
        invoices
          .map(({ customerId, period }) => [period.start, customerId === old ? "old" : "Roux"])
          .sort(),
        [
          ["2026-04-01", "old"],
          ["2026-05-01", "old"],
          ["2026-06-01", "Roux"],
          ["2026-06-01", "old"],
          ["2026-07-01", "Roux"],
          ["2026-08-01", "Roux"]
        ]
      )
      const june = invoices.filter(({ period }) => period.start === "2026-06-01")
      const paid = (id: string) =>
        june.find(({ customerId }) => customerId === id)!.total.amountWithFeesAndTaxes
      // 14 of its 30 days are before the 15th.
      assert.isBelow(paid(old), paid(payerId))
    })
  )
})

layer(LockingLayer, { excludeTestServices: true })("a command that waits for a policy", (it) => {
  it.effect("decides at the instant to which the clock was moved meanwhile", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const superuser = yield* SuperuserSql
      const customers = yield* Customers
      const policies = yield* Policies
      const policiesRepo = yield* PoliciesRepo
      const clock = yield* TenantClockRepo
      const tenantSql = yield* TenantSql
      const run = World.as(world, world.manager)
      const { id: policyId } = yield* run(policies.create({ productId: "motor-fr" }))
      const moved = World.at("2026-03-15T09:00:00Z")
      const isWaiting = superuser<{ readonly waits: boolean }>`
        SELECT EXISTS (SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock') AS waits
      `.pipe(Effect.map(([row]) => row!.waits))
      const held = yield* Deferred.make<void>()
      const holder = yield* Effect.gen(function* () {
        yield* clock.hold
        yield* clock.set(moved)
        yield* policiesRepo.authorize("policy.read", policyId, { lock: true })
        yield* Deferred.succeed(held, undefined)
        yield* Effect.repeat(isWaiting, { until: (waits) => waits })
      }).pipe(tenantSql.transaction, run, Effect.forkChild)
      yield* Deferred.await(held)
      const { customerId } = yield* run(customers.addToPolicy({ policyId }, { role: "PAYER" }))
      yield* Fiber.join(holder)
      assert.strictEqual((yield* run(customers.get({ customerId }))).createdAt, moved)
    })
  )
})

const months = [
  ...["04", "05", "06", "07", "08", "09", "10", "11", "12"].map((month) => `2026-${month}-01`),
  ...["01", "02", "03"].map((month) => `2027-${month}-01`)
]
