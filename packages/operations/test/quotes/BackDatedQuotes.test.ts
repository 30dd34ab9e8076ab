/** Quotes of a branch that takes effect before what is in force by now. */
import type { QuotePolicy } from "@quittance/domain/policies/PolicyRequests"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Branches } from "../../src/branches/Branches.ts"
import { Policies } from "../../src/policies/Policies.ts"
import { PolicyHistory } from "../../src/policies/PolicyHistory.ts"
import { Quotes } from "../../src/quotes/Quotes.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as World from "../World.ts"
import type { BranchId } from "@quittance/domain/values/Ids"

const TestLayer = Layer.provideMerge(PolicyHistory.layer, Contracts.layer)

/** A policy that has another tier from May on, in June. */
const upgraded = Effect.gen(function* () {
  const world = yield* World.make()
  const { policyId } = yield* Contracts.signed(world)
  const run = World.as(world, world.manager)
  yield* Contracts.moveTo(world, "2026-04-10T12:00:00Z")
  const open = (effectiveAt: string) =>
    run(
      Branches.use((branches) =>
        branches.open({ policyId }, { branchType: "MTA", effectiveAt: World.at(effectiveAt) })
      )
    )
  const quote = (branchId: BranchId, choice: QuotePolicy) =>
    run(Quotes.use((quotes) => quotes.quote({ policyId, branchId }, choice)))
  const { id: upgrade } = yield* open("2026-05-01T00:00:00+02:00")
  yield* quote(upgrade, { tierId: "COMPREHENSIVE" })
  yield* Contracts.endorse(world, { policyId, branchId: upgrade })
  yield* Contracts.moveTo(world, "2026-06-10T12:00:00Z")
  return { world, run, policyId, open, quote }
})

layer(TestLayer)("a quote of a back-dated branch", (it) => {
  it.effect("costs what was calculated for it before", () =>
    Effect.gen(function* () {
      const { open, policyId, quote, run } = yield* upgraded
      const { id: branchId } = yield* open("2026-04-15T00:00:00+02:00")
      const customFields = [{ key: "annualMileage", value: 30_000 }]
      yield* run(Policies.use((x) => x.update({ policyId, branchId }, { customFields })))
      const calculated = yield* run(
        Quotes.use((quotes) => quotes.calculate({ policyId, branchId }, {}))
      )
      const { quote: given } = yield* quote(branchId, {})
      assert.deepStrictEqual(calculated.quote.totalPremium, given.totalPremium)
    })
  )

  it.effect("keeps the selection that was in force when the branch takes effect", () =>
    Effect.gen(function* () {
      const { open, policyId, quote, run, world } = yield* upgraded
      const { id: branchId } = yield* open("2026-04-15T00:00:00+02:00")
      const customFields = [{ key: "annualMileage", value: 30_000 }]
      yield* run(Policies.use((x) => x.update({ policyId, branchId }, { customFields })))
      yield* quote(branchId, {})
      const { data } = yield* run(
        PolicyHistory.use((history) =>
          history.changes({ policyId, branchId }, { page: 1, count: 100 })
        )
      )
      const chosen = data
        .filter((change) => change.branchId === branchId)
        .flatMap(({ patch }) => patch)
        .filter(({ path }) => path === "/selection")
      assert.deepStrictEqual(chosen, [
        { path: "/selection", value: { tierId: World.motor.defaultTier, perils: [] } }
      ])
      yield* Contracts.endorse(world, { policyId, branchId })
      const priceOn = (whenAt: string) =>
        Effect.map(
          run(Policies.use((x) => x.get({ policyId, whenAt: World.at(whenAt) }))),
          ({ quote }) => quote!.totalPremium.amountWithFeesAndTaxes
        )
      assert.isBelow(yield* priceOn("2026-04-20T00:00:00Z"), yield* priceOn("2026-05-20T00:00:00Z"))
    })
  )
})
