/** A product that waits for the first payment: what opens its gate beside a payment of the whole. */
import { assert, layer } from "@effect/vitest"
import { shippedProduct } from "@quittance/testing/ShippedProducts"
import { Effect, Layer } from "effect"
import { Branches } from "../../src/branches/Branches.ts"
import { PolicyLifecycle as Commands } from "../../src/lifecycle/PolicyLifecycle.ts"
import { PaymentReturns } from "../../src/payments/PaymentReturns.ts"
import { Payments } from "../../src/payments/Payments.ts"
import { Policies } from "../../src/policies/Policies.ts"
import { InvoiceAdjustments } from "../../src/billing/InvoiceAdjustments.ts"
import * as PolicyLifecycle from "../SoldPolicies.ts"
import * as World from "../World.ts"
import type { InvoiceId } from "@quittance/domain/values/Ids"

const TestLayer = Layer.mergeAll(PaymentReturns.layer, InvoiceAdjustments.layer).pipe(
  Layer.provideMerge(PolicyLifecycle.layer)
)

const liability = shippedProduct("liability-fr")

/** Signed in March, to start on 1 April 2026 once the first invoice is settled. */
const waitingAt = Effect.fnUntraced(function* (now: string) {
  const world = yield* World.make(undefined, [liability])
  const contract = yield* PolicyLifecycle.signed(world, { product: liability })
  yield* PolicyLifecycle.moveTo(world, now)
  const run = World.as(world, world.manager)
  const { policyId } = contract
  const byHand = (name: "credit" | "write-off", invoiceId: string) =>
    run(
      InvoiceAdjustments.use((all) => all.run(name, invoiceId as InvoiceId, { reason: "A gift" }))
    )
  const pay = (invoiceId: string, amount: number) =>
    run(
      Payments.use((payments) =>
        payments.record(invoiceId as InvoiceId, { amount, method: "CARD", reference: "R" })
      )
    )
  const status = Effect.map(
    run(Policies.use((policies) => policies.get({ policyId }))),
    (policy) => policy.status
  )
  const first = Effect.map(PolicyLifecycle.invoices(world, contract), ([invoice]) => invoice!)
  return { world, contract, run, byHand, pay, status, first, policyId }
})

const waiting = waitingAt("2026-04-02T10:00:00Z")

layer(TestLayer, { excludeTestServices: true })("the gate of a first payment", (it) => {
  it.effect("opens where the first invoice is credited by hand", () =>
    Effect.gen(function* () {
      const { byHand, first, status, world } = yield* waiting
      assert.strictEqual(yield* status, "POLICY_CONFIRMED")
      const credited = yield* byHand("credit", (yield* first).id)
      assert.strictEqual(credited.status, "CREDITED")
      assert.strictEqual(yield* status, "POLICY_STARTED")
      yield* PolicyLifecycle.moveTo(world, "2026-06-20T10:00:00Z")
      assert.strictEqual(yield* status, "POLICY_STARTED")
    })
  )

  it.effect("opens where what is left of the first invoice is credited", () =>
    Effect.gen(function* () {
      const { first, pay, policyId, run, status, world } = yield* waiting
      const invoice = yield* first
      yield* pay(invoice.id, invoice.amountDue - 100)
      assert.strictEqual(yield* status, "POLICY_CONFIRMED")
      const { id: branchId } = yield* run(
        Branches.use((branches) => branches.open({ policyId }, { branchType: "MTA" }))
      )
      yield* run(
        Policies.use((policies) =>
          policies.update(
            { policyId, branchId },
            { customFields: [{ key: "turnover", value: 30_000_000 }] }
          )
        )
      )
      yield* PolicyLifecycle.endorse(world, { policyId, branchId })
      assert.strictEqual(yield* status, "POLICY_STARTED")
    })
  )

  it.effect("closes again where a bank takes the payment back before cover begins", () =>
    Effect.gen(function* () {
      const { first, pay, run, status, world } = yield* waitingAt("2026-03-20T10:00:00Z")
      const { amountDue, id } = yield* first
      const payment = yield* pay(id, amountDue)
      assert.strictEqual(yield* status, "POLICY_SIGNED")
      yield* PolicyLifecycle.moveTo(world, "2026-03-25T10:00:00Z")
      const returned = { reasonCode: "AM04" }
      yield* run(PaymentReturns.use((returns) => returns.record(payment.id, returned)))
      yield* PolicyLifecycle.moveTo(world, "2026-04-05T10:00:00Z")
      assert.strictEqual(yield* status, "POLICY_CONFIRMED")
      const again = yield* pay(id, amountDue)
      assert.strictEqual(yield* status, "POLICY_STARTED")
      yield* run(PaymentReturns.use((returns) => returns.record(again.id, returned)))
      assert.strictEqual(yield* status, "POLICY_STARTED")
    })
  )

  it.effect("stays closed where the first invoice is written off, or a stop gives it back", () =>
    Effect.gen(function* () {
      const { byHand, first, policyId, run, status } = yield* waiting
      yield* byHand("write-off", (yield* first).id)
      assert.strictEqual(yield* status, "POLICY_CONFIRMED")
      const stopped = Commands.use((commands) =>
        commands.stop({ policyId }, { reason: "NOT_TAKEN_UP" })
      )
      yield* run(stopped)
      assert.strictEqual(yield* status, "POLICY_STOPPED")
    })
  )
})
