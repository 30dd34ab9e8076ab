/** Endorsements that take effect before their policy starts: nothing before the start is sold with them. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Assets } from "../../src/assets/Assets.ts"
import { Branches } from "../../src/branches/Branches.ts"
import { CustomerPolicies } from "../../src/customers/CustomerPolicies.ts"
import { Customers } from "../../src/customers/Customers.ts"
import { Policies } from "../../src/policies/Policies.ts"
import { Quotes } from "../../src/quotes/Quotes.ts"
import { Sales } from "../../src/lifecycle/PolicySale.ts"
import * as PolicyLifecycle from "../SoldPolicies.ts"
import * as World from "../World.ts"

const TestLayer = Layer.provideMerge(CustomerPolicies.layer, PolicyLifecycle.layer)

const day = (text: string) => World.at(`${text}T00:00:00+02:00`)

const start = day("2026-04-01")

/** A sale from 1 April that may still be changed, and how it is sold, and endorsed from 20 March. */
const scene = Effect.gen(function* () {
  const world = yield* World.make()
  const run = World.as(world, world.manager)
  const contract = yield* PolicyLifecycle.confirmed(world)
  const { policyId } = contract
  yield* run(Sales.use((x) => x.reopen({ policyId })))
  const sell = Effect.gen(function* () {
    yield* run(Quotes.use((x) => x.quote({ policyId }, {})))
    yield* run(Sales.use((x) => x.confirm({ policyId })))
    yield* PolicyLifecycle.sign(world, contract)
    const opening = { branchType: "MTA", effectiveAt: day("2026-03-20") } as const
    const { id: branchId } = yield* run(Branches.use((x) => x.open({ policyId }, opening)))
    return { policyId, branchId }
  })
  return { world, run, policyId, sell }
})

const payer = { role: "PAYER", customFields: [] }

const names = { customFields: World.examples(World.motor.fields.customer, "PAYER") }

layer(TestLayer)("an endorsement that takes effect before its policy starts", (it) => {
  it.effect("needs nothing of an asset whose cover ends with the start", () =>
    Effect.gen(function* () {
      const { policyId, run, sell, world } = yield* scene
      const assets = yield* Assets
      const { assetId } = yield* run(assets.addToPolicy({ policyId }, { customFields: [] }))
      const { stoppedAt } = yield* run(assets.stop({ assetId }))
      assert.strictEqual(stoppedAt, start)
      yield* PolicyLifecycle.endorse(world, yield* sell)
    })
  )

  it.effect("needs nothing of a customer who leaves with the start", () =>
    Effect.gen(function* () {
      const { policyId, run, sell, world } = yield* scene
      const { customerId } = yield* run(Customers.use((x) => x.addToPolicy({ policyId }, payer)))
      yield* run(CustomerPolicies.use((x) => x.takeOff({ policyId, customerId, whenAt: start })))
      yield* PolicyLifecycle.endorse(world, yield* sell)
    })
  )

  it.effect("needs all that holds at the start, and after it", () =>
    Effect.gen(function* () {
      for (const [named, refusal] of [
        [start, undefined],
        [day("2026-04-02"), "InvalidCustomField"]
      ] as const) {
        const { run, sell } = yield* scene
        const at = yield* sell
        const customers = yield* Customers
        const { customerId } = yield* run(customers.addToPolicy(at, payer))
        yield* run(customers.update({ ...at, customerId, whenAt: named }, names))
        yield* run(Quotes.use((x) => x.quote(at, {})))
        const outcome = yield* Effect.result(run(Sales.use((x) => x.confirm(at))))
        assert.strictEqual(outcome._tag === "Failure" ? outcome.failure._tag : undefined, refusal)
      }
    })
  )

  it.effect("is judged from the start that it moves the policy to", () =>
    Effect.gen(function* () {
      const named = day("2026-03-26")
      for (const [startedAt, refusal] of [
        [named, undefined],
        [day("2026-03-25"), "InvalidCustomField"]
      ] as const) {
        const { run, sell } = yield* scene
        const at = yield* sell
        const customers = yield* Customers
        const { customerId } = yield* run(customers.addToPolicy(at, payer))
        yield* run(customers.update({ ...at, customerId, whenAt: named }, names))
        yield* run(Policies.use((x) => x.update(at, { startedAt })))
        yield* run(Quotes.use((x) => x.quote(at, {})))
        const outcome = yield* Effect.result(run(Sales.use((x) => x.confirm(at))))
        assert.strictEqual(outcome._tag === "Failure" ? outcome.failure._tag : undefined, refusal)
      }
    })
  )
})
