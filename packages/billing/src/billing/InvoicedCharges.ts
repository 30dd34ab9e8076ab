/** What the documents of a policy still charge: their charges less what credit notes took back. */
import type { CustomerId } from "@quittance/domain/customers/Customer"
import type { DocumentLine } from "@quittance/domain/billing/InvoiceLine"
import type { DocumentId } from "@quittance/domain/billing/Invoice"
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import { leafText, type Piece, piecesOf } from "./LineItem.ts"
import type { InstalmentKey } from "./Schedule.ts"

/** A document that stands, as far as deciding on the next ones needs it. */
export interface IssuedDocument {
  readonly id: DocumentId
  readonly key: InstalmentKey
  readonly lines: ReadonlyArray<DocumentLine>
}

/** A leaf on days `[start, end)`, for somebody: what is desired, or charged by a document. */
export interface Charge {
  readonly piece: Piece
  readonly payer: CustomerId
  readonly start: LocalDate
  readonly end: LocalDate
}

/** A charge that stands, with the document that made it. */
export interface Held extends Charge {
  readonly documentId: DocumentId
  /** Where its document comes in the order of issue. */
  readonly order: number
  /** Taken back by hand: neither to be charged again nor to be given back. */
  readonly waived?: boolean
}

/** What is charged by the day, and is credited by the day: all recurring lines but a kept refund. */
export const isByDay = ({ line }: Piece): boolean =>
  line.basis !== undefined && line.keptFrom === undefined

/**
 * What makes two charges the same, apart from their days: leaf, payer, price and basis. What is charged
 * once is the same wherever in its term it is charged, a `SPOT` leaf only for its own quote.
 */
export const chargeText = ({ payer, piece }: Charge): string => {
  const { basis, chargeType, quoteId, slice } = piece.line
  const common = `${leafText(piece)} ${payer} ${piece.price}`
  if (basis === undefined) {
    return `${common} ${slice.end} ${chargeType === "SPOT" ? quoteId : ""}`
  }
  const { period, term } = basis
  return `${common} ${term.start} ${term.end} ${period.start} ${period.end} ${piece.whole}`
}

/** The charges of a line. */
export const chargesOf = (line: DocumentLine, payer: CustomerId): ReadonlyArray<Charge> =>
  piecesOf(line).map((piece) => ({
    piece,
    payer,
    start: line.slice.start,
    end: line.slice.end
  }))

/** What stands, in the order of the documents. */
export const heldBy = (issued: ReadonlyArray<IssuedDocument>): ReadonlyArray<Held> => {
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
      .flatMap((charge) => remaining({ ...charge, documentId: id, order }, credits))
      .flatMap((held) => waivedBy(held, waivers.get(sourceText(id, held)) ?? []))
  )
}

/** One leaf of one document, whose credits name it; of two periods each is a leaf of its own. */
const sourceText = (documentId: DocumentId, { piece }: Charge): string => {
  const { basis, keptFrom = "", quoteId, slice } = piece.line
  const days = basis === undefined ? slice.end : basis.period.start
  return `${documentId} ${leafText(piece)} ${quoteId} ${keptFrom} ${days}`
}

const remaining = (
  held: Held,
  credits: ReadonlyMap<string, ReadonlyArray<Charge>>
): ReadonlyArray<Held> => {
  const taken = credits.get(sourceText(held.documentId, held)) ?? []
  return taken.reduce<ReadonlyArray<Held>>(
    (left, credit) => left.flatMap((part) => without(part, credit)),
    [held]
  )
}

/** A charge, with those of its days apart that were taken back by hand. */
const waivedBy = (held: Held, waivers: ReadonlyArray<Charge>): ReadonlyArray<Held> => {
  const left = waivers.reduce<ReadonlyArray<Held>>(
    (parts, waiver) => parts.flatMap((part) => without(part, waiver)),
    [held]
  )
  const waived = left.reduce<ReadonlyArray<Held>>(
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
