/** Where a branch is opened from, and when it takes effect. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Branches } from "../../src/branches/Branches.ts"
import { Policies } from "../../src/policies/Policies.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as World from "../World.ts"

const june = World.at("2026-06-01T00:00:00Z")
const july = World.at("2026-07-01T00:00:00Z")

const inForce = Effect.gen(function* () {
  const world = yield* World.make()
  const { policyId } = yield* Contracts.signed(world)
  yield* Contracts.moveTo(world, "2026-04-10T09:00:00Z")
  return { policyId, run: World.as(world, world.manager), branches: yield* Branches }
})

layer(Contracts.layer, { excludeTestServices: true })("a branch that is opened", (it) => {
  it.effect("takes effect at no two instants", () =>
    Effect.gen(function* () {
      const { branches, policyId, run } = yield* inForce
      const open = branches.open(
        { policyId, whenAt: june },
        { branchType: "MTA", effectiveAt: july }
      )
      const refused = yield* Effect.flip(run(open))
      assert.deepInclude(refused, {
        _tag: "InvalidEffectiveDate",
        field: "whenAt",
        earliest: july,
        latest: july
      })
    })
  )

  it.effect("is refused beside another endorsement, which is forked instead", () =>
    Effect.gen(function* () {
      const { branches, policyId, run } = yield* inForce
      const mta = yield* run(branches.open({ policyId }, { branchType: "MTA" }))
      const open = branches.open({ policyId, branchId: mta.id }, { branchType: "MTA" })
      assert.strictEqual((yield* Effect.flip(run(open)))._tag, "InvalidTransition")
    })
  )

  it.effect("is no fork of what is in force: a policy has one base branch", () =>
    Effect.gen(function* () {
      const { branches, policyId, run } = yield* inForce
      const { data } = yield* run(branches.listByPolicy({ policyId }, { count: 100, page: 1 }))
      const { id } = data.find(({ branchType }) => branchType === "BASE")!
      const refused = yield* Effect.flip(run(branches.fork(id, {})))
      assert.deepInclude(refused, { _tag: "InvalidTransition", command: "fork" })
    })
  )

  it.effect("takes effect when the command is said to, or the branch", () =>
    Effect.gen(function* () {
      const { branches, policyId, run } = yield* inForce
      const opened = (whenAt: typeof june | undefined, effectiveAt: typeof june | undefined) =>
        run(
          branches.open(
            { policyId, whenAt },
            { branchType: "MTA", ...(effectiveAt === undefined ? {} : { effectiveAt }) }
          )
        )
      assert.strictEqual((yield* opened(june, undefined)).effectiveAt, june)
      assert.strictEqual((yield* opened(undefined, june)).effectiveAt, june)
      assert.strictEqual((yield* opened(june, june)).effectiveAt, june)
      const now = World.at("2026-04-10T09:00:00Z")
      assert.strictEqual((yield* opened(undefined, undefined)).effectiveAt, now)
    })
  )

  it.effect("holds what the offer holds that it is opened from", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const run = World.as(world, world.manager)
      const branches = yield* Branches
      const policies = yield* Policies
      const { id: policyId } = yield* run(policies.create({ productId: "motor-fr", name: "first" }))
      const open = (from: Parameters<typeof branches.open>[0]) =>
        run(branches.open(from, { branchType: "NEW_BUSINESS" }))
      const rival = yield* open({ policyId })
      yield* run(policies.update({ policyId, branchId: rival.id }, { name: "rival" }))
      const third = yield* open({ policyId, branchId: rival.id })
      const nameOn = (branchId: typeof rival.id) =>
        Effect.map(run(policies.get({ policyId, branchId })), ({ name }) => name)
      assert.strictEqual(yield* nameOn(third.id), "rival")
      assert.strictEqual(yield* nameOn((yield* open({ policyId })).id), "first")
    })
  )
})
