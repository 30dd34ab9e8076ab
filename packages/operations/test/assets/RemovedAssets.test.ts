/** Assets that were added to a draft, and are taken away again. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Assets } from "../../src/assets/Assets.ts"
import { Branches } from "../../src/branches/Branches.ts"
import { Quotes } from "../../src/quotes/Quotes.ts"
import { Sales } from "../../src/lifecycle/PolicySale.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as World from "../World.ts"
import type { BranchId, PolicyId } from "@quittance/domain/values/Ids"

type On = { readonly policyId: PolicyId; readonly branchId?: BranchId }

const customFields = World.examples(World.motor.fields.asset)

const scene = Effect.gen(function* () {
  const world = yield* World.make()
  const run = World.as(world, world.manager)
  const add = (at: On) => run(Assets.use((x) => x.addToPolicy(at, { customFields })))
  const list = (at: On) =>
    Effect.map(run(Assets.use((x) => x.listByPolicy(at, { page: 1, count: 10 }))), ({ data }) =>
      data.map(({ id }) => id)
    )
  return { world, run, add, list }
})

layer(Contracts.layer)("an asset that is taken away", (it) => {
  it.effect("of a sale is neither counted nor priced, and was never there", () =>
    Effect.gen(function* () {
      const { add, list, run, world } = yield* scene
      const { policyId, premium } = yield* Contracts.confirmed(world)
      yield* run(Sales.use((x) => x.reopen({ policyId })))
      const [first] = yield* list({ policyId })
      const { assetId } = yield* add({ policyId })
      // The product has at most one.
      const refused = yield* Effect.flip(run(Quotes.use((x) => x.quote({ policyId }, {}))))
      assert.strictEqual(refused._tag, "InvalidCustomField")
      const whenAt = World.at("2026-06-01T00:00:00Z")
      const late = yield* Effect.flip(run(Assets.use((x) => x.remove({ assetId, whenAt }))))
      assert.strictEqual(late._tag, "InvalidEffectiveDate")
      yield* run(Assets.use((x) => x.remove({ assetId })))
      assert.deepStrictEqual(yield* list({ policyId }), [first])
      const again = yield* Effect.flip(run(Assets.use((x) => x.remove({ assetId }))))
      assert.strictEqual(again._tag, "AssetNotFound")
      const { quote } = yield* run(Quotes.use((x) => x.quote({ policyId }, {})))
      assert.strictEqual(quote.totalPremium.amountWithFeesAndTaxes, premium)
    })
  )

  it.effect("is one of the branch itself, and none that is in force", () =>
    Effect.gen(function* () {
      const { add, list, run, world } = yield* scene
      const { policyId } = yield* Contracts.signed(world)
      const [first] = yield* list({ policyId })
      const { id: branchId } = yield* run(
        Branches.use((x) => x.open({ policyId }, { branchType: "MTA" }))
      )
      for (const at of [{}, { branchId }]) {
        const refused = yield* Effect.flip(
          run(Assets.use((x) => x.remove({ assetId: first!, ...at })))
        )
        assert.strictEqual(refused._tag, "InvalidTransition")
      }
      const { assetId } = yield* add({ policyId, branchId })
      const elsewhere = yield* Effect.flip(run(Assets.use((x) => x.remove({ assetId }))))
      assert.strictEqual(elsewhere._tag, "AssetNotFound")
      yield* run(Assets.use((x) => x.remove({ assetId, branchId })))
      assert.deepStrictEqual(yield* list({ policyId, branchId }), [first])
    })
  )
})
