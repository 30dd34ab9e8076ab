/** A policy whose first premium never comes: the product says how long it is waited for. */
import { assert, layer } from "@effect/vitest"
import { shippedProduct } from "@quittance/testing/ShippedProducts"
import { Effect } from "effect"
import { AccountingSummary } from "../../src/accounting/AccountingSummary.ts"
import { DueSteps } from "../../src/worker/DueSteps.ts"
import { Payments } from "../../src/payments/Payments.ts"
import { Policies } from "../../src/policies/Policies.ts"
import * as Clones from "../Clones.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as World from "../World.ts"
import type { InvoiceId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** It waits forty-five days for its first payment. */
const liability = shippedProduct("liability-fr")

/** Signed, to start on 1 April 2026. */
const waiting = Effect.gen(function* () {
  const world = yield* World.make(undefined, [liability])
  const contract = yield* Contracts.signed(world, { product: liability })
  return { world, contract }
})

type Waiting = Effect.Success<typeof waiting>

const policyOf = ({ contract: { policyId }, world }: Waiting) =>
  World.as(world, world.manager)(Policies.use((policies) => policies.get({ policyId })))

const stopOf = (at: Waiting) =>
  Effect.map(policyOf(at), ({ status, stop, stoppedAt }) => [status, stop?.reason, stoppedAt])

const ended = ["POLICY_STOPPED", "NOT_TAKEN_UP", "2026-05-16T22:00:00.000Z"]

layer(Contracts.layer, { excludeTestServices: true })("a policy that is not taken up", (it) => {
  it.effect("is stopped on its day, and owes nothing", () =>
    Effect.gen(function* () {
      const at = yield* waiting
      const { contract, world } = at
      const before = yield* Contracts.moveTo(world, "2026-05-16T21:59:59.999Z")
      assert.isUndefined(before.ran.dropPolicies)
      assert.deepStrictEqual(yield* stopOf(at), ["POLICY_CONFIRMED", undefined, undefined])
      const { ran } = yield* Contracts.moveTo(world, "2026-05-16T22:00:00Z")
      assert.strictEqual(ran.dropPolicies, 1)
      assert.deepStrictEqual(yield* stopOf(at), ended)
      const invoices = yield* Contracts.invoices(world, contract)
      assert.deepStrictEqual(
        invoices.map(({ amountDue, status, type }) => [type, status, amountDue]),
        [
          ["INVOICE", "CREDITED", 0],
          ["CREDIT_NOTE", invoices[1]!.status, 0]
        ]
      )
      const owed = yield* World.as(
        world,
        world.manager
      )(AccountingSummary.use((summary) => summary.list({}, { count: 10, page: 1 })))
      assert.strictEqual(owed.totalCount, 0)
      const later = yield* Contracts.moveTo(world, "2027-05-01T00:00:00Z")
      assert.deepStrictEqual(later.ran, {})
    })
  )

  it.effect("is left alone once the payment has come", () =>
    Effect.gen(function* () {
      const at = yield* waiting
      const { contract, world } = at
      yield* Contracts.moveTo(world, "2026-05-16T12:00:00Z")
      const [first] = yield* Contracts.invoices(world, contract)
      const payment = { amount: first!.amountDue, method: "CARD", reference: "R" } as const
      yield* World.as(
        world,
        world.manager
      )(Payments.use((payments) => payments.record(first!.id as InvoiceId, payment)))
      yield* Contracts.moveTo(world, "2026-06-01T12:00:00Z")
      assert.strictEqual((yield* policyOf(at)).status, "POLICY_STARTED")
    })
  )

  it.effect("is stopped as of its day by a worker that comes late, once", () =>
    Effect.gen(function* () {
      const at = yield* waiting
      const run = Effect.provideService(CurrentTenant, at.world.tenant)
      yield* Contracts.moveTo(at.world, "2026-04-01T12:00:00Z")
      yield* Clones.onRealTime(at.world)
      const first = yield* run(DueSteps.use((steps) => steps.runBatch()))
      assert.strictEqual(first.ran.dropPolicies, 1)
      assert.deepStrictEqual(yield* stopOf(at), ended)
      const again = yield* run(DueSteps.use((steps) => steps.runBatch()))
      assert.deepStrictEqual(again.ran, {})
    })
  )

  it.effect("is not stopped by a worker that comes too late to have asked for the payment", () =>
    Effect.gen(function* () {
      const at = yield* waiting
      const run = Effect.provideService(CurrentTenant, at.world.tenant)
      yield* Clones.onRealTime(at.world)
      const { ran } = yield* run(DueSteps.use((steps) => steps.runBatch()))
      assert.deepStrictEqual(ran, { issueInvoices: 1 })
      assert.deepStrictEqual(yield* stopOf(at), ["POLICY_CONFIRMED", undefined, undefined])
    })
  )
})
