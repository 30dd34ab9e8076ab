import { assert, describe, it } from "@effect/vitest"
import {
  earliest,
  fromEpochMillis,
  type Instant,
  max as later,
  toEpochMillis
} from "@quittance/domain/values/Instant"
import { addDays, LocalDate, max } from "@quittance/domain/values/LocalDate"
import { localDate, startOfDay } from "@quittance/domain/values/TimeZone"
import { Arbitrary, Schema } from "effect"
import { keyText } from "../../src/billing/InvoiceDrafts.ts"
import {
  type BillingView,
  instalmentsOf,
  invoicedAs,
  nextDueAt
} from "../../src/billing/DueSteps.ts"
import type { PayerSplit } from "../../src/billing/Payers.ts"
import {
  alwaysPaidBy,
  type DrawnPolicy,
  int,
  invoicedBy,
  PremiumItems,
  payerA,
  Payers,
  Policy,
  quoteId
} from "../Drawn.ts"
import {
  firstDueAt,
  firstInstalments,
  ledger,
  type Life,
  lifeOf,
  nextSteps,
  pay,
  run
} from "../Life.ts"

const at = (text: string): Instant => fromEpochMillis(Date.parse(text))
const runs = { arbitrary: { runs: 200 } }

const view: BillingView = {
  toStart: true,
  signedAt: at("2026-01-05T10:20:00Z"),
  startedAt: at("2026-01-31T09:00:00Z"),
  periodDuration: { amount: 1, unit: "YEAR" },
  timeZone: "Europe/Paris",
  invoicing: invoicedBy(
    { frequency: "MONTHLY", timing: "IN_ADVANCE", firstPayment: "NONE" },
    { alignment: { kind: "START_DATE" }, issueLeadDays: 10, dueDays: 15 }
  ),
  segments: [
    {
      from: LocalDate.make("2026-01-31"),
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
  issued: []
}

const { invoicing, settings } = view.invoicing[0]!
const withoutLead = invoicedBy(invoicing, { ...settings, issueLeadDays: 0 })

const gated: BillingView = { ...view, gated: true }
const far = at("2100-01-01T00:00:00Z")

const shown = (steps: ReturnType<typeof nextSteps>): ReadonlyArray<ReadonlyArray<string>> =>
  steps.due.map((step) => [
    step.kind,
    step.dueAt,
    step.kind === "ISSUE"
      ? step.instalment.period.start
      : step.kind === "START"
        ? step.effectiveAt
        : step.dueAt
  ])

describe("nextSteps", () => {
  it("has nothing for a policy that is stopped before it begins", () => {
    const stopped: BillingView = {
      ...view,
      toStart: false,
      coverageGaps: [{ from: LocalDate.make("2026-01-31"), stop: { refund: "PRO_RATA" } }]
    }
    assert.deepStrictEqual(nextSteps(stopped, far), { due: [] })
    assert.isUndefined(firstDueAt(stopped))
  })

  it("issues what was covered before a stop, once, and nothing after it (terminate-while-queued-958)", () => {
    const stopped: BillingView = {
      ...view,
      coverageGaps: [{ from: LocalDate.make("2026-03-10"), stop: { refund: "PRO_RATA" } }]
    }
    const { due } = nextSteps(stopped, far)
    assert.deepStrictEqual(
      due.flatMap((step) => (step.kind === "ISSUE" ? [step.instalment.period] : [])),
      [
        { start: "2026-01-31", end: "2026-02-28" },
        { start: "2026-02-28", end: "2026-03-10" }
      ]
    )
  })

  it("has nothing before the first planned day, and says when that is", () => {
    assert.deepStrictEqual(nextSteps(view, at("2026-01-20T22:59:59Z")), {
      due: [],
      nextDueAt: at("2026-01-20T23:00:00Z")
    })
    assert.strictEqual(firstDueAt(view), "2026-01-20T23:00:00.000Z")
  })

  it("issues on the first instant of the planned day, and starts at the planned start", () => {
    assert.deepStrictEqual(shown(nextSteps(view, at("2026-01-31T09:00:00Z"))), [
      ["ISSUE", "2026-01-20T23:00:00.000Z", "2026-01-31"],
      ["START", "2026-01-31T09:00:00.000Z", "2026-01-31T09:00:00.000Z"]
    ])
  })

  it("finds all that a late worker missed, in order, each with its own due instant (missed-clock-354, missed-periods-46080)", () => {
    const late = nextSteps(view, at("2026-04-01T00:00:00Z"))
    assert.deepStrictEqual(shown(late), [
      ["ISSUE", "2026-01-20T23:00:00.000Z", "2026-01-31"],
      ["START", "2026-01-31T09:00:00.000Z", "2026-01-31T09:00:00.000Z"],
      ["ISSUE", "2026-02-17T23:00:00.000Z", "2026-02-28"],
      ["ISSUE", "2026-03-20T23:00:00.000Z", "2026-03-31"]
    ])
    assert.strictEqual(late.nextDueAt, "2026-04-19T22:00:00.000Z")
  })

  it("does at once, with the signature, what was planned before it", () => {
    const signedLate: BillingView = { ...view, signedAt: at("2026-03-25T15:00:00Z") }
    assert.deepStrictEqual(shown(nextSteps(signedLate, at("2026-03-25T15:00:00Z"))), [
      ["START", "2026-03-25T15:00:00.000Z", "2026-03-25T15:00:00.000Z"],
      ["ISSUE", "2026-03-25T15:00:00.000Z", "2026-01-31"],
      ["ISSUE", "2026-03-25T15:00:00.000Z", "2026-02-28"],
      ["ISSUE", "2026-03-25T15:00:00.000Z", "2026-03-31"]
    ])
  })

  it("starts the policy before its first invoice where both are due at one instant", () => {
    const together: BillingView = {
      ...view,
      startedAt: at("2026-01-30T23:00:00Z"),
      invoicing: withoutLead
    }
    assert.deepStrictEqual(
      shown(nextSteps(together, together.startedAt)).map(([kind]) => kind),
      ["START", "ISSUE"]
    )
  })

  it("issues the first invoice of a gated policy and waits, however much time passes (gated-catch-up-5698)", () => {
    assert.deepStrictEqual(shown(nextSteps(gated, far)), [
      ["ISSUE", "2026-01-20T23:00:00.000Z", "2026-01-31"]
    ])
    const [first] = firstInstalments(gated)
    const waiting: BillingView = { ...gated, issued: [invoicedAs(first!)] }
    assert.deepStrictEqual(nextSteps(waiting, far), { due: [] })
  })

  it("ends a gated policy as not taken up so many days after the day of its start", () => {
    const [first] = firstInstalments(gated)
    const waiting: BillingView = {
      ...gated,
      issued: [invoicedAs(first!)],
      firstIssuedAt: at("2026-01-20T23:00:00Z"),
      notTakenUpAfterDays: 45
    }
    // The start is on 31 January, and the clocks change in between.
    const dueAt = at("2026-03-17T23:00:00Z")
    assert.deepStrictEqual(nextSteps(waiting, at("2026-03-17T22:59:59.999Z")), {
      due: [],
      nextDueAt: dueAt
    })
    assert.deepStrictEqual(nextSteps(waiting, dueAt), { due: [{ kind: "NOT_TAKEN_UP", dueAt }] })
    const late: BillingView = { ...waiting, signedAt: at("2026-03-01T10:00:00Z") }
    assert.strictEqual(firstDueAt(late), at("2026-04-15T22:00:00Z"))
    const askedLate: BillingView = { ...waiting, firstIssuedAt: at("2026-03-10T10:00:00Z") }
    assert.strictEqual(firstDueAt(askedLate), at("2026-04-24T22:00:00Z"))
    const notAsked: BillingView = { ...waiting, issued: [], firstIssuedAt: undefined }
    assert.deepStrictEqual(
      nextSteps(notAsked, far).due.map(({ kind }) => kind),
      ["ISSUE"]
    )
    const paid: BillingView = { ...waiting, firstPaidAt: at("2026-03-17T12:00:00Z") }
    assert.notInclude(
      nextSteps(paid, far).due.map(({ kind }) => kind),
      "NOT_TAKEN_UP"
    )
  })

  it("starts a gated policy when the payment is there, effective at the planned start", () => {
    const [first] = firstInstalments(gated)
    const paid: BillingView = {
      ...gated,
      issued: [invoicedAs(first!)],
      firstPaidAt: at("2026-03-01T12:00:00Z")
    }
    assert.deepStrictEqual(shown(nextSteps(paid, at("2026-03-01T12:00:00Z"))), [
      ["ISSUE", "2026-02-17T23:00:00.000Z", "2026-02-28"],
      ["START", "2026-03-01T12:00:00.000Z", "2026-01-31T09:00:00.000Z"]
    ])
  })

  it("does not take a step twice", () => {
    const started: BillingView = {
      ...view,
      toStart: false,
      issued: instalmentsOf(view).map(invoicedAs)
    }
    assert.deepStrictEqual(nextSteps(started, far), { due: [] })
  })

  it("goes on where cover rested without being billed (unblock-98)", () => {
    const rested: BillingView = {
      ...view,
      coverageGaps: [{ from: LocalDate.make("2026-03-10"), to: LocalDate.make("2026-06-15") }]
    }
    assert.deepStrictEqual(
      shown(nextSteps(rested, far)).flatMap(([kind, , day]) => (kind === "ISSUE" ? [day] : [])),
      [
        "2026-01-31",
        "2026-02-28",
        "2026-05-31",
        "2026-06-30",
        "2026-07-31",
        "2026-08-31",
        "2026-09-30",
        "2026-10-31",
        "2026-11-30",
        "2026-12-31"
      ]
    )
  })

  it("makes one invoice of a local day, however often a day in UTC begins in it (tz-double-879)", () => {
    const kolkata: BillingView = {
      ...view,
      toStart: false,
      timeZone: "Asia/Kolkata",
      startedAt: at("2026-01-31T03:30:00Z"),
      invoicing: withoutLead
    }
    let life = lifeOf(kolkata)
    for (let hour = 0; hour < 48; hour++) {
      life = run(life, fromEpochMillis(Date.parse("2026-01-30T00:00:00Z") + hour * 3_600_000))
    }
    assert.strictEqual(life.kept.length, 1)
    assert.strictEqual(life.kept[0]!.draft.issuedAt, "2026-01-30T19:00:00.000Z")
  })
})

const viewOf = (
  { rule, signedAt, startDay, ...drawn }: DrawnPolicy,
  premiumItems: BillingView["segments"][number]["premiumItems"],
  payers: PayerSplit,
  more: Partial<BillingView> = {}
): BillingView => ({
  ...view,
  ...rule,
  invoicing: invoicedBy(drawn.invoicing, drawn.settings),
  signedAt,
  payers: alwaysPaidBy(payers),
  segments: [{ from: startDay, quoteId: quoteId("A"), premiumItems }],
  ...more
})

const day = 86_400_000

/** Days after the signature on which a worker looks in, in order. */
const Visits = Arbitrary.array(Arbitrary.schema(int(0, 1200)), { maxLength: 12 }).pipe(
  Arbitrary.map((days) => [...days].sort((a, b) => a - b))
)

const visit = (life: Life, days: number): Instant =>
  fromEpochMillis(toEpochMillis(life.view.signedAt) + days * day)

const invoices = ({ kept }: Life) =>
  new Map(kept.map(({ draft }) => [keyText(draft.key), { lines: draft.lines, total: draft.total }]))

describe("a worker", () => {
  it.prop(
    "issues every instalment exactly once, whenever it comes and however often",
    [Policy, PremiumItems, Payers, int(1, 3), Visits],
    ([policy, premiumItems, payers, terms, visits]) => {
      const drawn = viewOf(policy, premiumItems, payers, { terms })
      let life = lifeOf(drawn)
      for (const days of visits) {
        const now = visit(life, days)
        life = run(life, now)
        assert.strictEqual(run(life, now), life)
      }
      life = run(life, far)
      const expected = instalmentsOf(drawn)
      assert.strictEqual(life.kept.length, expected.length)
      const issued = invoices(life)
      for (const { key, lines, total } of expected) {
        assert.deepStrictEqual(issued.get(keyText(key)), { lines, total })
      }
      assert.strictEqual(life.starts.length, 1)
      assert.isUndefined(firstDueAt(life.view))
    },
    runs
  )

  it.prop(
    "finds something to do at the instant it was told, and nothing before",
    [Policy, PremiumItems, Payers],
    ([policy, premiumItems, payers]) => {
      let life = lifeOf(viewOf(policy, premiumItems, payers))
      for (let due = firstDueAt(life.view); due !== undefined; due = firstDueAt(life.view)) {
        const before = fromEpochMillis(toEpochMillis(due) - 1)
        assert.strictEqual(run(life, before), life)
        const { due: steps, nextDueAt: following } = nextSteps(life.view, due)
        assert.isAbove(steps.length, 0)
        if (following !== undefined) assert.isTrue(due < following)
        life = run(life, due)
        assert.strictEqual(firstDueAt(life.view), following)
      }
    },
    runs
  )

  it.prop(
    "comes next for the first instalment that has lines and is still to come",
    [
      Policy,
      PremiumItems,
      PremiumItems,
      Payers,
      int(1, 3),
      int(0, 900),
      int(0, 900),
      int(-100, 1200)
    ],
    ([policy, premiumItems, other, payers, terms, changeAfter, restAfter, visitAfter]) => {
      const from = addDays(policy.startDay, changeAfter)
      const rest = addDays(policy.startDay, restAfter)
      const drawn = viewOf(policy, premiumItems, payers, {
        terms,
        toStart: false,
        segments: [
          { from: policy.startDay, to: from, quoteId: quoteId("A"), premiumItems },
          { from, quoteId: quoteId("B"), premiumItems: other }
        ],
        coverageGaps: [{ from: rest, to: addDays(rest, visitAfter + 101) }]
      })
      const now = visit(lifeOf(drawn), visitAfter)
      const issuedAt = instalmentsOf(drawn).map(({ issueOn }) =>
        later(startOfDay(issueOn, drawn.timeZone), drawn.signedAt)
      )
      assert.strictEqual(nextDueAt(drawn, now), earliest(issuedAt.filter((at) => at > now)))
    },
    runs
  )

  it.prop(
    "dates an invoice by the day it is issued, and makes it due from the later of plan and issue",
    [Policy, PremiumItems, Payers, Visits],
    ([policy, premiumItems, payers, visits]) => {
      const drawn = viewOf(policy, premiumItems, payers)
      let life = lifeOf(drawn)
      for (const days of visits) life = run(life, visit(life, days))
      const planned = new Map(instalmentsOf(drawn).map((each) => [keyText(each.key), each]))
      for (const { draft } of life.kept) {
        const { issueOn } = planned.get(keyText(draft.key))!
        const issuedOn = localDate(draft.issuedAt, drawn.timeZone)
        assert.isTrue(issueOn <= issuedOn)
        assert.strictEqual(draft.dueOn, addDays(max(issueOn, issuedOn), policy.settings.dueDays))
      }
    },
    runs
  )

  it.prop(
    "issues only the first invoice of a gated policy until it is paid, and starts it then",
    [Policy, PremiumItems, Payers, Visits],
    ([policy, premiumItems, payers, visits]) => {
      const positive = premiumItems.map((premiumItem) => ({
        ...premiumItem,
        amount: Math.abs(premiumItem.amount) + 1_000_000
      }))
      let life = lifeOf(viewOf(policy, positive, payers, { gated: true }))
      const first = firstInstalments(life.view)
      for (const days of [...visits, 5000]) life = run(life, visit(life, days))
      assert.strictEqual(life.kept.length, first.length)
      assert.strictEqual(life.starts.length, 0)
      const paidAt = fromEpochMillis(toEpochMillis(visit(life, 5000)) + day)
      for (const [index, { invoice }] of life.kept.entries()) {
        life = pay(life, index, invoice.total, paidAt)
      }
      life = run(life, far)
      const started = later(life.view.startedAt, life.view.signedAt)
      assert.deepStrictEqual(
        life.starts.map(({ dueAt, effectiveAt }) => [dueAt, effectiveAt]),
        [[later(paidAt, started), started]]
      )
      assert.strictEqual(life.kept.length, instalmentsOf(life.view).length)
    },
    runs
  )
})

const Payment = Arbitrary.schema(
  Schema.Struct({
    days: int(0, 1200),
    invoice: int(0, 40),
    amount: Schema.Union([int(1, 1000), int(1, 2_000_000)])
  })
)

describe("the books of a policy", () => {
  it.prop(
    "balance: what is owed is what unpaid invoices lack, and no money is made or lost",
    [
      Policy,
      PremiumItems,
      Payers,
      Arbitrary.array(Payment, { maxLength: 12 }).pipe(
        Arbitrary.map((payments) => [...payments].sort((a, b) => a.days - b.days))
      )
    ],
    ([policy, premiumItems, payers, payments]) => {
      let life = lifeOf(viewOf(policy, premiumItems, payers))
      for (const { amount, days, invoice } of payments) {
        life = run(life, visit(life, days))
        life = pay(life, invoice, amount, visit(life, days))
      }
      life = run(life, far)
      for (const { postings } of life.entries) {
        assert.strictEqual(
          postings.reduce((sum, { amount }) => sum + BigInt(amount), 0n),
          0n
        )
      }
      const books = ledger(life)
      for (const payer of new Set(life.kept.map(({ draft }) => draft.key.payerCustomerId))) {
        const owed = life.kept
          .filter(({ invoice }) => invoice.payerCustomerId === payer && invoice.total > 0)
          .reduce((sum, { invoice }) => sum + invoice.total - invoice.amountPaid, 0)
        assert.strictEqual(books.get(`receivable:${payer}`) ?? 0n, BigInt(owed))
        assert.strictEqual(
          books.get(`balance:${payer}`) ?? 0n,
          -BigInt(life.balances.get(payer) ?? 0)
        )
        assert.isAtLeast(life.balances.get(payer) ?? 0, 0)
      }
      assert.strictEqual(books.get("cash") ?? 0n, BigInt(life.received))
      for (const { invoice } of life.kept) {
        assert.isTrue(invoice.amountPaid >= 0 && invoice.amountPaid <= Math.max(0, invoice.total))
        assert.strictEqual(
          invoice.status,
          invoice.amountPaid >= invoice.total
            ? "PAID"
            : invoice.amountPaid > 0
              ? "PARTIALLY_PAID"
              : "ISSUED"
        )
      }
    },
    runs
  )
})
