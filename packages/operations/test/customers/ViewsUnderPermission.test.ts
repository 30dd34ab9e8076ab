/** Who may read a view: callers who may read its policy, and of a customer no other policy. */
import { assert, layer } from "@effect/vitest"
import type { Caller } from "@quittance/domain/requests/Caller"
import { Effect, Layer } from "effect"
import { Assets } from "../../src/assets/Assets.ts"
import { CustomerPolicies } from "../../src/customers/CustomerPolicies.ts"
import { Customers } from "../../src/customers/Customers.ts"
import { CustomerLists } from "../../src/customers/CustomerList.ts"
import { Policies } from "../../src/policies/Policies.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as World from "../World.ts"

const TestLayer = Layer.mergeAll(CustomerPolicies.layer, CustomerLists.layer).pipe(
  Layer.provideMerge(Contracts.layer)
)

const all = { page: 1, count: 10 }
const whenAt = World.at("2026-04-10T00:00:00Z")

/** A customer on a policy of the one firm, and on one of the other. */
const shared = Effect.gen(function* () {
  const world = yield* World.make()
  const policies = yield* Policies
  const open = (caller: Caller) =>
    World.as(world, caller)(policies.create({ productId: "motor-fr" }))
  const north = yield* open(world.north)
  const south = yield* open(world.south)
  const add = Customers.use((customers) =>
    customers.addToPolicy({ policyId: north.id }, { role: "PAYER", name: "Roux" })
  )
  const { customerId } = yield* World.as(world, world.north)(add)
  const at = { policyId: south.id, customerId }
  yield* World.as(
    world,
    world.manager
  )(CustomerPolicies.use((policies) => policies.put(at, { role: "POLICYHOLDER" })))
  yield* Contracts.moveTo(world, "2026-03-12T09:00:00Z")
  return { world, north: north.id, south: south.id, customerId }
})

const views = [{ whenAt }, { knownAt: World.at("2026-03-11T09:00:00Z") }]

layer(TestLayer, { excludeTestServices: true })("a view", (it) => {
  it.effect("is refused to a caller who may not read its policy", () =>
    Effect.gen(function* () {
      const { customerId, north, world } = yield* shared
      const run = World.as(world, world.south)
      for (const view of views) {
        const request = { policyId: north, ...view }
        const refusals = [
          yield* Effect.flip(run(Assets.use((assets) => assets.listByPolicy(request, all)))),
          yield* Effect.flip(
            run(Customers.use((customers) => customers.get({ customerId, ...request })))
          )
        ]
        assert.deepStrictEqual(
          refusals.map(({ _tag }) => _tag),
          ["Forbidden", "Forbidden"]
        )
        const listed = yield* run(CustomerLists.use((listings) => listings.customers(request, all)))
        assert.strictEqual(listed.totalCount, 0)
      }
    })
  )

  it.effect("of a customer names those of his policies that one may see", () =>
    Effect.gen(function* () {
      const { customerId, north, south, world } = yield* shared
      const seen = Effect.fnUntraced(function* (caller: Caller) {
        const get = (view: (typeof views)[number]) =>
          World.as(
            world,
            caller
          )(Customers.use((customers) => customers.get({ customerId, ...view })))
        const [then, known] = yield* Effect.all([get(views[0]!), get(views[1]!)])
        assert.deepStrictEqual(then, known)
        return [known.role, known.policies] as const
      })
      assert.deepStrictEqual(yield* seen(world.manager), ["PAYER", [north, south]])
      assert.deepStrictEqual(yield* seen(world.north), ["PAYER", [north]])
      assert.deepStrictEqual(yield* seen(world.south), ["POLICYHOLDER", [south]])
    })
  )

  it.effect("is a visitor's where the policy is", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const run = World.as(world, yield* World.visitor(world))
      const { id: policyId } = yield* run(
        Policies.use((policies) => policies.create({ productId: "motor-fr" }))
      )
      const { customerId } = yield* run(
        Customers.use((customers) => customers.addToPolicy({ policyId }, { role: "PAYER" }))
      )
      const one = yield* run(
        Customers.use((customers) => customers.get({ customerId, policyId, whenAt }))
      )
      assert.strictEqual(one.role, "PAYER")
      const fleet = yield* run(
        Assets.use((assets) => assets.listByPolicy({ policyId, whenAt }, all))
      )
      assert.strictEqual(fleet.totalCount, 0)
    })
  )
})
