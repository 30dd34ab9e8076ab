/**
 * Lines taken apart into their leaves, which is what is compared and corrected, and put together again.
 */
import * as Amount from "@quittance/domain/values/Amount"
import type { DocumentLine, PlanBasis } from "@quittance/domain/billing/InvoiceLine"
import type { DayRange } from "@quittance/domain/billing/Invoice"
import { leafName } from "./PremiumItem.ts"

/** One leaf of a line. */
export interface Piece {
  readonly line: DocumentLine
  readonly name: string
  /** What the fee or tax is, where the leaf is one. */
  readonly fee?: Amount.Fee
  readonly tax?: Amount.Tax
  /** What the line charges of it, in minor units. */
  readonly amount: number
  /** Its price for the whole term. */
  readonly price: number
  /** What the whole period costs of it, on recurring lines. */
  readonly whole: number
}

/** The leaves of a line, in its order. */
export const piecesOf = (line: DocumentLine): ReadonlyArray<Piece> => {
  const { amount, basis, price } = line
  const whole = basis?.amount ?? amount
  const pieces: Array<Piece> = []
  if (hasNet(price)) {
    pieces.push({
      line,
      name: leafName({ kind: "NET" }),
      amount: amount.amountPreFeesAndTaxes,
      price: price.amountPreFeesAndTaxes,
      whole: whole.amountPreFeesAndTaxes
    })
  }
  // The amounts of a line list the same leaves in the same order.
  price.fees.forEach((fee, index) =>
    pieces.push({
      line,
      name: leafName({ kind: "FEE", refId: fee.id, brokerageFirmId: fee.brokerageFirmId }),
      fee,
      amount: amount.fees[index]!.amount,
      price: fee.amount,
      whole: whole.fees[index]!.amount
    })
  )
  price.taxes.forEach((tax, index) =>
    pieces.push({
      line,
      name: leafName({ kind: "TAX", refId: tax.id }),
      tax,
      amount: amount.taxes[index]!.amount,
      price: tax.amount,
      whole: whole.taxes[index]!.amount
    })
  )
  return pieces
}

/** A net premium of nothing has no leaf where fees or taxes are carried. */
const hasNet = ({ amountPreFeesAndTaxes, fees, taxes }: Amount.Amount): boolean =>
  amountPreFeesAndTaxes !== 0 || fees.length + taxes.length === 0

/** The text that tells a leaf apart from all others of a policy. */
export const leafText = ({ line, name }: Piece): string =>
  `${line.componentId} ${line.chargeType} ${name}`

/** A piece, or a part of it, with what it comes to. */
export interface Part {
  readonly piece: Piece
  readonly amount: number
}

/** The line of some leaves of one line, on a slice of it. */
export const lineOf = (parts: ReadonlyArray<Part>, slice: DayRange): DocumentLine => {
  const { line } = parts[0]!.piece
  const { componentId, label, chargeType, quoteId, keptFrom } = line
  const names = new Set(parts.map(({ piece }) => piece.name))
  const nonRefundable = line.nonRefundable?.filter((name) => names.has(name)) ?? []
  return {
    componentId,
    label,
    chargeType,
    slice,
    amount: amountOf(parts, ({ amount }) => amount),
    quoteId,
    price: amountOf(parts, ({ piece }) => piece.price),
    ...(line.basis === undefined ? {} : { basis: basisOf(line.basis, parts) }),
    ...(nonRefundable.length > 0 ? { nonRefundable } : {}),
    ...(keptFrom === undefined ? {} : { keptFrom })
  }
}

const basisOf = ({ period, term }: PlanBasis, parts: ReadonlyArray<Part>): PlanBasis =>
  parts.every(({ amount, piece }) => amount === piece.whole)
    ? { term, period }
    : { term, period, amount: amountOf(parts, ({ piece }) => piece.whole) }

const amountOf = (parts: ReadonlyArray<Part>, of: (part: Part) => number): Amount.Amount => {
  let net = 0
  const fees: Array<Amount.Fee> = []
  const taxes: Array<Amount.Tax> = []
  for (const part of parts) {
    const { fee, tax } = part.piece
    if (fee !== undefined) fees.push({ ...fee, amount: of(part) })
    else if (tax !== undefined) taxes.push({ ...tax, amount: of(part) })
    else net = of(part)
  }
  return Amount.make(net, fees, taxes)
}
