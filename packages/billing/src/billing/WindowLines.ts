/** The lines of a term, by the window that bills them and by payer. */
import type * as Amount from "@quittance/domain/values/Amount"
import type { BilledLine, PlanBasis } from "@quittance/domain/billing/InvoiceLine"
import type { DayRange } from "@quittance/domain/billing/Invoice"
import { fromEpochDay, max, toEpochDay } from "@quittance/domain/values/LocalDate"
import type { PremiumItem } from "@quittance/domain/products/Quote"
import { amountOf, chargedItems, groupsOf, type PremiumItemGroup } from "./PremiumItem.ts"
import { payerOf, type PayerSplit, payersOn } from "./Payers.ts"
import { amountsOf, costOfSlice, type Plan, planOf } from "../periods/Plan.ts"
import type { Agreement, QuotedInterval } from "./Schedule.ts"
import { type Slice, slicesOf } from "../periods/Slices.ts"
import type { Term } from "../periods/Term.ts"
import type { TermLayout } from "../periods/BillingWindows.ts"
import type { CustomerId } from "@quittance/domain/values/Ids"

/** The lines of one window, by payer. */
export type WindowLines = ReadonlyMap<CustomerId, ReadonlyArray<BilledLine>>

/** A slice with what its lines share, and the index of the window that bills it. */
interface BilledSlice extends Slice {
  readonly range: DayRange
  readonly window: number
  readonly payers: PayerSplit
  /** What the lines of a whole period store of their plan. */
  readonly basis: PlanBasis
}

/**
 * The lines of each window; windows that are not asked for stay empty.
 *
 * @param asked whether the window of this index is asked for
 */
export const windowLinesOf = (
  agreement: Agreement,
  term: Term,
  layout: TermLayout,
  asked: ReadonlyArray<boolean>
): ReadonlyArray<WindowLines> => {
  const { labels, payers } = agreement
  const plan = planOf(layout.periods)
  const pages = layout.windows.map((): Map<CustomerId, Array<BilledLine>> => new Map())
  visitCharges(agreement, term, layout, asked, {
    recurring: (segment, premiumItems, cuts) => {
      for (const group of groupsOf(premiumItems)) {
        putRecurring(group, cuts, plan, { labels, segment, pages })
      }
    },
    once: (segment, premiumItems, on, window) => {
      for (const group of groupsOf(premiumItems)) {
        const slice = { start: on, end: term.end }
        const line = lineOf(group, slice, group.price, { labels, segment, pages }, undefined)
        put(pages[window]!, payersOn(payers, on), line)
      }
    }
  })
  return pages
}

/** Whether the page of each window has lines, without working them out. */
export const chargedWindows = (
  agreement: Agreement,
  term: Term,
  layout: TermLayout,
  asked: ReadonlyArray<boolean>
): ReadonlyArray<boolean> => {
  const charged = layout.windows.map(() => false)
  visitCharges(agreement, term, layout, asked, {
    recurring: (_, premiumItems, cuts) => {
      if (premiumItems.length > 0) for (const { window } of cuts) charged[window] = true
    },
    once: (_, premiumItems, _on, window) => {
      if (premiumItems.length > 0) charged[window] = true
    }
  })
  return charged
}

/** What the windows of a term charge, segment by segment. */
interface ChargeVisitor {
  /** Premium items that follow the plan, in the billed slices of their segment. */
  recurring(
    segment: QuotedInterval,
    premiumItems: ReadonlyArray<PremiumItem>,
    cuts: ReadonlyArray<BilledSlice>
  ): void
  /** Premium items charged once: from a day on, by the window of the first invoice of the quote that brings them. */
  once(
    segment: QuotedInterval,
    premiumItems: ReadonlyArray<PremiumItem>,
    on: DayRange["start"],
    window: number
  ): void
}

const visitCharges = (
  agreement: Agreement,
  term: Term,
  layout: TermLayout,
  asked: ReadonlyArray<boolean>,
  visitor: ChargeVisitor
): void => {
  const cuts = cutsOf(agreement, { start: term.start, end: term.end }, layout, asked)
  const brought: Brought = { quotes: new Set(), inPolicy: new Set(), inTerm: new Set() }
  let next = 0
  for (const segment of agreement.segments) {
    const { from, to = term.end } = segment
    const own: Array<BilledSlice> = []
    for (; next < cuts.length && cuts[next]!.range.start < to; next++) {
      if (cuts[next]!.range.start >= from) own.push(cuts[next]!)
    }
    if (own.length > 0) {
      visitor.recurring(segment, chargedItems(segment.premiumItems).filter(isRecurring), own)
    }
    const on = max(from, term.start)
    const window = to > on ? windowOf(layout, toEpochDay(on)) : undefined
    if (window !== undefined && asked[window]!) {
      visitor.once(segment, leavesChargedOnce(segment, term, brought), on, window)
    }
    bring(segment, term, brought)
  }
}

/** The billed slices of a term, cut wherever something that lines depend on begins or ends. */
const cutsOf = (
  { payers, coverageGaps, segments }: Agreement,
  term: DayRange,
  { periods, windows }: TermLayout,
  asked: ReadonlyArray<boolean>
): ReadonlyArray<BilledSlice> => {
  const end = windows.at(-1)!.end
  const gaps = coverageGaps.map(({ from, to }) => ({
    from: toEpochDay(from),
    to: to === undefined ? end : toEpochDay(to)
  }))
  const bounds = [
    ...windows.map(({ start }) => start),
    ...segments.flatMap(({ from, to }) => (to === undefined ? [from] : [from, to])).map(toEpochDay),
    ...payers.map(({ from }) => toEpochDay(from)),
    ...gaps.flatMap(({ from, to }) => [from, to]),
    end
  ]
  const cuts: Array<BilledSlice> = []
  let window = 0
  let rest = 0
  for (const slice of slicesOf(periods, bounds)) {
    if (slice.start >= end) break
    while (windows[window]!.end <= slice.start) window++
    while (rest < gaps.length && gaps[rest]!.to <= slice.start) rest++
    if (!asked[window]! || (rest < gaps.length && gaps[rest]!.from <= slice.start)) continue
    const { end: periodEnd, start: periodStart } = periods[slice.period]!
    const range = rangeOf(slice.start, slice.end)
    const isWhole = slice.start === periodStart && slice.end === periodEnd
    cuts.push({
      start: slice.start,
      end: slice.end,
      period: slice.period,
      range,
      window,
      payers: payersOn(payers, range.start),
      basis: { term, period: isWhole ? range : rangeOf(periodStart, periodEnd) }
    })
  }
  return cuts
}

const windowOf = ({ windows }: TermLayout, day: number): number | undefined => {
  const index = windows.findIndex(({ end, start }) => start <= day && day < end)
  return index < 0 ? undefined : index
}

const rangeOf = (start: number, end: number): DayRange => ({
  start: fromEpochDay(start),
  end: fromEpochDay(end)
})

const isRecurring = ({ chargeType }: PremiumItem): boolean => chargeType === "RECURRING"

/** What the lines of a segment in a term share. */
interface Context {
  readonly segment: QuotedInterval
  readonly labels: ReadonlyMap<string, string>
  readonly pages: ReadonlyArray<Map<CustomerId, Array<BilledLine>>>
}

const put = (
  page: Map<CustomerId, Array<BilledLine>>,
  payers: PayerSplit,
  line: BilledLine
): void => {
  const payer = payerOf(payers, line.componentId)
  const lines = page.get(payer)
  if (lines === undefined) page.set(payer, [line])
  else lines.push(line)
}

const lineOf = (
  { chargeType, componentId, nonRefundable, price }: PremiumItemGroup,
  slice: DayRange,
  amount: Amount.Amount,
  { labels, segment: { quoteId } }: Context,
  basis: PlanBasis | undefined
): BilledLine => {
  const label = labels.get(componentId) ?? componentId
  // What is charged once stays after a stop anyway.
  if (basis === undefined) {
    return { componentId, label, chargeType, slice, amount, quoteId, price }
  }
  return nonRefundable.length === 0
    ? { componentId, label, chargeType, slice, amount, quoteId, price, basis }
    : { componentId, label, chargeType, slice, amount, quoteId, price, basis, nonRefundable }
}

const putRecurring = (
  group: PremiumItemGroup,
  cuts: ReadonlyArray<BilledSlice>,
  plan: Plan,
  context: Context
): void => {
  const { premiumItems } = group
  const amounts = premiumItems.map(({ amount }) => amountsOf(plan, amount))
  for (const { basis, end, payers, period: index, range, start, window } of cuts) {
    const period = plan.periods[index]!
    const whole = amountOf(premiumItems, (_, premiumItem) => amounts[premiumItem]![index]!)
    const page = context.pages[window]!
    if (start === period.start && end === period.end) {
      put(page, payers, lineOf(group, range, whole, context, basis))
    } else {
      const part = amountOf(premiumItems, (_, premiumItem) =>
        costOfSlice(period, amounts[premiumItem]![index]!, start, end)
      )
      put(page, payers, lineOf(group, range, part, context, { ...basis, amount: whole }))
    }
  }
}

/** What earlier segments have brought, so that it is not charged again. */
interface Brought {
  readonly quotes: Set<string>
  /** Premium items charged once, of all earlier segments and of those in the term. */
  readonly inPolicy: Set<string>
  readonly inTerm: Set<string>
}

/**
 * What a segment charges in a term apart from the plan: a `ONE_TIME` premium item once per policy, in the term
 * in which a quote first brings it, or with `everyTerm` once per term; a `SPOT` premium item once per quote.
 */
const leavesChargedOnce = (
  { from, premiumItems, quoteId }: QuotedInterval,
  term: Term,
  brought: Brought
): ReadonlyArray<PremiumItem> => {
  const begins = from >= term.newFrom
  return chargedItems(premiumItems).filter(({ chargeType, everyTerm, id }) => {
    if (chargeType === "RECURRING") return false
    if (chargeType === "SPOT") return begins && !brought.quotes.has(quoteId)
    return everyTerm ? !brought.inTerm.has(id) : begins && !brought.inPolicy.has(id)
  })
}

const bring = (
  { premiumItems, quoteId, to }: QuotedInterval,
  term: Term,
  brought: Brought
): void => {
  brought.quotes.add(quoteId)
  for (const { chargeType, id } of premiumItems) {
    if (chargeType !== "ONE_TIME") continue
    brought.inPolicy.add(id)
    if (to === undefined || to > term.start) brought.inTerm.add(id)
  }
}
