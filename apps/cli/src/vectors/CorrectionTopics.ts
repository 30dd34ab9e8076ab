/** Topics of `packages/billing` that are about what happens to an invoice: corrections, stops, arrears. */
import { dueMinusInvoiced } from "@quittance/billing/billing/DueMinusInvoiced"
import { dunningTimelinesOf, noticeableFrom } from "@quittance/billing/dunning/DunningTimeline"
import type { IssuedInvoice } from "@quittance/billing/billing/InvoicedCharges"
import { type BillingView, instalmentsOf } from "@quittance/billing/billing/DueSteps"
import type { QuotedInterval } from "@quittance/billing/billing/Schedule"
import type { BilledLine } from "@quittance/domain/billing/InvoiceLine"
import { type FirstPayment, Frequency } from "@quittance/domain/products/InvoicingConfig"
import { daysBetween, LocalDate, max } from "@quittance/domain/values/LocalDate"
import { alphabet } from "@quittance/domain/values/PrefixedId"
import type { Dunning } from "@quittance/domain/products/ProductTerms"
import type { PremiumItem } from "@quittance/domain/products/Quote"
import { startOfDay } from "@quittance/domain/values/TimeZone"
import { Schema } from "effect"
import { type Topic, topic } from "./Topic.ts"
import { CustomerId, InvoiceId, QuoteId } from "@quittance/domain/values/Ids"

const Day = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 31 }))

const idOf = (index: number): string => alphabet[index]!.repeat(21)
const payer = CustomerId.make(`customer_test_${idOf(0)}`)
const invoiceId = InvoiceId.make(`invoice_test_${idOf(0)}`)
const quoteId = (index: number): QuoteId => QuoteId.make(`quote_test_${idOf(index)}`)

const premiumItemOf = (amount: number, more: Partial<PremiumItem> = {}): PremiumItem => ({
  id: "PREMIUM",
  componentId: "PREMIUM",
  kind: "NET",
  chargeType: "RECURRING",
  amount,
  everyTerm: false,
  refundable: true,
  ...more
})

interface Billed {
  readonly frequency: Frequency
  readonly anchorDay: number | null
  readonly start: LocalDate
  readonly end: LocalDate
}

/** One term in advance, with days of UTC. */
const viewOf = (
  { anchorDay, end, frequency, start }: Billed,
  segments: ReadonlyArray<QuotedInterval>,
  firstPayment: FirstPayment = "NONE"
): BillingView => ({
  toStart: false,
  signedAt: startOfDay(start, "UTC"),
  startedAt: startOfDay(start, "UTC"),
  periodDuration: { amount: daysBetween(start, end), unit: "DAY" },
  timeZone: "UTC",
  invoicing: [
    {
      from: start,
      invoicing: { frequency, timing: "IN_ADVANCE", firstPayment },
      settings: {
        alignment:
          anchorDay === null ? { kind: "START_DATE" } : { kind: "DAY_OF_MONTH", day: anchorDay },
        issueLeadDays: 0,
        dueDays: 0
      }
    }
  ],
  terms: 1,
  gated: false,
  segments,
  payers: [{ from: start, split: { defaultPayerId: payer, byComponent: new Map() } }],
  coverageGaps: [],
  labels: new Map(),
  issued: []
})

const invoiced = (view: BillingView, until: LocalDate): ReadonlyArray<IssuedInvoice> =>
  instalmentsOf(view)
    .filter(({ period }) => period.start <= until)
    .map(({ key, lines }) => ({ id: invoiceId, key, lines }))

const shown = (lines: ReadonlyArray<BilledLine>) =>
  lines.map(({ amount, slice }) => ({ ...slice, amount: amount.amountWithFeesAndTaxes }))

const linesOf = (invoices: ReadonlyArray<{ readonly lines: ReadonlyArray<BilledLine> }>) =>
  invoices.flatMap(({ lines }) => lines)

/** Art. L113-3 code des assurances. */
const french: Dunning = {
  firstPremium: "COVER",
  grace: { amount: 10, unit: "DAY" },
  notice: { required: true, channel: "REGISTERED_LETTER" },
  suspend: { after: { amount: 30, unit: "DAY" }, from: "NOTICE" },
  terminate: { after: { amount: 40, unit: "DAY" }, from: "NOTICE", mode: "MANUAL" },
  reactivation: "NEXT_DAY_NOON",
  feesRebilled: 0,
  stopReason: "NON_PAYMENT"
}

export const correctionTopics: ReadonlyArray<readonly [string, Topic]> = [
  [
    "correction",
    topic(
      Schema.Struct({
        frequency: Frequency,
        start: LocalDate,
        end: LocalDate,
        anchorDay: Schema.NullOr(Day),
        price: Schema.Int,
        newPrice: Schema.Int,
        effective: LocalDate,
        invoicedUntil: LocalDate
      }),
      ({ effective, invoicedUntil, newPrice, price, ...billed }) => {
        const { end, start } = billed
        const before = { from: start, quoteId: quoteId(0), premiumItems: [premiumItemOf(price)] }
        const from = max(effective, start)
        const after = { from, quoteId: quoteId(1), premiumItems: [premiumItemOf(newPrice)] }
        const segments = [{ ...before, to: from }, after].filter(
          (segment) => segment.from < end && (!("to" in segment) || segment.from < segment.to)
        )
        const issued = invoiced(viewOf(billed, [before]), invoicedUntil)
        const due = dueMinusInvoiced(viewOf(billed, segments), issued)
        const corrections = linesOf(due.corrections)
        return {
          credits: shown(corrections.filter(({ corrects }) => corrects !== undefined)),
          charges: shown(corrections.filter(({ corrects }) => corrects === undefined)),
          later: shown(linesOf(due.toCome))
        }
      }
    )
  ],
  [
    "refunds",
    topic(
      Schema.Struct({
        amount: Schema.Int,
        nonRefundable: Schema.Int,
        periodStart: LocalDate,
        periodEnd: LocalDate,
        effective: LocalDate
      }),
      ({ amount, effective, nonRefundable, periodEnd: end, periodStart: start }) => {
        const kept = { kind: "TAX", refId: "KEPT", refundable: false } as const
        const premiumItems = [
          premiumItemOf(amount - nonRefundable),
          ...(nonRefundable === 0
            ? []
            : [premiumItemOf(nonRefundable, { ...kept, id: "PREMIUM/tax/KEPT" })])
        ]
        const billed: Billed = { frequency: "YEARLY", anchorDay: null, start, end }
        const segments = [{ from: start, quoteId: quoteId(0), premiumItems }]
        const view = viewOf(billed, segments, "FULL_AT_START_DATE")
        const coverageGaps = [
          { from: max(effective, start), stop: { refund: "PRO_RATA" } }
        ] as const
        const { corrections } = dueMinusInvoiced({ ...view, coverageGaps }, invoiced(view, end))
        return {
          refund: corrections.reduce((sum, { total }) => sum - total.amountWithFeesAndTaxes, 0)
        }
      }
    )
  ],
  [
    "dunning-fr",
    topic(
      Schema.Struct({
        due: LocalDate,
        noticeSent: Schema.NullOr(LocalDate),
        paidOn: Schema.NullOr(LocalDate)
      }),
      ({ due, noticeSent, paidOn }) => {
        const dayStart = (day: LocalDate) => startOfDay(day, "Europe/Paris")
        const invoiceIds = [invoiceId]
        const settled = paidOn === null ? {} : { settledAt: dayStart(paidOn) }
        const [course] = dunningTimelinesOf({
          rule: french,
          timeZone: "Europe/Paris",
          startedAt: dayStart(due),
          yearEnds: [],
          debts: [{ invoiceId, payerCustomerId: payer, dueOn: due, isFirst: false, ...settled }],
          notices:
            noticeSent === null
              ? []
              : [{ invoiceIds, sentAt: dayStart(noticeSent), announcesTermination: false }],
          holds: []
        })
        return {
          earliestNotice: noticeableFrom(french, due),
          suspendedAt: course?.suspendedAt ?? null,
          earliestTermination: course?.terminableAt ?? null,
          reactivatedAt: course?.reactivatedAt ?? null
        }
      }
    )
  ]
]
