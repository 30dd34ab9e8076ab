/** A term's instalments: every line that will be billed, by payer, and the day it is planned for. */
import * as Amount from "@quittance/domain/Amount"
import type { CustomerId } from "@quittance/domain/Customer"
import type { DocumentCause, DocumentLine } from "@quittance/domain/DocumentLine"
import type { DayRange } from "@quittance/domain/Invoice"
import type { InvoicingConfig } from "@quittance/domain/InvoicingConfig"
import { fromEpochDay, type LocalDate, toEpochDay } from "@quittance/domain/LocalDate"
import type { QuoteId, QuoteLeaf } from "@quittance/domain/Quote"
import { amountOf, groupsOf, type LeafGroup } from "./Leaf.ts"
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
  const { invoicing, payers, settings, signedOn } = agreement
  const layout = layOut(term, invoicing, settings, toEpochDay(signedOn))
  const pages = layout.windows.map(() => new Map<CustomerId, Array<DocumentLine>>())
  for (const { line, window } of linesOf(agreement, term, layout)) {
    const payer = payerOf(payers, line.componentId)
    const lines = pages[window]!.get(payer)
    if (lines === undefined) pages[window]!.set(payer, [line])
    else lines.push(line)
  }
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

interface PlacedLine {
  readonly line: DocumentLine
  /** The index of the window that bills it. */
  readonly window: number
}

/** A slice of a segment, with all that its lines share. */
interface Cut extends Slice {
  readonly window: number
  readonly range: DayRange
}

const linesOf = (
  { labels, segments }: Agreement,
  term: Term,
  { periods, windows }: TermLayout
): ReadonlyArray<PlacedLine> => {
  const termRange = { start: term.start, end: term.end }
  const bounds = segments.map(({ from, to }) => ({
    from: toEpochDay(from),
    to: to === undefined ? Number.POSITIVE_INFINITY : toEpochDay(to)
  }))
  const cuts = [
    ...windows.map(({ start }) => start),
    ...bounds.flatMap(({ from, to }) => [from, to])
  ]
  const slices = slicesOf(periods, cuts).map((slice): Cut => ({
    ...slice,
    window: windows.findIndex(({ end }) => slice.start < end),
    range: { start: fromEpochDay(slice.start), end: fromEpochDay(slice.end) }
  }))
  const plan = planOf(periods)
  return segments.flatMap((segment, index) => {
    const { from, to } = bounds[index]!
    const own = slices.filter(({ end, start }) => start >= from && end <= to)
    if (own.length === 0) return []
    const describe = (group: LeafGroup) => ({
      componentId: group.componentId,
      label: labels.get(group.componentId) ?? group.componentId,
      chargeType: group.chargeType,
      quoteId: segment.quoteId,
      price: group.price
    })
    const once = groupsOf(leavesChargedOnce(segments, index, term)).map((group) => ({
      line: { ...describe(group), slice: termRange, amount: group.price },
      // The first invoice of the quote that brings it.
      window: own[0]!.window
    }))
    const recurring = groupsOf(segment.leaves.filter(isRecurring)).flatMap((group) =>
      recurringLines(describe(group), group, own, plan, termRange)
    )
    return [...recurring, ...once]
  })
}

const isRecurring = ({ chargeType }: QuoteLeaf): boolean => chargeType === "RECURRING"

const recurringLines = (
  described: Pick<DocumentLine, "componentId" | "label" | "chargeType" | "quoteId" | "price">,
  { leaves }: LeafGroup,
  slices: ReadonlyArray<Cut>,
  plan: Plan,
  term: DayRange
): ReadonlyArray<PlacedLine> => {
  const amounts = leaves.map(({ amount }) => amountsOf(plan, amount))
  return slices.map(({ end, period: index, range, start, window }) => {
    const period = plan.periods[index]!
    const whole = amountOf(leaves, (_, leaf) => amounts[leaf]![index]!)
    if (start === period.start && end === period.end) {
      const basis = { term, period: range }
      return { line: { ...described, slice: range, amount: whole, basis }, window }
    }
    const amount = amountOf(leaves, (_, leaf) =>
      costOfSlice(period, amounts[leaf]![index]!, start, end)
    )
    const periodRange = { start: fromEpochDay(period.start), end: fromEpochDay(period.end) }
    const basis = { term, period: periodRange, amount: whole }
    return { line: { ...described, slice: range, amount, basis }, window }
  })
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
  const begins = term.number === 1 || segment.from >= term.start
  const isNew = (leaf: QuoteLeaf, among: ReadonlyArray<Segment>) =>
    !among.some(({ leaves }) => leaves.some(({ id }) => id === leaf.id))
  return segment.leaves.filter((leaf) => {
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
