/** What is written is judged as it is written, at every instant over which it holds. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Assets } from "../../src/assets/Assets.ts"
import { Branches } from "../../src/branches/Branches.ts"
import { Customers } from "../../src/customers/Customers.ts"
import { Policies } from "../../src/policies/Policies.ts"
import { PolicyLifecycle as ContractSteps } from "../../src/lifecycle/PolicyLifecycle.ts"
import { PolicyHistory } from "../../src/policies/PolicyHistory.ts"
import { Quotes } from "../../src/quotes/Quotes.ts"
import { Sales } from "../../src/lifecycle/PolicySale.ts"
import * as PolicyLifecycle from "../SoldPolicies.ts"
import * as World from "../World.ts"
import type { BranchId, PolicyId } from "@quittance/domain/values/Ids"

const TestLayer = Layer.provideMerge(PolicyHistory.layer, PolicyLifecycle.layer)

const later = World.at("2026-05-20T00:00:00Z")

type On = { readonly policyId: PolicyId; readonly branchId?: BranchId }

const sold = Effect.gen(function* () {
  const world = yield* World.make()
  const run = World.as(world, world.manager)
  const contract = yield* PolicyLifecycle.signed(world)
  return { world, run, ...contract }
})

const drafted = Effect.gen(function* () {
  const world = yield* World.make()
  const run = World.as(world, world.manager)
  const { id: policyId } = yield* run(Policies.use((x) => x.create({ productId: "motor-fr" })))
  return { world, run, policyId }
})

const field = (key: string, value: string | number | boolean) => ({
  customFields: [{ key, value }]
})

layer(TestLayer)("data before a later change of the same field", (it) => {
  it.effect("is judged on a sale, on what is in force and on an endorsement", () =>
    Effect.gen(function* () {
      const policies = yield* Policies
      const sale = yield* drafted
      const signed = yield* sold
      const { id: branchId } = yield* signed.run(
        Branches.use((x) => x.open({ policyId: signed.policyId }, { branchType: "MTA" }))
      )
      const places: ReadonlyArray<readonly [typeof sale.run, On]> = [
        [sale.run, { policyId: sale.policyId }],
        [signed.run, { policyId: signed.policyId }],
        [signed.run, { policyId: signed.policyId, branchId }]
      ]
      for (const [run, at] of places) {
        yield* run(policies.update({ ...at, whenAt: later }, field("previousInsurer", "Lune")))
        for (const wrong of [7, true, "", "x".repeat(101)]) {
          const refused = yield* Effect.flip(
            run(policies.update(at, field("previousInsurer", wrong)))
          )
          assert.strictEqual(refused._tag, "InvalidCustomField", `${wrong}`)
        }
        yield* run(policies.update(at, field("previousInsurer", "Soleil")))
      }
    })
  )

  it.effect("is judged of what is out of a field's bounds, and of what is not the product's", () =>
    Effect.gen(function* () {
      const policies = yield* Policies
      const { policyId, run } = yield* drafted
      yield* run(policies.update({ policyId, whenAt: later }, field("claims", 1)))
      const fields = yield* Effect.flip(run(policies.update({ policyId }, field("claims", 6))))
      assert.strictEqual(fields._tag, "InvalidCustomField")
      const invoicingConfig = {
        frequency: "MONTHLY",
        timing: "IN_ADVANCE",
        firstPayment: "NONE"
      } as const
      const offered = ["YEARLY", "HALF_YEARLY", "QUARTERLY", "MONTHLY"]
      assert.includeMembers([...World.motor.invoicing.frequencies], offered)
      yield* run(policies.update({ policyId, whenAt: later }, { invoicingConfig }))
      const wrong = {
        ...invoicingConfig,
        timing: "IN_ARREAR",
        firstPayment: "FULL_AT_DATE" as never
      } as const
      const config = yield* Effect.flip(
        run(policies.update({ policyId }, { invoicingConfig: wrong }))
      )
      assert.strictEqual(config._tag, "InvalidInvoicingConfig")
      const startedAt = World.at("2026-05-01T00:00:00+02:00")
      yield* run(policies.update({ policyId, whenAt: later }, { startedAt }))
      const far = { startedAt: World.at("2036-05-01T00:00:00+02:00") }
      const start = yield* Effect.flip(run(policies.update({ policyId }, far)))
      assert.strictEqual(start._tag, "InvalidEffectiveDate")
      const billingAssignment = { configId: "NONE", defaultPayerId: "unknown" }
      yield* run(policies.update({ policyId, whenAt: later }, { billingAssignment: null }))
      const payer = yield* Effect.flip(run(policies.update({ policyId }, { billingAssignment })))
      assert.strictEqual(payer._tag, "InvalidBillingAssignment")
    })
  )

  it.effect("is judged of an asset whose cover has ended", () =>
    Effect.gen(function* () {
      const { policyId, run } = yield* drafted
      const assets = yield* Assets
      const customFields = World.examples(World.motor.fields.asset)
      const { assetId } = yield* run(assets.addToPolicy({ policyId }, { customFields }))
      yield* run(assets.stop({ assetId, whenAt: later }))
      const whenAt = World.at("2026-05-25T00:00:00Z")
      for (const at of [{ assetId }, { assetId, whenAt }]) {
        const refused = yield* Effect.flip(run(assets.update(at, field("make", 7))))
        assert.strictEqual(refused._tag, "InvalidCustomField")
        yield* run(assets.update(at, field("make", "Lune")))
      }
    })
  )

  it.effect("is judged of customers and of assets", () =>
    Effect.gen(function* () {
      const { customerId, policyId, run } = yield* sold
      const customers = yield* Customers
      const assets = yield* Assets
      yield* run(customers.update({ customerId, whenAt: later }, field("city", "Lyon")))
      const customer = yield* Effect.flip(run(customers.update({ customerId }, field("city", ""))))
      assert.strictEqual(customer._tag, "InvalidCustomField")
      const { data } = yield* run(assets.listByPolicy({ policyId }, { page: 1, count: 10 }))
      const assetId = data[0]!.id
      yield* run(assets.update({ assetId, whenAt: later }, field("make", "Peugeot")))
      const asset = yield* Effect.flip(run(assets.update({ assetId }, field("make", 5))))
      assert.strictEqual(asset._tag, "InvalidCustomField")
    })
  )

  it.effect("is judged with the role that a customer has by then", () =>
    Effect.gen(function* () {
      const { policyId, run } = yield* drafted
      const customers = yield* Customers
      const { customerId } = yield* run(
        customers.addToPolicy({ policyId }, { role: "DRIVER", customFields: [] })
      )
      // A payer has no birth date: neither from the day on which he is one, nor written before it.
      yield* run(customers.update({ customerId, whenAt: later }, { role: "PAYER" }))
      const birth = field("birthDate", "1980-01-01")
      const refused = yield* Effect.flip(run(customers.update({ customerId }, birth)))
      assert.strictEqual(refused._tag, "InvalidCustomField")
    })
  )

  it.effect("is judged where a revert brings it out", () =>
    Effect.gen(function* () {
      const { policyId, run } = yield* drafted
      const customers = yield* Customers
      const role = { role: "PAYER", customFields: [] }
      const { customerId } = yield* run(customers.addToPolicy({ policyId }, role))
      yield* run(customers.update({ customerId, whenAt: later }, { role: "DRIVER" }))
      const whenAt = World.at("2026-06-20T00:00:00Z")
      yield* run(customers.update({ customerId, whenAt }, field("birthDate", "1980-01-01")))
      const { data } = yield* run(
        PolicyHistory.use((x) => x.changes({ policyId }, { page: 1, count: 10 }))
      )
      const changeId = data.find(({ effectiveAt }) => effectiveAt === later)!.id
      const refused = yield* Effect.flip(
        run(ContractSteps.use((x) => x.revert({ policyId, changeId })))
      )
      assert.strictEqual(refused._tag, "InvalidCustomField")
    })
  )

  it.effect("is needed at every instant from the start on", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const run = World.as(world, world.manager)
      const { policyId } = yield* PolicyLifecycle.confirmed(world)
      yield* run(Sales.use((x) => x.reopen({ policyId })))
      const policies = yield* Policies
      // It is there again from May on; the sale starts in April.
      yield* run(policies.update({ policyId, whenAt: later }, field("previousInsurer", "Lune")))
      const none = { customFields: [{ key: "previousInsurer", value: null }] }
      yield* run(policies.update({ policyId }, none))
      yield* run(Quotes.use((x) => x.quote({ policyId }, {})))
      const refused = yield* Effect.flip(run(Sales.use((x) => x.confirm({ policyId }))))
      assert.strictEqual(refused._tag, "InvalidCustomField")
    })
  )
})

layer(TestLayer)("what is refused of a live policy's data", (it) => {
  it.effect("is an unknown field as such, and not for want of a branch", () =>
    Effect.gen(function* () {
      const { policyId, run } = yield* sold
      const policies = yield* Policies
      const unknown = yield* Effect.flip(run(policies.update({ policyId }, field("ghost", "x"))))
      assert.strictEqual(unknown._tag, "InvalidCustomField")
      const wrong = yield* Effect.flip(run(policies.update({ policyId }, field("claims", "many"))))
      assert.strictEqual(wrong._tag, "InvalidCustomField")
      const priced = yield* Effect.flip(run(policies.update({ policyId }, field("claims", 1))))
      assert.strictEqual(priced._tag, "BranchRequired")
    })
  )

  it.effect("is a customer who is no longer on the named policy, in words that say so", () =>
    Effect.gen(function* () {
      const { policyId, run } = yield* drafted
      const customers = yield* Customers
      const { customerId } = yield* run(
        customers.addToPolicy({ policyId }, { role: "PAYER", customFields: [] })
      )
      const { id: other } = yield* run(Policies.use((x) => x.create({ productId: "motor-fr" })))
      const named = yield* Effect.flip(
        run(customers.update({ customerId, policyId: other }, field("firstName", "Ada")))
      )
      assert.strictEqual(named._tag, "InvalidReference")
      assert.include(named.message, "a policy that the customer is on")
    })
  )
})
