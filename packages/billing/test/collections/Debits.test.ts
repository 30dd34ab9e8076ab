import { assert, describe, it } from "@effect/vitest"
import type { BankProfile } from "@quittance/domain/payments/BankAccount"
import type { MandateAmendment } from "@quittance/domain/payments/MandateRecord"
import { Currency } from "@quittance/domain/values/Amount"
import type { CustomerId, InvoiceId } from "@quittance/domain/values/Ids"
import { fromEpochMillis } from "@quittance/domain/values/Instant"
import { LocalDate } from "@quittance/domain/values/LocalDate"
import { Draw } from "@quittance/testing/Draw"
import { amountDue, type OpenInvoice } from "../../src/billing/Settlement.ts"
import { debitAmount } from "../../src/collections/DebitAmount.ts"
import { failureOf } from "../../src/collections/DebitFailures.ts"
import {
  amendmentsDone,
  amendmentsRejected,
  amendmentsSent,
  sequenceOf
} from "../../src/collections/DebitSequence.ts"
import { settleDebit } from "../../src/collections/DebitSettlement.ts"

const payer = "customer_test_payer" as CustomerId
const other = "customer_test_other" as CustomerId
const eur = Currency.make("EUR")
const now = fromEpochMillis(Date.parse("2026-03-10T23:00:00Z"))
const day = (text: string) => LocalDate.make(text)

const invoice = (number: number, part: Partial<OpenInvoice> = {}): OpenInvoice => ({
  id: `invoice_test_${number}` as InvoiceId,
  number: `INV-${String(number).padStart(6, "0")}`,
  payerCustomerId: payer,
  status: "ISSUED",
  issuedAt: now,
  total: 10_000,
  amountPaid: 0,
  ...part
})

const byId = (invoices: ReadonlyArray<OpenInvoice>) => new Map(invoices.map((one) => [one.id, one]))

describe("the amount of a debit", () => {
  it("is what is still due, at most what the payer was told, and nothing that is in flight", () => {
    const invoices = [
      invoice(1, { status: "PARTIALLY_PAID", amountPaid: 2_500 }),
      invoice(2, { status: "PAID", amountPaid: 10_000 }),
      invoice(3, { status: "PAYMENT_IN_PROGRESS" }),
      invoice(4, { total: 12_000 }),
      invoice(5, { status: "WRITTEN_OFF" })
    ]
    const planned = invoices.map(({ id }) => ({ invoiceId: id, notified: 10_000 }))
    assert.deepStrictEqual(debitAmount(planned, byId(invoices)), {
      items: [
        { invoiceId: invoices[0]!.id, amount: 7_500 },
        { invoiceId: invoices[3]!.id, amount: 10_000 }
      ],
      amount: 17_500
    })
  })

  it("is nothing where its invoices are credited, or are not there", () => {
    const credited = invoice(1, { status: "CREDITED" })
    const planned = [
      { invoiceId: credited.id, notified: 10_000 },
      { invoiceId: invoice(2).id, notified: 10_000 }
    ]
    assert.deepStrictEqual(debitAmount(planned, byId([credited])), { items: [], amount: 0 })
  })
})

describe("the settlement of a debit", () => {
  const inFlight = (number: number, part: Partial<OpenInvoice> = {}) =>
    invoice(number, { status: "PAYMENT_IN_PROGRESS", ...part })

  it("pays its own invoices, though a payment of them is in progress", () => {
    const [one, two] = [inFlight(1), inFlight(2, { total: 5_000 })]
    const settled = settleDebit(
      {
        items: [
          { invoiceId: one.id, amount: 10_000 },
          { invoiceId: two.id, amount: 5_000 }
        ],
        amount: 15_000,
        currency: eur,
        settledAt: now
      },
      [one, two]
    )
    assert.deepStrictEqual(
      settled.updates.map(({ invoiceId, paidAt, status }) => ({ invoiceId, paidAt, status })),
      [one, two].map(({ id }) => ({ invoiceId: id, paidAt: now, status: "PAID" as const }))
    )
    assert.strictEqual(settled.doublePayment, 0)
    assert.strictEqual(settled.creditBalance, 0)
  })

  it("is a double payment where a transfer came first; other invoices then take it", () => {
    const paid = invoice(1, { status: "PAID", amountPaid: 10_000 })
    const open = invoice(2, { total: 4_000 })
    const settled = settleDebit(
      {
        items: [{ invoiceId: paid.id, amount: 10_000 }],
        amount: 10_000,
        currency: eur,
        settledAt: now
      },
      [paid, open]
    )
    assert.strictEqual(settled.doublePayment, 10_000)
    assert.deepStrictEqual(settled.allocations, [{ invoiceId: open.id, amount: 4_000 }])
    assert.strictEqual(settled.creditBalance, 6_000)
  })

  it("refuses a debit whose invoice its policy lacks", () => {
    const items = [{ invoiceId: invoice(9).id, amount: 1 }] as const
    const debit = { items, amount: 1, currency: eur, settledAt: now } as const
    assert.throws(() => settleDebit(debit, [invoice(1)]), /lacks/)
  })

  it("leaves no cent over and none out, whatever happened to its invoices meanwhile", () => {
    for (let seed = 1; seed <= 5_000; seed++) {
      const draw = new Draw(seed)
      const before = Array.from({ length: draw.int(1, 6) }, (_, index) =>
        invoice(index + 1, {
          total: draw.int(1, 50_000),
          payerCustomerId: index > 0 && draw.chance(0.2) ? other : payer
        })
      )
      const mine = before.filter(({ payerCustomerId }) => payerCustomerId === payer)
      const planned = [mine[0]!, ...draw.some(mine.slice(1))].map(({ id, total }) => ({
        invoiceId: id,
        notified: draw.int(1, total)
      }))
      const { amount, items } = debitAmount(planned, byId(before))
      const [first, ...rest] = items
      const inDebit = new Set(items.map(({ invoiceId }) => invoiceId))
      // A transfer or a credit that comes while the debit is in flight.
      const meanwhile = before.map((one): OpenInvoice => {
        const status = inDebit.has(one.id) ? "PAYMENT_IN_PROGRESS" : one.status
        if (!draw.chance(0.4)) return { ...one, status }
        const amountPaid = draw.int(1, one.total)
        return { ...one, amountPaid, status: amountPaid === one.total ? "PAID" : status }
      })
      const settled = settleDebit(
        { items: [first!, ...rest], amount, currency: eur, settledAt: now },
        meanwhile
      )
      const taken = settled.allocations.reduce((sum, one) => sum + one.amount, 0)
      assert.strictEqual(taken + settled.creditBalance, amount)
      for (const { amount: part, invoiceId } of settled.allocations) {
        const one = meanwhile.find(({ id }) => id === invoiceId)!
        assert.strictEqual(one.payerCustomerId, payer)
        assert.isAtMost(part, amountDue(one))
      }
      const posted = settled.entries.flatMap(({ postings }) => postings)
      assert.strictEqual(
        posted.reduce((sum, one) => sum + one.amount, 0),
        0
      )
      const own = settled.allocations
        .filter(({ invoiceId }) => inDebit.has(invoiceId))
        .reduce((sum, one) => sum + one.amount, 0)
      assert.strictEqual(settled.doublePayment, amount - own)
    }
  })
})

describe("a debit that fails", () => {
  const retry = { maxAttempts: 2, afterDays: 5 }
  const fail = (reasonCode: string, part: Partial<Parameters<typeof failureOf>[0]> = {}) =>
    failureOf({ status: "SETTLED", attempt: 1, ...part }, reasonCode, day("2026-01-29"), retry)

  it("is tried again for want of money alone, and so often at most", () => {
    assert.strictEqual(fail("AM04")?.retryFrom, "2026-02-03")
    assert.strictEqual(fail("MS03", { status: "SUBMITTED" })?.retryFrom, "2026-02-03")
    assert.isUndefined(fail("AM04", { attempt: 2 })?.retryFrom)
    for (const code of ["MD06", "MS02", "SL01", "MD01", "AC04", "FF01", "XX99"]) {
      assert.isUndefined(fail(code)?.retryFrom, code)
    }
  })

  it("is tried again on the payer's pay day, in a short month on its last day", () => {
    const on = (failedOn: string, payDay: number) =>
      failureOf({ status: "SETTLED", attempt: 1 }, "AM04", day(failedOn), { ...retry, payDay })
        ?.retryFrom
    assert.strictEqual(on("2026-01-29", 30), "2026-01-30")
    assert.strictEqual(on("2026-01-30", 30), "2026-02-28")
    assert.strictEqual(on("2026-12-05", 5), "2027-01-05")
    assert.strictEqual(on("2026-02-27", 31), "2026-02-28")
  })

  it("is rejected before its settlement, and returned after it, once", () => {
    assert.strictEqual(fail("AM04", { status: "IN_FILE" })?.step, "reject")
    assert.strictEqual(fail("AM04", { status: "SUBMITTED" })?.step, "reject")
    assert.strictEqual(fail("AM04")?.step, "return")
    for (const status of ["REJECTED", "RETURNED", "CANCELLED", "PLANNED"] as const) {
      assert.isUndefined(fail("AM04", { status }), status)
    }
  })

  it("blocks the mandate, is disputed, or is ours to mend, by its reason", () => {
    assert.include(fail("MD01"), { blocksMandate: true, invoiceStatus: "PAYMENT_DISPUTED" })
    assert.include(fail("ac04 "), { blocksMandate: true, invoiceStatus: "PAYMENT_FAILED" })
    assert.include(fail("MD06"), { blocksMandate: false, isOurs: false })
    assert.include(fail("RC01"), { blocksMandate: false, isOurs: true })
  })

  it("has not failed where the code says that nothing went wrong (success-code-519)", () => {
    assert.isUndefined(fail("0000"))
  })
})

describe("what a debit tells of its mandate", () => {
  it("is its place in the sequence, by what the bank wants", () => {
    const told = (profile: BankProfile["sequence"], wasCollected: boolean) =>
      sequenceOf("RECURRENT", profile, wasCollected)
    assert.deepStrictEqual(
      [told("RCUR_ONLY", false), told("RCUR_ONLY", true), told("FRST_RCUR", false)],
      ["RCUR", "RCUR", "FRST"]
    )
    assert.strictEqual(told("FRST_RCUR", true), "RCUR")
    assert.strictEqual(sequenceOf("ONE_OFF", "FRST_RCUR", false), "OOFF")
  })

  it("is each amendment until one debit was not rejected (amendment-rejected-276)", () => {
    const amendment: MandateAmendment = {
      kind: "ACCOUNT",
      from: "payment_method_a",
      to: "payment_method_b",
      at: now,
      status: "PENDING"
    }
    const statuses = (amendments: ReadonlyArray<MandateAmendment>) =>
      amendments.map(({ status }) => status)
    const sent = amendmentsSent([amendment])
    assert.deepStrictEqual(statuses(sent), ["SENT"])
    const again = amendmentsRejected(sent)
    assert.deepStrictEqual(statuses(again), ["PENDING"])
    const done = amendmentsDone(amendmentsSent(again))
    assert.deepStrictEqual(statuses(done), ["DONE"])
    assert.deepStrictEqual(statuses(amendmentsSent(done)), ["DONE"])
  })
})
