/**
 * What a short-rate stop keeps. All days without cover are credited, and what the table keeps beyond the
 * covered days is charged again as a line of its own: together they are the refund.
 */
import { allocate } from "@quittance/domain/values/Allocation"
import type { BilledLine } from "@quittance/domain/billing/InvoiceLine"
import { daysBetween } from "@quittance/domain/values/LocalDate"
import { costOf } from "./CorrectionLines.ts"
import { type FinalStop, finalStop, stopsIn, withoutFinalStop } from "./CoverageGaps.ts"
import { type Charge, chargesOf, type InvoicedCharge, isByDay } from "./InvoicedCharges.ts"
import { agreementOf, type BillingView } from "./DueSteps.ts"
import { itemText } from "./LineItem.ts"
import { costOfDays } from "../periods/Plan.ts"
import { type Agreement, schedule } from "./Schedule.ts"
import type { Term } from "../periods/Term.ts"

/** Whether a line is what the present stop keeps of its refund. */
export const isKeptRefund = (
  { coverageGaps }: Pick<BillingView, "coverageGaps">,
  line: BilledLine
): boolean => {
  const stop = shortRateStop(coverageGaps)
  return stop !== undefined && line.keptFrom === stop.on
}

/**
 * What a short-rate stop keeps of what it credits, item by item. The table's share of the term's price
 * stays, but a stop never charges more than it credits: once its days are credited there is nothing left
 * to keep, so what it kept stands until the stop is withdrawn.
 *
 * @param credits what is being credited
 */
export const keptRefunds = (
  view: BillingView,
  terms: ReadonlyArray<Term>,
  credits: ReadonlyArray<InvoicedCharge>
): ReadonlyArray<Charge> => {
  const stop = shortRateStop(view.coverageGaps)
  const term = stop === undefined ? undefined : terms.find((each) => stopsIn(stop, each))
  if (stop === undefined || term === undefined) return []
  const agreement = agreementOf(view, term)
  const covered = sumsByLeaf(agreement, term)
  const whole = sumsByLeaf(
    { ...agreement, coverageGaps: withoutFinalStop(view.coverageGaps) },
    term
  )
  const afterStop = credits.filter(
    ({ lineItem, start }) =>
      isByDay(lineItem) && start >= stop.on && lineItem.line.basis!.term.start === term.start
  )
  const lines = new Map<string, BilledLine>()
  return [...Map.groupBy(afterStop, ({ lineItem }) => itemText(lineItem))].flatMap(
    ([premiumItem, own]) => {
      const earned =
        share(whole.get(premiumItem) ?? 0, stop, term) - (covered.get(premiumItem) ?? 0)
      return charged(own, earned, stop, term, lines)
    }
  )
}

const shortRateStop = (coverageGaps: BillingView["coverageGaps"]): FinalStop | undefined => {
  const stop = finalStop(coverageGaps)
  return stop?.refund.refund === "SHORT_RATE" ? stop : undefined
}

/** What a term charges of each recurring premium item. */
const sumsByLeaf = (agreement: Agreement, term: Term): ReadonlyMap<string, number> => {
  const sums = new Map<string, number>()
  for (const { key, lines } of schedule(agreement, term)) {
    for (const { lineItem } of lines.flatMap((line) => chargesOf(line, key.payerCustomerId))) {
      if (!isByDay(lineItem)) continue
      const premiumItem = itemText(lineItem)
      sums.set(premiumItem, (sums.get(premiumItem) ?? 0) + lineItem.amount)
    }
  }
  return sums
}

/** The share of a term's price that the table keeps; beyond its last row, all of it. */
const share = (price: number, { on, refund }: FinalStop, term: Term): number => {
  const used = daysBetween(term.start, on)
  const row = refund.shortRate?.find(({ upToDays }) => used <= upToDays)
  if (row === undefined) return price
  const [numerator, denominator] = row.kept.split("/").map(Number)
  return costOfDays(price, numerator!, denominator!)
}

/** What is kept of one premium item, within what is credited of it, over the payers who are credited. */
const charged = (
  credits: ReadonlyArray<InvoicedCharge>,
  earned: number,
  { on }: FinalStop,
  { end }: Term,
  lines: Map<string, BilledLine>
): ReadonlyArray<Charge> => {
  const byPayer = Map.groupBy(credits, ({ payer }) => payer)
  const credited = [...byPayer.values()].map((own) =>
    own.reduce((sum, charge) => sum + costOf(charge), 0)
  )
  const total = credited.reduce((sum, amount) => sum + amount, 0)
  const sign = total < 0 ? -1 : 1
  const kept = Math.min(Math.max(0, sign * earned), sign * total)
  if (kept === 0) return []
  const shares = allocate(
    sign * kept,
    credited.map((amount) => Math.max(0, sign * amount))
  )
  return [...byPayer].flatMap(([payer, own], index) => {
    const { line, ...lineItem } = own[0]!.lineItem
    const text = `${line.componentId} ${payer}`
    const shared = lines.get(text) ?? keptLine(line, { start: on, end })
    lines.set(text, shared)
    const charge = { lineItem: { ...lineItem, line: shared, amount: shares[index]! }, payer }
    return shares[index] === 0 ? [] : [{ ...charge, start: on, end }]
  })
}

const keptLine = (
  { basis: _basis, ...line }: BilledLine,
  slice: BilledLine["slice"]
): BilledLine => ({ ...line, slice, keptFrom: slice.start })
