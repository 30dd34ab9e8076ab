/** How often a command waits for an answer of the database, seen from the network. */
import { assert, layer } from "@effect/vitest"
import * as PgTest from "@quittance/testing/PgTest"
import { Effect, Layer } from "effect"
import { Assets } from "../../src/assets/Assets.ts"
import { Branches } from "../../src/branches/Branches.ts"
import { PolicyLifecycle as ContractSteps } from "../../src/lifecycle/PolicyLifecycle.ts"
import { Customers } from "../../src/customers/Customers.ts"
import { Policies } from "../../src/policies/Policies.ts"
import { PolicyHistory } from "../../src/policies/PolicyHistory.ts"
import { Quotes } from "../../src/quotes/Quotes.ts"
import { Sales } from "../../src/lifecycle/PolicySale.ts"
import * as PolicyLifecycle from "../SoldPolicies.ts"
import * as Trips from "../Trips.ts"
import * as World from "../World.ts"

const TestLayer = Layer.merge(PolicyLifecycle.layerUseCases, PolicyHistory.layer).pipe(
  Layer.provideMerge(World.layerRepositories),
  Layer.provideMerge(PgTest.layerConnected),
  Layer.provideMerge(Trips.layer),
  Layer.provideMerge(PgTest.layerDatabase)
)

layer(TestLayer, { excludeTestServices: true })("round trips", (it) => {
  it.effect("of a read are few, whatever views it can take", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const { count } = yield* Trips.Trips
      const run = World.as(world, world.manager)
      const { customerId, policyId } = yield* PolicyLifecycle.signed(world)
      const all = { page: 1, count: 10 }
      const trips: Record<string, number> = {}
      const measured = <A, E, R>(name: string, read: Effect.Effect<A, E, R>) =>
        Effect.gen(function* () {
          const before = count()
          yield* run(read)
          trips[name] = count() - before
        })
      yield* measured(
        "policy",
        Policies.use((policies) => policies.get({ policyId }))
      )
      yield* measured(
        "assets",
        Assets.use((assets) => assets.listByPolicy({ policyId }, all))
      )
      yield* measured(
        "customer",
        Customers.use((customers) => customers.get({ customerId }))
      )
      yield* measured(
        "changes",
        PolicyHistory.use((history) => history.changes({ policyId }, all))
      )
      yield* measured(
        "branches",
        Branches.use((branches) => branches.listByPolicy({ policyId }, all))
      )
      const most = { policy: 4, assets: 5, customer: 5, changes: 2, branches: 2 }
      const over = Object.entries(most).filter(([name, limit]) => trips[name]! > limit)
      assert.deepStrictEqual(over, [], JSON.stringify(trips))
    })
  )

  it.effect("of a command are few", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const { count } = yield* Trips.Trips
      const policies = yield* Policies
      const quotes = yield* Quotes
      const sales = yield* Sales
      const customers = yield* Customers
      const steps = yield* ContractSteps
      const run = World.as(world, world.manager)
      const sold = yield* PolicyLifecycle.signed(world)
      const { policyId } = yield* PolicyLifecycle.confirmed(world)
      const fields = World.examples(World.motor.fields.policy)
      const trips: Record<string, number> = {}
      const measured = <A, E, R>(name: string, command: Effect.Effect<A, E, R>) =>
        Effect.gen(function* () {
          const before = count()
          const answer = yield* command
          trips[name] = count() - before
          return answer
        })
      const at = { policyId }
      yield* measured("read", run(policies.get(at)))
      yield* measured("reopen", run(sales.reopen(at)))
      yield* measured("update", run(policies.update(at, { customFields: fields })))
      yield* measured("quote", run(quotes.quote(at, {})))
      yield* measured("confirm", run(sales.confirm(at)))
      yield* measured("create", run(policies.create({ productId: "motor-fr" })))
      yield* measured(
        "add customer",
        run(customers.addToPolicy({ policyId: sold.policyId }, { role: "PAYER", name: "Roux" }))
      )
      yield* measured("rename", run(policies.update({ policyId: sold.policyId }, { name: "x" })))
      yield* measured(
        "stop",
        run(steps.stop({ policyId: sold.policyId }, { reason: "CUSTOMER_REQUEST" }))
      )
      const most = {
        read: 4,
        reopen: 5,
        update: 5,
        quote: 5,
        confirm: 6,
        create: 7,
        "add customer": 11,
        rename: 5,
        stop: 8
      }
      const over = Object.entries(most).filter(([name, limit]) => trips[name]! > limit)
      assert.deepStrictEqual(over, [], JSON.stringify(trips))
    })
  )
})
