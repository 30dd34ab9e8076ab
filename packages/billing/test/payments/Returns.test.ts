import { assert, describe, it } from "@effect/vitest"
import * as Amount from "@quittance/domain/values/Amount"
import { fromEpochMillis } from "@quittance/domain/values/Instant"
import type { OpenInvoice } from "../../src/billing/Settlement.ts"
import {
  type PolicyLedger,
  notedOf,
  type SettledPayment,
  returnPayment
} from "../../src/payments/Returns.ts"
import { payerA, payerB } from "../Drawn.ts"
import { currency } from "../Life.ts"
import { InvoiceId } from "@quittance/domain/values/Ids"

const at = (days: number) => fromEpochMillis(Date.parse("2026-01-01T00:00:00Z") + days * 86_400_000)

const id = (letter: string) => InvoiceId.make(`invoice_test_${letter.repeat(21)}`)

const paid = (letter: string, more: Partial<OpenInvoice> = {}): OpenInvoice => ({
  id: id(letter),
  number: `INV-${letter}`,
  payerCustomerId: payerA,
  status: "PAID",
  issuedAt: at(letter.charCodeAt(0)),
  total: 100,
  amountPaid: 100,
  ...more
})

const payment = (on: ReadonlyArray<readonly [string, number]>, surplus = 0): SettledPayment => ({
  payerCustomerId: payerA,
  currency,
  allocations: on.map(([letter, amount]) => ({ invoiceId: id(letter), amount })),
  surplus
})

const returned = (
  { allocations, ...rest }: SettledPayment,
  invoices: ReadonlyArray<OpenInvoice>,
  more: Partial<PolicyLedger> = {}
) => {
  const settled = new Map(allocations.map(({ amount, invoiceId }) => [invoiceId, amount]))
  // What corrects an invoice is a credit note, unless something else is said.
  const { corrected = new Map<InvoiceId, number>() } = more
  const books = { invoices, settled, balance: 0, corrected, noted: corrected, ...more }
  const result = returnPayment({ ...rest, allocations }, books, at(200))
  for (const { postings } of result.entries) {
    assert.strictEqual(
      postings.reduce((sum, { amount }) => sum + amount, 0),
      0
    )
  }
  return {
    standings: result.updates.map(({ amountPaid, invoiceId, status }) => [
      invoiceId.at(-1),
      status,
      amountPaid
    ]),
    balanceChange: result.balanceChange,
    toRepay: result.toRepay,
    kinds: result.entries.map(({ kind }) => kind),
    updates: result.updates
  }
}

describe("a payment that the bank returns", () => {
  it("leaves what others paid, and other payers, alone", () => {
    const { balanceChange, kinds, standings } = returned(payment([["A", 40]]), [
      paid("A"),
      paid("B"),
      paid("C", { payerCustomerId: payerB })
    ])
    assert.deepStrictEqual(standings, [["A", "PARTIALLY_PAID", 60]])
    assert.deepStrictEqual([balanceChange, kinds], [0, ["RETURN"]])
  })

  it("makes every invoice that it settled unpaid again, with no day of payment", () => {
    const on = [
      ["A", 100],
      ["B", 100]
    ] as const
    const { standings, updates } = returned(payment(on), [paid("A"), paid("B")])
    assert.deepStrictEqual(standings, [
      ["A", "PAYMENT_FAILED", 0],
      ["B", "PAYMENT_FAILED", 0]
    ])
    assert.isTrue(updates.every(({ paidAt }) => paidAt === undefined))
  })

  it("takes its surplus out of the balance", () => {
    const { balanceChange, kinds, standings } = returned(payment([["A", 100]], 30), [paid("A")], {
      balance: 30
    })
    assert.deepStrictEqual(standings, [["A", "PAYMENT_FAILED", 0]])
    assert.deepStrictEqual([balanceChange, kinds], [-30, ["RETURN"]])
  })

  it("opens the newest invoices again that its surplus has settled since", () => {
    const invoices = [paid("A"), paid("B"), paid("C", { status: "PARTIALLY_PAID", amountPaid: 20 })]
    const { balanceChange, kinds, standings } = returned(payment([["A", 100]], 120), invoices)
    assert.deepStrictEqual(standings, [
      ["A", "PAYMENT_FAILED", 0],
      ["B", "ISSUED", 0],
      ["C", "ISSUED", 0]
    ])
    assert.deepStrictEqual([balanceChange, kinds], [0, ["RETURN", "BALANCE_RESTORED"]])
  })

  it("asks for nothing again that was credited as a whole", () => {
    const corrected = new Map([[id("A"), 100]])
    const { balanceChange, standings } = returned(
      payment([["B", 100]], 40),
      [paid("A", { status: "CREDITED" }), paid("B")],
      { corrected }
    )
    assert.deepStrictEqual(standings, [["B", "PAYMENT_FAILED", 0]])
    assert.strictEqual(balanceChange, -40)
  })

  it("asks for nothing again that was credited in part", () => {
    const settled = new Map([
      [id("A"), 100],
      [id("B"), 60]
    ])
    const { balanceChange, standings } = returned(
      payment([["A", 100]], 50),
      [paid("A"), paid("B"), paid("C", { status: "WRITTEN_OFF", amountPaid: 30 })],
      {
        settled,
        balance: 40,
        corrected: new Map([
          [id("B"), 30],
          [id("C"), 30]
        ])
      }
    )
    assert.deepStrictEqual(standings, [
      ["A", "PAYMENT_FAILED", 0],
      ["B", "PARTIALLY_PAID", 90]
    ])
    assert.strictEqual(balanceChange, -40)
  })

  it("asks for all of an invoice again that a dearer one has corrected", () => {
    // 365.00 of which 362.00 came from a surplus; another took 364.00 of it back and asked for 400.00.
    const invoices = [
      paid("A", { status: "PARTIALLY_PAID", total: 36_500, amountPaid: 36_200 }),
      paid("B", { status: "ISSUED", total: 3600, amountPaid: 0 })
    ]
    const corrected = new Map([[id("A"), 36_400]])
    const { balanceChange, standings } = returned(payment([], 36_200), invoices, {
      corrected,
      noted: new Map()
    })
    assert.deepStrictEqual(standings, [["A", "ISSUED", 0]])
    assert.strictEqual(balanceChange, 0)
  })

  it("asks again for what was credited before a balance is below nothing", () => {
    const { balanceChange, standings } = returned(payment([], 50), [paid("B")], {
      corrected: new Map([[id("B"), 80]])
    })
    assert.deepStrictEqual(standings, [["B", "PARTIALLY_PAID", 50]])
    assert.strictEqual(balanceChange, 0)
  })

  it("knows how much of what invoices credit was given by credit notes", () => {
    const takes = (letter: string, amount: number) => ({
      corrects: id(letter),
      amount: Amount.make(-amount, [], [])
    })
    const charge = (amount: number) => ({ amount: Amount.make(amount, [], []) })
    const noted = notedOf([
      { total: 3600, lines: [takes("A", 36_400), charge(40_000)] },
      { total: -50, lines: [takes("B", 30), takes("C", 40), charge(20)] },
      { total: -10, lines: [takes("B", 10)] }
    ])
    assert.deepStrictEqual(
      [...noted],
      [
        [id("B"), 40],
        [id("C"), 20]
      ]
    )
  })

  it("brings back what was written off of an invoice that its surplus had settled in part", () => {
    const { balanceChange, kinds, standings } = returned(payment([["A", 100]], 40), [
      paid("A"),
      paid("B", { status: "WRITTEN_OFF", amountPaid: 40 })
    ])
    assert.deepStrictEqual(standings, [
      ["A", "PAYMENT_FAILED", 0],
      ["B", "ISSUED", 0]
    ])
    assert.strictEqual(balanceChange, 0)
    assert.deepStrictEqual(kinds, ["RETURN", "WRITE_OFF_REVERSED", "BALANCE_RESTORED"])
  })

  it("has what was paid out of its surplus asked for back, and what was missing before", () => {
    const { balanceChange, standings, toRepay } = returned(payment([], 50), [], { balance: 20 })
    assert.deepStrictEqual([balanceChange, standings, toRepay], [-50, [], 30])
    assert.strictEqual(returned(payment([], 50), [], { balance: -20 }).toRepay, 70)
    assert.strictEqual(returned(payment([], 50), [], { balance: 50 }).toRepay, 0)
  })

  it("lets a credit that was not needed settle what is open again", () => {
    const more = { balance: 100, corrected: new Map([[id("A"), 100]]) }
    const { balanceChange, kinds, standings } = returned(payment([["A", 100]]), [paid("A")], more)
    assert.deepStrictEqual(standings, [["A", "CREDITED", 100]])
    assert.deepStrictEqual([balanceChange, kinds], [-100, ["RETURN", "BALANCE_USED"]])
  })

  it("brings back what was written off of the invoice", () => {
    const invoice = paid("A", { status: "WRITTEN_OFF", amountPaid: 60 })
    const { kinds, standings } = returned(payment([["A", 60]]), [invoice])
    assert.deepStrictEqual(standings, [["A", "PAYMENT_FAILED", 0]])
    assert.deepStrictEqual(kinds, ["RETURN", "WRITE_OFF_REVERSED"])
  })
})
