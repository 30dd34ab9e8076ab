/** Premium items that are credited and charged, gathered into the lines of one correction for each payer. */
import * as Amount from "@quittance/domain/values/Amount"
import type { BilledLine } from "@quittance/domain/billing/InvoiceLine"
import type { DayRange } from "@quittance/domain/billing/Invoice"
import { toEpochDay } from "@quittance/domain/values/LocalDate"
import { type Charge, type InvoicedCharge, isByDay } from "./InvoicedCharges.ts"
import { lineOf, type LineItemShare } from "./LineItem.ts"
import { costOfSlice } from "../periods/Plan.ts"
import type { Term } from "../periods/Term.ts"
import type { CustomerId } from "@quittance/domain/values/Ids"

/** What one payer is credited and charged because what was invoiced is no longer right. */
export interface Correction {
  readonly payerCustomerId: CustomerId
  /** The term of its earliest day. */
  readonly term: number
  /** From the earliest to the latest day of its lines. */
  readonly period: DayRange
  /** The credits, each with the invoice that it corrects, then the charges. */
  readonly lines: ReadonlyArray<BilledLine>
  readonly total: Amount.Amount
}

export const correctionsOf = (
  terms: ReadonlyArray<Term>,
  credits: ReadonlyArray<InvoicedCharge>,
  charges: ReadonlyArray<Charge>
): ReadonlyArray<Correction> => {
  const byPayer = new Map<CustomerId, Array<BilledLine>>()
  const add = (gathered: ReadonlyMap<CustomerId, ReadonlyArray<BilledLine>>) => {
    for (const [payer, lines] of gathered) {
      byPayer.set(payer, [...(byPayer.get(payer) ?? []), ...lines])
    }
  }
  for (const [invoiceId, own] of Map.groupBy(credits, (held) => held.invoiceId)) {
    add(
      linesByPayer(
        own,
        (charge) => 0 - costOf(charge),
        (line) => ({
          ...line,
          corrects: invoiceId
        })
      )
    )
  }
  add(linesByPayer(charges, costOf, (line) => line))
  return [...byPayer].map(([payerCustomerId, lines]) => {
    const period = {
      start: lines.map(({ slice }) => slice.start).sort()[0]!,
      end: lines
        .map(({ slice }) => slice.end)
        .sort()
        .at(-1)!
    }
    const term = terms.findLast(({ start }) => start <= period.start)?.number ?? 1
    const total = Amount.sum(lines.map(({ amount }) => amount))
    return { payerCustomerId, term, period, lines, total }
  })
}

/** What a charge comes to: what its days cost in its period, or all of what is charged once. */
export const costOf = ({
  end,
  lineItem,
  start
}: Pick<Charge, "end" | "lineItem" | "start">): number => {
  if (!isByDay(lineItem)) return lineItem.amount
  const { period } = lineItem.line.basis!
  const [periodStart, periodEnd] = [toEpochDay(period.start), toEpochDay(period.end)]
  return costOfSlice(
    { start: periodStart, end: periodEnd },
    lineItem.whole,
    toEpochDay(start),
    toEpochDay(end)
  )
}

/** Premium items of one line on the same days are one line again. */
const linesByPayer = <C extends Charge>(
  charges: ReadonlyArray<C>,
  amountOf: (charge: C) => number,
  finish: (line: BilledLine) => BilledLine
): ReadonlyMap<CustomerId, ReadonlyArray<BilledLine>> => {
  const gathered = new Map<BilledLine, Map<string, Array<C>>>()
  for (const charge of charges) {
    const { line } = charge.lineItem
    const days = `${charge.start} ${charge.end}`
    const ofLine = gathered.get(line) ?? new Map<string, Array<C>>()
    gathered.set(line, ofLine.set(days, [...(ofLine.get(days) ?? []), charge]))
  }
  const byPayer = new Map<CustomerId, Array<BilledLine>>()
  for (const own of [...gathered.values()].flatMap((ofLine) => [...ofLine.values()])) {
    const { end, payer, start } = own[0]!
    const parts = own.map((charge): LineItemShare => ({
      lineItem: charge.lineItem,
      amount: amountOf(charge)
    }))
    const line = finish(lineOf(parts, { start, end }))
    byPayer.set(payer, [...(byPayer.get(payer) ?? []), line])
  }
  return byPayer
}
