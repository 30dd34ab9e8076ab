import { assert, describe, it } from "@effect/vitest"
import type { InvoicingConfig } from "@quittance/domain/products/InvoicingConfig"
import { addDays, LocalDate } from "@quittance/domain/values/LocalDate"
import { alphabet } from "@quittance/domain/values/PrefixedId"
import type { PremiumItem } from "@quittance/domain/products/Quote"
import { startOfDay } from "@quittance/domain/values/TimeZone"
import { Schema } from "effect"
import type { StopRefund } from "../../src/billing/CoverageGaps.ts"
import { dueMinusInvoiced } from "../../src/billing/DueMinusInvoiced.ts"
import type { IssuedInvoice } from "../../src/billing/InvoicedCharges.ts"
import { type BillingView, instalmentsOf, invoicedAs } from "../../src/billing/DueSteps.ts"
import { alwaysPaidBy, int, invoicedBy, payerA, payerB, quoteId } from "../Drawn.ts"
import { shortRate } from "../History.ts"
import { InvoiceId } from "@quittance/domain/values/Ids"

const day = (text: string): LocalDate => LocalDate.make(text)

const premiumItem = (amount: number, more: Partial<PremiumItem> = {}): PremiumItem => ({
  id: more.refId ?? "RC",
  componentId: "RC",
  kind: "NET",
  chargeType: "RECURRING",
  amount,
  everyTerm: false,
  refundable: true,
  ...more
})

const tax = (amount: number, more: Partial<PremiumItem> = {}): PremiumItem =>
  premiumItem(amount, { kind: "TAX", refId: "TCA", ...more })

const settings = { alignment: { kind: "START_DATE" }, issueLeadDays: 0, dueDays: 10 } as const
const yearly: InvoicingConfig = {
  frequency: "YEARLY",
  timing: "IN_ADVANCE",
  firstPayment: "NONE"
}
const monthly: InvoicingConfig = { ...yearly, frequency: "MONTHLY" }

const zone = "Europe/Paris"
const firstDay = day("2026-01-01")

/** A policy of 2026 that costs 365.00 net a year: 1.00 a day. */
const view: BillingView = {
  toStart: false,
  signedAt: startOfDay(firstDay, zone),
  startedAt: startOfDay(firstDay, zone),
  periodDuration: { amount: 1, unit: "YEAR" },
  timeZone: zone,
  invoicing: invoicedBy(yearly, settings),
  terms: 1,
  gated: false,
  segments: [{ from: firstDay, quoteId: quoteId("A"), premiumItems: [premiumItem(36_500)] }],
  payers: alwaysPaidBy({ defaultPayerId: payerA, byComponent: new Map() }),
  coverageGaps: [],
  labels: new Map(),
  issued: []
}

const priced = (...premiumItems: ReadonlyArray<PremiumItem>): BillingView => ({
  ...view,
  segments: [{ from: firstDay, quoteId: quoteId("A"), premiumItems }]
})

/** The same policy with other premium items from a day on. */
const changed = (
  before: BillingView,
  on: string,
  ...premiumItems: ReadonlyArray<PremiumItem>
): BillingView => ({
  ...before,
  segments: [
    { ...before.segments[0]!, to: day(on) },
    { from: day(on), quoteId: quoteId("B"), premiumItems }
  ]
})

const stopped = (before: BillingView, on: string, refund: StopRefund): BillingView => ({
  ...before,
  coverageGaps: [{ from: day(on), stop: refund }]
})

const invoiceId = (number: number) => InvoiceId.make(`invoice_test_${alphabet[number]!.repeat(21)}`)

/** All that a view wants up to a day, as invoices. */
const invoicedUntil = (before: BillingView, until = "2026-12-31"): ReadonlyArray<IssuedInvoice> =>
  instalmentsOf(before)
    .filter(({ period }) => period.start <= until)
    .map(({ key, lines }, index) => ({ id: invoiceId(index), key, lines }))

/** The invoices with what corrects them. */
const after = (issued: ReadonlyArray<IssuedInvoice>, next: BillingView) => [
  ...issued,
  ...dueMinusInvoiced(next, issued).corrections.map(
    ({ lines, payerCustomerId, period, term }, index): IssuedInvoice => ({
      id: invoiceId(20 + issued.length + index),
      key: { term, payerCustomerId, periodStart: period.start, cause: "" },
      lines
    })
  )
]

const totals = (next: BillingView, issued: ReadonlyArray<IssuedInvoice>) =>
  dueMinusInvoiced(next, issued).corrections.map(({ payerCustomerId, total }) => [
    payerCustomerId,
    total.amountWithFeesAndTaxes
  ])

const lines = (next: BillingView, issued: ReadonlyArray<IssuedInvoice>) =>
  dueMinusInvoiced(next, issued).corrections.flatMap((correction) =>
    correction.lines.map(({ amount, chargeType, corrects, slice }) => [
      corrects === undefined ? "CHARGE" : "CREDIT",
      chargeType,
      slice.start,
      slice.end,
      amount.amountWithFeesAndTaxes
    ])
  )

describe("due minus invoiced", () => {
  it("corrects a second bill for the same days, and bills none (overlap-664, dup-line-1484)", () => {
    const [only] = invoicedUntil(view)
    const twice = [only!, { ...only!, id: invoiceId(9) }]
    assert.deepStrictEqual(lines(view, twice), [
      ["CREDIT", "RECURRING", "2026-01-01", "2027-01-01", -36_500]
    ])
    assert.deepStrictEqual(dueMinusInvoiced(view, after(twice, view)).corrections, [])
  })

  it("leaves alone what another quote prices alike", () => {
    const same = changed(view, "2026-07-01", premiumItem(36_500))
    assert.deepStrictEqual(dueMinusInvoiced(same, invoicedUntil(view)), {
      corrections: [],
      toCome: []
    })
  })

  it("credits the days of the old price from their own invoice, and charges them anew", () => {
    const issued = invoicedUntil(view)
    const dearer = changed(view, "2026-07-01", premiumItem(73_000))
    const { corrections } = dueMinusInvoiced(dearer, issued)
    assert.deepStrictEqual(lines(dearer, issued), [
      ["CREDIT", "RECURRING", "2026-07-01", "2027-01-01", -18_400],
      ["CHARGE", "RECURRING", "2026-07-01", "2027-01-01", 36_800]
    ])
    assert.strictEqual(corrections[0]!.lines[0]!.corrects, issued[0]!.id)
    assert.deepStrictEqual(corrections[0]!.period, {
      start: day("2026-07-01"),
      end: day("2027-01-01")
    })
  })

  it("leaves windows without an invoice to the calendar", () => {
    const byMonth = { ...view, invoicing: invoicedBy(monthly, settings) }
    const dearer = changed(byMonth, "2026-02-10", premiumItem(73_000))
    const issued = invoicedUntil(byMonth, "2026-02-01")
    const { corrections, toCome } = dueMinusInvoiced(dearer, issued)
    assert.deepStrictEqual(
      corrections.flatMap((each) => each.lines.map(({ slice }) => [slice.start, slice.end])),
      [
        ["2026-02-10", "2026-03-01"],
        ["2026-02-10", "2026-03-01"]
      ]
    )
    assert.deepStrictEqual(
      toCome.map(({ period }) => period.start),
      instalmentsOf(dearer)
        .map(({ period }) => period.start)
        .slice(2)
    )
  })

  it("corrects the one premium item that has changed, and no other of its line", () => {
    const before = priced(premiumItem(36_500), tax(3650), tax(500, { refId: "FUND" }))
    const next = changed(
      before,
      "2026-07-01",
      premiumItem(36_500),
      tax(7300),
      tax(500, { refId: "FUND" })
    )
    const [credit, charge] = dueMinusInvoiced(next, invoicedUntil(before)).corrections[0]!.lines
    assert.deepStrictEqual(credit!.amount.taxes, [
      { id: "TCA", chargeType: "RECURRING", amount: -1840 }
    ])
    assert.deepStrictEqual(
      [credit!.amount.amountPreFeesAndTaxes, charge!.amount.amountWithFeesAndTaxes],
      [0, 3680]
    )
  })

  it("credits and charges also where both come to the same, or to nothing", () => {
    const before = priced(premiumItem(1))
    const next = changed(before, "2026-12-31", premiumItem(2))
    const found = lines(next, invoicedUntil(before))
    assert.deepStrictEqual(
      found.map((line) => line.at(-1)),
      [0, 0]
    )
  })

  it("replaces a price of nothing that was invoiced on the same day (zero-price-783)", () => {
    const free = priced(premiumItem(0))
    const paid = priced(premiumItem(36_500))
    assert.deepStrictEqual(
      lines(paid, invoicedUntil(free)).map((line) => line.at(-1)),
      [0, 36_500]
    )
  })

  it("gives back line by line exactly what was charged, to the cent (tax-lines-2643, termination-credit-784)", () => {
    const premiumItems = [6833, 6833, 5750, 8500].flatMap((net, index) => {
      const componentId = `C${index}`
      const own = { componentId, id: componentId }
      return [
        premiumItem(net, own),
        tax(Math.round(net * 0.2), { ...own, id: `${componentId}/tax/TVA` })
      ]
    })
    const before = priced(...premiumItems)
    const whole = premiumItems.reduce((sum, { amount }) => sum + amount, 0)
    const undone = stopped(before, "2026-01-01", { refund: "FULL" })
    assert.deepStrictEqual(totals(undone, invoicedUntil(before)), [[payerA, -whole]])
  })

  it("credits a change that is reverted", () => {
    const dearer = changed(
      view,
      "2026-07-01",
      premiumItem(73_000),
      premiumItem(1500, { chargeType: "SPOT" })
    )
    const issued = after(invoicedUntil(view), dearer)
    assert.deepStrictEqual(totals(dearer, issued), [])
    assert.deepStrictEqual(totals(view, issued), [[payerA, -18_400 - 1500]])
    assert.deepStrictEqual(totals(view, after(issued, view)), [])
  })

  it("bills a later term anew where its invoicing was agreed otherwise, and never the first", () => {
    const renewed = { ...view, terms: 2 }
    const issued = invoicedUntil(renewed, "2027-01-01")
    const config = (from: string) => ({ from: day(from), invoicing: monthly, settings })
    const unchanged = { ...renewed, invoicing: [...renewed.invoicing, config("2026-01-01")] }
    const { corrections, toCome } = dueMinusInvoiced(unchanged, issued)
    assert.deepStrictEqual(
      corrections[0]!.lines.map(({ amount, slice }) => [
        slice.start,
        slice.end,
        amount.amountWithFeesAndTaxes
      ]),
      [
        ["2027-01-01", "2028-01-01", -36_500],
        ["2027-01-01", "2027-02-01", 3042]
      ]
    )
    assert.strictEqual(toCome.length, 11)
  })

  it("tells apart periods of one price that fall on them otherwise", () => {
    const long: BillingView = { ...view, periodDuration: { amount: 400, unit: "DAY" } }
    const halves = {
      ...long,
      invoicing: invoicedBy({ ...yearly, frequency: "HALF_YEARLY" }, settings)
    }
    const issued = invoicedUntil(halves, "2027-06-01")
    // The last 35 days are a period of both, but not at one amount.
    assert.deepStrictEqual(
      lines(long, issued).filter(([, , start]) => start === "2027-01-01"),
      [
        ["CREDIT", "RECURRING", "2027-01-01", "2027-02-05", -3218],
        ["CHARGE", "RECURRING", "2027-01-01", "2027-02-05", 3194]
      ]
    )
    assert.deepStrictEqual(totals(long, issued), [[payerA, 0]])
  })
})

describe("a change of payers", () => {
  const paidByBoth: BillingView = {
    ...priced(premiumItem(36_500), premiumItem(7300, { componentId: "VOL", id: "VOL" })),
    payers: [
      ...view.payers,
      {
        from: day("2026-07-01"),
        split: { defaultPayerId: payerA, byComponent: new Map([["VOL", payerB]]) }
      }
    ]
  }

  it("credits the one and charges the other for the days from it on, component by component", () => {
    const issued = invoicedUntil({ ...paidByBoth, payers: view.payers })
    assert.deepStrictEqual(totals(paidByBoth, issued), [
      [payerA, -3680],
      [payerB, 3680]
    ])
  })

  it("cuts an instalment to come, which over payers sums to what it was", () => {
    const both = instalmentsOf(paidByBoth)
    assert.deepStrictEqual(
      both.map(({ key, total }) => [key.payerCustomerId, total.amountWithFeesAndTaxes]),
      [
        [payerA, 36_500 + 3620],
        [payerB, 3680]
      ]
    )
  })
})

describe("a change recorded over a suspension that has ended", () => {
  const from = day("2026-09-01")
  const onDay = (text: string) => startOfDay(day(text), zone)
  const old = premiumItem(109_500, { refundable: false })
  const dearer = premiumItem(146_000, { refundable: false })
  const rest = { from: day("2027-01-10"), to: day("2027-03-11") } as const
  const signed: BillingView = {
    ...view,
    signedAt: onDay("2026-09-01"),
    startedAt: onDay("2026-09-01"),
    segments: [{ from, quoteId: quoteId("A"), premiumItems: [old] }]
  }
  const sumOf = (issued: ReadonlyArray<IssuedInvoice>): number =>
    issued
      .flatMap((invoice) => invoice.lines)
      .reduce((sum, { amount }) => sum + amount.amountWithFeesAndTaxes, 0)

  it("comes to the worked example of docs/billing.md, step by step", () => {
    const suspended = { ...signed, coverageGaps: [rest] }
    const endorsed = changed(suspended, "2026-11-09", dearer)
    const stopOn = { from: day("2027-08-20"), stop: { refund: "PRO_RATA" } } as const
    const stoppedToo = { ...endorsed, coverageGaps: [rest, stopOn] }
    const first = invoicedUntil(signed, "2026-09-01")
    const second = after(first, suspended)
    const third = after(second, endorsed)
    assert.deepStrictEqual(
      [first, second, third, after(third, stoppedToo)].map(sumOf),
      [109_500, 91_500, 115_100, 115_100]
    )
    assert.strictEqual(sumOf(third), 69 * 300 + (62 + 174) * 400)
  })

  it.prop(
    "comes to what is invoiced where all is known on the first day, refundable or not",
    [
      Schema.Literals(["YEARLY", "HALF_YEARLY", "QUARTERLY", "MONTHLY"]),
      Schema.Boolean,
      int(1, 1_000_000),
      int(1, 1_000_000),
      int(0, 364),
      int(0, 300),
      int(1, 64)
    ],
    ([frequency, refundable, before, later, changeAfter, restAfter, restDays]) => {
      const invoicing = invoicedBy({ ...yearly, frequency }, settings)
      const items = (amount: number) => [
        premiumItem(amount, { refundable }),
        tax(Math.round(amount / 7), { refundable })
      ]
      const start: BillingView = {
        ...signed,
        invoicing,
        segments: [{ from, quoteId: quoteId("A"), premiumItems: items(before) }]
      }
      const gap = { from: addDays(from, restAfter), to: addDays(from, restAfter + restDays) }
      const rested = { ...start, coverageGaps: [gap] }
      const endorsedOnly =
        changeAfter === 0
          ? { ...start, segments: [{ ...start.segments[0]!, premiumItems: items(later) }] }
          : changed(start, addDays(from, changeAfter), ...items(later))
      const both = { ...endorsedOnly, coverageGaps: [gap] }
      const expected = sumOf(invoicedUntil(both, "2027-08-31"))
      for (const steps of [[rested, both], [endorsedOnly, both], [both]]) {
        const invoices = steps.reduce(after, invoicedUntil(start, "2027-08-31"))
        assert.strictEqual(sumOf(invoices), expected)
        assert.deepStrictEqual(dueMinusInvoiced(both, invoices).corrections, [])
      }
    }
  )
})

describe("a stop", () => {
  const full = priced(
    premiumItem(36_500),
    tax(3650, { refundable: false }),
    premiumItem(1500, { kind: "FEE", refId: "ADMIN", chargeType: "ONE_TIME" }),
    premiumItem(300, { kind: "FEE", refId: "CARD", chargeType: "SPOT" })
  )
  const issued = invoicedUntil(full)

  it("that counts no more lets the rest of an arrear period follow that period", () => {
    const inArrear = {
      ...view,
      invoicing: invoicedBy({ ...yearly, timing: "IN_ARREAR" }, settings)
    }
    const ended = stopped(inArrear, "2026-03-01", { refund: "PRO_RATA" })
    const [first] = instalmentsOf(ended)
    assert.strictEqual(first!.issueOn, "2026-03-01")
    const invoices = [{ id: invoiceId(0), key: first!.key, lines: first!.lines }]
    const known = { issued: [invoicedAs(first!)] }
    const gap = [
      { from: day("2026-03-01"), to: day("2026-04-01"), stop: { refund: "PRO_RATA" } }
    ] as const
    for (const { days, coverageGaps } of [
      { coverageGaps: [], days: 306 },
      { coverageGaps: gap, days: 275 }
    ]) {
      const { corrections, toCome } = dueMinusInvoiced(
        { ...inArrear, ...known, coverageGaps },
        invoices
      )
      assert.deepStrictEqual(corrections, [])
      assert.deepStrictEqual(
        toCome.map(({ issueOn, period, total }) => [period, issueOn, total.amountWithFeesAndTaxes]),
        [[{ start: day("2026-03-01"), end: day("2027-01-01") }, day("2027-01-01"), days * 100]]
      )
    }
    // Stopped once more, what is left follows that stop.
    const again = { ...stopped(inArrear, "2026-05-01", { refund: "PRO_RATA" }), ...known }
    assert.deepStrictEqual(
      dueMinusInvoiced(again, invoices).toCome.map(({ issueOn, period }) => [
        period.start,
        issueOn
      ]),
      [["2026-03-01", "2026-05-01"]]
    )
  })

  it("at the end of the term gives nothing back (tz-cancel-139)", () => {
    for (const refund of ["PRO_RATA", "NONE", "FULL"] as const) {
      assert.deepStrictEqual(totals(stopped(full, "2027-01-01", { refund }), issued), [])
    }
  })

  it("gives back the days without cover, but not what is charged once or kept out", () => {
    const next = stopped(full, "2026-07-01", { refund: "PRO_RATA" })
    assert.deepStrictEqual(totals(next, issued), [[payerA, -18_400]])
  })

  it("gives nothing back where the reason says so, and bills nothing after it", () => {
    const next = stopped(full, "2026-07-01", { refund: "NONE" })
    assert.deepStrictEqual(dueMinusInvoiced(next, issued), { corrections: [], toCome: [] })
    const byMonth = { ...view, invoicing: invoicedBy(monthly, settings) }
    const { corrections, toCome } = dueMinusInvoiced(
      stopped(byMonth, "2026-03-10", { refund: "NONE" }),
      invoicedUntil(byMonth, "2026-01-01")
    )
    assert.deepStrictEqual(corrections, [])
    assert.deepStrictEqual(
      toCome.map(({ period }) => [period.start, period.end]),
      [
        ["2026-02-01", "2026-03-01"],
        ["2026-03-01", "2026-03-10"]
      ]
    )
  })

  it("gives back all of the term where the reason says so, and nothing of an earlier one", () => {
    const whole = 36_500 + 3650 + 1500 + 300
    const next = stopped(full, "2026-07-01", { refund: "FULL" })
    assert.deepStrictEqual(totals(next, issued), [[payerA, -whole]])
    const renewed = { ...full, terms: 2 }
    const second = stopped(renewed, "2027-07-01", { refund: "FULL" })
    assert.deepStrictEqual(totals(second, invoicedUntil(renewed, "2027-01-01")), [
      [payerA, -36_500 - 3650]
    ])
  })

  it("gives back a term that never began, whatever the reason", () => {
    const fund = premiumItem(650, {
      kind: "TAX",
      refId: "FGTI",
      chargeType: "ONE_TIME",
      everyTerm: true
    })
    const renewed = { ...priced(premiumItem(36_500, { refundable: false }), fund), terms: 2 }
    const both = invoicedUntil(renewed, "2027-01-01")
    for (const refund of ["PRO_RATA", "NONE", "FULL"] as const) {
      const next = { ...stopped(renewed, "2027-01-01", { refund }), terms: 1 }
      assert.deepStrictEqual(totals(next, both), [[payerA, -36_500 - 650]])
    }
  })

  it("keeps by a short rate the table's share of the year, and no more than it credits", () => {
    const keeps = (on: string) => totals(stopped(view, on, shortRate), invoicedUntil(view))
    // 28 days: 20 % of 365.00. 59 days: half of it. 259 days are beyond the table.
    assert.deepStrictEqual(keeps("2026-01-29"), [[payerA, 7300 - 36_500]])
    assert.deepStrictEqual(keeps("2026-03-01"), [[payerA, 18_250 - 36_500]])
    assert.deepStrictEqual(keeps("2026-09-17"), [[payerA, 0]])
    const byMonth = { ...view, invoicing: invoicedBy(monthly, settings) }
    const early = stopped(byMonth, "2026-02-11", shortRate)
    assert.deepStrictEqual(totals(early, invoicedUntil(byMonth, "2026-02-01")), [[payerA, 0]])
  })

  it("charges the days again when it is withdrawn, and what it kept no more", () => {
    const refunds = [
      { refund: "PRO_RATA" },
      { refund: "FULL" },
      { refund: "NONE" },
      shortRate
    ] as const
    for (const refund of refunds) {
      const next = stopped(full, "2026-03-01", refund)
      const refunded = after(issued, next)
      assert.deepStrictEqual(totals(next, refunded), [])
      const again = after(refunded, full)
      const charged = again
        .flatMap((invoice) => invoice.lines)
        .reduce((sum, { amount }) => sum + amount.amountWithFeesAndTaxes, 0)
      assert.strictEqual(charged, 36_500 + 3650 + 1500 + 300)
      assert.deepStrictEqual(totals(full, again), [])
    }
  })

  it("with a gap until it is reinstated gives back the gap alone", () => {
    const gap = {
      from: day("2026-07-01"),
      to: day("2026-07-11"),
      stop: { refund: "PRO_RATA" }
    } as const
    assert.deepStrictEqual(totals({ ...view, coverageGaps: [gap] }, invoicedUntil(view)), [
      [payerA, -1000]
    ])
  })
})

describe("a suspension that is not billed", () => {
  it("credits its days, and bills again from the day on which cover resumes", () => {
    const open = { ...view, coverageGaps: [{ from: day("2026-07-01") }] }
    const credited = after(invoicedUntil(view), open)
    assert.deepStrictEqual(totals(open, invoicedUntil(view)), [[payerA, -18_400]])
    const closed = { ...view, coverageGaps: [{ from: day("2026-07-01"), to: day("2026-08-01") }] }
    assert.deepStrictEqual(totals(closed, credited), [[payerA, 18_400 - 3100]])
  })
})
