/**
 * Random histories of a policy, as billing sees them: changes of price, stops, reverts, suspensions,
 * changes of payers and of invoicing, renewals, payments and returned payments, with days in between.
 */
import {
  FirstPayment,
  Frequency,
  type InvoicingConfig,
  Timing
} from "@quittance/domain/products/InvoicingConfig"
import { addDays, type LocalDate, max } from "@quittance/domain/values/LocalDate"
import { alphabet } from "@quittance/domain/values/PrefixedId"
import { RefundMethod } from "@quittance/domain/products/ProductTerms"
import type { PremiumItem } from "@quittance/domain/products/Quote"
import { localDate } from "@quittance/domain/values/TimeZone"
import { Arbitrary, Schema } from "effect"
import type { CoverageGap, StopRefund } from "../src/billing/CoverageGaps.ts"
import type { BillingView } from "../src/billing/DueSteps.ts"
import type { PayersFrom, PayerSplit } from "../src/billing/Payers.ts"
import type { QuotedInterval } from "../src/billing/Schedule.ts"
import { termOf } from "../src/periods/Term.ts"
import { type DrawnPolicy, int, PremiumItems, payerA, payerB, Policy, quoteId } from "./Drawn.ts"
import type { CustomerId, QuoteId } from "@quittance/domain/values/Ids"

/** Days are counted from the policy's first day. */
const Step = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("PRICE"), at: int(0, 700), quote: int(1, 3) }),
  Schema.Struct({ kind: Schema.Literal("PRICE"), at: int(0, 700), quote: int(1, 3) }),
  Schema.Struct({ kind: Schema.Literal("REVERT"), which: int(0, 5) }),
  Schema.Struct({ kind: Schema.Literal("STOP"), at: int(0, 700), refund: RefundMethod }),
  Schema.Struct({ kind: Schema.Literal("STOP"), at: int(1, 360), refund: RefundMethod }),
  Schema.Struct({ kind: Schema.Literal("WITHDRAW") }),
  Schema.Struct({ kind: Schema.Literal("REINSTATE"), after: int(0, 60) }),
  Schema.Struct({
    kind: Schema.Literal("SUSPEND"),
    at: int(0, 500),
    days: Schema.Union([int(0, 90), Schema.Literal(10_000)])
  }),
  Schema.Struct({
    kind: Schema.Literal("PAYERS"),
    at: int(0, 700),
    isDefault: Schema.Boolean,
    of: int(0, 2)
  }),
  Schema.Struct({ kind: Schema.Literal("RENEW"), quote: int(0, 3) }),
  Schema.Struct({
    kind: Schema.Literal("INVOICING"),
    at: int(0, 700),
    frequency: Frequency,
    timing: Timing,
    firstPayment: FirstPayment
  }),
  Schema.Struct({ kind: Schema.Literal("PAY"), invoice: int(0, 30), amount: int(1, 400_000) }),
  Schema.Struct({ kind: Schema.Literal("PAY"), invoice: int(0, 30), amount: int(1, 400_000) }),
  Schema.Struct({ kind: Schema.Literal("RETURN"), which: int(0, 3) })
])
export type Step = typeof Step.Type

export interface History {
  readonly policy: DrawnPolicy
  readonly quotes: ReadonlyArray<ReadonlyArray<PremiumItem>>
  readonly steps: ReadonlyArray<{ readonly wait: number; readonly step: Step }>
}

/** Terms of at most a year, and none of hours, whose days several terms would share. */
const Short = Arbitrary.map(Policy, (policy): DrawnPolicy => {
  const { amount, unit } = policy.rule.periodDuration
  const isLong = unit === "YEAR" || unit === "HOUR" || (unit === "MONTH" && amount > 12)
  return isLong
    ? { ...policy, rule: { ...policy.rule, periodDuration: { amount: 1, unit: "YEAR" } } }
    : policy
})

/** Every third premium item is one that a stop does not give back. */
const Quotes = Arbitrary.array(PremiumItems, { minLength: 4, maxLength: 4 }).pipe(
  Arbitrary.map((quotes) =>
    quotes.map((premiumItems) =>
      premiumItems
        .slice(0, 6)
        .map((premiumItem, index) => ({ ...premiumItem, refundable: index % 3 !== 2 }))
    )
  )
)

export const Histories = Arbitrary.all([
  Short,
  Quotes,
  Arbitrary.array(Arbitrary.schema(Schema.Struct({ wait: int(0, 120), step: Step })), {
    minLength: 5,
    maxLength: 14
  })
]).pipe(Arbitrary.map(([policy, quotes, steps]): History => ({ policy, quotes, steps })))

/** What is agreed at some point of a history. */
export interface Agreed {
  /** In the order in which they were recorded. */
  readonly prices: ReadonlyArray<{
    readonly from: LocalDate
    readonly quote: number
    readonly id: QuoteId
  }>
  readonly payers: ReadonlyArray<{ readonly from: LocalDate; readonly split: PayerSplit }>
  readonly invoicing: ReadonlyArray<{
    readonly from: LocalDate
    readonly invoicing: InvoicingConfig
  }>
  readonly suspensions: ReadonlyArray<{ readonly from: LocalDate; readonly to: LocalDate }>
  /** Stops that were reinstated after a gap. */
  readonly gaps: ReadonlyArray<{
    readonly from: LocalDate
    readonly to: LocalDate
    readonly refund: StopRefund
  }>
  readonly stop?: { readonly on: LocalDate; readonly refund: StopRefund } | undefined
  readonly terms: number
  /** Whether the product waits for the first payment, and nothing else is billed until then. */
  readonly onlyFirst?: boolean
}

const quoteIds = (number: number): QuoteId => quoteId(alphabet[number]!)

const only = (defaultPayerId: CustomerId): PayerSplit => ({
  defaultPayerId,
  byComponent: new Map()
})

export const agreedAtFirst = ({ policy }: History): Agreed => ({
  prices: [{ from: policy.startDay, quote: 0, id: quoteIds(0) }],
  payers: [{ from: policy.startDay, split: only(payerA) }],
  invoicing: [{ from: policy.startDay, invoicing: policy.invoicing }],
  suspensions: [],
  gaps: [],
  terms: 1
})

export const shortRate: StopRefund = {
  refund: "SHORT_RATE",
  shortRate: [
    { upToDays: 30, kept: "20/100" },
    { upToDays: 120, kept: "1/2" },
    { upToDays: 250, kept: "5/6" }
  ]
}

/** What is agreed after a step; the same object where the step does not apply. */
export const afterStep = (
  { policy }: History,
  agreed: Agreed,
  step: Step,
  number: number
): Agreed => {
  const day = (at: number) => addDays(policy.startDay, at)
  const running = <A extends { readonly from: LocalDate }>(entry: A): A | undefined =>
    agreed.stop === undefined || entry.from < agreed.stop.on ? entry : undefined
  switch (step.kind) {
    case "PRICE": {
      const price = running({ from: day(step.at), quote: step.quote, id: quoteIds(number + 1) })
      return price === undefined ? agreed : { ...agreed, prices: [...agreed.prices, price] }
    }
    case "REVERT": {
      const index = 1 + step.which
      return index < agreed.prices.length
        ? { ...agreed, prices: agreed.prices.toSpliced(index, 1) }
        : agreed
    }
    case "STOP": {
      const refund = step.refund === "SHORT_RATE" ? shortRate : { refund: step.refund }
      const on = max(day(step.at), agreed.gaps.at(-1)?.to ?? policy.startDay)
      return agreed.stop === undefined ? { ...agreed, stop: { on, refund } } : agreed
    }
    case "WITHDRAW":
      return agreed.stop === undefined ? agreed : { ...agreed, stop: undefined }
    case "REINSTATE": {
      if (agreed.stop === undefined) return agreed
      const { on: from, refund } = agreed.stop
      const gap = { from, to: addDays(from, step.after), refund }
      return { ...agreed, stop: undefined, gaps: [...agreed.gaps, gap] }
    }
    case "SUSPEND": {
      const suspension = running({ from: day(step.at), to: day(step.at + step.days) })
      return suspension === undefined
        ? agreed
        : { ...agreed, suspensions: [...agreed.suspensions, suspension] }
    }
    case "PAYERS": {
      const split: PayerSplit = step.isDefault
        ? only(step.of === 0 ? payerA : payerB)
        : { defaultPayerId: payerA, byComponent: new Map([[`C${step.of}`, payerB]]) }
      const payers = running({ from: day(step.at), split })
      return payers === undefined ? agreed : { ...agreed, payers: [...agreed.payers, payers] }
    }
    case "RENEW": {
      const from = termOf(policy.rule, agreed.terms).end
      if (agreed.terms === 3 || running({ from }) === undefined) return agreed
      const price = { from, quote: step.quote, id: quoteIds(number + 1) }
      return { ...agreed, terms: agreed.terms + 1, prices: [...agreed.prices, price] }
    }
    case "INVOICING": {
      const { firstPayment, frequency, timing } = step
      const { earlyPayment } = policy.invoicing
      const invoicing = { frequency, timing, firstPayment, ...(earlyPayment && { earlyPayment }) }
      // Often from the next term's first day on.
      const from = step.at % 3 === 0 ? termOf(policy.rule, agreed.terms).end : day(step.at % 200)
      return { ...agreed, invoicing: [...agreed.invoicing, { from, invoicing }] }
    }
    default:
      return agreed
  }
}

/** The last entry in force on a day, in the order of effect and then of recording. */
export const inForceOn = <A extends { readonly from: LocalDate }>(
  entries: ReadonlyArray<A>,
  day: LocalDate
): A =>
  entries
    .filter(({ from }) => from <= day)
    .reduce((last, entry) => (entry.from >= last.from ? entry : last))

/** What a view holds of entries that slide under later ones: one after the other. */
const inOrder = <A extends { readonly from: LocalDate }>(
  entries: ReadonlyArray<A>,
  before: LocalDate | undefined
): ReadonlyArray<A> => {
  const starts = [...new Set(entries.map(({ from }) => from))].sort()
  return starts
    .filter((from) => before === undefined || from < before || from === starts[0])
    .map((from) => inForceOn(entries, from))
}

/** Days without cover that are not billed, of every day what rules it: a stop, a gap, a suspension. */
export const restOn = (
  { gaps, stop, suspensions }: Agreed,
  day: LocalDate
):
  | { readonly stop?: StopRefund; readonly isFinal: boolean; readonly from: LocalDate }
  | undefined => {
  if (stop !== undefined && day >= stop.on) {
    return { stop: stop.refund, isFinal: true, from: stop.on }
  }
  const gap = gaps.find(({ from, to }) => from <= day && day < to)
  if (gap !== undefined) return { stop: gap.refund, isFinal: false, from: gap.from }
  const suspension = suspensions.find(({ from, to }) => from <= day && day < to)
  return suspension === undefined ? undefined : { isFinal: false, from: suspension.from }
}

const restsOf = (agreed: Agreed): ReadonlyArray<CoverageGap> => {
  const { gaps, stop, suspensions } = agreed
  const bounds = [
    ...[...gaps, ...suspensions].flatMap(({ from, to }) => [from, to]),
    ...(stop === undefined ? [] : [stop.on])
  ]
  const starts = [...new Set(bounds)].sort().filter((day) => stop === undefined || day <= stop.on)
  const coverageGaps: Array<{ -readonly [K in keyof CoverageGap]: CoverageGap[K] }> = []
  let origin: LocalDate | undefined
  for (const [index, from] of starts.entries()) {
    const rest = restOn(agreed, from)
    if (rest === undefined) continue
    const to = rest.isFinal ? undefined : starts[index + 1]!
    const last = coverageGaps.at(-1)
    if (last?.to === from && origin === rest.from) last.to = to
    else coverageGaps.push({ from, to, stop: rest.stop })
    origin = rest.from
  }
  return coverageGaps
}

/** What the worker decides on. */
export const viewOf = (
  { policy, quotes }: History,
  agreed: Agreed,
  known: Pick<BillingView, "issued" | "toStart">
): BillingView => {
  const stopOn = agreed.stop?.on
  const prices = inOrder(agreed.prices, stopOn)
  return {
    ...known,
    ...policy.rule,
    signedAt: policy.signedAt,
    // The first term is invoiced as it was signed, whatever is said of its days later.
    invoicing: [agreed.invoicing[0]!, ...inOrder(agreed.invoicing, undefined)].map((entry) => ({
      ...entry,
      settings: policy.settings
    })),
    terms: termsOf(policy, agreed),
    gated: false,
    segments: prices.map(({ from, id, quote }, index): QuotedInterval => ({
      from,
      to: prices[index + 1]?.from,
      quoteId: id,
      premiumItems: quotes[quote]!
    })),
    payers: inOrder(agreed.payers, stopOn).map(({ from, split }): PayersFrom => ({ from, split })),
    coverageGaps: restsOf(agreed),
    labels: new Map()
  }
}

/** A stop hides the renewals that take effect at it or later. */
export const termsOf = (policy: DrawnPolicy, { stop, terms }: Agreed): number => {
  const begins = (number: number) =>
    number === 1 || stop === undefined || termOf(policy.rule, number).start < stop.on
  return Array.from({ length: terms }, (_, index) => index + 1).filter(begins).length
}

export const signedOnOf = ({ rule, signedAt }: DrawnPolicy): LocalDate =>
  localDate(signedAt, rule.timeZone)
