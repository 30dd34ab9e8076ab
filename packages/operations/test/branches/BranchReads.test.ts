/** What a branch beside the base branch shows to whom that names no instant, over time, and as a difference. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Branches } from "../../src/branches/Branches.ts"
import { Policies } from "../../src/policies/Policies.ts"
import { PolicyHistory } from "../../src/policies/PolicyHistory.ts"
import { PolicyLifecycle as ContractSteps } from "../../src/lifecycle/PolicyLifecycle.ts"
import { Quotes } from "../../src/quotes/Quotes.ts"
import * as PolicyLifecycle from "../SoldPolicies.ts"
import * as World from "../World.ts"
import type { BranchId, PolicyId } from "@quittance/domain/values/Ids"

const TestLayer = Layer.provideMerge(PolicyHistory.layer, PolicyLifecycle.layer)

const all = { page: 1, count: 100 }

/** A policy from 1 April 2026, ten days later. */
const scene = Effect.gen(function* () {
  const world = yield* World.make()
  const run = World.as(world, world.manager)
  const { policyId } = yield* PolicyLifecycle.signed(world)
  yield* PolicyLifecycle.moveTo(world, "2026-04-10T12:00:00Z")
  const open = (day: string) =>
    Effect.map(
      run(
        Branches.use((x) =>
          x.open(
            { policyId },
            { branchType: "MTA", effectiveAt: World.at(`${day}T00:00:00+02:00`) }
          )
        )
      ),
      ({ id }) => ({ policyId, branchId: id })
    )
  const set = (at: At, key: string, value: number | string, day?: string) => {
    const whenAt = day === undefined ? undefined : World.at(`${day}T00:00:00+02:00`)
    return run(Policies.use((x) => x.update({ ...at, whenAt }, { customFields: [{ key, value }] })))
  }
  const read = (at: Partial<At> & { readonly whenAt?: ReturnType<typeof World.at> }) =>
    run(Policies.use((x) => x.get({ policyId, ...at })))
  const quote = (at: At) => run(Quotes.use((x) => x.quote(at, {})))
  const timeline = (at: Partial<At>) =>
    run(PolicyHistory.use((x) => x.timeline({ policyId, ...at })))
  return { world, run, policyId, open, set, read, quote, timeline }
})

interface At {
  readonly policyId: PolicyId
  readonly branchId: BranchId
}

layer(TestLayer)("a branch that is read without an instant", (it) => {
  it.effect("shows the same data before and after its quote, at the price that was answered", () =>
    Effect.gen(function* () {
      const { open, quote, read, set, world } = yield* scene
      const other = yield* open("2026-06-01")
      yield* set(other, "annualMileage", 40_000)
      yield* PolicyLifecycle.endorse(world, other)
      const mine = yield* open("2026-05-01")
      yield* set(mine, "claims", 2)
      const before = yield* read(mine)
      const { quote: given } = yield* quote(mine)
      const after = yield* read(mine)
      assert.deepStrictEqual(after.customFields, before.customFields)
      assert.strictEqual(after.quote?.id, given.id)
    })
  )

  it.effect("has the price that its quote answered, also of what it changes later", () =>
    Effect.gen(function* () {
      const { open, quote, read, set } = yield* scene
      const mine = yield* open("2026-05-01")
      yield* set(mine, "claims", 2)
      yield* set(mine, "claims", 4, "2026-06-01")
      const { quote: given } = yield* quote(mine)
      assert.strictEqual((yield* read(mine)).quote?.id, given.id)
    })
  )

  it.effect("has the price that its quote answered where it takes effect before today", () =>
    Effect.gen(function* () {
      const { open, quote, read, run, set, world } = yield* scene
      const other = yield* open("2026-04-09")
      yield* set(other, "annualMileage", 40_000)
      yield* PolicyLifecycle.endorse(world, other)
      const mine = yield* open("2026-04-05")
      yield* set(mine, "claims", 2)
      const calculated = yield* run(Quotes.use((x) => x.calculate(mine, {})))
      const { quote: given } = yield* quote(mine)
      assert.strictEqual((yield* read(mine)).quote?.id, given.id)
      assert.deepStrictEqual(calculated.quote.totalPremium, given.totalPremium)
    })
  )
})

layer(TestLayer)("the timeline of an endorsement that is drafted", (it) => {
  it.effect("shows no price of another state, and the base's status where that has none yet", () =>
    Effect.gen(function* () {
      const { open, policyId, read, set, timeline } = yield* scene
      const mine = yield* open("2026-05-01")
      yield* set(mine, "claims", 2)
      const base = yield* timeline({})
      const { segments } = yield* timeline(mine)
      const from = World.at("2026-05-01T00:00:00+02:00")
      assert.isDefined(segments.find(({ from: at }) => at < from)?.quote)
      for (const segment of segments) {
        if (segment.from >= from) assert.isUndefined(segment.quote, segment.from)
        const same = base.segments.findLast(({ from: at }) => at <= segment.from)
        assert.strictEqual(segment.status, same?.status, segment.from)
      }
      const whenAt = World.at("2026-03-09T00:00:00Z")
      assert.strictEqual(
        (yield* read({ ...mine, whenAt })).status,
        (yield* read({ policyId, whenAt })).status
      )
    })
  )
})

layer(TestLayer)("the difference of a branch", (it) => {
  it.effect("lists as shadowed only what the branch does not show", () =>
    Effect.gen(function* () {
      const { open, policyId, run, set, world } = yield* scene
      const other = yield* open("2026-06-01")
      yield* set(other, "annualMileage", 40_000)
      yield* set(other, "claims", 3)
      yield* PolicyLifecycle.endorse(world, other)
      const mine = yield* open("2026-05-01")
      yield* set(mine, "annualMileage", 30_000)
      yield* set(mine, "claims", 3)
      const later = World.at("2026-06-01T00:00:00+02:00")
      const diff = () => run(Branches.use((x) => x.diff(mine)))
      yield* run(Quotes.use((x) => x.quote(mine, {})))
      const { shadowed } = yield* diff()
      assert.deepStrictEqual(
        shadowed.map(({ path }) => path),
        ["/customFields/annualMileage"]
      )
      // Of one instant the branch's own comes last, and is what shows from then on.
      const fields = { customFields: [{ key: "annualMileage", value: 30_000 }] }
      yield* run(Policies.use((x) => x.update({ ...mine, whenAt: later }, fields)))
      assert.deepStrictEqual((yield* diff()).shadowed, [])
      assert.isDefined(policyId)
    })
  )
})

layer(TestLayer)("a fork of a branch that took something back", (it) => {
  it.effect("has no revert of what it has not", () =>
    Effect.gen(function* () {
      const { open, run, set } = yield* scene
      const mine = yield* open("2026-05-01")
      const { policyId } = mine
      yield* set(mine, "claims", 2)
      const changes = (branchId: BranchId) =>
        Effect.map(
          run(PolicyHistory.use((x) => x.changes({ policyId, branchId }, all))),
          ({ data }) => data.filter((change) => change.branchId === branchId)
        )
      const changeId = (yield* changes(mine.branchId)).find(({ kind }) => kind === "UPDATE")!.id
      yield* run(ContractSteps.use((x) => x.revert({ ...mine, changeId })))
      const fork = yield* run(Branches.use((x) => x.fork(mine.branchId, { name: "variant" })))
      const own = yield* changes(fork.id)
      assert.isFalse(own.some(({ kind }) => kind === "REVERT"))
      const revert = (yield* changes(mine.branchId)).find(({ kind }) => kind === "REVERT")!
      const onFork = { policyId, branchId: fork.id, changeId: revert.id }
      const refused = yield* Effect.flip(run(ContractSteps.use((x) => x.revert(onFork))))
      assert.strictEqual(refused._tag, "ChangeNotRevertible")
    })
  )
})
