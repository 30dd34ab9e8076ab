/** A stop that was withdrawn and is brought back: both halves of it, and what it does to branches. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Branches } from "../../src/branches/Branches.ts"
import { PolicyLifecycle as ContractSteps } from "../../src/lifecycle/PolicyLifecycle.ts"
import { Policies } from "../../src/policies/Policies.ts"
import { PolicyHistory } from "../../src/policies/PolicyHistory.ts"
import * as PolicyLifecycle from "../SoldPolicies.ts"
import * as World from "../World.ts"

const TestLayer = Layer.provideMerge(PolicyHistory.layer, PolicyLifecycle.layer)
const whenAt = World.at("2026-06-01T00:00:00+02:00")

/** A stop that was announced for June and withdrawn on the same day. */
const withdrawn = Effect.gen(function* () {
  const world = yield* World.make()
  const { policyId } = yield* PolicyLifecycle.signed(world)
  const run = World.as(world, world.manager)
  yield* PolicyLifecycle.moveTo(world, "2026-04-10T12:00:00Z")
  yield* run(ContractSteps.use((s) => s.stop({ policyId, whenAt }, { reason: "SALE" })))
  yield* run(ContractSteps.use((s) => s.withdrawStop({ policyId })))
  return { policyId, run, world }
})

layer(TestLayer)("a withdrawn stop", (it) => {
  for (const half of ["ANNOUNCE_STOP", "STOP"] as const) {
    it.effect(`is restored as a whole, whichever revert is reverted (of ${half})`, () =>
      Effect.gen(function* () {
        const { policyId, run, world } = yield* withdrawn
        const effectiveAt = World.at("2026-07-01T00:00:00+02:00")
        const opening = { branchType: "MTA", effectiveAt } as const
        const { id } = yield* run(Branches.use((x) => x.open({ policyId }, opening)))
        const all = { page: 1, count: 100 }
        const { data } = yield* run(PolicyHistory.use((x) => x.changes({ policyId }, all)))
        const target = data.find(({ kind }) => kind === half)!
        const { id: changeId } = data.find(({ reverts }) => reverts === target.id)!
        yield* run(ContractSteps.use((s) => s.revert({ policyId, changeId })))
        const announced = yield* run(Policies.use((x) => x.get({ policyId })))
        assert.deepInclude(announced, { status: "POLICY_STARTED", endedAt: whenAt })
        assert.strictEqual(announced.stop?.reason, "SALE")
        const branches = yield* run(Branches.use((x) => x.listByPolicy({ policyId }, all)))
        const behind = branches.data.find((branch) => branch.id === id)
        assert.strictEqual(behind?.status, "INVALIDATED")
        yield* PolicyLifecycle.moveTo(world, "2026-07-10T12:00:00Z")
        const { status } = yield* run(Policies.use((x) => x.get({ policyId })))
        assert.strictEqual(status, "POLICY_STOPPED")
      })
    )
  }

  it.effect("invalidates later branches also where a branch restores it", () =>
    Effect.gen(function* () {
      const { policyId, run, world } = yield* withdrawn
      const open = (effectiveAt: string) =>
        run(
          Branches.use((branches) =>
            branches.open({ policyId }, { branchType: "MTA", effectiveAt: World.at(effectiveAt) })
          )
        )
      const behind = yield* open("2026-07-01T00:00:00+02:00")
      const before = yield* open("2026-05-01T00:00:00+02:00")
      const { id: branchId } = yield* open("2026-04-10T12:00:00Z")
      const all = { page: 1, count: 100 }
      const { data } = yield* run(PolicyHistory.use((x) => x.changes({ policyId }, all)))
      const target = data.find(({ kind }) => kind === "STOP")!
      const { id: changeId } = data.find(({ reverts }) => reverts === target.id)!
      yield* run(ContractSteps.use((s) => s.revert({ policyId, branchId, changeId })))
      yield* PolicyLifecycle.endorse(world, { policyId, branchId })
      const branches = yield* run(Branches.use((x) => x.listByPolicy({ policyId }, all)))
      const endOf = (id: typeof branchId) => {
        const { invalidation, status } = branches.data.find((branch) => branch.id === id)!
        return [status, invalidation?.reason]
      }
      assert.deepStrictEqual(endOf(behind.id), ["INVALIDATED", "POLICY_STOPPED"])
      assert.deepStrictEqual(endOf(before.id), ["OPEN", undefined])
      assert.deepStrictEqual(endOf(branchId), ["MERGED", undefined])
    })
  )
})
