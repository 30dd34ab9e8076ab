/** Commands on one policy at once, over connections of their own: one wins, and the others go on. */
import { assert, layer } from "@effect/vitest"
import { segments } from "@quittance/domain/policies/ChangeView"
import { pricedSegments } from "@quittance/domain/policies/PricedTimeline"
import { PolicyLogRepo } from "@quittance/persistence/policies/PolicyLogRepo"
import { QuotesRepo } from "@quittance/persistence/policies/QuotesRepo"
import { Cause, Effect, Exit, Layer } from "effect"
import { Branches } from "../../src/branches/Branches.ts"
import { PolicyLifecycle as ContractSteps } from "../../src/lifecycle/PolicyLifecycle.ts"
import { Policies } from "../../src/policies/Policies.ts"
import { Quotes } from "../../src/quotes/Quotes.ts"
import { Sales } from "../../src/lifecycle/PolicySale.ts"
import { sha256 } from "../../src/values/Sha256.ts"
import * as PolicyLifecycle from "../SoldPolicies.ts"
import * as World from "../World.ts"
import type { BranchId, PolicyId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const rounds = 200
/** A policy serves so many rounds: its log grows with each. */
const roundsPerPolicy = 10

const TestLayer = Layer.mergeAll(PolicyLogRepo.layer, QuotesRepo.layer).pipe(
  Layer.provideMerge(PolicyLifecycle.layer)
)

const signer = { firstName: "Camille", lastName: "Martin", email: "camille@example.test" }
const consent = { textId: "SUBSCRIPTION_TERMS", accepted: true } as const

interface Scene {
  readonly world: World.World
  readonly policyId: PolicyId
}

/** A policy that has started. */
const scene = Effect.gen(function* () {
  const world = yield* World.make()
  const { policyId } = yield* PolicyLifecycle.signed(world)
  yield* PolicyLifecycle.moveTo(world, "2026-04-10T09:00:00Z")
  return { world, policyId }
})

const priced = Effect.fnUntraced(function* ({ policyId, world }: Scene, branchId: BranchId) {
  const run = World.as(world, world.manager)
  const at = { policyId, branchId }
  yield* run(Quotes.use((quotes) => quotes.quote(at, {})))
  yield* run(Sales.use((sales) => sales.confirm(at)))
})

/** An endorsement that gives a field a value, ready to be signed. */
const endorsed = Effect.fnUntraced(function* (
  at: Scene,
  key: string,
  value: number,
  effectiveAt: string
) {
  const { policyId, world } = at
  const run = World.as(world, world.manager)
  const branch = yield* run(
    Branches.use((branches) =>
      branches.open({ policyId }, { branchType: "MTA", effectiveAt: World.at(effectiveAt) })
    )
  )
  const on = { policyId, branchId: branch.id }
  const customFields = [{ key, value }]
  yield* run(Policies.use((policies) => policies.update(on, { customFields })))
  yield* priced(at, branch.id)
  return branch.id
})

const signed = ({ policyId, world }: Scene, branchId: BranchId) =>
  World.as(
    world,
    world.manager
  )(Sales.use((sales) => sales.sign({ policyId, branchId }, { signer, consent })))

const atOnce = <A, E, R>(effects: ReadonlyArray<Effect.Effect<A, E, R>>) =>
  Effect.all(
    effects.map((effect) => Effect.exit(effect)),
    { concurrency: "unbounded" }
  )

const tagsOf = (exits: ReadonlyArray<Exit.Exit<unknown, unknown>>) =>
  exits
    .filter(Exit.isFailure)
    .map(({ cause }) => String((Cause.squash(cause) as { readonly _tag?: string })._tag))

/** The log has no gap, and each priced interval in force has one quote of exactly its state. */
const assertSound = Effect.fnUntraced(function* ({ policyId, world }: Scene) {
  const log = yield* PolicyLogRepo
  const quotes = yield* QuotesRepo
  const inTenant = Effect.provideService(CurrentTenant, world.tenant)
  const changes = yield* inTenant(log.changes(policyId))
  assert.deepStrictEqual(
    changes.map(({ seq }) => seq),
    changes.map((_, index) => index + 1)
  )
  const branches = yield* inTenant(log.branches(policyId))
  const base = { branchId: branches.find(({ branchType }) => branchType === "BASE")!.id }
  for (const { priced, quoteIds } of pricedSegments(changes, base, () => World.motor)) {
    assert.strictEqual(quoteIds.length, 1)
    const row = yield* inTenant(quotes.find(quoteIds[0]!))
    assert.strictEqual(row?.pricedHash, sha256(priced))
  }
  return segments(changes, base)
})

/** Plays a race again and again, on a new policy every now and then; a few policies at a time. */
const play = <E, R>(race: (at: Scene, round: number) => Effect.Effect<void, E, R>) =>
  Effect.forEach(
    Array.from({ length: rounds / roundsPerPolicy }, (_, turn) => turn * roundsPerPolicy),
    Effect.fnUntraced(function* (first) {
      const at = yield* scene
      for (let own = 0; own < roundsPerPolicy; own++) yield* race(at, first + own)
    }),
    { concurrency: 4, discard: true }
  )

layer(TestLayer, { excludeTestServices: true })("on one policy at once", (it) => {
  it.effect("one of two contradicting endorsements is merged, and the other after a decision", () =>
    play(
      Effect.fnUntraced(function* (at, round) {
        const day = "2026-06-01T00:00:00Z"
        const ids = [
          yield* endorsed(at, "annualMileage", 5_000 + round, day),
          yield* endorsed(at, "annualMileage", 20_000 + round, day)
        ]
        const exits = yield* atOnce(ids.map((id) => signed(at, id)))
        assert.deepStrictEqual(tagsOf(exits), ["BranchConflict"])
        const [loser, value] = Exit.isFailure(exits[0]!)
          ? [ids[0]!, 5_000 + round]
          : [ids[1]!, 20_000 + round]
        const run = World.as(at.world, at.world.manager)
        const path = "/customFields/annualMileage"
        const resolutions = [{ path, from: World.at(day), take: "ours" } as const]
        yield* run(Branches.use((branches) => branches.rebase(loser, { resolutions })))
        yield* signed(at, loser)
        const timeline = yield* assertSound(at)
        const fields = timeline.at(-1)!.state["customFields"] as Record<string, unknown>
        assert.strictEqual(fields["annualMileage"], value)
      })
    )
  )

  it.effect("of two endorsements that only meet in the price the second is quoted again", () =>
    play(
      Effect.fnUntraced(function* (at, round) {
        const day = "2026-06-01T00:00:00Z"
        const ids = [
          yield* endorsed(at, "annualMileage", 5_000 + round, day),
          yield* endorsed(at, "bonusMalus", 50 + (round % 40), day)
        ]
        const exits = yield* atOnce(ids.map((id) => signed(at, id)))
        assert.deepStrictEqual(tagsOf(exits), ["QuoteOutdated"])
        const loser = Exit.isFailure(exits[0]!) ? ids[0]! : ids[1]!
        const run = World.as(at.world, at.world.manager)
        yield* run(Branches.use((branches) => branches.rebase(loser, { resolutions: [] })))
        yield* priced(at, loser)
        yield* signed(at, loser)
        const timeline = yield* assertSound(at)
        assert.deepInclude(timeline.at(-1)!.state["customFields"] as object, {
          annualMileage: 5_000 + round,
          bonusMalus: 50 + (round % 40)
        })
      })
    )
  )

  it.effect("a stop and a later endorsement come out as one after the other", () =>
    play(
      Effect.fnUntraced(function* (at, round) {
        const { policyId, world } = at
        const run = World.as(world, world.manager)
        const id = yield* endorsed(at, "annualMileage", 5_000 + round, "2026-08-01T00:00:00Z")
        const when = { policyId, whenAt: World.at("2026-07-01T00:00:00Z") }
        const stop = run(ContractSteps.use((steps) => steps.stop(when, { reason: "SALE" })))
        const race = Effect.all([Effect.exit(stop), Effect.exit(signed(at, id))], {
          concurrency: "unbounded"
        })
        const exits = yield* race
        const failed = tagsOf(exits)
        assert.isTrue(Exit.isSuccess(exits[0]), failed.join())
        assert.isTrue(
          failed.every((tag) => tag === "BranchClosed"),
          failed.join()
        )
        const stopped = yield* assertSound(at)
        assert.strictEqual(stopped.at(-1)!.state["contract"], "STOPPED")
        yield* run(ContractSteps.use((steps) => steps.withdrawStop({ policyId })))
        const { state } = (yield* assertSound(at)).at(-1)!
        assert.strictEqual(state["contract"], "STARTED")
        // What had been merged before the stop shows again; what the stop invalidated does not.
        const merged = Exit.isSuccess(exits[1])
        const fields = state["customFields"] as Record<string, unknown>
        assert.strictEqual(fields["annualMileage"] === 5_000 + round, merged)
      })
    )
  )

  it.effect("of ten patches all are kept, or one where each names what it has read", () =>
    play(
      Effect.fnUntraced(function* (at, round) {
        const { policyId, world } = at
        const patches = (ifMatch?: string) =>
          Array.from({ length: 10 }, (_, index) =>
            World.as(
              world,
              world.manager,
              ifMatch === undefined ? {} : { ifMatch }
            )(
              Policies.use((policies) =>
                policies.update({ policyId }, { name: `${round} ${index} ${ifMatch ?? ""}` })
              )
            )
          )
        const log = yield* PolicyLogRepo
        const countOf = Effect.map(
          Effect.provideService(log.changes(policyId), CurrentTenant, world.tenant),
          ({ length }) => length
        )
        const before = yield* countOf
        assert.deepStrictEqual(tagsOf(yield* atOnce(patches())), [])
        assert.strictEqual(yield* countOf, before + 10)
        const exits = yield* atOnce(patches(`"${before + 10}"`))
        assert.deepStrictEqual(
          tagsOf(exits),
          Array.from({ length: 9 }, () => "Conflict")
        )
        assert.strictEqual(yield* countOf, before + 11)
        yield* assertSound(at)
      })
    )
  )
})
