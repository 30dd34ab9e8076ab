/** Payments that undo an end: cover resumes with them, whatever is charged again at their instant. */
import { assert, layer } from "@effect/vitest"
import { origin } from "@quittance/domain/policies/Change"
import type { Invoice } from "@quittance/domain/billing/Invoice"
import type { Product } from "@quittance/domain/products/Product"
import { fromEpochMillis, toEpochMillis } from "@quittance/domain/values/Instant"
import { shippedProduct } from "@quittance/testing/ShippedProducts"
import { Effect, Layer } from "effect"
import { PolicyLifecycle as ContractSteps } from "../../src/lifecycle/PolicyLifecycle.ts"
import { Dunning } from "../../src/dunning/Dunning.ts"
import { Payments } from "../../src/payments/Payments.ts"
import { PolicyHistory } from "../../src/policies/PolicyHistory.ts"
import * as PolicyLifecycle from "../SoldPolicies.ts"
import * as World from "../World.ts"
import type { InvoiceId } from "@quittance/domain/values/Ids"

const TestLayer = Layer.mergeAll(Dunning.layer, PolicyHistory.layer).pipe(
  Layer.provideMerge(PolicyLifecycle.layer)
)

const german = shippedProduct("bicycle-de")

/** Invoices are due on the day of their issue. */
const french: Product = {
  ...World.motor,
  invoicing: { ...World.motor.invoicing, dueDays: 0 }
}

/** A policy, and what is done to it by hand. */
const sold = Effect.fnUntraced(function* (product: Product, signing?: PolicyLifecycle.Signing) {
  const world = yield* World.make(undefined, [product])
  const contract = yield* PolicyLifecycle.signed(world, { product, ...signing })
  const { customerId, policyId } = contract
  const run = World.as(world, world.manager)
  const invoices = PolicyLifecycle.invoices(world, contract).pipe(
    Effect.map((all) => all.filter(({ type }) => type === "INVOICE"))
  )
  const open = Effect.map(invoices, (all) => all.filter(({ amountDue }) => amountDue > 0))
  const pay = (invoice: Invoice, paidAt: string) =>
    run(
      Payments.use((payments) =>
        payments.record(invoice.id as InvoiceId, {
          amount: invoice.amountDue,
          method: "BANK_TRANSFER",
          reference: "R-1",
          paidAt: World.at(paidAt)
        })
      )
    )
  const notice = (sentAt: string, announcesTermination = true) =>
    Effect.flatMap(open, (unpaid) =>
      run(
        Dunning.use((dunning) =>
          dunning.recordNotice(policyId, {
            // The first invoices of a policy are invoices, of which one is open.
            invoiceIds: [unpaid[0]!.id as InvoiceId],
            payerCustomerId: customerId,
            sentAt: World.at(sentAt),
            channel: "REGISTERED_LETTER",
            announcesTermination,
            evidence: { carrier: "Post", reference: "RK 1" }
          })
        )
      )
    )
  /** The last step of the contract by now. */
  const last = Effect.map(
    run(PolicyHistory.use((history) => history.timeline({ policyId }))),
    ({ segments }) => {
      const steps = segments
        .filter(({ from }) => from !== origin)
        .filter(({ status }, index, all) => status !== all[index - 1]?.status)
        .map(({ from, status }) => `${status} ${from}`)
      return steps.at(-1)
    }
  )
  const stop = (whenAt: string) =>
    run(
      ContractSteps.use((steps) =>
        steps.stop({ policyId, whenAt: World.at(whenAt) }, { reason: product.dunning.stopReason })
      )
    )
  return { world, contract, run, invoices, open, pay, notice, stop, last }
})

/** A German policy from 1 April 2026 whose first year is paid, and whose second is not. */
const inArrears = Effect.gen(function* () {
  const at = yield* sold(german)
  yield* PolicyLifecycle.moveTo(at.world, "2026-04-01T08:00:00Z")
  const [first] = yield* at.invoices
  yield* at.pay(first!, "2026-04-01T08:00:00Z")
  return at
})

layer(TestLayer, { excludeTestServices: true })("a payment that undoes an end", (it) => {
  for (const { ended, last, sentAt } of [
    {
      sentAt: "2027-06-25T08:00:00Z",
      ended: "2027-07-09T22:00:00.000Z",
      last: "2027-08-09T21:59:59.999Z"
    },
    {
      sentAt: "2028-01-16T08:00:00Z",
      ended: "2028-01-30T23:00:00.000Z",
      last: "2028-02-29T22:59:59.999Z"
    },
    {
      sentAt: "2028-02-15T08:00:00Z",
      ended: "2028-02-29T23:00:00.000Z",
      last: "2028-03-29T21:59:59.999Z"
    }
  ]) {
    it.effect(`resumes German cover through ${last.slice(0, 10)}, and not on the day after`, () =>
      Effect.gen(function* () {
        const late = fromEpochMillis(toEpochMillis(World.at(last)) + 1)
        for (const paidAt of [last, late]) {
          const at = yield* inArrears
          yield* PolicyLifecycle.moveTo(at.world, sentAt)
          yield* at.notice(sentAt)
          yield* PolicyLifecycle.moveTo(at.world, paidAt)
          assert.strictEqual(yield* at.last, `POLICY_STOPPED ${ended}`)
          const [unpaid] = yield* at.open
          yield* at.pay(unpaid!, paidAt)
          assert.strictEqual(
            yield* at.last,
            paidAt === late ? `POLICY_STOPPED ${ended}` : `POLICY_STARTED ${last}`
          )
          // What is charged again is owed by itself, and asked for by a notice of its own.
          assert.strictEqual((yield* at.open).length, paidAt === late ? 0 : 1)
        }
      })
    )
  }

  it.effect("resumes French cover at noon where all was paid before an announced end", () =>
    Effect.gen(function* () {
      const at = yield* sold(french)
      yield* PolicyLifecycle.moveTo(at.world, "2026-04-20T08:00:00Z")
      yield* at.notice("2026-04-20T08:00:00Z", false)
      // Terminable from 31 May on.
      yield* PolicyLifecycle.moveTo(at.world, "2026-06-02T08:00:00Z")
      yield* at.stop("2026-06-20T00:00:00+02:00")
      yield* PolicyLifecycle.moveTo(at.world, "2026-06-10T08:00:00Z")
      for (const invoice of yield* at.open) yield* at.pay(invoice, "2026-06-10T08:00:00Z")
      // The days after the end are charged again, at that very instant.
      assert.strictEqual((yield* at.open).length, 1)
      yield* PolicyLifecycle.moveTo(at.world, "2026-06-30T08:00:00Z")
      assert.strictEqual(yield* at.last, "POLICY_STARTED 2026-06-11T10:00:00.000Z")
    })
  )
})
