import { assert, describe, it } from "@effect/vitest"
import * as Amount from "@quittance/domain/values/Amount"
import {
  InvalidInvoicingConfig,
  type InvoicingConfig
} from "@quittance/domain/products/InvoicingConfig"
import { addDays, LocalDate } from "@quittance/domain/values/LocalDate"
import type { PremiumItem } from "@quittance/domain/products/Quote"
import { localDate } from "@quittance/domain/values/TimeZone"
import { Arbitrary } from "effect"
import { type Agreement, schedule, type QuotedInterval } from "../../src/billing/Schedule.ts"
import { type Term, termOf } from "../../src/periods/Term.ts"
import type { PayerSplit } from "../../src/billing/Payers.ts"
import {
  alwaysPaidBy,
  type DrawnPolicy,
  int,
  PremiumItems,
  payerA,
  payerB,
  Payers,
  Policy,
  quoteId
} from "../Drawn.ts"
import * as Model from "../ModelSchedule.ts"

const day = (text: string): LocalDate => LocalDate.make(text)
const runs = { arbitrary: { runs: 200 } }

const premiumItem = (id: string, amount: number, more: Partial<PremiumItem> = {}): PremiumItem => ({
  id,
  componentId: "RC",
  kind: "NET",
  chargeType: "RECURRING",
  amount,
  everyTerm: false,
  refundable: true,
  ...more
})

const fee: PremiumItem = premiumItem("RC/fee/ADMIN", 1500, {
  kind: "FEE",
  refId: "ADMIN",
  chargeType: "ONE_TIME"
})
const fund: PremiumItem = premiumItem("RC/tax/FGTI", 650, {
  kind: "TAX",
  refId: "FGTI",
  chargeType: "ONE_TIME",
  everyTerm: true
})
const spot: PremiumItem = premiumItem("RC/fee/CARD", 300, {
  kind: "FEE",
  refId: "CARD",
  chargeType: "SPOT"
})

const monthly: InvoicingConfig = {
  frequency: "MONTHLY",
  timing: "IN_ADVANCE",
  firstPayment: "NONE"
}

const agreementOf = (invoicing: InvoicingConfig, more: Partial<Agreement> = {}): Agreement => ({
  invoicing,
  settings: { alignment: { kind: "START_DATE" }, issueLeadDays: 10, dueDays: 15 },
  signedOn: day("2026-01-05"),
  segments: [
    {
      from: day("2026-01-31"),
      quoteId: quoteId("A"),
      premiumItems: [premiumItem("RC", 120_000), fee, fund]
    }
  ],
  payers: alwaysPaidBy({ defaultPayerId: payerA, byComponent: new Map() }),
  coverageGaps: [],
  labels: new Map([["RC", "Third-party liability"]]),
  ...more
})

const year: Term = {
  number: 1,
  start: day("2026-01-31"),
  end: day("2027-01-31"),
  anchorDay: 31,
  subDay: false,
  newFrom: day("2026-01-31")
}
const secondYear: Term = {
  ...year,
  number: 2,
  start: year.end,
  end: day("2028-01-31"),
  newFrom: year.end
}

const plannedFor = (invoicing: InvoicingConfig, more: Partial<Agreement> = {}) =>
  schedule(agreementOf(invoicing, more), year)
const summary = (instalments: ReturnType<typeof schedule>) =>
  instalments.map(({ issueOn, key, period, total }) => [
    key.cause,
    period.start,
    period.end,
    issueOn,
    total.amountWithFeesAndTaxes
  ])

describe("schedule", () => {
  it("refuses an early payment without a length, or of hours", () => {
    const early = { ...monthly, firstPayment: "EARLY_PAYMENT_AT_SIGNATURE" } as const
    assert.throws(() => plannedFor(early), InvalidInvoicingConfig)
    const hours = { ...early, earlyPayment: { amount: 3, unit: "HOUR" } } as const
    assert.throws(() => plannedFor(hours), InvalidInvoicingConfig)
  })

  it("plans each month before it begins, with what is charged once on the first", () => {
    assert.deepStrictEqual(summary(plannedFor(monthly)).slice(0, 3), [
      ["", day("2026-01-31"), day("2026-02-28"), day("2026-01-21"), 10_000 + 1500 + 650],
      ["", day("2026-02-28"), day("2026-03-31"), day("2026-02-18"), 10_000],
      ["", day("2026-03-31"), day("2026-04-30"), day("2026-03-21"), 10_000]
    ])
  })

  it("plans in arrear on the day after the period's last", () => {
    const [first] = plannedFor({ ...monthly, timing: "IN_ARREAR" })
    assert.deepStrictEqual([first!.issueOn, first!.dueOn], [day("2026-02-28"), day("2026-03-15")])
  })

  it("plans nothing before the signature", () => {
    const late = plannedFor(monthly, { signedOn: day("2026-03-10") })
    assert.deepStrictEqual(
      late.slice(0, 4).map(({ issueOn }) => issueOn),
      [day("2026-03-10"), day("2026-03-10"), day("2026-03-21"), day("2026-04-20")]
    )
  })

  it("bills the whole first term at the signature, and later terms on the grid", () => {
    const full = { ...monthly, firstPayment: "FULL_AT_SIGNATURE" } as const
    assert.deepStrictEqual(summary(plannedFor(full)), [
      ["FIRST_PAYMENT", year.start, year.end, day("2026-01-05"), 122_150]
    ])
    const renewed = schedule(agreementOf(full), secondYear)
    assert.strictEqual(renewed.length, 12)
    assert.isFalse(renewed.some(({ isFirst }) => isFirst))
    assert.strictEqual(renewed[0]!.total.amountWithFeesAndTaxes, 10_650)
  })

  it("bills an early payment first and the rest of its period when that begins", () => {
    const early = {
      ...monthly,
      frequency: "QUARTERLY",
      firstPayment: "EARLY_PAYMENT_AT_START_DATE",
      earlyPayment: { amount: 1, unit: "MONTH" }
    } as const
    const planned = summary(plannedFor(early))
    assert.deepStrictEqual(planned.slice(0, 3), [
      ["FIRST_PAYMENT", day("2026-01-31"), day("2026-02-28"), day("2026-01-31"), 9438 + 2150],
      ["", day("2026-02-28"), day("2026-04-30"), day("2026-02-18"), 30_000 - 9438],
      ["", day("2026-04-30"), day("2026-07-31"), day("2026-04-20"), 30_000]
    ])
  })

  it("bills an early payment in arrear first too, and its period's rest after the period", () => {
    const early = {
      ...monthly,
      timing: "IN_ARREAR",
      firstPayment: "EARLY_PAYMENT_AT_SIGNATURE",
      earlyPayment: { amount: 2, unit: "WEEK" }
    } as const
    const planned = plannedFor(early).slice(0, 3)
    assert.deepStrictEqual(
      planned.map(({ issueOn, period }) => [issueOn, period.start]),
      [
        [day("2026-01-05"), day("2026-01-31")],
        [day("2026-02-28"), day("2026-02-14")],
        [day("2026-03-31"), day("2026-02-28")]
      ]
    )
  })

  it("issues nothing of a term before its first payment", () => {
    const early = {
      ...monthly,
      firstPayment: "EARLY_PAYMENT_AT_START_DATE",
      earlyPayment: { amount: 3, unit: "DAY" }
    } as const
    const [first, rest] = plannedFor(early)
    assert.deepStrictEqual([first!.issueOn, rest!.issueOn], [year.start, year.start])
  })

  it("ends an early payment that is longer than the term with the term", () => {
    for (const amount of [2, 1_000_000]) {
      const early = {
        ...monthly,
        firstPayment: "EARLY_PAYMENT_AT_SIGNATURE",
        earlyPayment: { amount, unit: "YEAR" }
      } as const
      assert.deepStrictEqual(summary(plannedFor(early)), [
        ["FIRST_PAYMENT", year.start, year.end, day("2026-01-05"), 122_150]
      ])
    }
  })

  it("charges a spot premium item once for each quote, and a one-time premium item once per policy", () => {
    const segments: ReadonlyArray<QuotedInterval> = [
      {
        from: year.start,
        to: day("2026-05-10"),
        quoteId: quoteId("A"),
        premiumItems: [premiumItem("RC", 120_000), fee, spot]
      },
      {
        from: day("2026-05-10"),
        quoteId: quoteId("B"),
        premiumItems: [premiumItem("RC", 240_000), fee, spot]
      }
    ]
    const planned = plannedFor(monthly, { segments })
    const fees = planned.map(({ total }) => total.totalFees)
    assert.deepStrictEqual(fees, [1800, 0, 0, 300, 0, 0, 0, 0, 0, 0, 0, 0])
    assert.deepStrictEqual(
      schedule(agreementOf(monthly, { segments }), secondYear).map(({ total }) => total.totalFees),
      Array.from({ length: 12 }, () => 0)
    )
  })

  it("keeps on a line what crediting it takes: price, period and the period's amount", () => {
    const segments: ReadonlyArray<QuotedInterval> = [
      {
        from: year.start,
        to: day("2026-02-10"),
        quoteId: quoteId("A"),
        premiumItems: [premiumItem("RC", 120_000)]
      },
      { from: day("2026-02-10"), quoteId: quoteId("B"), premiumItems: [premiumItem("RC", 240_000)] }
    ]
    const [first, second] = plannedFor(monthly, { segments })
    const [before, after] = first!.lines
    const period = { start: day("2026-01-31"), end: day("2026-02-28") }
    const term = { start: year.start, end: year.end }
    assert.strictEqual(before!.label, "Third-party liability")
    assert.deepStrictEqual(before!.price, Amount.make(120_000, [], []))
    assert.deepStrictEqual(before!.basis, { term, period, amount: Amount.make(10_000, [], []) })
    assert.deepStrictEqual(after!.basis, { term, period, amount: Amount.make(20_000, [], []) })
    assert.deepStrictEqual(
      [before!.amount, after!.amount].map(({ amountPreFeesAndTaxes }) => amountPreFeesAndTaxes),
      [3571, 12_857]
    )
    assert.deepStrictEqual(second!.lines[0]!.basis, { term, period: second!.lines[0]!.slice })
  })

  it("gives each payer its own instalments", () => {
    const payers = alwaysPaidBy({
      defaultPayerId: payerA,
      byComponent: new Map([["VOL", payerB]])
    })
    const premiumItems = [
      premiumItem("RC", 120_000),
      premiumItem("VOL", 60_000, { componentId: "VOL" })
    ]
    const segments = [{ from: year.start, quoteId: quoteId("A"), premiumItems }]
    const planned = plannedFor(monthly, { payers, segments })
    assert.strictEqual(planned.length, 24)
    assert.deepStrictEqual(
      planned
        .slice(0, 2)
        .map(({ isFirst, key, total }) => [
          key.payerCustomerId,
          total.amountWithFeesAndTaxes,
          isFirst
        ]),
      [
        [payerA, 10_000, true],
        [payerB, 5000, true]
      ]
    )
  })

  it("makes no line of a net premium of nothing that only carries a fee", () => {
    const carrier = [premiumItem("RC", 0), fee]
    const segments = [{ from: year.start, quoteId: quoteId("A"), premiumItems: carrier }]
    const [only, ...others] = plannedFor(monthly, { segments })
    assert.deepStrictEqual(
      only!.lines.map(({ amount, chargeType }) => [chargeType, amount.amountWithFeesAndTaxes]),
      [["ONE_TIME", 1500]]
    )
    assert.deepStrictEqual(others, [])
  })

  it("bills a term of hours with one invoice", () => {
    for (const firstPayment of [
      "NONE",
      "FULL_AT_SIGNATURE",
      "EARLY_PAYMENT_AT_SIGNATURE"
    ] as const) {
      const term: Term = { ...year, end: day("2026-02-02"), subDay: true }
      const planned = schedule(agreementOf({ ...monthly, firstPayment }), term)
      assert.strictEqual(planned.length, 1)
      assert.strictEqual(planned[0]!.total.amountWithFeesAndTaxes, 122_150)
    }
  })
})

const signedOnOf = ({ rule, signedAt }: DrawnPolicy) => localDate(signedAt, rule.timeZone)

/** A policy's agreement with a quote for each stretch between the given days after the start. */
const drawnAgreement = (
  policy: DrawnPolicy,
  quotes: ReadonlyArray<ReadonlyArray<PremiumItem>>,
  cuts: ReadonlyArray<number>,
  payers: PayerSplit
): Agreement => {
  const bounds = [...new Set([0, ...cuts])].sort((a, b) => a - b)
  const segments = bounds.map((from, index): QuotedInterval => {
    const to = bounds[index + 1]
    const quote = index % quotes.length
    return {
      from: addDays(policy.startDay, from),
      to: to === undefined ? undefined : addDays(policy.startDay, to),
      quoteId: quoteId("ABC"[quote]!),
      premiumItems: quotes[quote]!
    }
  })
  const { invoicing, settings } = policy
  return {
    invoicing,
    settings,
    signedOn: signedOnOf(policy),
    segments,
    payers: alwaysPaidBy(payers),
    coverageGaps: [],
    labels: new Map()
  }
}

const OneQuote = Arbitrary.map(PremiumItems, (premiumItems) => [premiumItems])
const Quotes = Arbitrary.array(PremiumItems, { minLength: 2, maxLength: 3 })
const Cuts = Arbitrary.array(Arbitrary.schema(int(1, 800)), { maxLength: 4 })
const NoCuts = Arbitrary.Constant<ReadonlyArray<number>>([])

describe("the instalments of a term", () => {
  for (const [what, quotes, cuts] of [
    ["one quote", OneQuote, NoCuts],
    ["changing quotes", Quotes, Cuts]
  ] as const) {
    it.prop(
      `bill under ${what} what each day costs in the model, window by window and item by item`,
      [Policy, quotes, cuts, Payers, int(1, 3)],
      ([policy, drawnQuotes, drawnCuts, payers, number]) => {
        const agreement = drawnAgreement(policy, drawnQuotes, drawnCuts, payers)
        const terms = Array.from({ length: number }, (_, index) => termOf(policy.rule, index + 1))
        const planned = schedule(agreement, terms.at(-1)!)
        assert.deepStrictEqual(Model.billedIn(planned), Model.billedBy(agreement, terms))
      },
      runs
    )

    it.prop(
      `bill under ${what} every day of every component once`,
      [Policy, quotes, cuts, Payers, int(1, 3)],
      ([policy, drawnQuotes, drawnCuts, payers, number]) => {
        const agreement = drawnAgreement(policy, drawnQuotes, drawnCuts, payers)
        const term = termOf(policy.rule, number)
        const lines = schedule(agreement, term).flatMap((instalment) => instalment.lines)
        const recurring = lines.filter(({ chargeType }) => chargeType === "RECURRING")
        for (const componentId of new Set(recurring.map((line) => line.componentId))) {
          const slices = recurring
            .filter((line) => line.componentId === componentId)
            .map(({ slice }) => slice)
            .sort((a, b) => (a.start < b.start ? -1 : 1))
          for (const [index, { end, start }] of slices.entries()) {
            assert.isTrue(start < end)
            if (index > 0) assert.isTrue(slices[index - 1]!.end <= start)
          }
        }
      },
      runs
    )
  }

  it.prop(
    "sum to the price of the term, item by item",
    [Policy, PremiumItems, Payers],
    ([policy, premiumItems, payers]) => {
      const agreement = drawnAgreement(policy, [premiumItems], [], payers)
      const planned = schedule(agreement, termOf(policy.rule, 1))
      const billed = new Map<string, number>()
      for (const instalment of Model.billedIn(planned).values()) {
        for (const [name, amount] of instalment) billed.set(name, (billed.get(name) ?? 0) + amount)
      }
      for (const { amount, chargeType, componentId, kind, refId = "" } of premiumItems) {
        const name = `${componentId} ${chargeType} ${kind} ${refId}`
        assert.strictEqual(billed.get(name) ?? 0, amount)
      }
    },
    runs
  )

  it.prop(
    "are planned on the model's days, each after the one before",
    [Policy, PremiumItems, int(1, 3)],
    ([policy, premiumItems, number]) => {
      const everyDay = [...premiumItems, premiumItem("ALWAYS", 1000, { componentId: "ALWAYS" })]
      const payers = { defaultPayerId: payerA, byComponent: new Map<string, typeof payerA>() }
      const agreement = drawnAgreement(policy, [everyDay], [], payers)
      const term = termOf(policy.rule, number)
      const planned = schedule(agreement, term)
      assert.deepStrictEqual(
        planned.map(({ dueOn, issueOn, key }) => [
          `${key.cause} ${key.periodStart}`,
          String(issueOn),
          String(dueOn)
        ]),
        Model.windowsOf(agreement, term).map(({ dueOn, issueOn, name }) => [name, issueOn, dueOn])
      )
      for (const [index, { issueOn }] of planned.entries()) {
        if (index > 0) assert.isTrue(planned[index - 1]!.issueOn <= issueOn)
      }
    },
    runs
  )

  it.prop(
    "hold the invariants of amounts, and total their lines (tax-precision-4313, prepaid-ceil-4273)",
    [Policy, PremiumItems, Payers],
    ([policy, premiumItems, payers]) => {
      const agreement = drawnAgreement(policy, [premiumItems], [], payers)
      for (const { lines, total } of schedule(agreement, termOf(policy.rule, 1))) {
        for (const amount of [total, ...lines.map((line) => line.amount)]) {
          const sum = (list: ReadonlyArray<{ readonly amount: number }>) =>
            list.reduce((all, each) => all + each.amount, 0)
          assert.strictEqual(amount.totalFees, sum(amount.fees))
          assert.strictEqual(amount.totalTaxes, sum(amount.taxes))
          assert.strictEqual(
            amount.amountPreFeesAndTaxes + amount.totalFees,
            amount.amountWithFeesPreTaxes
          )
          assert.strictEqual(
            amount.amountWithFeesPreTaxes + amount.totalTaxes,
            amount.amountWithFeesAndTaxes
          )
        }
        assert.strictEqual(
          total.amountWithFeesAndTaxes,
          lines.reduce((all, { amount }) => all + amount.amountWithFeesAndTaxes, 0)
        )
      }
    },
    runs
  )
})
