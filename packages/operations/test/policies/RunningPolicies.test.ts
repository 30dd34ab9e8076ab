/** What can't be moved of a running policy: its start and period, in any way and as of any time. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Branches } from "../../src/branches/Branches.ts"
import { PolicyLifecycle as ContractSteps } from "../../src/lifecycle/PolicyLifecycle.ts"
import { Policies } from "../../src/policies/Policies.ts"
import { PolicyHistory } from "../../src/policies/PolicyHistory.ts"
import * as PolicyLifecycle from "../SoldPolicies.ts"
import * as World from "../World.ts"
import type { BranchId } from "@quittance/domain/values/Ids"

const TestLayer = Layer.provideMerge(PolicyHistory.layer, PolicyLifecycle.layer)
const beforeStart = World.at("2026-03-20T12:00:00Z")
const later = { startedAt: World.at("2026-07-01T00:00:00+02:00") }

/** A policy from 1 April 2026, sold in March. */
const scene = Effect.gen(function* () {
  const world = yield* World.make()
  const { policyId } = yield* PolicyLifecycle.signed(world)
  const run = World.as(world, world.manager)
  const open = (effectiveAt = World.at("2026-03-25T12:00:00Z")) =>
    Effect.map(
      run(Branches.use((x) => x.open({ policyId }, { branchType: "MTA", effectiveAt }))),
      ({ id: branchId }) => ({ policyId, branchId })
    )
  const starts = PolicyLifecycle.moveTo(world, "2026-04-10T12:00:00Z")
  return { world, policyId, run, open, starts }
})
type Scene = Effect.Success<typeof scene>

const update = (
  { run }: Scene,
  at: { readonly branchId: BranchId } & Parameters<Policies["Service"]["update"]>[0],
  patch: Parameters<Policies["Service"]["update"]>[1]
) => run(Policies.use((policies) => policies.update(at, patch)))

const startOf = ({ policyId, run }: Scene) =>
  Effect.map(run(Policies.use((x) => x.get({ policyId }))), ({ startedAt }) => startedAt)

layer(TestLayer)("the start of a policy that runs", (it) => {
  const ways = [
    [
      "the start, on an endorsement dated before it",
      beforeStart,
      undefined,
      later,
      "InvalidTransition"
    ],
    [
      "the start, as of before it",
      World.at("2026-04-10T12:00:00Z"),
      beforeStart,
      later,
      // Nothing on a branch takes effect before the branch does.
      "InvalidEffectiveDate"
    ],
    [
      "the period, on an endorsement dated before the start",
      beforeStart,
      undefined,
      {
        periodDuration: { unit: "MONTH", amount: 6 }
      },
      "InvalidTransition"
    ]
  ] as const
  for (const [what, effectiveAt, whenAt, patch, tag] of ways) {
    it.effect(`stays: refuses ${what}`, () =>
      Effect.gen(function* () {
        const at = yield* scene
        yield* at.starts
        const branch = yield* at.open(effectiveAt)
        const refused = yield* Effect.flip(update(at, { ...branch, whenAt }, patch))
        assert.strictEqual(refused._tag, tag)
        if (refused._tag === "InvalidTransition") {
          assert.strictEqual(refused.status, "POLICY_STARTED")
        }
      })
    )
  }

  it.effect("stays where an offer moved it that is signed after it", () =>
    Effect.gen(function* () {
      const at = yield* scene
      const branch = yield* at.open()
      yield* update(at, branch, later)
      yield* at.starts
      const refused = yield* Effect.flip(PolicyLifecycle.endorse(at.world, branch))
      assert.strictEqual(refused._tag, "InvalidTransition")
      assert.strictEqual(yield* startOf(at), World.at("2026-04-01T00:00:00+02:00"))
    })
  )

  it.effect("stays where the change that brought it is reverted on an offer", () =>
    Effect.gen(function* () {
      const at = yield* scene
      const first = yield* at.open()
      yield* update(at, first, { startedAt: World.at("2026-04-05T00:00:00+02:00") })
      yield* PolicyLifecycle.endorse(at.world, first)
      yield* at.starts
      const second = yield* at.open()
      const { data } = yield* at.run(
        PolicyHistory.use((x) => x.changes({ policyId: at.policyId }, { page: 1, count: 100 }))
      )
      const change = data.find(
        ({ branchId, patch }) =>
          branchId !== first.branchId && patch.some(({ path }) => path === "/startedAt")
      )!
      const refused = yield* Effect.flip(
        at.run(ContractSteps.use((x) => x.revert({ ...second, changeId: change.id })))
      )
      assert.strictEqual(refused._tag, "InvalidTransition")
    })
  )
})
