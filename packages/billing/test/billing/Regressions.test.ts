/** Faults of other billing engines that no test of a rule names; each test carries the id of one. */
import { assert, describe, it } from "@effect/vitest"
import { allocate } from "@quittance/domain/values/Allocation"
import { fromEpochMillis } from "@quittance/domain/values/Instant"
import { fromEpochDay, LocalDate } from "@quittance/domain/values/LocalDate"
import { alphabet } from "@quittance/domain/values/PrefixedId"
import type { Dunning } from "@quittance/domain/products/ProductTerms"
import { dunningSteps } from "../../src/dunning/Dunning.ts"
import { periodsOfTerm } from "../../src/periods/BillingCalendar.ts"
import { type BillingView, dueSteps, instalmentsOf } from "../../src/billing/DueSteps.ts"
import { type OpenInvoice, settle, settleCredit } from "../../src/billing/Settlement.ts"
import { costOfDays } from "../../src/periods/Plan.ts"
import { returnPayment } from "../../src/payments/Returns.ts"
import { alwaysPaidBy, invoicedBy, payerA, quoteId } from "../Drawn.ts"
import { currency } from "../Life.ts"
import { InvoiceId } from "@quittance/domain/values/Ids"

const at = (text: string) => fromEpochMillis(Date.parse(text))
const day = (text: string) => LocalDate.make(text)
const timeZone = "Europe/Paris"

describe("a fault of another engine", () => {
  it("bills no period in arrear that has not ended (month-end-arrear-2133)", () => {
    const view: BillingView = {
      toStart: false,
      signedAt: at("2025-03-31T08:00:00Z"),
      startedAt: at("2025-03-31T08:00:00Z"),
      periodDuration: { amount: 1, unit: "YEAR" },
      timeZone,
      invoicing: invoicedBy(
        { frequency: "MONTHLY", timing: "IN_ARREAR", firstPayment: "NONE" },
        { alignment: { kind: "START_DATE" }, issueLeadDays: 0, dueDays: 15 }
      ),
      segments: [
        {
          from: day("2025-03-31"),
          quoteId: quoteId("A"),
          premiumItems: [
            {
              id: "RC",
              componentId: "RC",
              kind: "NET",
              chargeType: "RECURRING",
              amount: 120_000,
              everyTerm: false,
              refundable: true
            }
          ]
        }
      ],
      payers: alwaysPaidBy({ defaultPayerId: payerA, byComponent: new Map() }),
      coverageGaps: [],
      labels: new Map(),
      terms: 1,
      gated: false,
      firstPaidAt: undefined,
      issued: []
    }
    assert.strictEqual(instalmentsOf(view).length, 12)
    const due = dueSteps(view, at("2025-05-30T10:00:00Z"))
    assert.deepStrictEqual(
      due.flatMap((step) => (step.kind === "ISSUE" ? [step.instalment.period] : [])),
      [{ start: day("2025-03-31"), end: day("2025-04-30") }]
    )
  })

  it("makes no sliver of a day at a month's end (fanout-sliver-2733)", () => {
    const rule = {
      frequency: "MONTHLY",
      alignment: { kind: "START_DATE" },
      anchorDay: 31
    } as const
    const windows = periodsOfTerm(rule, day("2026-03-31"), day("2027-03-31"))
      .map(({ end, start }) => [fromEpochDay(start), fromEpochDay(end)])
      .filter(([start]) => start! >= "2026-09-30" && start! < "2026-12-31")
    assert.deepStrictEqual(windows, [
      ["2026-09-30", "2026-10-31"],
      ["2026-10-31", "2026-11-30"],
      ["2026-11-30", "2026-12-31"]
    ])
  })

  it("rounds an amount once, and works with what it was rounded to (fraction-park-1124)", () => {
    // 55 × 6.7 cents are 368.5 cents.
    assert.strictEqual(costOfDays(55 * 67, 1, 10), 369)
  })

  it("sums rounded lines to what is rounded, however many there are (line-drift-3407)", () => {
    const lines = allocate(
      2_307_253,
      Array.from({ length: 81 }, (_, index) => 100 + index)
    )
    assert.strictEqual(
      lines.reduce((sum, amount) => sum + amount, 0),
      2_307_253
    )
  })

  it("dunns every debtor, whether there is a way to collect or not (overdue-no-method-99)", () => {
    const rule: Dunning = {
      firstPremium: "COVER",
      grace: { amount: 10, unit: "DAY" },
      notice: { required: true, channel: "REGISTERED_LETTER" },
      suspend: { after: { amount: 30, unit: "DAY" }, from: "NOTICE" },
      terminate: { after: { amount: 40, unit: "DAY" }, from: "NOTICE", mode: "MANUAL" },
      reactivation: "NEXT_DAY_NOON",
      feesRebilled: 0,
      stopReason: "NON_PAYMENT"
    }
    const steps = dunningSteps({
      rule,
      timeZone,
      startedAt: at("2025-12-31T23:00:00Z"),
      yearEnds: [at("2026-12-31T23:00:00Z")],
      // All that is known of a debt: nothing of how it might be paid.
      debts: [
        { invoiceId: id(0), payerCustomerId: payerA, dueOn: day("2026-03-01"), isFirst: false }
      ],
      notices: [],
      holds: []
    })
    assert.strictEqual(steps[0]?.kind, "NOTICE")
  })

  it("keeps what is too much where a payment fails and comes again (status-flip-1755)", () => {
    const paidAt = at("2026-03-01T00:00:00Z")
    const received = { amount: 100, paidAt, currency }
    const settled = settle(received, invoice, [])
    const paid = { ...invoice, ...settled.updates[0]! }
    const back = returnPayment(
      { payerCustomerId: payerA, currency, allocations: settled.allocations, surplus: 0 },
      {
        invoices: [paid],
        settled: new Map([[invoice.id, 100]]),
        balance: 0,
        corrected: new Map(),
        noted: new Map()
      },
      paidAt
    )
    const reopened = { ...paid, ...back.updates[0]! }
    assert.deepStrictEqual([reopened.status, reopened.amountPaid], ["PAYMENT_FAILED", 0])
    const credit = { payerCustomerId: payerA, amount: 100, issuedAt: paidAt, corrected: new Map() }
    const credited = { ...reopened, ...settleCredit(credit, [reopened]).updates[0]! }
    assert.deepStrictEqual([credited.status, credited.amountPaid], ["PAID", 100])
    const again = settle(received, credited, [])
    assert.deepStrictEqual([again.updates, again.creditBalance], [[], 100])
  })
})

const id = (letter: number) => InvoiceId.make(`invoice_test_${alphabet[letter]!.repeat(21)}`)

const invoice: OpenInvoice = {
  id: id(0),
  number: "INV-000001",
  payerCustomerId: payerA,
  status: "ISSUED",
  issuedAt: at("2026-02-01T00:00:00Z"),
  total: 100,
  amountPaid: 0
}
