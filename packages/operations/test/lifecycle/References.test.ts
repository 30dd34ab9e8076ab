import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Customers } from "../../src/customers/Customers.ts"
import { Policies } from "../../src/policies/Policies.ts"
import { Sales } from "../../src/lifecycle/PolicySale.ts"
import { Quotes } from "../../src/quotes/Quotes.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as World from "../World.ts"
import type { BrokerageFirmId } from "@quittance/domain/values/Ids"

layer(Contracts.layer)("what a request refers to", (it) => {
  it.effect("refuses a brokerage fee of a firm that isn't there, wherever it is set", () =>
    Effect.gen(function* () {
      const [world, other] = [yield* World.make(), yield* World.make()]
      const policies = yield* Policies
      const quotes = yield* Quotes
      const { policyId } = yield* Contracts.confirmed(world)
      const run = World.as(world, world.manager)
      yield* run(Sales.use((sales) => sales.reopen({ policyId })))
      const fees = (brokerageFirmId: BrokerageFirmId) => [
        { brokerageFirmId: world.firms.north, fee: 10 },
        { brokerageFirmId, fee: 5 }
      ]
      const brokerageFees = fees(other.firms.north)
      const refusals = [
        yield* Effect.flip(run(policies.create({ productId: "motor-fr", brokerageFees }))),
        yield* Effect.flip(run(policies.update({ policyId }, { brokerageFees }))),
        yield* Effect.flip(run(quotes.quote({ policyId }, { brokerageFees }))),
        yield* Effect.flip(run(quotes.calculate({ policyId }, { brokerageFees })))
      ]
      for (const refusal of refusals) {
        assert.deepInclude(refusal, {
          _tag: "InvalidReference",
          field: "brokerageFees/1/brokerageFirmId",
          value: other.firms.north
        })
      }
      const own = fees(world.firms.south)
      const updated = yield* run(policies.update({ policyId }, { brokerageFees: own }))
      assert.deepStrictEqual(updated.brokerageFees, own)
    })
  )

  it.effect("lets only one of two writers win who read the same customer", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const customers = yield* Customers
      const { customerId } = yield* Contracts.confirmed(world)
      const answer: { replayed: boolean; etag?: string } = { replayed: false }
      yield* World.as(world, world.manager, { answer })(customers.get({ customerId }))
      const ifMatch = answer.etag!
      const rename = (name: string) =>
        World.as(world, world.manager, { ifMatch })(customers.update({ customerId }, { name }))
      assert.strictEqual((yield* rename("first")).name, "first")
      assert.strictEqual((yield* Effect.flip(rename("second")))._tag, "Conflict")
    })
  )

  it.effect("refuses a component that is assigned to two payers", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const customers = yield* Customers
      const policies = yield* Policies
      const { customerId, policyId } = yield* Contracts.confirmed(world)
      const run = World.as(world, world.manager)
      yield* run(Sales.use((sales) => sales.reopen({ policyId })))
      const payer = yield* run(customers.addToPolicy({ policyId }, { role: "PAYER" }))
      const own = { componentId: "RC", payerCustomerId: customerId }
      const other = { componentId: "RC", payerCustomerId: payer.customerId }
      const assigned = (componentOverrides: ReadonlyArray<typeof own>) =>
        policies.update(
          { policyId },
          {
            billingAssignment: {
              configId: "SPLIT_BY_COMPONENT",
              defaultPayerId: customerId,
              componentOverrides
            }
          }
        )
      const error = yield* Effect.flip(run(assigned([own, other])))
      assert.deepInclude(error, {
        _tag: "InvalidBillingAssignment",
        field: "componentId",
        value: "RC"
      })
      const { billingAssignment } = yield* run(assigned([other]))
      assert.deepStrictEqual(billingAssignment?.componentOverrides, [other])
    })
  )
})
