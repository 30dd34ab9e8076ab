/** What a quote request leaves out, and what it names again. */
import type { QuotePolicy } from "@quittance/domain/policies/PolicyRequests"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Sales } from "../../src/lifecycle/PolicySale.ts"
import { Quotes } from "../../src/quotes/Quotes.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as World from "../World.ts"

const optional = World.motor.perils.find(
  ({ id, optional }) => optional && World.motor.tiers.some(({ perils }) => perils.includes(id))
)!
const [tier, other] = [
  World.motor.tiers.find(({ perils }) => perils.includes(optional.id))!,
  World.motor.tiers.findLast(({ perils }) => perils.includes(optional.id))!
]

layer(Contracts.layer)("a quote request", (it) => {
  it.effect("keeps the perils of the tier that it names again, and leaves those of another", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const run = World.as(world, world.manager)
      const { policyId } = yield* Contracts.confirmed(world)
      yield* run(Sales.use((sales) => sales.reopen({ policyId })))
      const covered = (choice: QuotePolicy) =>
        Effect.map(
          run(Quotes.use((quotes) => quotes.quote({ policyId }, choice))),
          ({ selectedTier }) => selectedTier.perils.some(({ id }) => id === optional.id)
        )
      const tierId = tier.id
      assert.isTrue(yield* covered({ tierId }))
      assert.isFalse(yield* covered({ tierId, perils: [{ id: optional.id, included: false }] }))
      assert.isFalse(yield* covered({}))
      assert.isFalse(yield* covered({ tierId }))
      assert.notStrictEqual(other.id, tierId)
      assert.isTrue(yield* covered({ tierId: other.id }))
      assert.isTrue(yield* covered({ tierId }))
      assert.isTrue(yield* covered({ tierId, perils: [] }))
    })
  )
})
