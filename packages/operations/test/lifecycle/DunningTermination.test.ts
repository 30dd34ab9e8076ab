import { assert, layer } from "@effect/vitest"
import { origin } from "@quittance/domain/policies/Change"
import type { Invoice } from "@quittance/domain/billing/Invoice"
import type { Product } from "@quittance/domain/products/Product"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect, Layer } from "effect"
import { PolicyLifecycle as Commands } from "../../src/lifecycle/PolicyLifecycle.ts"
import { Dunning } from "../../src/dunning/Dunning.ts"
import { Payments } from "../../src/payments/Payments.ts"
import { PolicyHistory } from "../../src/policies/PolicyHistory.ts"
import { InvoiceAdjustments } from "../../src/billing/InvoiceAdjustments.ts"
import * as PolicyLifecycle from "../SoldPolicies.ts"
import * as World from "../World.ts"
import type { InvoiceId } from "@quittance/domain/values/Ids"

const TestLayer = Layer.mergeAll(Dunning.layer, PolicyHistory.layer, InvoiceAdjustments.layer).pipe(
  Layer.provideMerge(PolicyLifecycle.layer)
)

/** Cover stops fifteen days after the due date, and the contract ends two months after it, by law. */
const byLaw: Product = {
  ...World.motor,
  dunning: {
    firstPremium: "COVER",
    suspend: { after: { amount: 15, unit: "DAY" }, from: "DUE_DATE" },
    terminate: { after: { amount: 2, unit: "MONTH" }, from: "DUE_DATE", mode: "AUTOMATIC" },
    reactivation: "END_OF_DAY",
    feesRebilled: 0,
    stopReason: "NON_PAYMENT"
  }
}

/** A policy from 1 April 2026 with unpaid monthly premiums, due on the 11th. */
const unpaid = Effect.fnUntraced(function* (product: Product, until: string) {
  const world = yield* World.make(undefined, [product])
  const contract = yield* PolicyLifecycle.signed(world, { product })
  yield* PolicyLifecycle.moveTo(world, until)
  const run = World.as(world, world.manager)
  const pay = (invoice: Invoice, paidAt: string) =>
    run(
      Payments.use((payments) =>
        payments.record(invoice.id as InvoiceId, {
          amount: invoice.total.amountWithFeesAndTaxes,
          method: "CARD",
          reference: "r",
          paidAt: World.at(paidAt)
        })
      )
    )
  const steps = run(
    PolicyHistory.use((history) => history.timeline({ policyId: contract.policyId }))
  ).pipe(
    Effect.map(({ segments }) =>
      segments
        .filter(({ from }) => from !== origin)
        .map(({ from, status }) => `${status} ${from}`)
        .filter((text, index, all) => text.split(" ")[0] !== all[index - 1]?.split(" ")[0])
        .slice(2)
    )
  )
  const stopReason = Effect.gen(function* () {
    const superuser = yield* SuperuserSql
    const [row] = yield* superuser<{ readonly stopReason: string | null }>`
      SELECT stop_reason FROM policy WHERE tenant_id = ${world.tenant}
    `
    return row!.stopReason
  })
  return { world, contract, run, pay, steps, stopReason }
})

const charged = (invoices: ReadonlyArray<Invoice>) =>
  invoices.reduce((sum, { total }) => sum + total.amountWithFeesAndTaxes, 0)

layer(TestLayer, { excludeTestServices: true })("a contract that ends by law", (it) => {
  it.effect("ends at its instant, is billed no further, and shows why", () =>
    Effect.gen(function* () {
      const { contract, steps, stopReason, world } = yield* unpaid(byLaw, "2026-09-20T10:00:00Z")
      assert.deepStrictEqual(yield* steps, [
        "POLICY_SUSPENDED 2026-04-26T22:00:00.000Z",
        "POLICY_STOPPED 2026-06-11T22:00:00.000Z"
      ])
      assert.strictEqual(yield* stopReason, "NON_PAYMENT")
      const invoices = yield* PolicyLifecycle.invoices(world, contract)
      assert.strictEqual(invoices.filter(({ type }) => type === "INVOICE").length, 3)
    })
  )

  it.effect("goes on after all where a payment came in time, and is charged for it again", () =>
    Effect.gen(function* () {
      const { contract, pay, steps, stopReason, world } = yield* unpaid(
        byLaw,
        "2026-06-20T10:00:00Z"
      )
      const [first, second, third] = yield* PolicyLifecycle.invoices(world, contract)
      yield* pay(first!, "2026-04-20T10:00:00Z")
      assert.deepStrictEqual(yield* steps, ["POLICY_SUSPENDED 2026-05-26T22:00:00.000Z"])
      assert.isNull(yield* stopReason)
      const invoices = yield* PolicyLifecycle.invoices(world, contract)
      assert.strictEqual(charged(invoices), charged([first!, second!, third!]))
    })
  )

  it.effect("is revived by a payment where the law lets it, and by no credit of its own end", () =>
    Effect.gen(function* () {
      const reviving: Product = {
        ...byLaw,
        dunning: {
          ...byLaw.dunning,
          reactivation: "IMMEDIATE",
          reviveWithin: { amount: 1, unit: "MONTH" }
        }
      }
      const { contract, pay, steps, world } = yield* unpaid(reviving, "2026-06-20T10:00:00Z")
      assert.strictEqual((yield* steps).at(-1), "POLICY_STOPPED 2026-06-11T22:00:00.000Z")
      for (const invoice of yield* PolicyLifecycle.invoices(world, contract)) {
        if (invoice.type === "INVOICE") yield* pay(invoice, "2026-06-20T09:00:00Z")
      }
      assert.deepStrictEqual(yield* steps, [
        "POLICY_SUSPENDED 2026-04-26T22:00:00.000Z",
        "POLICY_STARTED 2026-06-20T09:00:00.000Z"
      ])
    })
  )

  it.effect("begins anew when it is reinstated", () =>
    Effect.gen(function* () {
      const { contract, run, steps, world } = yield* unpaid(byLaw, "2026-06-20T10:00:00Z")
      const { policyId } = contract
      yield* run(
        Commands.use((commands) => commands.reinstate({ policyId }, { gap: "NOT_COVERED" }))
      )
      yield* PolicyLifecycle.moveTo(world, "2026-08-01T00:00:00+02:00")
      assert.deepStrictEqual((yield* steps).slice(-3), [
        "POLICY_STOPPED 2026-06-11T22:00:00.000Z",
        "POLICY_STARTED 2026-06-20T10:00:00.000Z",
        // Fifteen days after the invoice of the days from the reinstatement on is due, on 30 June.
        "POLICY_SUSPENDED 2026-07-15T22:00:00.000Z"
      ])
    })
  )
})

/** A French policy, the notice of whose first invoice went out on 12 May, and stops of it by hand. */
const noticed = Effect.fnUntraced(function* (product: Product = World.motor) {
  const { contract, pay, run, steps, stopReason, world } = yield* unpaid(
    product,
    "2026-05-15T10:00:00Z"
  )
  const { customerId, policyId } = contract
  const [invoice] = yield* PolicyLifecycle.invoices(world, contract)
  const stop = (reason: string, whenAt?: string) =>
    run(
      Commands.use((lifecycle) =>
        lifecycle.stop(
          { policyId, ...(whenAt === undefined ? {} : { whenAt: World.at(whenAt) }) },
          { reason }
        )
      )
    )
  const send = run(
    Dunning.use((dunning) =>
      dunning.recordNotice(policyId, {
        invoiceIds: [invoice!.id as InvoiceId],
        payerCustomerId: customerId,
        sentAt: World.at("2026-05-12T15:00:00Z"),
        channel: "REGISTERED_LETTER",
        evidence: { carrier: "La Poste", reference: "RK 1" }
      })
    )
  )
  /** From when on a stop for unpaid premiums is told to be possible. */
  const refused = (whenAt?: string) =>
    Effect.map(Effect.flip(stop("NON_PAYMENT", whenAt)), (failure) =>
      failure._tag === "TerminationNotPossible" ? failure.earliest : failure._tag
    )
  const found = { world, contract, policyId, run, invoice: invoice!, steps, stopReason }
  return { ...found, pay, stop, send, refused }
})

const terminable = World.at("2026-06-21T22:00:00Z")

layer(TestLayer, { excludeTestServices: true })("a stop by hand for unpaid premiums", (it) => {
  it.effect("is refused until the notice lets the contract end, and possible then", () =>
    Effect.gen(function* () {
      const { refused, send, stop, world } = yield* noticed()
      assert.isUndefined(yield* refused())
      const { terminableAt } = yield* send
      assert.strictEqual(terminableAt, terminable)
      for (const whenAt of [undefined, "2026-05-14T00:00:00Z", "2026-07-01T00:00:00Z"]) {
        assert.strictEqual(yield* refused(whenAt), terminable)
      }
      yield* PolicyLifecycle.moveTo(world, "2026-06-21T21:59:59Z")
      assert.strictEqual(yield* refused(), terminable)
      yield* PolicyLifecycle.moveTo(world, "2026-06-22T10:00:00Z")
      assert.strictEqual(yield* refused("2026-06-20T00:00:00Z"), terminable)
      const { status } = yield* stop("NON_PAYMENT", "2026-06-22T00:00:00+02:00")
      assert.strictEqual(status, "POLICY_STOPPED")
    })
  )

  it.effect("is refused once the premium is paid, and while a hold lasts", () =>
    Effect.gen(function* () {
      const { invoice, pay, policyId, refused, run, send, world } = yield* noticed()
      yield* send
      yield* PolicyLifecycle.moveTo(world, "2026-06-25T10:00:00Z")
      const to = World.at("2026-06-28T00:00:00Z")
      const hold = { to, reason: "A dispute" }
      yield* run(Dunning.use((dunning) => dunning.placeHold(policyId, hold)))
      assert.strictEqual(yield* refused(), to)
      yield* PolicyLifecycle.moveTo(world, "2026-06-28T10:00:00Z")
      yield* pay(invoice, "2026-06-28T09:00:00Z")
      assert.isUndefined(yield* refused())
    })
  )

  it.effect("is refused where cover was resumed by hand, and free for another reason", () =>
    Effect.gen(function* () {
      const { policyId, refused, run, send, stop, world } = yield* noticed()
      yield* send
      yield* PolicyLifecycle.moveTo(world, "2026-06-25T10:00:00Z")
      yield* run(Commands.use((lifecycle) => lifecycle.reactivate({ policyId })))
      assert.isUndefined(yield* refused())
      assert.strictEqual((yield* stop("SALE")).status, "POLICY_STOPPED")
    })
  )
})

layer(TestLayer, { excludeTestServices: true })("a stop by hand for what is then paid", (it) => {
  it.effect("is withdrawn where it is announced, and billed as if it had never been", () =>
    Effect.gen(function* () {
      const { contract, pay, send, steps, stop, stopReason, world } = yield* noticed()
      yield* send
      yield* PolicyLifecycle.moveTo(world, "2026-06-25T10:00:00Z")
      yield* stop("NON_PAYMENT", "2026-07-10T00:00:00+02:00")
      const [april] = yield* PolicyLifecycle.invoices(world, contract)
      yield* pay(april!, "2026-06-25T10:00:00Z")
      yield* PolicyLifecycle.moveTo(world, "2026-08-02T10:00:00Z")
      const away = "POLICY_SUSPENDED 2026-06-11T22:00:00.000Z"
      assert.deepStrictEqual(yield* steps, [away, "POLICY_STARTED 2026-06-26T10:00:00.000Z"])
      assert.isNull(yield* stopReason)
      const twin = yield* noticed()
      yield* PolicyLifecycle.moveTo(twin.world, "2026-08-02T10:00:00Z")
      assert.strictEqual(
        charged(yield* PolicyLifecycle.invoices(world, contract)),
        charged(yield* PolicyLifecycle.invoices(twin.world, twin.contract))
      )
    })
  )

  it.effect("is withdrawn too where the credit of its days comes at the payment's instant", () =>
    Effect.gen(function* () {
      const { contract, invoice, pay, send, steps, stop, world } = yield* noticed()
      yield* send
      yield* PolicyLifecycle.moveTo(world, "2026-07-03T10:00:00Z")
      yield* stop("NON_PAYMENT", "2026-07-20T00:00:00+02:00")
      const credited = (yield* PolicyLifecycle.invoices(world, contract)).map(({ type }) => type)
      assert.include(credited, "CREDIT_NOTE")
      yield* pay(invoice, "2026-07-03T10:00:00Z")
      assert.notInclude((yield* steps).join(), "STOPPED")
    })
  )

  it.effect("is undone where the payment came first, and is recorded later", () =>
    Effect.gen(function* () {
      const { invoice, pay, send, steps, stop, world } = yield* noticed()
      yield* send
      yield* PolicyLifecycle.moveTo(world, "2026-06-25T10:00:00Z")
      yield* stop("NON_PAYMENT")
      yield* PolicyLifecycle.moveTo(world, "2026-06-29T10:00:00Z")
      yield* pay(invoice, "2026-06-25T09:59:59Z")
      assert.deepStrictEqual(yield* steps, [
        "POLICY_SUSPENDED 2026-06-11T22:00:00.000Z",
        "POLICY_STARTED 2026-06-26T10:00:00.000Z"
      ])
    })
  )

  it.effect("stays where the payment comes after it, or the debt was only written off", () =>
    Effect.gen(function* () {
      const late = yield* noticed()
      yield* late.send
      yield* PolicyLifecycle.moveTo(late.world, "2026-06-25T10:00:00Z")
      yield* late.stop("NON_PAYMENT")
      yield* PolicyLifecycle.moveTo(late.world, "2026-06-25T11:00:00Z")
      yield* late.pay(late.invoice, "2026-06-25T10:00:00Z")
      assert.strictEqual((yield* late.steps).at(-1), "POLICY_STOPPED 2026-06-25T10:00:00.000Z")

      const { invoice, run, send, steps, stop, world } = yield* noticed()
      yield* send
      yield* PolicyLifecycle.moveTo(world, "2026-06-25T10:00:00Z")
      yield* stop("NON_PAYMENT", "2026-07-10T00:00:00+02:00")
      const id = invoice.id as InvoiceId
      yield* run(InvoiceAdjustments.use((all) => all.run("write-off", id, { reason: "Insolvent" })))
      yield* PolicyLifecycle.moveTo(world, "2026-07-12T10:00:00Z")
      assert.strictEqual((yield* steps).at(-1), "POLICY_STOPPED 2026-07-09T22:00:00.000Z")
    })
  )

  it.effect("is undone by a payment within the time in which the law lets it revive", () =>
    Effect.gen(function* () {
      const { invoice, pay, send, steps, stop, world } = yield* noticed({
        ...World.motor,
        dunning: {
          ...World.motor.dunning,
          reactivation: "IMMEDIATE",
          reviveWithin: { amount: 1, unit: "MONTH" }
        }
      })
      yield* send
      yield* PolicyLifecycle.moveTo(world, "2026-06-25T10:00:00Z")
      yield* stop("NON_PAYMENT", "2026-06-25T00:00:00+02:00")
      yield* PolicyLifecycle.moveTo(world, "2026-07-24T21:00:00Z")
      yield* pay(invoice, "2026-07-24T21:00:00Z")
      assert.deepStrictEqual(yield* steps, [
        "POLICY_SUSPENDED 2026-06-11T22:00:00.000Z",
        "POLICY_STARTED 2026-07-24T21:00:00.000Z"
      ])
    })
  )
})
