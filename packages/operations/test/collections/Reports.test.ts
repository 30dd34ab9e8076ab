/** What banks answer to files of debits: taken, rejected in part, or whole, and what follows for each debit. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Contracts from "../SoldPolicies.ts"
import * as World from "../World.ts"
import * as Bank from "../treasury/Bank.ts"
import * as Filed from "./Filed.ts"

const rejected = ({ debit }: Filed.Filed, reasonCode: string) => [
  { endToEndId: debit.endToEndId, reasonCode }
]

layer(Filed.TestLayer, { excludeTestServices: true })("a status report", (it) => {
  for (const code of ["ACCP", "ACTC", "ACSP", "ACSC", "ACCC"]) {
    it.effect(`says that a file is accepted: ${code}`, () =>
      Effect.gen(function* () {
        const made = yield* Filed.delivered()
        yield* Filed.told(made, Filed.report(made.file, code))
        const file = yield* Filed.fileOf(made)
        assert.strictEqual(file.status, "ACCEPTED")
        assert.deepStrictEqual(
          file.answers.map((answer) => [answer.id, answer.code]),
          [[made.file.messageId, code]]
        )
        assert.strictEqual((yield* Filed.debitOf(made)).status, "SUBMITTED")
        yield* Filed.settled(made)
        assert.strictEqual((yield* Filed.debitOf(made)).status, "SETTLED")
      })
    )
  }

  for (const code of ["PDNG", "PART", "RCVD"]) {
    it.effect(`changes nothing where it waits: ${code}`, () =>
      Effect.gen(function* () {
        const made = yield* Filed.delivered()
        yield* Filed.told(made, Filed.report(made.file, code))
        assert.strictEqual((yield* Filed.fileOf(made)).status, "DELIVERED")
        assert.strictEqual((yield* Filed.debitOf(made)).status, "SUBMITTED")
      })
    )
  }

  it.effect("rejects a debit: it posts nothing ever, and its invoices are to be paid again", () =>
    Effect.gen(function* () {
      const made = yield* Filed.delivered()
      const before = yield* Filed.invoicesOf(made)
      const bytes = Filed.report(made.file, "PART", { payments: rejected(made, "MS02") })
      const outcome = yield* Filed.told(made, bytes)
      assert.deepStrictEqual(outcome, { kind: "pain.002", known: false, statements: [] })
      assert.strictEqual((yield* Filed.fileOf(made)).status, "REJECTED")
      const debit = yield* Filed.debitOf(made)
      assert.deepInclude(debit, {
        status: "REJECTED",
        reasonCode: "MS02",
        failedOn: made.debit.submitOn
      })
      assert.isUndefined(debit.paymentId)
      const after = yield* Filed.invoicesOf(made)
      for (const [index, invoice] of after.entries()) {
        assert.strictEqual(invoice.status, "PAYMENT_FAILED")
        assert.deepStrictEqual(invoice.collection, { mode: "BANK_TRANSFER" })
        assert.strictEqual(invoice.issuedAt, before[index]!.issuedAt)
        assert.strictEqual(invoice.amountDue, invoice.total.amountWithFeesAndTaxes)
      }
      assert.strictEqual((yield* Filed.mandateOf(made)).status, "ACTIVE")
      assert.isTrue((yield* Filed.told(made, bytes)).known)
      yield* Filed.settled(made)
      assert.deepStrictEqual(yield* Filed.debitOf(made), debit)
      assert.deepStrictEqual(yield* Filed.paymentsOf(made), [])
      assert.isUndefined(yield* Filed.retryOf(made))
      assert.isUndefined(yield* Filed.difference(made))
    })
  )

  it.effect("rejects the whole file, for one reason", () =>
    Effect.gen(function* () {
      const made = yield* Filed.delivered()
      yield* Filed.told(made, Filed.report(made.file, "RJCT", { reasonCode: "FF01" }))
      assert.strictEqual((yield* Filed.fileOf(made)).status, "REJECTED")
      assert.deepInclude(yield* Filed.debitOf(made), { status: "REJECTED", reasonCode: "FF01" })
      // It is ours to mend: the payer hears nothing of it.
      for (const invoice of yield* Filed.invoicesOf(made)) {
        assert.strictEqual(invoice.status, "PAYMENT_FAILED")
        assert.deepStrictEqual(invoice.collection, { mode: "DIRECT_DEBIT" })
      }
    })
  )

  it.effect("blocks the mandate for a reason of its class, and what is planned on it goes", () =>
    Effect.gen(function* () {
      const made = yield* Filed.delivered()
      yield* Filed.told(made, Filed.report(made.file, "PART", { payments: rejected(made, "AC01") }))
      const mandate = yield* Filed.mandateOf(made)
      assert.strictEqual(mandate.status, "BLOCKED")
      assert.strictEqual(mandate.blocked?.reasonCode, "AC01")
      for (const invoice of yield* Filed.invoicesOf(made)) {
        assert.deepStrictEqual(invoice.collection, {
          mode: "BANK_TRANSFER",
          because: "MANDATE_NOT_USABLE"
        })
      }
      // What is issued from then on is to be transferred.
      yield* Contracts.moveTo(made.world, "2026-08-20T09:00:00Z")
      const later = yield* Contracts.invoices(made.world, made.contract)
      const { collection } = later.at(-1)!
      assert.deepStrictEqual(collection, { mode: "BANK_TRANSFER", because: "MANDATE_NOT_USABLE" })
    })
  )

  it.effect("has money that was lacking collected once more, and its payer told anew", () =>
    Effect.gen(function* () {
      const made = yield* Filed.delivered()
      yield* Filed.told(made, Filed.report(made.file, "PART", { payments: rejected(made, "AM04") }))
      const retry = yield* Filed.retryOf(made)
      assert.deepInclude(retry, { status: "PLANNED", attempt: 2, notificationDays: 2 })
      assert.isUndefined(retry!.notifiedOn)
      assert.notStrictEqual(retry!.endToEndId, made.debit.endToEndId)
      for (const { collection } of yield* Filed.invoicesOf(made)) {
        assert.deepStrictEqual(collection, { mode: "DIRECT_DEBIT" })
      }
    })
  )

  it.effect("means that the bank has a file, though people have not said so", () =>
    Effect.gen(function* () {
      const made = yield* Filed.sealed()
      yield* Filed.told(made, Filed.report(made.file, "ACCP"))
      const file = yield* Filed.fileOf(made)
      assert.strictEqual(file.status, "ACCEPTED")
      assert.isDefined(file.deliveredAt)
      assert.strictEqual((yield* Filed.debitOf(made)).status, "SUBMITTED")
    })
  )

  it.effect("of what has settled undoes its payment", () =>
    Effect.gen(function* () {
      const made = yield* Filed.delivered()
      yield* Filed.settled(made)
      yield* Filed.told(made, Filed.report(made.file, "PART", { payments: rejected(made, "MD01") }))
      assert.deepInclude(yield* Filed.debitOf(made), { status: "RETURNED", reasonCode: "MD01" })
      for (const invoice of yield* Filed.invoicesOf(made)) {
        assert.strictEqual(invoice.status, "PAYMENT_DISPUTED")
      }
      const [payment] = yield* Filed.paymentsOf(made)
      assert.strictEqual(payment!.returned?.reasonCode, "MD01")
      assert.isUndefined(yield* Filed.difference(made))
    })
  )

  it.effect("success-code-519: a refusal whose code says that all went well is none", () =>
    Effect.gen(function* () {
      const made = yield* Filed.delivered()
      yield* Filed.told(made, Filed.report(made.file, "PART", { payments: rejected(made, "0000") }))
      assert.strictEqual((yield* Filed.debitOf(made)).status, "SUBMITTED")
      yield* Filed.settled(made)
      assert.strictEqual((yield* Filed.debitOf(made)).status, "SETTLED")
    })
  )

  it.effect("of another account, tenant or an unknown file does nothing", () =>
    Effect.gen(function* () {
      const made = yield* Filed.delivered()
      const bytes = Filed.report(made.file, "RJCT", { reasonCode: "AC01" })
      const other = yield* Filed.delivered()
      yield* Bank.take(other.world, other.account, bytes)
      yield* Filed.told(made, Filed.report({ messageId: "QC999999999991" }, "RJCT"))
      assert.strictEqual((yield* Filed.debitOf(made)).status, "SUBMITTED")
      const refused = yield* Effect.flip(
        World.as(made.world, made.world.auditor)(Bank.taking(made.account, bytes))
      )
      assert.strictEqual(refused._tag, "Forbidden")
    })
  )
})
