/** A term's instalments: every line that will be billed, by payer, and the day it is planned for. */
import * as Amount from "@quittance/domain/Amount"
import type { CustomerId } from "@quittance/domain/Customer"
import type { DocumentCause, DocumentLine } from "@quittance/domain/DocumentLine"
import type { DayRange } from "@quittance/domain/Invoice"
import type { InvoicingConfig } from "@quittance/domain/InvoicingConfig"
import { fromEpochDay, type LocalDate, toEpochDay } from "@quittance/domain/LocalDate"
import type { QuoteId, QuoteLeaf } from "@quittance/domain/Quote"
import { amountOf, chargedLeaves, groupsOf, type LeafGroup } from "./Leaf.ts"
import { payerOf, type PayerSplit } from "./Payers.ts"
import { amountsOf, costOfSlice, type Plan, planOf } from "./Plan.ts"
import { type Slice, slicesOf } from "./Slices.ts"
import type { Term } from "./Term.ts"
import { type BillingSettings, layOut, type TermLayout } from "./Windows.ts"

/** The accepted quote of the days `[from, to)`; without `to` it goes on. */
export interface Segment {
  readonly from: LocalDate
  readonly to?: LocalDate | undefined
  readonly quoteId: QuoteId
  /** The price of a whole term, in its smallest pieces. */
  readonly leaves: ReadonlyArray<QuoteLeaf>
}

/** What was agreed on how a policy is billed. */
export interface Agreement {
  readonly invoicing: InvoicingConfig
  readonly settings: BillingSettings
  /** The local day of the signature, or today before it: nothing is planned earlier. */
  readonly signedOn: LocalDate
  /** In order and without overlap. */
  readonly segments: ReadonlyArray<Segment>
  readonly payers: PayerSplit
  /** What lines call a component; its identifier where it has no name here. */
  readonly labels: ReadonlyMap<string, string>
}

/** What makes an instalment unique in its policy. */
export interface InstalmentKey {
  readonly term: number
  readonly payerCustomerId: CustomerId
  readonly periodStart: LocalDate
  readonly cause: DocumentCause
}

export interface PlannedInstalment {
  readonly key: InstalmentKey
  /** The days that it bills. */
  readonly period: DayRange
  readonly issueOn: LocalDate
  /** As planned; a document that is issued later is due later. */
  readonly dueOn: LocalDate
  /** Whether it belongs to the policy's first invoice, the one that may gate cover. */
  readonly isFirst: boolean
  readonly lines: ReadonlyArray<DocumentLine>
  readonly total: Amount.Amount
}

/**
 * The instalments of a term, earliest days first. Their lines sum to the term's price, leaf by leaf,
 * for every frequency, timing and first payment.
 *
 * @throws InvalidInvoicingConfig where an early payment has no usable length
 */
export const schedule = (agreement: Agreement, term: Term): ReadonlyArray<PlannedInstalment> => {
  const { invoicing, settings, signedOn } = agreement
  const layout = layOut(term, invoicing, settings, toEpochDay(signedOn))
  const pages = pagesOf(agreement, term, layout)
  return layout.windows.flatMap((window, index) => {
    const period = { start: fromEpochDay(window.start), end: fromEpochDay(window.end) }
    const issueOn = fromEpochDay(window.issueOn)
    const dueOn = fromEpochDay(window.issueOn + settings.dueDays)
    return [...pages[index]!].map(([payerCustomerId, lines]) => ({
      key: { term: term.number, payerCustomerId, periodStart: period.start, cause: window.cause },
      period,
      issueOn,
      dueOn,
      isFirst: term.number === 1 && index === 0,
      lines,
      total: Amount.sum(lines.map(({ amount }) => amount))
    }))
  })
}

/** The lines of one window, by payer. */
type Page = Map<CustomerId, Array<DocumentLine>>

/** A slice with what its lines share, and the index of the window that bills it. */
interface Cut extends Slice {
  readonly range: DayRange
  readonly window: number
}

/** The lines of each window. */
const pagesOf = (agreement: Agreement, term: Term, layout: TermLayout): ReadonlyArray<Page> => {
  const { payers, segments } = agreement
  const bounds = segments.map(({ from, to = term.end }) => ({
    from: toEpochDay(from),
    to: toEpochDay(to)
  }))
  const cuts = cutsOf(layout, [...bounds.map(({ from }) => from), ...bounds.map(({ to }) => to)])
  const plan = planOf(layout.periods)
  const pages = layout.windows.map((): Page => new Map())
  const put = (window: number, line: DocumentLine) => {
    const payer = payerOf(payers, line.componentId)
    const lines = pages[window]!.get(payer)
    if (lines === undefined) pages[window]!.set(payer, [line])
    else lines.push(line)
  }
  segments.forEach((segment, index) => {
    const { from, to } = bounds[index]!
    const own = cuts.filter(({ end, start }) => start >= from && end <= to)
    if (own.length === 0) return
    const context = {
      segment,
      labels: agreement.labels,
      term: { start: term.start, end: term.end }
    }
    for (const group of groupsOf(chargedLeaves(segment.leaves).filter(isRecurring))) {
      putRecurring(group, own, plan, context, put)
    }
    for (const group of groupsOf(leavesChargedOnce(segments, index, term))) {
      // The first invoice of the quote that brings it.
      put(own[0]!.window, chargeOf(group, context.term, group.price, context))
    }
  })
  return pages
}

/** The term's slices: cut at grid dates, windows and the bounds of segments. */
const cutsOf = ({ periods, windows }: TermLayout, bounds: ReadonlyArray<number>): Array<Cut> => {
  let window = 0
  return slicesOf(periods, [...windows.map(({ start }) => start), ...bounds]).map(
    ({ end, period, start }) => {
      while (windows[window]!.end <= start) window++
      return { start, end, period, window, range: rangeOf(start, end) }
    }
  )
}

const rangeOf = (start: number, end: number): DayRange => ({
  start: fromEpochDay(start),
  end: fromEpochDay(end)
})

const isRecurring = ({ chargeType }: QuoteLeaf): boolean => chargeType === "RECURRING"

/** What the lines of a segment in a term share. */
interface Context {
  readonly segment: Segment
  readonly labels: ReadonlyMap<string, string>
  readonly term: DayRange
}

/** A line without its basis. */
type Charge = Omit<DocumentLine, "basis">

const chargeOf = (
  { chargeType, componentId, price }: LeafGroup,
  slice: DayRange,
  amount: Amount.Amount,
  { labels, segment }: Context
): Charge => ({
  componentId,
  label: labels.get(componentId) ?? componentId,
  chargeType,
  slice,
  amount,
  quoteId: segment.quoteId,
  price
})

const putRecurring = (
  group: LeafGroup,
  cuts: ReadonlyArray<Cut>,
  plan: Plan,
  context: Context,
  put: (window: number, line: DocumentLine) => void
): void => {
  const { leaves } = group
  const { term } = context
  const amounts = leaves.map(({ amount }) => amountsOf(plan, amount))
  for (const { end, period: index, range, start, window } of cuts) {
    const period = plan.periods[index]!
    const whole = amountOf(leaves, (_, leaf) => amounts[leaf]![index]!)
    if (start === period.start && end === period.end) {
      put(window, { ...chargeOf(group, range, whole, context), basis: { term, period: range } })
    } else {
      const part = amountOf(leaves, (_, leaf) =>
        costOfSlice(period, amounts[leaf]![index]!, start, end)
      )
      const basis = { term, period: rangeOf(period.start, period.end), amount: whole }
      put(window, { ...chargeOf(group, range, part, context), basis })
    }
  }
}

/**
 * What a segment charges in a term apart from the plan: a `ONE_TIME` leaf once per policy, in the term
 * in which a quote first brings it, or with `everyTerm` once per term; a `SPOT` leaf once per quote.
 */
const leavesChargedOnce = (
  segments: ReadonlyArray<Segment>,
  index: number,
  term: Term
): ReadonlyArray<QuoteLeaf> => {
  const segment = segments[index]!
  const earlier = segments.slice(0, index)
  const begins = segment.from >= term.newFrom
  const isNew = (leaf: QuoteLeaf, among: ReadonlyArray<Segment>) =>
    !among.some(({ leaves }) =>
      leaves.some(({ chargeType, id }) => chargeType === "ONE_TIME" && id === leaf.id)
    )
  return chargedLeaves(segment.leaves).filter((leaf) => {
    if (leaf.chargeType === "RECURRING") return false
    if (leaf.chargeType === "SPOT") {
      return begins && !earlier.some(({ quoteId }) => quoteId === segment.quoteId)
    }
    return leaf.everyTerm
      ? isNew(
          leaf,
          earlier.filter(({ to }) => to === undefined || to > term.start)
        )
      : begins && isNew(leaf, earlier)
  })
}
