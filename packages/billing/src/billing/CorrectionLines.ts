/** Leaves that are credited and charged, gathered into the lines of one correction for each payer. */
import * as Amount from "@quittance/domain/values/Amount"
import type { CustomerId } from "@quittance/domain/customers/Customer"
import type { DocumentLine } from "@quittance/domain/billing/InvoiceLine"
import type { DayRange } from "@quittance/domain/billing/Invoice"
import { toEpochDay } from "@quittance/domain/values/LocalDate"
import { type Charge, type Held, isByDay } from "./InvoicedCharges.ts"
import { lineOf, type Part } from "./LineItem.ts"
import { costOfSlice } from "../periods/Plan.ts"
import type { Term } from "../periods/Term.ts"

/** What one payer is credited and charged because what was invoiced is no longer right. */
export interface Correction {
  readonly payerCustomerId: CustomerId
  /** The term of its earliest day. */
  readonly term: number
  /** From the earliest to the latest day of its lines. */
  readonly period: DayRange
  /** The credits, each with the document that it corrects, then the charges. */
  readonly lines: ReadonlyArray<DocumentLine>
  readonly total: Amount.Amount
}

export const correctionsOf = (
  terms: ReadonlyArray<Term>,
  credits: ReadonlyArray<Held>,
  charges: ReadonlyArray<Charge>
): ReadonlyArray<Correction> => {
  const byPayer = new Map<CustomerId, Array<DocumentLine>>()
  const add = (gathered: ReadonlyMap<CustomerId, ReadonlyArray<DocumentLine>>) => {
    for (const [payer, lines] of gathered) {
      byPayer.set(payer, [...(byPayer.get(payer) ?? []), ...lines])
    }
  }
  for (const [documentId, own] of Map.groupBy(credits, (held) => held.documentId)) {
    add(
      linesByPayer(
        own,
        (charge) => 0 - costOf(charge),
        (line) => ({
          ...line,
          corrects: documentId
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
export const costOf = ({ end, piece, start }: Pick<Charge, "end" | "piece" | "start">): number => {
  if (!isByDay(piece)) return piece.amount
  const { period } = piece.line.basis!
  const [periodStart, periodEnd] = [toEpochDay(period.start), toEpochDay(period.end)]
  return costOfSlice(
    { start: periodStart, end: periodEnd },
    piece.whole,
    toEpochDay(start),
    toEpochDay(end)
  )
}

/** Leaves of one line on the same days are one line again. */
const linesByPayer = <C extends Charge>(
  charges: ReadonlyArray<C>,
  amountOf: (charge: C) => number,
  finish: (line: DocumentLine) => DocumentLine
): ReadonlyMap<CustomerId, ReadonlyArray<DocumentLine>> => {
  const gathered = new Map<DocumentLine, Map<string, Array<C>>>()
  for (const charge of charges) {
    const { line } = charge.piece
    const days = `${charge.start} ${charge.end}`
    const ofLine = gathered.get(line) ?? new Map<string, Array<C>>()
    gathered.set(line, ofLine.set(days, [...(ofLine.get(days) ?? []), charge]))
  }
  const byPayer = new Map<CustomerId, Array<DocumentLine>>()
  for (const own of [...gathered.values()].flatMap((ofLine) => [...ofLine.values()])) {
    const { end, payer, start } = own[0]!
    const parts = own.map((charge): Part => ({ piece: charge.piece, amount: amountOf(charge) }))
    const line = finish(lineOf(parts, { start, end }))
    byPayer.set(payer, [...(byPayer.get(payer) ?? []), line])
  }
  return byPayer
}
