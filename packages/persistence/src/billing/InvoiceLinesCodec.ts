/**
 * The lines of an invoice as its row keeps them. What many lines share, a quote or a range of days, is
 * kept once and named by its place; what every line has stands at its place in the line.
 */
import { BilledLine } from "@quittance/domain/billing/InvoiceLine"
import type { DayRange } from "@quittance/domain/billing/Invoice"
import { LocalDate } from "@quittance/domain/values/LocalDate"
import { Schema } from "effect"
import {
  amountKept,
  ChargeTypePlace,
  chargeTypeAt,
  keepAmount,
  KeptAmount,
  placeOf
} from "../values/AmountCodec.ts"
import { AnyInvoiceId, QuoteId } from "@quittance/domain/values/Ids"

/** The places of the term and of the period, and what the period costs where that is kept. */
const KeptBasis = Schema.Union([
  Schema.Tuple([Schema.Int, Schema.Int]),
  Schema.Tuple([Schema.Int, Schema.Int, KeptAmount])
])

/** What few lines have. */
const More = Schema.Struct({
  corrects: Schema.optionalKey(AnyInvoiceId),
  nonRefundable: BilledLine.fields.nonRefundable,
  keptFrom: BilledLine.fields.keptFrom,
  byHand: BilledLine.fields.byHand
})

/** Component, label, charge type, place of the slice, place of the quote, amount, price, basis. */
const KeptLine = Schema.Tuple([
  Schema.String,
  Schema.String,
  ChargeTypePlace,
  Schema.Int,
  Schema.Int,
  KeptAmount,
  KeptAmount,
  Schema.NullOr(KeptBasis),
  Schema.NullOr(More)
])

export const KeptLines = Schema.Struct({
  quotes: Schema.Array(QuoteId),
  days: Schema.Array(Schema.Tuple([LocalDate, LocalDate])),
  lines: Schema.Array(KeptLine)
})
export type KeptLines = typeof KeptLines.Type

/** Things of which each is kept once. */
const shelf = <A>(keyOf: (thing: A) => string) => {
  const places = new Map<string, number>()
  const things: Array<A> = []
  const put = (thing: A): number => {
    const key = keyOf(thing)
    const known = places.get(key)
    if (known !== undefined) return known
    places.set(key, things.length)
    return things.push(thing) - 1
  }
  return { things, put }
}

export const keepLines = (lines: ReadonlyArray<BilledLine>): KeptLines => {
  const quotes = shelf<QuoteId>((id) => id)
  const days = shelf<DayRange>(({ end, start }) => start + end)
  const kept = lines.map((line): KeptLines["lines"][number] => [
    line.componentId,
    line.label,
    placeOf(line.chargeType),
    days.put(line.slice),
    quotes.put(line.quoteId),
    keepAmount(line.amount),
    keepAmount(line.price),
    line.basis === undefined
      ? null
      : line.basis.amount === undefined
        ? [days.put(line.basis.term), days.put(line.basis.period)]
        : [days.put(line.basis.term), days.put(line.basis.period), keepAmount(line.basis.amount)],
    moreOf(line)
  ])
  return {
    quotes: quotes.things,
    days: days.things.map(({ end, start }) => [start, end]),
    lines: kept
  }
}

const moreOf = (line: BilledLine): typeof More.Type | null => {
  const { byHand, corrects, keptFrom, nonRefundable } = line
  return byHand === undefined &&
    corrects === undefined &&
    keptFrom === undefined &&
    nonRefundable === undefined
    ? null
    : {
        ...(corrects === undefined ? {} : { corrects }),
        ...(nonRefundable === undefined ? {} : { nonRefundable }),
        ...(keptFrom === undefined ? {} : { keptFrom }),
        ...(byHand === undefined ? {} : { byHand })
      }
}

/** @throws where a line names a place that is not there */
export const linesKept = ({ days, lines, quotes }: KeptLines): ReadonlyArray<BilledLine> => {
  const ranges = days.map(([start, end]): DayRange => ({ start, end }))
  return lines.map(
    ([componentId, label, chargeType, slice, quote, amount, price, basis, more]): BilledLine => {
      const line = {
        componentId,
        label,
        chargeType: chargeTypeAt(chargeType),
        slice: at(ranges, slice),
        amount: amountKept(amount),
        quoteId: at(quotes, quote),
        price: amountKept(price),
        ...more
      }
      return basis === null ? line : { ...line, basis: basisKept(basis, ranges) }
    }
  )
}

const basisKept = (
  [term, period, amount]: typeof KeptBasis.Type,
  ranges: ReadonlyArray<DayRange>
): NonNullable<BilledLine["basis"]> => {
  const basis = { term: at(ranges, term), period: at(ranges, period) }
  return amount === undefined ? basis : { ...basis, amount: amountKept(amount) }
}

const at = <A>(things: ReadonlyArray<A>, place: number): A => {
  const thing = things[place]
  if (thing === undefined) throw new Error(`A line of the invoice names place ${place} in vain.`)
  return thing
}
