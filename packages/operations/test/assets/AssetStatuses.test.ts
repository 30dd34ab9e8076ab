/** What an asset's status is where its policy has been sold, and another branch of it is read. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Assets } from "../../src/assets/Assets.ts"
import { Branches } from "../../src/branches/Branches.ts"
import { Policies } from "../../src/policies/Policies.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as World from "../World.ts"

layer(Contracts.layer)("the status of an asset", (it) => {
  it.effect("is that of a confirmed policy before its signature, on an endorsement too", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const run = World.as(world, world.manager)
      const { policyId } = yield* Contracts.signed(world)
      const { id: branchId } = yield* run(
        Branches.use((x) => x.open({ policyId }, { branchType: "MTA" }))
      )
      const whenAt = World.at("2026-01-01T00:00:00Z")
      for (const view of [
        { policyId, whenAt },
        { policyId, branchId, whenAt }
      ]) {
        const { status } = yield* run(Policies.use((x) => x.get(view)))
        assert.strictEqual(status, "POLICY_CONFIRMED")
        const list = yield* run(Assets.use((x) => x.listByPolicy(view, { page: 1, count: 10 })))
        assert.deepStrictEqual(
          list.data.map((asset) => asset.status),
          ["ASSET_CONFIRMED"]
        )
      }
    })
  )
})
