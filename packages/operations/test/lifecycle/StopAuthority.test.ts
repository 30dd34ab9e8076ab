/** Who may stop a policy and withdraw a stop: it depends on what the policy is now, and who announced it. */
import { assert, layer } from "@effect/vitest"
import type { Caller } from "@quittance/domain/requests/Caller"
import { Effect } from "effect"
import { PolicyLifecycle as ContractSteps } from "../../src/lifecycle/PolicyLifecycle.ts"
import { Policies } from "../../src/policies/Policies.ts"
import * as PolicyLifecycle from "../SoldPolicies.ts"
import { person } from "../People.ts"
import * as World from "../World.ts"
import type { PolicyId } from "@quittance/domain/values/Ids"

const ahead = World.at("2026-06-01T00:00:00+02:00")

/** A policy that a visitor has bought in March, from 1 April on, with a holder who signs in. */
const scene = Effect.gen(function* () {
  const world = yield* World.make()
  const visitor = yield* World.visitor(world)
  const { policyId } = yield* PolicyLifecycle.signed(world, { caller: visitor })
  const on = { kind: "RECORD", recordId: policyId } as const
  const holder = yield* person(world, [{ role: "POLICYHOLDER", on }])
  const starts = PolicyLifecycle.moveTo(world, "2026-04-10T12:00:00Z")
  return { world, policyId, visitor, holder, starts }
})
type Scene = Effect.Success<typeof scene>

const stop = ({ policyId, world }: Scene, caller: Caller, whenAt = ahead) =>
  World.as(
    world,
    caller
  )(ContractSteps.use((steps) => steps.stop({ policyId, whenAt }, { reason: "SALE" })))

const withdraw = ({ policyId, world }: Scene, caller: Caller) =>
  World.as(world, caller)(ContractSteps.use((steps) => steps.withdrawStop({ policyId })))

const statusOf = (world: World.World, policyId: PolicyId) =>
  Effect.map(
    World.as(world, world.manager)(Policies.use((x) => x.get({ policyId }))),
    ({ status }) => status
  )

layer(PolicyLifecycle.layer)("a visitor", (it) => {
  it.effect("stops no policy that runs, whatever time is asked for", () =>
    Effect.gen(function* () {
      const at = yield* scene
      yield* at.starts
      for (const whenAt of [World.at("2026-03-25T12:00:00Z"), ahead]) {
        const refused = yield* Effect.flip(stop(at, at.visitor, whenAt))
        assert.strictEqual(refused._tag, "Forbidden")
      }
      assert.strictEqual(yield* statusOf(at.world, at.policyId), "POLICY_STARTED")
    })
  )

  it.effect("moves the stop of no policy that has run to before its start", () =>
    Effect.gen(function* () {
      const at = yield* scene
      yield* at.starts
      yield* stop(at, at.world.manager, World.at("2026-04-09T12:00:00Z"))
      const refused = yield* Effect.flip(stop(at, at.visitor, World.at("2026-03-25T12:00:00Z")))
      assert.strictEqual(refused._tag, "Forbidden")
    })
  )

  it.effect("withdraws no stop of a policy that runs", () =>
    Effect.gen(function* () {
      const at = yield* scene
      yield* stop(at, at.visitor)
      yield* at.starts
      assert.strictEqual((yield* Effect.flip(withdraw(at, at.visitor)))._tag, "Forbidden")
    })
  )

  it.effect("withdraws a stop of his own before the start", () =>
    Effect.gen(function* () {
      const at = yield* scene
      yield* stop(at, at.visitor)
      assert.isUndefined((yield* withdraw(at, at.visitor)).stop)
    })
  )
})

layer(PolicyLifecycle.layer)("a policyholder", (it) => {
  it.effect("withdraws the stop that he announced before he signed in", () =>
    Effect.gen(function* () {
      const at = yield* scene
      yield* stop(at, at.visitor)
      yield* at.starts
      assert.isUndefined((yield* withdraw(at, at.holder)).stop)
    })
  )

  it.effect("withdraws a stop of their own, and none that another caller announced", () =>
    Effect.gen(function* () {
      const at = yield* scene
      yield* at.starts
      yield* stop(at, at.holder)
      assert.isUndefined((yield* withdraw(at, at.holder)).stop)
      yield* stop(at, at.world.manager)
      assert.strictEqual((yield* Effect.flip(withdraw(at, at.holder)))._tag, "Forbidden")
    })
  )
})

layer(PolicyLifecycle.layer)("who may reinstate a policy", (it) => {
  it.effect("withdraws whatever stop was announced of it", () =>
    Effect.gen(function* () {
      const at = yield* scene
      yield* at.starts
      yield* stop(at, at.holder)
      assert.isUndefined((yield* withdraw(at, at.world.manager)).stop)
    })
  )
})
