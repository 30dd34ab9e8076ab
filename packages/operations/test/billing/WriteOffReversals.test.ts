/** Invoices that were written off and are paid, or owed, after all: their books and their cover. */
import { assert, layer } from "@effect/vitest"
import type { Invoice } from "@quittance/domain/billing/Invoice"
import { origin } from "@quittance/domain/policies/Change"
import type { Product } from "@quittance/domain/products/Product"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { InvoiceId } from "@quittance/domain/values/Ids"
import { DunningRepo } from "@quittance/persistence/dunning/DunningRepo"
import { EntriesRepo } from "@quittance/persistence/billing/EntriesRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { shippedProduct } from "@quittance/testing/ShippedProducts"
import { Effect, Layer } from "effect"
import { InvoiceAdjustments } from "../../src/billing/InvoiceAdjustments.ts"
import { PaymentReturns } from "../../src/payments/PaymentReturns.ts"
import { Payments } from "../../src/payments/Payments.ts"
import { PolicyHistory } from "../../src/policies/PolicyHistory.ts"
import { Reconciliation } from "../../src/reconciliation/Reconciliation.ts"
import * as PolicyLifecycle from "../SoldPolicies.ts"
import * as World from "../World.ts"

const TestLayer = Layer.mergeAll(
  DunningRepo.layer,
  InvoiceAdjustments.layer,
  PaymentReturns.layer,
  PolicyHistory.layer,
  Reconciliation.layer
).pipe(Layer.provideMerge(PolicyLifecycle.layer))

const owed = ({ total }: Invoice) => total.amountWithFeesAndTaxes

/** A policy whose notices go by themselves, at an instant. */
const sold = Effect.fnUntraced(function* (product: Product, until: string) {
  const world = yield* World.make(undefined, [product])
  const contract = yield* PolicyLifecycle.signed(world, { product })
  yield* TenantSql.use((sql) =>
    sql.transaction(DunningRepo.use((dunning) => dunning.setDispatch("SIMULATED_POST")))
  ).pipe(Effect.provideService(CurrentTenant, world.tenant))
  yield* PolicyLifecycle.moveTo(world, until)
  const run = World.as(world, world.manager)
  const invoices = PolicyLifecycle.invoices(world, contract)
  const adjust = (command: "write-off" | "reverse-write-off", { id }: Invoice) =>
    run(InvoiceAdjustments.use((all) => all.run(command, id as InvoiceId, { reason: "Insolvent" })))
  const pay = ({ id }: Invoice, amount: number, paidAt?: string) =>
    run(
      Payments.use(({ record }) =>
        record(id as InvoiceId, {
          amount,
          method: "BANK_TRANSFER",
          reference: "R",
          ...(paidAt === undefined ? {} : { paidAt: World.at(paidAt) })
        })
      )
    )
  const giveBack = ({ id }: Effect.Success<ReturnType<typeof pay>>) =>
    run(PaymentReturns.use(({ record }) => record(id, { reasonCode: "AM04" })))
  /** What the accounts come to, where nothing of the books contradicts itself. */
  const sums = Effect.gen(function* () {
    const { difference } = yield* Reconciliation.use(({ reconcile }) => reconcile)
    assert.isUndefined(difference)
    const rows = yield* EntriesRepo.use((repo) => repo.sums([contract.policyId], ""))
    const found = new Map(rows.map(({ account, sum }) => [account.split(":")[0], Number(sum)]))
    return ["receivable", "balance", "cash", "write_off"].map((name) => found.get(name) ?? 0)
  }).pipe(Effect.provideService(CurrentTenant, world.tenant))
  const cover = run(
    PolicyHistory.use((history) => history.timeline({ policyId: contract.policyId }))
  ).pipe(
    Effect.map(({ segments }) =>
      segments
        .filter(({ from }) => from !== origin)
        .map(({ from, status }) => `${status} ${from}`)
        .filter((text, index, all) => text.split(" ")[0] !== all[index - 1]?.split(" ")[0])
        .slice(1)
    )
  )
  const statuses = Effect.map(invoices, (all) => all.map(({ status }) => status))
  const moveTo = (instant: string) => PolicyLifecycle.moveTo(world, instant)
  return { adjust, cover, giveBack, invoices, moveTo, pay, statuses, sums }
})

/** The motor policy, with its monthly invoices of April and May, of which the first is written off. */
const lost = Effect.gen(function* () {
  const policy = yield* sold(World.motor, "2026-05-02T12:00:00Z")
  const [first, second] = yield* policy.invoices
  yield* policy.adjust("write-off", first!)
  return { ...policy, first: first!, second: second! }
})

layer(TestLayer, { excludeTestServices: true })("an invoice that was written off", (it) => {
  it.effect("takes a payment, and the write-off is reversed as far as it was paid", () =>
    Effect.gen(function* () {
      const { first, pay, second, statuses, sums } = yield* lost
      yield* pay(first, 100)
      assert.deepStrictEqual(yield* statuses, ["WRITTEN_OFF", "ISSUED"])
      assert.deepStrictEqual(yield* sums, [owed(second), 0, 100, owed(first) - 100])
      yield* pay(first, owed(first) + 50)
      assert.deepStrictEqual(yield* statuses, ["PAID", "PARTIALLY_PAID"])
      assert.deepStrictEqual(yield* sums, [owed(second) - 150, 0, owed(first) + 150, 0])
    })
  )

  it.effect("takes no surplus of a payment that names another one", () =>
    Effect.gen(function* () {
      const { first, pay, second, statuses, sums } = yield* lost
      yield* pay(second, owed(second) + 70)
      assert.deepStrictEqual(yield* statuses, ["WRITTEN_OFF", "PAID"])
      assert.deepStrictEqual(yield* sums, [0, -70, owed(second) + 70, owed(first)])
    })
  )

  it.effect("is owed as a whole where the bank returns what was paid of it later", () =>
    Effect.gen(function* () {
      const { first, giveBack, pay, second, statuses, sums } = yield* lost
      yield* giveBack(yield* pay(first, 100))
      assert.deepStrictEqual(yield* statuses, ["PAYMENT_FAILED", "ISSUED"])
      assert.deepStrictEqual(yield* sums, [owed(first) + owed(second), 0, 0, 0])
      yield* giveBack(yield* pay(first, owed(first)))
      assert.deepStrictEqual(yield* sums, [owed(first) + owed(second), 0, 0, 0])
    })
  )

  it.effect(
    "is owed again once its write-off is reversed by hand, and may be written off anew",
    () =>
      Effect.gen(function* () {
        const { adjust, first, pay, second, statuses, sums } = yield* lost
        const reopened = yield* adjust("reverse-write-off", first)
        assert.deepStrictEqual([reopened.status, reopened.amountDue], ["ISSUED", owed(first)])
        assert.deepStrictEqual(yield* sums, [owed(first) + owed(second), 0, 0, 0])
        const refused = yield* Effect.flip(adjust("reverse-write-off", first))
        assert.strictEqual(refused._tag, "InvalidTransition")
        yield* pay(first, 30)
        yield* adjust("write-off", first)
        assert.deepStrictEqual(yield* sums, [owed(second), 0, 30, owed(first) - 30])
        const again = yield* adjust("reverse-write-off", first)
        assert.deepStrictEqual([again.status, again.amountPaid], ["PARTIALLY_PAID", 30])
        assert.deepStrictEqual(yield* statuses, ["PARTIALLY_PAID", "ISSUED"])
        assert.deepStrictEqual(yield* sums, [owed(first) + owed(second) - 30, 0, 30, 0])
      })
  )

  it.effect("is settled by the payer's credit balance when it is owed again", () =>
    Effect.gen(function* () {
      const { adjust, first, pay, second, statuses, sums } = yield* lost
      yield* pay(second, owed(second) + owed(first) + 70)
      const reopened = yield* adjust("reverse-write-off", first)
      assert.deepStrictEqual([reopened.status, reopened.amountDue], ["PAID", 0])
      assert.deepStrictEqual(yield* statuses, ["PAID", "PAID"])
      assert.deepStrictEqual(yield* sums, [0, -70, owed(first) + owed(second) + 70, 0])
    })
  )

  it.effect("leads to a notice of its own when it is owed again, and takes no cover before", () =>
    Effect.gen(function* () {
      const { adjust, cover, invoices, moveTo } = yield* sold(World.motor, "2026-06-01T08:00:00Z")
      const suspended = ["POLICY_STARTED", "POLICY_SUSPENDED", "POLICY_STARTED"]
      for (const invoice of yield* invoices) yield* adjust("write-off", invoice)
      yield* moveTo("2026-06-05T08:00:00Z")
      const before = yield* cover
      assert.deepStrictEqual(
        before.map((step) => step.split(" ")[0]),
        suspended
      )
      const [first] = yield* invoices
      yield* adjust("reverse-write-off", first!)
      yield* moveTo("2026-06-20T08:00:00Z")
      assert.deepStrictEqual(yield* cover, before)
      yield* moveTo("2026-07-20T08:00:00Z")
      assert.deepStrictEqual((yield* cover).slice(0, 3), before)
      assert.deepStrictEqual((yield* cover).slice(3), ["POLICY_SUSPENDED 2026-07-05T22:00:00.000Z"])
    })
  )

  it.effect("leaves cover as it was where it is paid later, and the bank returns that", () =>
    Effect.gen(function* () {
      const { adjust, cover, giveBack, invoices, moveTo, pay } = yield* sold(
        World.motor,
        "2026-06-01T08:00:00Z"
      )
      for (const invoice of yield* invoices) yield* adjust("write-off", invoice)
      yield* moveTo("2026-06-05T08:00:00Z")
      const before = yield* cover
      const [first] = yield* invoices
      const payment = yield* pay(first!, owed(first!))
      yield* moveTo("2026-06-08T08:00:00Z")
      assert.deepStrictEqual(yield* cover, before)
      yield* giveBack(payment)
      yield* moveTo("2026-06-09T08:00:00Z")
      assert.deepStrictEqual(yield* cover, before)
    })
  )

  it.effect("never lost cover where its payment had come before, and is recorded only now", () =>
    Effect.gen(function* () {
      const { adjust, cover, giveBack, invoices, moveTo, pay } = yield* sold(
        World.motor,
        "2026-06-01T08:00:00Z"
      )
      const all = yield* invoices
      for (const invoice of all) yield* adjust("write-off", invoice)
      yield* moveTo("2026-06-05T08:00:00Z")
      const kept = []
      for (const invoice of all.filter(({ dueOn }) => dueOn < "2026-05-20"))
        kept.push(yield* pay(invoice, owed(invoice), "2026-05-12T08:00:00Z"))
      assert.deepStrictEqual(
        (yield* cover).map((step) => step.split(" ")[0]),
        ["POLICY_STARTED"]
      )
      for (const payment of kept) yield* giveBack(payment)
      yield* moveTo("2026-06-06T08:00:00Z")
      assert.deepStrictEqual(
        (yield* cover).map((step) => step.split(" ")[0]),
        ["POLICY_STARTED"]
      )
    })
  )

  it.effect("opens cover that waits for the first premium when that is paid, and not before", () =>
    Effect.gen(function* () {
      const policy = yield* sold(shippedProduct("bicycle-it"), "2026-05-10T08:00:00Z")
      const [first] = yield* policy.invoices
      yield* policy.adjust("write-off", first!)
      yield* policy.moveTo("2026-05-20T08:00:00Z")
      const away = ["POLICY_SUSPENDED 2026-03-31T22:00:00.000Z"]
      assert.deepStrictEqual(yield* policy.cover, away)
      yield* policy.pay(first!, owed(first!))
      yield* policy.moveTo("2026-05-22T08:00:00Z")
      assert.deepStrictEqual(yield* policy.cover, [
        ...away,
        "POLICY_STARTED 2026-05-20T22:00:00.000Z"
      ])
    })
  )

  it.effect("revives a contract from the payment on that the law lets undo its end", () =>
    Effect.gen(function* () {
      const reviving: Product = {
        ...World.motor,
        dunning: {
          firstPremium: "COVER",
          suspend: { after: { amount: 15, unit: "DAY" }, from: "DUE_DATE" },
          terminate: { after: { amount: 1, unit: "MONTH" }, from: "DUE_DATE", mode: "AUTOMATIC" },
          reactivation: "IMMEDIATE",
          reviveWithin: { amount: 1, unit: "MONTH" },
          feesRebilled: 0,
          stopReason: "NON_PAYMENT"
        }
      }
      const policy = yield* sold(reviving, "2026-05-20T08:00:00Z")
      const ended = yield* policy.cover
      assert.strictEqual(ended.at(-1), "POLICY_STOPPED 2026-05-11T22:00:00.000Z")
      const unpaid = (yield* policy.invoices).filter(({ amountDue }) => amountDue > 0)
      for (const invoice of unpaid) yield* policy.adjust("write-off", invoice)
      yield* policy.moveTo("2026-05-25T08:00:00Z")
      assert.deepStrictEqual(yield* policy.cover, ended)
      for (const invoice of unpaid) yield* policy.pay(invoice, owed(invoice) - invoice.amountPaid)
      yield* policy.moveTo("2026-05-26T08:00:00Z")
      assert.deepStrictEqual(yield* policy.cover, [
        ...ended.slice(0, -1),
        "POLICY_STARTED 2026-05-25T08:00:00.000Z"
      ])
    })
  )
})
