/** Topics of `packages/billing` that are about what happens to an invoice: corrections, stops, arrears. */
import { dueMinusInvoiced } from "@quittance/billing/billing/DueMinusInvoiced"
import { coursesOf, noticeableFrom } from "@quittance/billing/dunning/DunningTimeline"
import type { IssuedDocument } from "@quittance/billing/billing/InvoicedCharges"
import { type BillingView, instalmentsOf } from "@quittance/billing/billing/DueSteps"
import type { Segment } from "@quittance/billing/billing/Schedule"
import { CustomerId } from "@quittance/domain/customers/Customer"
import type { DocumentLine } from "@quittance/domain/billing/InvoiceLine"
import { InvoiceId } from "@quittance/domain/billing/Invoice"
import { type FirstPayment, Frequency } from "@quittance/domain/products/InvoicingConfig"
import { daysBetween, LocalDate, max } from "@quittance/domain/values/LocalDate"
import { alphabet } from "@quittance/domain/values/PrefixedId"
import type { Dunning } from "@quittance/domain/products/ProductTerms"
import { QuoteId, type QuoteLeaf } from "@quittance/domain/products/Quote"
import { startOfDay } from "@quittance/domain/values/TimeZone"
import { Schema } from "effect"
import { type Topic, topic } from "./Topic.ts"

const Day = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 31 }))

const idOf = (index: number): string => alphabet[index]!.repeat(21)
const payer = CustomerId.make(`customer_test_${idOf(0)}`)
const invoiceId = InvoiceId.make(`invoice_test_${idOf(0)}`)
const quoteId = (index: number): QuoteId => QuoteId.make(`quote_test_${idOf(index)}`)

const leafOf = (amount: number, more: Partial<QuoteLeaf> = {}): QuoteLeaf => ({
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
  segments: ReadonlyArray<Segment>,
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
  rests: [],
  labels: new Map(),
  issued: []
})

const invoiced = (view: BillingView, until: LocalDate): ReadonlyArray<IssuedDocument> =>
  instalmentsOf(view)
    .filter(({ period }) => period.start <= until)
    .map(({ key, lines }) => ({ id: invoiceId, key, lines }))

const shown = (lines: ReadonlyArray<DocumentLine>) =>
  lines.map(({ amount, slice }) => ({ ...slice, amount: amount.amountWithFeesAndTaxes }))

const linesOf = (documents: ReadonlyArray<{ readonly lines: ReadonlyArray<DocumentLine> }>) =>
  documents.flatMap(({ lines }) => lines)

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
        const before = { from: start, quoteId: quoteId(0), leaves: [leafOf(price)] }
        const from = max(effective, start)
        const after = { from, quoteId: quoteId(1), leaves: [leafOf(newPrice)] }
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
        const leaves = [
          leafOf(amount - nonRefundable),
          ...(nonRefundable === 0
            ? []
            : [leafOf(nonRefundable, { ...kept, id: "PREMIUM/tax/KEPT" })])
        ]
        const billed: Billed = { frequency: "YEARLY", anchorDay: null, start, end }
        const segments = [{ from: start, quoteId: quoteId(0), leaves }]
        const view = viewOf(billed, segments, "FULL_AT_START_DATE")
        const rests = [{ from: max(effective, start), stop: { refund: "PRO_RATA" } }] as const
        const { corrections } = dueMinusInvoiced({ ...view, rests }, invoiced(view, end))
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
        const [course] = coursesOf({
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
