import { assert, describe, it } from "@effect/vitest"
import { fromEpochMillis } from "@quittance/domain/values/Instant"
import { InvoiceStatus, unpaidStatuses } from "@quittance/domain/billing/Invoice"
import { Arbitrary, Schema } from "effect"
import { type OpenInvoice, settle, settleCredit } from "../../src/billing/Settlement.ts"
import { int, payerA, payerB } from "../Drawn.ts"
import { currency } from "../Life.ts"
import { InvoiceId } from "@quittance/domain/values/Ids"
import { InvalidAmount } from "@quittance/domain/requests/RequestErrors"

const at = (days: number) => fromEpochMillis(Date.parse("2026-01-01T00:00:00Z") + days * 86_400_000)
const paidAt = at(100)

const invoice = (letter: string, more: Partial<OpenInvoice> = {}): OpenInvoice => ({
  id: InvoiceId.make(`invoice_test_${letter.repeat(21)}`),
  number: `INV-${letter}`,
  payerCustomerId: payerA,
  status: "ISSUED",
  issuedAt: at(0),
  total: 10_000,
  amountPaid: 0,
  ...more
})

const settleOn = (named: OpenInvoice, amount: number, others: ReadonlyArray<OpenInvoice> = []) =>
  settle({ amount, paidAt, currency }, named, others)

const taken = ({ allocations }: ReturnType<typeof settle>) =>
  allocations.map(({ amount, invoiceId }) => [invoiceId.at(-1), amount])

describe("settle", () => {
  it("refuses a payment of nothing, less, or parts of a unit", () => {
    for (const amount of [0, -1, 0.5, Number.NaN, 2 ** 53])
      assert.throws(() => settleOn(invoice("A"), amount), InvalidAmount)
  })

  it("leaves invoices of other payers and settled ones alone", () => {
    const others = [
      invoice("B", { payerCustomerId: payerB }),
      invoice("C", { status: "PAID", amountPaid: 10_000 }),
      invoice("D", { status: "CANCELLED" }),
      invoice("E", { status: "CREDITED" }),
      invoice("F", { status: "WRITTEN_OFF" })
    ]
    const settled = settleOn(invoice("A"), 25_000, others)
    assert.deepStrictEqual(taken(settled), [["A", 10_000]])
    assert.strictEqual(settled.creditBalance, 15_000)
  })

  it("passes over an invoice with a payment in flight, unless it is named (pending-over-credit-1553)", () => {
    const inFlight = invoice("B", { status: "PAYMENT_IN_PROGRESS" })
    assert.strictEqual(settleOn(invoice("A"), 15_000, [inFlight]).creditBalance, 5000)
    assert.deepStrictEqual(taken(settleOn(inFlight, 10_000, [])), [["B", 10_000]])
  })

  it("keeps a second payment of a paid invoice as credit balance (unknown-double-1015)", () => {
    const paid = invoice("A", { status: "PAID", amountPaid: 10_000 })
    const settled = settleOn(paid, 10_000)
    assert.deepStrictEqual([settled.allocations, settled.updates], [[], []])
    assert.strictEqual(settled.creditBalance, 10_000)
  })

  it("keeps a partial payment as partial", () => {
    assert.deepStrictEqual(settleOn(invoice("A"), 4000).updates, [
      { invoiceId: invoice("A").id, status: "PARTIALLY_PAID", amountPaid: 4000 }
    ])
    const rest = settleOn(invoice("A", { status: "PARTIALLY_PAID", amountPaid: 4000 }), 6000)
    assert.deepStrictEqual(rest.updates, [
      { invoiceId: invoice("A").id, status: "PAID", amountPaid: 10_000, paidAt }
    ])
  })

  it("settles the named invoice, then the oldest by issue and number, then the balance", () => {
    const others = [
      invoice("B", { issuedAt: at(60) }),
      invoice("C", { issuedAt: at(30), number: "INV-10" }),
      invoice("D", { issuedAt: at(30), number: "INV-9" }),
      invoice("E", { issuedAt: at(90), status: "PAYMENT_FAILED" })
    ]
    const settled = settleOn(invoice("A", { issuedAt: at(80) }), 52_500, others)
    assert.deepStrictEqual(taken(settled), [
      ["A", 10_000],
      ["D", 10_000],
      ["C", 10_000],
      ["B", 10_000],
      ["E", 10_000]
    ])
    assert.strictEqual(settled.creditBalance, 2500)
    assert.deepStrictEqual(settled.entries, [
      {
        kind: "PAYMENT",
        currency,
        postings: [
          { account: "cash", amount: 52_500 },
          { account: `receivable:${payerA}`, amount: -50_000 },
          { account: `balance:${payerA}`, amount: -2500 }
        ]
      }
    ])
  })

  it("does not settle the named invoice twice when it is among the others", () => {
    const named = invoice("A")
    assert.deepStrictEqual(taken(settleOn(named, 30_000, [named, invoice("B")])), [
      ["A", 10_000],
      ["B", 10_000]
    ])
  })

  it("reverses a write-off before it settles the invoice (written-off-paid)", () => {
    const lost = invoice("A", { status: "WRITTEN_OFF", amountPaid: 2000 })
    const half = settleOn(lost, 5000, [invoice("B")])
    assert.deepStrictEqual(half.updates, [
      { invoiceId: lost.id, status: "WRITTEN_OFF", amountPaid: 7000 }
    ])
    assert.deepStrictEqual(half.entries, [
      {
        kind: "WRITE_OFF_REVERSED",
        currency,
        postings: [
          { account: `receivable:${payerA}`, amount: 5000 },
          { account: "write_off", amount: -5000 }
        ]
      },
      {
        kind: "PAYMENT",
        currency,
        postings: [
          { account: "cash", amount: 5000 },
          { account: `receivable:${payerA}`, amount: -5000 }
        ]
      }
    ])
    const more = settleOn(lost, 20_000, [lost, invoice("B")])
    assert.deepStrictEqual(taken(more), [
      ["A", 8000],
      ["B", 10_000]
    ])
    assert.deepStrictEqual([more.updates[0]!.status, more.creditBalance], ["PAID", 2000])
  })

  const Open = Arbitrary.schema(
    Schema.Struct({
      status: InvoiceStatus,
      issued: int(0, 50),
      total: int(0, 100_000),
      paid: int(0, 100),
      other: Schema.Literals([false, false, true])
    })
  )

  it.prop(
    "conserves money: no invoice takes more than it is due, and all of the payment is accounted for",
    [Arbitrary.array(Open, { minLength: 1, maxLength: 8 }), int(1, 500_000)],
    ([drawn, amount]) => {
      const invoices = drawn.map(({ issued, other, paid, status, total }, index) =>
        invoice("ABCDEFGH"[index]!, {
          status,
          issuedAt: at(issued),
          total,
          amountPaid: status === "PAID" ? total : Math.floor((total * paid) / 101),
          payerCustomerId: other && index > 0 ? payerB : payerA
        })
      )
      const [named, ...others] = invoices
      const { allocations, creditBalance, entries, updates } = settleOn(named!, amount, others)
      const allocated = allocations.reduce((sum, each) => sum + each.amount, 0)
      assert.strictEqual(allocated + creditBalance, amount)
      assert.isAtLeast(creditBalance, 0)
      assert.strictEqual(
        entries
          .flatMap(({ postings }) => postings)
          .reduce((sum, { amount: part }) => sum + part, 0),
        0
      )
      const isLost = named!.status === "WRITTEN_OFF"
      const lost = isLost ? Math.min(amount, named!.total - named!.amountPaid) : 0
      const sumOf = (account: string) =>
        entries
          .flatMap(({ postings }) => postings.filter((posting) => posting.account === account))
          .reduce((sum, posting) => sum + posting.amount, 0)
      assert.strictEqual(sumOf("write_off"), 0 - lost)
      assert.strictEqual(sumOf(`receivable:${payerA}`), lost - allocated)
      assert.deepStrictEqual(
        updates.map(({ invoiceId }) => invoiceId),
        allocations.map(({ invoiceId }) => invoiceId)
      )
      const payable = [named!, ...others].filter(
        (each, index) =>
          each.payerCustomerId === payerA &&
          (unpaidStatuses.some((unpaid) => unpaid === each.status) || (isLost && index === 0)) &&
          (index === 0 || each.status !== "PAYMENT_IN_PROGRESS")
      )
      const open = payable.reduce((sum, each) => sum + each.total - each.amountPaid, 0)
      assert.strictEqual(allocated, Math.min(open, amount))
      for (const { amountPaid, invoiceId, paidAt: when, status } of updates) {
        const before = invoices.find(({ id }) => id === invoiceId)!
        const took = allocations.find((each) => each.invoiceId === invoiceId)!.amount
        assert.isTrue(took > 0 && took <= before.total - before.amountPaid)
        assert.strictEqual(amountPaid, before.amountPaid + took)
        const open = before.status === "WRITTEN_OFF" ? "WRITTEN_OFF" : "PARTIALLY_PAID"
        assert.strictEqual(status, amountPaid === before.total ? "PAID" : open)
        assert.strictEqual(when, status === "PAID" ? paidAt : undefined)
      }
      // What comes later in line took nothing unless all before it are paid.
      const partial = updates.findIndex(({ status }) => status === "PARTIALLY_PAID")
      assert.isTrue(partial === -1 || partial === updates.length - 1)
    },
    { arbitrary: { runs: 500 } }
  )
})

describe("settleCredit", () => {
  const credit = (
    amount: number,
    corrected: ReadonlyArray<readonly [OpenInvoice, number]>,
    open: ReadonlyArray<OpenInvoice>,
    credited = corrected
  ) =>
    settleCredit(
      {
        payerCustomerId: payerA,
        amount,
        issuedAt: paidAt,
        corrected: new Map(corrected.map(([{ id }, sum]) => [id, sum])),
        credited: new Map(credited.map(([{ id }, sum]) => [id, sum]))
      },
      open
    )
  const shown = ({ updates, used }: ReturnType<typeof settleCredit>) => [
    ...updates.map(({ amountPaid, invoiceId, status }) => [invoiceId.at(-1), status, amountPaid]),
    used
  ]

  it("leaves invoices of other payers, settled ones, and those with a payment in flight alone (pending-over-credit-1553)", () => {
    const inFlight = invoice("B", { status: "PAYMENT_IN_PROGRESS" })
    const others = [
      inFlight,
      invoice("C", { payerCustomerId: payerB }),
      invoice("D", { status: "WRITTEN_OFF" })
    ]
    assert.deepStrictEqual(shown(credit(5000, [[inFlight, 5000]], others)), [0])
  })

  it("settles the corrected invoice before older ones, and then these by age", () => {
    const [old, older, corrected] = [
      invoice("B", { issuedAt: at(2) }),
      invoice("C", { issuedAt: at(1) }),
      invoice("D", { issuedAt: at(3) })
    ]
    assert.deepStrictEqual(shown(credit(24_000, [[corrected, 4000]], [old, older, corrected])), [
      ["D", "PAID", 10_000],
      ["C", "PAID", 10_000],
      ["B", "PARTIALLY_PAID", 4000],
      24_000
    ])
  })

  it("makes an invoice that it corrects as a whole `CREDITED`, also where some of it was paid", () => {
    const partly = invoice("B", { status: "PARTIALLY_PAID", amountPaid: 3000 })
    const settled = credit(10_000, [[partly, 10_000]], [partly])
    assert.deepStrictEqual(shown(settled), [["B", "CREDITED", 10_000], 7000])
    // When nothing was left to pay of it, though without a payment.
    assert.isDefined(settled.updates[0]!.paidAt)
  })

  it("credits the written-off part of the invoice before anything is owed to its payer", () => {
    const lost = invoice("B", { status: "WRITTEN_OFF", amountPaid: 2000 })
    const half = credit(5000, [[lost, 5000]], [lost])
    assert.deepStrictEqual(shown(half), [["B", "WRITTEN_OFF", 7000], 5000])
    const whole = credit(10_000, [[lost, 10_000]], [lost])
    assert.deepStrictEqual(shown(whole), [["B", "CREDITED", 10_000], 8000])
    assert.deepStrictEqual([half.recovered, whole.recovered], [5000, 8000])
    // One that it does not correct stays written off.
    assert.deepStrictEqual(shown(credit(5000, [], [lost])), [0])
  })

  it("uses no more of what was written off than it credits itself", () => {
    // Of B 6000 were credited before, and 1000 by this note, as of C, which is paid.
    const lost = invoice("B", { status: "WRITTEN_OFF", amountPaid: 6000 })
    const paid = invoice("C", { status: "PAID", amountPaid: 10_000 })
    const own = [
      [lost, 1000],
      [paid, 1000]
    ] as const
    const corrected = [
      [lost, 7000],
      [paid, 1000]
    ] as const
    const settled = credit(2000, corrected, [lost, paid], own)
    assert.deepStrictEqual(shown(settled), [["B", "WRITTEN_OFF", 7000], 1000])
    assert.strictEqual(settled.recovered, 1000)
    // A balance that is left takes none of it.
    assert.deepStrictEqual(shown(credit(2000, corrected, [lost, paid], [])), [0])
  })

  it("makes one whose rest it settles `PAID`, from the day of the credit note", () => {
    const partly = invoice("B", { status: "PARTIALLY_PAID", amountPaid: 3000 })
    const settled = credit(7000, [[partly, 7000]], [partly])
    assert.deepStrictEqual(shown(settled), [["B", "PAID", 10_000], 7000])
    assert.strictEqual(settled.updates[0]!.paidAt, paidAt)
  })
})
