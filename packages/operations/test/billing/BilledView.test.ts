/** What is to come of a policy in a view of it: with a branch, on another day, as it was known. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Billing } from "../../src/billing/Billing.ts"
import { Branches } from "../../src/branches/Branches.ts"
import { Policies } from "../../src/policies/Policies.ts"
import { Quotes } from "../../src/quotes/Quotes.ts"
import type { ViewRequest } from "../../src/policies/PolicyReader.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as World from "../World.ts"

const inForce = Effect.gen(function* () {
  const world = yield* World.make()
  const { policyId } = yield* Contracts.signed(world)
  yield* Contracts.moveTo(world, "2026-04-10T12:00:00Z")
  const run = World.as(world, world.manager)
  const schedule = (view: Omit<ViewRequest, "policyId"> = {}) =>
    run(Billing.use((billing) => billing.schedule({ policyId, ...view })))
  return { world, policyId, run, schedule }
})

layer(Contracts.layer, { excludeTestServices: true })("the schedule of a view", (it) => {
  it.effect("of a branch is the one that its merge brings", () =>
    Effect.gen(function* () {
      const { policyId, run, schedule, world } = yield* inForce
      const effectiveAt = World.at("2026-06-15T00:00:00Z")
      const { id: branchId } = yield* run(
        Branches.use((branches) => branches.open({ policyId }, { branchType: "MTA", effectiveAt }))
      )
      const on = { policyId, branchId }
      const customFields = [{ key: "annualMileage", value: 30_000 }]
      yield* run(Policies.use((policies) => policies.update(on, { customFields })))
      assert.deepStrictEqual((yield* schedule({ branchId })).instalments, [])
      yield* run(Quotes.use((quotes) => quotes.quote(on, {})))
      const without = yield* schedule()
      const offered = yield* schedule({ branchId })
      assert.notDeepEqual(offered, without)
      const knownAt = yield* Effect.map(Contracts.now(world), ({ now }) => now)
      yield* Contracts.moveTo(world, "2026-04-10T13:00:00Z")
      yield* Contracts.endorse(world, on)
      assert.deepStrictEqual(yield* schedule(), offered)
      assert.deepStrictEqual(yield* schedule({ knownAt }), without)
      assert.deepStrictEqual(yield* schedule({ knownAt, branchId }), offered)
      // Before it takes effect it changes nothing.
      const whenAt = World.at("2026-04-10T13:00:00Z")
      assert.deepStrictEqual(yield* schedule({ whenAt }), without)
    })
  )

  it.effect("of another day has what is to come then", () =>
    Effect.gen(function* () {
      const { schedule, world } = yield* inForce
      const day = World.at("2026-04-10T12:00:00Z")
      const now = yield* schedule()
      const later = World.at("2026-07-20T12:00:00Z")
      const foreseen = yield* schedule({ whenAt: later })
      assert.isBelow(foreseen.instalments.length, now.instalments.length)
      yield* Contracts.moveTo(world, "2026-07-20T12:00:00Z")
      assert.deepStrictEqual(yield* schedule(), foreseen)
      assert.deepStrictEqual(yield* schedule({ whenAt: day }), now)
      assert.deepStrictEqual(yield* schedule({ knownAt: day }), now)
    })
  )
})
