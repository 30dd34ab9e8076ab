/** The last signature against itself, a withdrawal and a reopening: one of them wins, and the others are refused. */
import { assert, layer } from "@effect/vitest"
import { SignatureRequestsRepo } from "@quittance/persistence/signatures/SignatureRequestsRepo"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { Effect, Layer } from "effect"
import { Branches } from "../../src/branches/Branches.ts"
import { Ceremonies } from "../../src/ceremonies/Ceremonies.ts"
import { CeremonySigning } from "../../src/ceremonies/CeremonySigning.ts"
import { SignatureRequests } from "../../src/ceremonies/SignatureRequests.ts"
import { Sales } from "../../src/lifecycle/PolicySale.ts"
import { Policies } from "../../src/policies/Policies.ts"
import { Quotes } from "../../src/quotes/Quotes.ts"
import { Signatures } from "../../src/signatures/Signatures.ts"
import * as Sold from "../SoldPolicies.ts"
import * as World from "../World.ts"
import * as Ceremony from "./CeremonyWorld.ts"

const rounds = 200
/** A policy serves so many rounds: its log grows with each. */
const roundsPerPolicy = 10

const TestLayer = Layer.provideMerge(SignatureRequestsRepo.layer, Ceremony.layer)

/** Plays rounds on endorsements of one policy. Answers how often each racer has won. */
const playOn = Effect.fnUntraced(function* (first: number) {
  const { customer, run, sold, visitor, world } = yield* Ceremony.make({
    otp: "NONE",
    delivery: "EMBEDDED"
  })
  const { policyId } = sold
  yield* customer.sign(Ceremony.textsOf(yield* customer.open))
  yield* Sold.moveTo(world, "2026-04-10T09:00:00Z")
  const by = World.as(world, visitor)
  const won = { sign: 0, cancel: 0, reopen: 0 }
  for (let own = 0; own < roundsPerPolicy; own++) {
    const effectiveAt = World.at("2026-06-01T00:00:00Z")
    const { id: branchId } = yield* run(
      Branches.use((branches) => branches.open({ policyId }, { branchType: "MTA", effectiveAt }))
    )
    const at = { policyId, branchId }
    const customFields = [{ key: "annualMileage", value: 5_000 + first + own }]
    yield* run(Policies.use((policies) => policies.update(at, { customFields })))
    yield* run(Quotes.use((quotes) => quotes.quote(at, {})))
    yield* run(Sales.use((sales) => sales.confirm(at)))
    const { id, signers } = yield* run(
      SignatureRequests.use((requests) => requests.request(at, {}))
    )
    const path = { signatureId: id, signerId: signers[0]!.id! }
    const shown = yield* by(Ceremonies.use((ceremonies) => ceremonies.open(path)))
    const input = { name: "Camille Martin", consents: Ceremony.textsOf(shown) }
    const sign = Effect.isSuccess(by(CeremonySigning.use((signing) => signing.sign(path, input))))
    const isCancelled = own % 2 === 0
    const other = isCancelled
      ? Effect.isSuccess(
          run(SignatureRequests.use((requests) => requests.cancel(id, { reason: "x" })))
        )
      : Effect.isSuccess(run(Sales.use((sales) => sales.reopen(at))))
    // Each order of starting is tried in turn.
    const isSignedFirst = own % 4 < 2
    const racers = isSignedFirst ? [sign, other, sign] : [other, sign, sign]
    const wins = yield* Effect.all(racers, { concurrency: "unbounded" })
    const place = isSignedFirst ? 1 : 0
    const isOther = wins[place]!
    const signed = wins.toSpliced(place, 1).filter((wins) => wins)
    const signature = yield* run(Signatures.use((signatures) => signatures.get(id)))
    const { status: evidence } = yield* run(Signatures.use((signatures) => signatures.steps(id)))
    assert.strictEqual(evidence, "INTACT")
    assert.isAtMost(signed.length, 1)
    // Exactly one of the three has won.
    assert.strictEqual(signed.length + (isOther ? 1 : 0), 1)
    const ended = isCancelled ? "CANCELLED" : "VOID"
    assert.strictEqual(signature.status, isOther ? ended : "COMPLETED")
    const open = yield* SignatureRequestsRepo.use((repo) => repo.open(policyId)).pipe(
      Effect.provideService(CurrentTenant, world.tenant)
    )
    assert.deepStrictEqual(open, [])
    won[isOther ? (isCancelled ? "cancel" : "reopen") : "sign"]++
    if (isOther) {
      yield* run(
        Branches.use((branches) => branches.invalidate(branchId, { reason: "CUSTOMER_REQUEST" }))
      )
    }
  }
  return won
})

layer(TestLayer, { excludeTestServices: true })("one signature at once", (it) => {
  it.effect("is signed once, or withdrawn, or void with its branch", () =>
    Effect.gen(function* () {
      const firsts = Array.from({ length: rounds / roundsPerPolicy }, (_, n) => n * roundsPerPolicy)
      const won = yield* Effect.forEach(firsts, playOn, { concurrency: 4 })
      const sum = (name: "cancel" | "reopen" | "sign") =>
        won.reduce((total, one) => total + one[name], 0)
      assert.strictEqual(sum("sign") + sum("cancel") + sum("reopen"), rounds)
      // Both sides of the race were seen.
      assert.isAbove(sum("sign"), 0)
      assert.isAbove(sum("cancel") + sum("reopen"), 0)
    })
  )
})
