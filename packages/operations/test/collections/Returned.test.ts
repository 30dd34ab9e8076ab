/** What statements tell of debits: their collection, and that they came back; each is booked once. */
import { assert, layer } from "@effect/vitest"
import { LocalDate } from "@quittance/domain/values/LocalDate"
import { Draw } from "@quittance/testing/Draw"
import { Effect, Layer } from "effect"
import { PaymentReturns } from "../../src/payments/PaymentReturns.ts"
import { Refunds } from "../../src/payments/Refunds.ts"
import { DebitSteps } from "../../src/collections/DebitSteps.ts"
import { PaymentFiles } from "../../src/collections/PaymentFiles.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as Bank from "../treasury/Bank.ts"
import * as Debited from "./Debited.ts"
import * as Filed from "./Filed.ts"

const TestLayer = Layer.mergeAll(PaymentReturns.layer, Refunds.layer).pipe(
  Layer.provideMerge(Filed.TestLayer)
)

/** A debit that was collected, and shown on a statement. */
const collected = Effect.fnUntraced(function* (product = Debited.product) {
  const made = yield* Filed.delivered(product)
  yield* Filed.settled(made)
  const { amount } = yield* Filed.debitOf(made)
  yield* Filed.told(made, Bank.statement([Filed.credit(made, amount!)]))
  return { ...made, amount: amount! }
})
type Collected = Effect.Success<ReturnType<typeof collected>>

/** That it came back once: in the books, at the bank, and nowhere else. */
const cameBackOnce = Effect.fnUntraced(function* (made: Collected, charge = 300) {
  assert.strictEqual((yield* Filed.debitOf(made)).status, "RETURNED")
  const payments = yield* Filed.paymentsOf(made)
  assert.strictEqual(payments.filter(({ returned }) => returned !== undefined).length, 1)
  const sums = yield* Bank.balances(made.world, made.account)
  assert.strictEqual(sums["bank"], -charge)
  assert.strictEqual(sums["bank_charges"], charge)
  assert.deepStrictEqual(yield* Filed.awaited(made), [])
  assert.isUndefined(yield* Filed.difference(made))
})

layer(TestLayer, { excludeTestServices: true })("a debit on statements", (it) => {
  it.effect("is found by the number of its file, and explains the balance", () =>
    Effect.gen(function* () {
      const made = yield* Filed.delivered()
      yield* Filed.settled(made)
      const { amount } = yield* Filed.debitOf(made)
      assert.deepStrictEqual(yield* Filed.awaited(made), [[made.file.id, amount!]])
      yield* Filed.told(made, Bank.statement([Filed.credit(made, amount!)]))
      const [entry] = yield* Bank.entries(made.world)
      assert.deepInclude(entry, { status: "MATCHED", rule: "OWN_FILE", recordId: made.file.id })
      assert.deepStrictEqual(yield* Filed.awaited(made), [])
      assert.strictEqual((yield* Bank.balances(made.world, made.account))["bank"], amount)
      assert.isUndefined(yield* Filed.difference(made))
    })
  )

  it.effect("of the samples has the documented outcomes", () =>
    Effect.gen(function* () {
      for (const [name, status, reasonCode] of [
        ["status-accepted", "ACCEPTED", undefined],
        ["status-partial", "REJECTED", "AC01"],
        ["status-rejected", "REJECTED", undefined]
      ] as const) {
        const made = yield* Filed.ofSamples("DD000000000117")
        yield* Filed.told(made, Bank.sample(`${name}.pain.002.001.10`))
        assert.strictEqual((yield* Filed.fileOf(made)).status, status, name)
        const debit = yield* Filed.debitOf(made)
        assert.strictEqual(debit.status, status === "ACCEPTED" ? "SUBMITTED" : "REJECTED", name)
        assert.strictEqual(debit.reasonCode, reasonCode, name)
      }
      for (const order of [
        ["returns.camt.054.001.08", "statement-2-return.camt.053.001.08"],
        ["statement-2-return.camt.053.001.02", "returns.camt.054.001.08"]
      ]) {
        const made = yield* Filed.ofSamples("DD000000000311")
        yield* made.run(PaymentFiles.use((all) => all.markDelivered(made.file.id)))
        yield* Contracts.moveTo(made.world, "2026-12-05T09:00:00Z")
        const taken = yield* Filed.told(made, Bank.sample("statement-1.camt.053.001.08"))
        assert.strictEqual(taken.statements[0]!.new, 6)
        const own = (yield* Bank.entries(made.world)).find(({ amount }) => amount === 21_000)
        assert.deepInclude(own, { rule: "OWN_FILE", recordId: made.file.id, status: "MATCHED" })
        // The sample's collection has three debits more, which this tenant has not.
        assert.deepStrictEqual(yield* Filed.awaited(made), [[made.file.id, 8000 - 21_000]])
        for (const name of order) yield* Filed.told(made, Bank.sample(name))
        assert.deepInclude(yield* Filed.debitOf(made), { status: "RETURNED", reasonCode: "AM04" })
        const sums = yield* Bank.balances(made.world, made.account)
        // 12.50 are the statement's own charge, and 3.00 that of the return.
        assert.deepInclude(sums, { bank: 151_450, bank_charges: 1550 })
        assert.deepStrictEqual(yield* Filed.awaited(made), [[made.file.id, 8000 - 21_000]])
        assert.isUndefined(yield* Filed.difference(made))
      }
    })
  )

  it.effect("is owed again, with the fee of the product, and the bank's charge apart", () =>
    Effect.gen(function* () {
      const made = yield* collected(Filed.productWith({ returnFee: 1500 }))
      const before = yield* Filed.invoicesOf(made)
      yield* Filed.told(
        made,
        Bank.statement([Filed.back(made, made.amount)], { opening: made.amount })
      )
      yield* cameBackOnce(made)
      const debit = yield* Filed.debitOf(made)
      assert.deepInclude(debit, { reasonCode: "AM04", failedOn: LocalDate.make("2026-04-30") })
      for (const [index, invoice] of (yield* Filed.invoicesOf(made)).entries()) {
        assert.strictEqual(invoice.status, "PAYMENT_FAILED")
        assert.strictEqual(invoice.issuedAt, before[index]!.issuedAt)
      }
      const [payment] = yield* Filed.paymentsOf(made)
      assert.deepInclude(payment!.returned, { reasonCode: "AM04", fee: 1500 })
      const charged = (yield* Contracts.invoices(made.world, made.contract)).at(-1)
      assert.strictEqual(charged!.total.amountWithFeesAndTaxes, 1500)
      assert.deepInclude(yield* Filed.retryOf(made), { status: "PLANNED", attempt: 2 })
    })
  )

  it.effect("is disputed where its payer never agreed, and no term of time matters", () =>
    Effect.gen(function* () {
      const made = yield* collected()
      // Long after the 13 months in which banks may.
      const late = Filed.back(made, made.amount, { reason: "MD01", on: "2027-11-30", charge: 0 })
      yield* Filed.told(made, Bank.statement([late], { opening: made.amount }))
      yield* cameBackOnce(made, 0)
      for (const { status } of yield* Filed.invoicesOf(made)) {
        assert.strictEqual(status, "PAYMENT_DISPUTED")
      }
      const mandate = yield* Filed.mandateOf(made)
      assert.deepInclude(mandate, { status: "BLOCKED" })
      assert.strictEqual(mandate.blocked?.reasonCode, "MD01")
    })
  )

  it.effect("booked-twice-2293: it comes back once, whichever messages tell it, in any order", () =>
    Effect.gen(function* () {
      const random = new Draw(2293)
      const shuffled = <A>(all: ReadonlyArray<A>) =>
        all
          .map((one) => ({ one, at: random.int(0, 1_000_000) }))
          .toSorted((a, b) => a.at - b.at)
          .map(({ one }) => one)
      for (let round = 0; round < 6; round++) {
        const made = yield* collected()
        const entry = Filed.back(made, made.amount)
        const { endToEndId } = made.debit
        const early = Bank.statement([entry], { message: "camt.054" })
        const messages = [
          early,
          early,
          Bank.statement([entry], { opening: made.amount, id: "A" }),
          // The same day once more: the statements overlap.
          Bank.statement([Filed.credit(made, made.amount), entry], { id: "B" }),
          Filed.report(made.file, "PART", { payments: [{ endToEndId, reasonCode: "AM04" }] })
        ]
        for (const bytes of shuffled(messages)) yield* Filed.told(made, bytes)
        yield* accepted(made)
        yield* cameBackOnce(made)
      }
    })
  )

  it.effect("same-end-to-end-11055: its collection and its return have one number", () =>
    Effect.gen(function* () {
      const made = yield* Filed.delivered()
      yield* Filed.settled(made)
      const amount = (yield* Filed.debitOf(made)).amount!
      const { endToEndId } = made.debit
      const single = Bank.entry(amount, { endToEndId }, { family: "IDDT", subFamily: "ESDD" })
      const day = Bank.statement([single, Filed.back(made, amount)])
      yield* Filed.told(made, day)
      assert.sameMembers(
        (yield* Bank.entries(made.world)).map((entry) => `${entry.rule} ${entry.status}`),
        ["OWN_DEBIT MATCHED", "OWN_DEBIT MATCHED"]
      )
      yield* cameBackOnce({ ...made, amount })
    })
  )

  it.effect("returns-of-one-mandate-135: each is found by its own number", () =>
    Effect.gen(function* () {
      const made = yield* collected()
      const { contract, run, world } = made
      yield* Contracts.moveTo(world, "2026-08-20T09:00:00Z")
      const next = (yield* Debited.debits(world, contract)).find(
        ({ status }) => status === "PLANNED"
      )
      assert.isDefined(next)
      const other = yield* run(DebitSteps.use((all) => all.notify(next!.id)))
      yield* Contracts.moveTo(world, `${other.submitOn}T12:00:00Z`)
      const { data } = yield* run(PaymentFiles.use((all) => all.list({}, { count: 10, page: 1 })))
      yield* run(PaymentFiles.use((all) => all.content(data[0]!.id)))
      yield* run(PaymentFiles.use((all) => all.markDelivered(data[0]!.id)))
      const second: Filed.Filed = { ...made, debit: other, file: data[0]! }
      yield* Filed.settled(second)
      assert.strictEqual(other.mandateId, made.debit.mandateId)
      const sum = (yield* Filed.debitOf(second)).amount!
      yield* Filed.told(
        made,
        Bank.statement([Filed.credit(second, sum), Filed.back(second, sum, { reason: "MS02" })], {
          opening: made.amount,
          day: other.collectOn
        })
      )
      assert.strictEqual((yield* Filed.debitOf(made)).status, "SETTLED")
      assert.strictEqual((yield* Filed.debitOf(second)).status, "RETURNED")
      assert.deepStrictEqual(yield* Filed.awaited(made), [])
      assert.isUndefined(yield* Filed.difference(made))
    })
  )

  it.effect("refund-after-refund: what was paid out already is asked for again", () =>
    Effect.gen(function* () {
      const made = yield* Filed.delivered()
      // A transfer pays the invoices while the debit is with the bank.
      for (const { amountDue, id } of yield* Filed.invoicesOf(made)) {
        yield* made.run(Filed.transferred(id, amountDue))
      }
      yield* Filed.settled(made)
      const { amount, flag } = yield* Filed.debitOf(made)
      assert.strictEqual(flag, "DOUBLE_PAYMENT")
      yield* made.run(
        Refunds.use((refunds) =>
          refunds.record(made.contract.policyId, {
            amount: amount!,
            method: "BANK_TRANSFER",
            reference: "Paid twice"
          })
        )
      )
      yield* Filed.told(
        made,
        Bank.statement([Filed.credit(made, amount!), Filed.back(made, amount!, { reason: "MD06" })])
      )
      assert.strictEqual((yield* Filed.debitOf(made)).status, "RETURNED")
      const last = (yield* Contracts.invoices(made.world, made.contract)).at(-1)
      assert.deepInclude(last, { status: "ISSUED", amountDue: amount! })
      assert.isUndefined(yield* Filed.difference(made))
    })
  )

  it.effect("success-code-519: a return whose code says that all went well undoes nothing", () =>
    Effect.gen(function* () {
      const made = yield* collected()
      const well = Filed.back(made, made.amount, { reason: "0000" })
      yield* Filed.told(made, Bank.statement([well], { message: "camt.054" }))
      assert.strictEqual((yield* Filed.debitOf(made)).status, "SETTLED")
      assert.isUndefined(yield* Filed.difference(made))
    })
  )
})

/** Statements that contradict each other, since they came in another order, are booked by people. */
const accepted = Effect.fnUntraced(function* (made: Filed.Filed) {
  yield* made.run(Filed.acceptHeld)
  yield* Bank.matched(made.world)
})
