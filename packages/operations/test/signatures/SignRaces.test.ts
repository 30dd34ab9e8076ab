/** Signing against signing and reopening: a merged branch has one signature, any other branch none. */
import { assert, layer } from "@effect/vitest"
import { faultOf } from "@quittance/domain/signatures/EvidenceStep"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { SignaturesRepo } from "@quittance/persistence/signatures/SignaturesRepo"
import { Effect, Exit, Layer } from "effect"
import { Branches } from "../../src/branches/Branches.ts"
import { Sales } from "../../src/lifecycle/PolicySale.ts"
import { Policies } from "../../src/policies/Policies.ts"
import { Quotes } from "../../src/quotes/Quotes.ts"
import { sha256 } from "../../src/values/Sha256.ts"
import * as PolicyLifecycle from "../SoldPolicies.ts"
import * as World from "../World.ts"

const rounds = 200
/** A policy serves so many rounds: its log grows with each. */
const roundsPerPolicy = 10

const TestLayer = SignaturesRepo.layer.pipe(Layer.provideMerge(PolicyLifecycle.layer))

const signer = { firstName: "Camille", lastName: "Martin", email: "camille@example.test" }
const consent = { textId: "SUBSCRIPTION_TERMS", accepted: true } as const
const page = { count: 100, page: 1 }

/** Plays rounds on one policy. Answers in how many a signature won. */
const playOn = Effect.fnUntraced(function* (first: number) {
  const world = yield* World.make()
  const { policyId } = yield* PolicyLifecycle.signed(world)
  yield* PolicyLifecycle.moveTo(world, "2026-04-10T09:00:00Z")
  const run = World.as(world, world.manager)
  const repo = yield* SignaturesRepo
  const inTenant = Effect.provideService(CurrentTenant, world.tenant)
  let won = 0
  for (let own = 0; own < roundsPerPolicy; own++) {
    const { id: branchId } = yield* run(
      Branches.use((branches) =>
        branches.open(
          { policyId },
          { branchType: "MTA", effectiveAt: World.at("2026-06-01T00:00:00Z") }
        )
      )
    )
    const at = { policyId, branchId }
    const customFields = [{ key: "annualMileage", value: 5_000 + first + own }]
    yield* run(Policies.use((policies) => policies.update(at, { customFields })))
    yield* run(Quotes.use((quotes) => quotes.quote(at, {})))
    yield* run(Sales.use((sales) => sales.confirm(at)))
    const sign = run(Sales.use((sales) => sales.sign(at, { signer, consent })))
    const reopen = run(Sales.use((sales) => sales.reopen(at)))
    // Each order of starting is tried in turn.
    const racers = own % 2 === 0 ? [sign, reopen, sign] : [reopen, sign, sign]
    const exits = yield* Effect.all(
      racers.map((racer) => Effect.exit(racer)),
      { concurrency: "unbounded" }
    )
    const isReopened = Exit.isSuccess(exits[racers.indexOf(reopen)]!)
    const { rows } = yield* inTenant(repo.list(policyId, page))
    const kept = rows.filter((one) => one.branchId === branchId)
    // One of the three wins, and the others are refused.
    assert.lengthOf(exits.filter(Exit.isSuccess), 1)
    assert.lengthOf(kept, isReopened ? 0 : 1)
    for (const { id } of kept) {
      const { head, steps } = yield* inTenant(repo.steps(id))
      assert.isUndefined(faultOf(steps, { signatureId: id, head }, sha256))
      won++
    }
    if (isReopened) {
      yield* run(
        Branches.use((branches) => branches.invalidate(branchId, { reason: "CUSTOMER_REQUEST" }))
      )
    }
  }
  return won
})

layer(TestLayer, { excludeTestServices: true })("one branch at once", (it) => {
  it.effect("is signed once, or reopened and not signed", () =>
    Effect.gen(function* () {
      const firsts = Array.from({ length: rounds / roundsPerPolicy }, (_, n) => n * roundsPerPolicy)
      const won = yield* Effect.forEach(firsts, playOn, { concurrency: 4 })
      // A race that a side always wins would prove nothing.
      const total = won.reduce((sum, one) => sum + one, 0)
      assert.isAbove(total, 0)
      assert.isBelow(total, rounds)
    })
  )
})
