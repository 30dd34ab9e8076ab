/** What the invoices of a policy still charge: their charges less credit notes. */
import type { BilledLine } from "@quittance/domain/billing/InvoiceLine"
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import { itemText, type LineItem, lineItemsOf } from "./LineItem.ts"
import type { InstalmentKey } from "./Schedule.ts"
import type { AnyInvoiceId, CustomerId } from "@quittance/domain/values/Ids"

/** An invoice that stands, as far as deciding on the next ones needs it. */
export interface IssuedInvoice {
  readonly id: AnyInvoiceId
  readonly key: InstalmentKey
  readonly lines: ReadonlyArray<BilledLine>
}

/** A premium item on days `[start, end)`, for one payer: what is due, or charged by an invoice. */
export interface Charge {
  readonly lineItem: LineItem
  readonly payer: CustomerId
  readonly start: LocalDate
  readonly end: LocalDate
}

/** A charge that stands, with the invoice that made it. */
export interface InvoicedCharge extends Charge {
  readonly invoiceId: AnyInvoiceId
  /** Where its invoice comes in the order of issue. */
  readonly order: number
  /** Credited manually: neither to be charged again nor to be credited again. */
  readonly waived?: boolean
}

/** What is charged by the day, and is credited by the day: all recurring lines but a kept refund. */
export const isByDay = ({ line }: LineItem): boolean =>
  line.basis !== undefined && line.keptFrom === undefined

/**
 * What makes two charges the same, apart from their days: premium item, payer, price and basis. What is charged
 * once is the same wherever in its term it is charged, a `SPOT` premium item only for its own quote.
 */
export const chargeText = ({ payer, lineItem }: Charge): string => {
  const { basis, chargeType, quoteId, slice } = lineItem.line
  const common = `${itemText(lineItem)} ${payer} ${lineItem.price}`
  if (basis === undefined) {
    return `${common} ${slice.end} ${chargeType === "SPOT" ? quoteId : ""}`
  }
  const { period, term } = basis
  return `${common} ${term.start} ${term.end} ${period.start} ${period.end} ${lineItem.whole}`
}

/** The charges of a line. */
export const chargesOf = (line: BilledLine, payer: CustomerId): ReadonlyArray<Charge> =>
  lineItemsOf(line).map((lineItem) => ({
    lineItem,
    payer,
    start: line.slice.start,
    end: line.slice.end
  }))

/** What stands, in the order of the invoices. */
export const invoicedCharges = (
  issued: ReadonlyArray<IssuedInvoice>
): ReadonlyArray<InvoicedCharge> => {
  const credits = new Map<string, Array<Charge>>()
  const waivers = new Map<string, Array<Charge>>()
  for (const { key, lines } of issued) {
    for (const line of lines) {
      if (line.corrects === undefined) continue
      for (const credit of chargesOf(line, key.payerCustomerId)) {
        const source = sourceText(line.corrects, credit)
        const kind = line.byHand === true ? waivers : credits
        const known = kind.get(source)
        if (known === undefined) kind.set(source, [credit])
        else known.push(credit)
      }
    }
  }
  return issued.flatMap(({ id, key, lines }, order) =>
    lines
      .filter(({ corrects }) => corrects === undefined)
      .flatMap((line) => chargesOf(line, key.payerCustomerId))
      .flatMap((charge) => remaining({ ...charge, invoiceId: id, order }, credits))
      .flatMap((held) => waivedBy(held, waivers.get(sourceText(id, held)) ?? []))
  )
}

/** One premium item of one invoice, whose credits name it; of two periods each is a premium item of its own. */
const sourceText = (invoiceId: AnyInvoiceId, { lineItem }: Charge): string => {
  const { basis, keptFrom = "", quoteId, slice } = lineItem.line
  const days = basis === undefined ? slice.end : basis.period.start
  return `${invoiceId} ${itemText(lineItem)} ${quoteId} ${keptFrom} ${days}`
}

const remaining = (
  held: InvoicedCharge,
  credits: ReadonlyMap<string, ReadonlyArray<Charge>>
): ReadonlyArray<InvoicedCharge> => {
  const taken = credits.get(sourceText(held.invoiceId, held)) ?? []
  return taken.reduce<ReadonlyArray<InvoicedCharge>>(
    (left, credit) => left.flatMap((part) => without(part, credit)),
    [held]
  )
}

/** A charge, split at the days that were credited manually. */
const waivedBy = (
  held: InvoicedCharge,
  waivers: ReadonlyArray<Charge>
): ReadonlyArray<InvoicedCharge> => {
  const left = waivers.reduce<ReadonlyArray<InvoicedCharge>>(
    (parts, waiver) => parts.flatMap((part) => without(part, waiver)),
    [held]
  )
  const waived = left.reduce<ReadonlyArray<InvoicedCharge>>(
    (parts, part) => parts.flatMap((rest) => without(rest, part)),
    [held]
  )
  return [...left, ...waived.map((part) => ({ ...part, waived: true }))]
}

/** The days of a charge outside those of another; what is not charged by the day goes as a whole. */
export const without = <C extends Charge>(
  charge: C,
  { end, start }: Pick<Charge, "start" | "end">
): ReadonlyArray<C> => {
  if (charge.end <= start || end <= charge.start) return [charge]
  return [
    ...(charge.start < start ? [{ ...charge, end: start }] : []),
    ...(end < charge.end ? [{ ...charge, start: end }] : [])
  ]
}
