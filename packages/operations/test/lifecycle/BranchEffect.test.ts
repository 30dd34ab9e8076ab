/** Nothing on a branch takes effect before the branch itself: its quotes are from then on. */
import { assert, layer } from "@effect/vitest"
import type { Product } from "@quittance/domain/products/Product"
import { shippedProduct } from "@quittance/testing/ShippedProducts"
import { Effect, Layer } from "effect"
import { AssetImports } from "../../src/assets/AssetImports.ts"
import { Assets } from "../../src/assets/Assets.ts"
import { Branches } from "../../src/branches/Branches.ts"
import { PolicyLifecycle as ContractSteps } from "../../src/lifecycle/PolicyLifecycle.ts"
import { CustomerPolicies } from "../../src/customers/CustomerPolicies.ts"
import { Customers } from "../../src/customers/Customers.ts"
import { Policies } from "../../src/policies/Policies.ts"
import { PolicyHistory } from "../../src/policies/PolicyHistory.ts"
import { Quotes } from "../../src/quotes/Quotes.ts"
import { Sales } from "../../src/lifecycle/PolicySale.ts"
import * as PolicyLifecycle from "../SoldPolicies.ts"
import * as World from "../World.ts"
import { InvalidEffectiveDate } from "@quittance/domain/requests/RequestErrors"

const TestLayer = Layer.mergeAll(
  AssetImports.layer,
  CustomerPolicies.layer,
  PolicyHistory.layer
).pipe(Layer.provideMerge(PolicyLifecycle.layer))

const fleet = shippedProduct("fleet-fr")

const early = World.at("2026-05-01T00:00:00+02:00")
const effectiveAt = World.at("2026-07-01T00:00:00+02:00")

/** An endorsement from 1 July of a policy that has run since 1 April. */
const endorsed = Effect.fnUntraced(function* (product: Product = World.motor) {
  const world = yield* World.make(undefined, [product])
  const contract = yield* PolicyLifecycle.signed(world, { product })
  yield* PolicyLifecycle.moveTo(world, "2026-04-10T12:00:00Z")
  const run = World.as(world, world.manager)
  const open = (from: typeof early) =>
    run(
      Branches.use((branches) =>
        branches.open({ policyId: contract.policyId }, { branchType: "MTA", effectiveAt: from })
      )
    )
  return { ...contract, world, run, open }
})

const signature = {
  signer: { firstName: "Camille", lastName: "Martin", email: "camille@example.test" },
  consent: { textId: "SUBSCRIPTION_TERMS", accepted: true }
} as const

const before = (field: "startedAt" | "whenAt") =>
  new InvalidEffectiveDate({ field, earliest: effectiveAt })

layer(TestLayer, { excludeTestServices: true })("what is dated before its branch", (it) => {
  it.effect("is refused, be it of the policy or of a customer, up to the instant itself", () =>
    Effect.gen(function* () {
      const { customerId, open, policyId, run } = yield* endorsed()
      const { id: branchId } = yield* open(effectiveAt)
      const customFields = [{ key: "annualMileage", value: 30_000 }]
      const update = (whenAt: typeof early) =>
        run(
          Policies.use((policies) =>
            policies.update({ policyId, branchId, whenAt }, { customFields })
          )
        )
      assert.deepStrictEqual(yield* Effect.flip(update(early)), before("whenAt"))
      const at = { customerId, policyId, branchId, whenAt: early }
      const rename = Customers.use((customers) => customers.update(at, { name: "Camille" }))
      assert.deepStrictEqual(yield* Effect.flip(run(rename)), before("whenAt"))
      const add = Customers.use((customers) =>
        customers.addToPolicy({ policyId, branchId, whenAt: early }, { role: "PAYER" })
      )
      assert.deepStrictEqual(yield* Effect.flip(run(add)), before("whenAt"))
      yield* update(effectiveAt)
    })
  )

  it.effect("is refused of an asset that starts before, and of a line of a file", () =>
    Effect.gen(function* () {
      const { open, policyId, run } = yield* endorsed(fleet)
      const { id: branchId } = yield* open(effectiveAt)
      const at = { policyId, branchId }
      const customFields = World.examples(fleet.fields.asset)
      const add = (startedAt: typeof early) =>
        run(Assets.use((assets) => assets.addToPolicy(at, { customFields, startedAt })))
      const withPolicy = World.at("2026-04-01T00:00:00+02:00")
      for (const startedAt of [early, withPolicy]) {
        assert.deepStrictEqual(yield* Effect.flip(add(startedAt)), before("startedAt"))
      }
      yield* add(effectiveAt)
      const columns = [...customFields.map(({ key }) => key), "startedAt"]
      const line = (startedAt: string) => [...customFields.map(({ value }) => value), startedAt]
      const csv = [columns, line(effectiveAt), line(early)].map((row) => row.join(";")).join("\n")
      const fault = yield* Effect.flip(run(AssetImports.use((imports) => imports.add(at, csv))))
      if (fault._tag !== "InvalidRequest") return assert.fail(fault._tag)
      assert.lengthOf(fault.issues, 1)
      assert.include(JSON.stringify(fault.issues), "startedAt")
    })
  )

  it.effect("is not reverted on it either", () =>
    Effect.gen(function* () {
      const { open, policyId, run, world } = yield* endorsed()
      const { id: first } = yield* open(early)
      const customFields = [{ key: "annualMileage", value: 30_000 }]
      const on = { policyId, branchId: first }
      yield* run(Policies.use((policies) => policies.update(on, { customFields })))
      yield* PolicyLifecycle.endorse(world, on)
      const { data } = yield* run(
        PolicyHistory.use((history) => history.changes({ policyId }, { page: 1, count: 100 }))
      )
      const { id: changeId } = data.find(
        ({ effectiveAt: at, kind }) => kind === "UPDATE" && at === early
      )!
      const revert = (branchId: typeof first) =>
        run(ContractSteps.use((steps) => steps.revert({ policyId, branchId, changeId })))
      const { id: later } = yield* open(effectiveAt)
      assert.deepStrictEqual(yield* Effect.flip(revert(later)), before("whenAt"))
      yield* revert((yield* open(early)).id)
    })
  )
})

layer(TestLayer, { excludeTestServices: true })("a policyholder", (it) => {
  it.effect("that replaced another customer is not reverted before that one is back", () =>
    Effect.gen(function* () {
      const world = yield* World.make(undefined, [fleet])
      const { customerId, policyId } = yield* PolicyLifecycle.signed(world, { product: fleet })
      const run = World.as(world, world.manager)
      const customFields = World.examples(fleet.fields.customer)
      const input = { role: "POLICYHOLDER", name: "Successeur", customFields }
      const added = yield* run(
        Customers.use((customers) => customers.addToPolicy({ policyId }, input))
      )
      const latest = Effect.map(
        run(PolicyHistory.use((history) => history.changes({ policyId }, { page: 1, count: 1 }))),
        ({ data }) => data[0]!.id
      )
      const coming = yield* latest
      yield* run(Customers.use((customers) => customers.confirm(added)))
      yield* run(CustomerPolicies.use((customers) => customers.takeOff({ policyId, customerId })))
      const leaving = yield* latest
      const revert = (changeId: typeof coming) =>
        run(ContractSteps.use((steps) => steps.revert({ policyId, changeId })))
      const refused = yield* Effect.flip(revert(coming))
      assert.deepInclude(refused, { _tag: "ChangeHasDependents", dependents: [leaving] })
      yield* revert(leaving)
      assert.deepStrictEqual((yield* revert(coming)).customers, [customerId])
    })
  )

  it.effect("stays where a branch and the base branch have let one go each", () =>
    Effect.gen(function* () {
      const world = yield* World.make(undefined, [fleet])
      const { customerId, policyId } = yield* PolicyLifecycle.signed(world, { product: fleet })
      const run = World.as(world, world.manager)
      const customFields = World.examples(fleet.fields.customer)
      const input = { role: "POLICYHOLDER", name: "Associée", customFields }
      const added = yield* run(
        Customers.use((customers) => customers.addToPolicy({ policyId }, input))
      )
      yield* run(Customers.use((customers) => customers.confirm(added)))
      const { id: branchId } = yield* run(
        Branches.use((branches) => branches.open({ policyId }, { branchType: "MTA" }))
      )
      const at = { policyId, branchId }
      yield* run(CustomerPolicies.use((customers) => customers.takeOff({ ...at, customerId })))
      yield* run(Quotes.use((quotes) => quotes.quote(at, {})))
      yield* run(Sales.use((sales) => sales.confirm(at)))
      yield* run(CustomerPolicies.use((customers) => customers.takeOff({ policyId, ...added })))
      const refused = yield* Effect.flip(run(Sales.use((sales) => sales.sign(at, signature))))
      assert.strictEqual(refused._tag, "ComplianceGateNotMet")
    })
  )
})
