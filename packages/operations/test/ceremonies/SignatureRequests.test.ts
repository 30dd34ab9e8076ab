/** Signatures that are requested: what they are bound to, and how they end unsigned. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SignatureRequests } from "../../src/ceremonies/SignatureRequests.ts"
import { PolicyLifecycle } from "../../src/lifecycle/PolicyLifecycle.ts"
import { Sales } from "../../src/lifecycle/PolicySale.ts"
import { Quotes } from "../../src/quotes/Quotes.ts"
import * as Sold from "../SoldPolicies.ts"
import * as World from "../World.ts"
import * as Requested from "./RequestedWorld.ts"

const { tagOf } = Requested

layer(Requested.layer, { excludeTestServices: true })("a requested signature", (it) => {
  it.effect("is bound to the branch, its price and its signers, and withdrawn once", () =>
    Effect.gen(function* () {
      const { cancel, get, policyId, request, steps } = yield* Requested.make()
      const signature = yield* request({ message: "As we said" })
      assert.deepInclude(signature, {
        policyId,
        status: "OPEN",
        method: "REQUEST",
        documents: [],
        consents: [],
        message: "As we said",
        expiresAt: World.at("2026-03-24T09:00:00Z")
      })
      assert.lengthOf(signature.signers, 1)
      assert.deepInclude(signature.signers[0]!, {
        firstName: "Camille",
        lastName: "Martin",
        email: "camille@example.test",
        role: "POLICYHOLDER",
        status: "NOTIFIED",
        otp: "EMAIL"
      })
      assert.deepStrictEqual(yield* get(signature.id), signature)
      const open = yield* steps(signature.id)
      assert.deepInclude(open, { status: "INTACT" })
      const [first] = open.steps
      assert.deepInclude(first!, { kind: "REQUESTED", policyId, branchId: signature.branchId })
      assert.deepStrictEqual(first!.quotes, [
        { quoteId: signature.quoteId, stateDigest: signature.stateDigest }
      ])
      assert.strictEqual(yield* tagOf(request()), "SignatureOpen")
      const cancelled = yield* cancel(signature.id)
      assert.deepInclude(cancelled, { status: "CANCELLED", closedReason: "Another vehicle" })
      assert.strictEqual(yield* tagOf(cancel(signature.id)), "SignatureClosed")
      const closed = yield* steps(signature.id)
      assert.deepInclude(closed, { status: "INTACT" })
      assert.deepStrictEqual(
        closed.steps.map(({ kind }) => kind),
        ["REQUESTED", "CANCELLED"]
      )
      // Another one may be asked for then.
      assert.strictEqual((yield* request()).status, "OPEN")
    })
  )

  it.effect("ends with the branch as it was: reopened, stopped, or expired in time", () =>
    Effect.gen(function* () {
      const { get, policyId, request, run, sold, steps, world } = yield* Requested.make()
      const reopened = yield* request()
      yield* run(Sales.use((sales) => sales.reopen({ policyId })))
      const voided = yield* get(reopened.id)
      assert.deepInclude(voided, { status: "VOID", closedReason: "policy.reopen" })
      assert.deepInclude(yield* steps(reopened.id), { status: "INTACT" })
      assert.strictEqual(yield* tagOf(request()), "InvalidTransition")
      yield* run(Quotes.use((quotes) => quotes.quote({ policyId }, {})))
      yield* run(Sales.use((sales) => sales.confirm({ policyId })))
      const short = yield* request({ expiresIn: { amount: 1, unit: "DAY" } })
      yield* Sold.moveTo(world, "2026-03-11T08:59:59Z")
      assert.strictEqual((yield* get(short.id)).status, "OPEN")
      yield* Sold.moveTo(world, "2026-03-11T09:00:00Z")
      assert.strictEqual((yield* get(short.id)).status, "EXPIRED")
      assert.deepInclude(yield* steps(short.id), { status: "INTACT" })
      const last = yield* request()
      yield* run(
        PolicyLifecycle.use((lifecycle) => lifecycle.stop(sold, { reason: "NOT_TAKEN_UP" }))
      )
      assert.strictEqual((yield* get(last.id)).status, "VOID")
    })
  )

  it.effect("is asked for by who works on a confirmed policy of such a product", () =>
    Effect.gen(function* () {
      const { policyId, request, run, world } = yield* Requested.make()
      const by = (caller: typeof world.north) =>
        World.as(
          world,
          caller
        )(SignatureRequests.use((requests) => requests.request({ policyId }, {})))
      assert.strictEqual(yield* tagOf(by(world.north)), "Forbidden")
      assert.strictEqual(yield* tagOf(by(yield* World.visitor(world))), "Forbidden")
      const consent = { textId: "SUBSCRIPTION_TERMS", accepted: true } as const
      const signer = { firstName: "Camille", lastName: "Martin", email: "camille@example.test" }
      const sign = run(Sales.use((sales) => sales.sign({ policyId }, { signer, consent })))
      assert.strictEqual(yield* tagOf(sign), "SignatureRequired")
      yield* run(Sales.use((sales) => sales.reopen({ policyId })))
      assert.strictEqual(yield* tagOf(request()), "InvalidTransition")
      const byCall = yield* World.make()
      const sold = yield* Sold.confirmed(byCall)
      const asked = World.as(
        byCall,
        byCall.manager
      )(SignatureRequests.use((requests) => requests.request(sold, {})))
      assert.strictEqual(yield* tagOf(asked), "SignatureNotRequested")
    })
  )

  it.effect("ends with its quote, and names who is not known", () =>
    Effect.gen(function* () {
      const long = yield* Requested.make({ expiresAfter: { amount: 1, unit: "YEAR" } })
      // The quote holds for 30 days, to the end of the last one in Paris.
      const { expiresAt } = yield* long.request()
      assert.strictEqual(expiresAt, World.at("2026-04-10T00:00:00+02:00"))
      const noBroker = yield* Requested.make({ countersigner: { role: "BROKER", order: 2 } })
      const { signers } = yield* noBroker.request()
      assert.deepStrictEqual(
        signers.map(({ order, role, status }) => [role, order, status]),
        [
          ["POLICYHOLDER", 1, "NOTIFIED"],
          ["BROKER", 2, "WAITING"]
        ]
      )
      const world = yield* World.make(World.at("2026-03-10T09:00:00Z"), [Requested.productOf()])
      const nameless = yield* Sold.confirmed(world, { customer: { name: "Camille" } })
      const { flip } = Effect
      const failure = yield* flip(
        World.as(
          world,
          world.manager
        )(SignatureRequests.use((requests) => requests.request(nameless, {})))
      )
      assert.deepInclude(failure, { _tag: "SignerIncomplete", missing: ["email", "lastName"] })
    })
  )
})
