/**
 * Splits lines into their items, which are compared and corrected, and joins items into lines.
 */
import * as Amount from "@quittance/domain/values/Amount"
import type { BilledLine, PlanBasis } from "@quittance/domain/billing/InvoiceLine"
import type { DayRange } from "@quittance/domain/billing/Invoice"
import { itemName } from "./PremiumItem.ts"

/** One premium item of a line. */
export interface LineItem {
  readonly line: BilledLine
  readonly name: string
  /** What the fee or tax is, where the premium item is one. */
  readonly fee?: Amount.Fee
  readonly tax?: Amount.Tax
  /** What the line charges of it, in minor units. */
  readonly amount: number
  /** Its price for the whole term. */
  readonly price: number
  /** What the whole period costs of it, on recurring lines. */
  readonly whole: number
}

/** The premium items of a line, in its order. */
export const lineItemsOf = (line: BilledLine): ReadonlyArray<LineItem> => {
  const { amount, basis, price } = line
  const whole = basis?.amount ?? amount
  const lineItems: Array<LineItem> = []
  if (hasNet(price)) {
    lineItems.push({
      line,
      name: itemName({ kind: "NET" }),
      amount: amount.amountPreFeesAndTaxes,
      price: price.amountPreFeesAndTaxes,
      whole: whole.amountPreFeesAndTaxes
    })
  }
  // The amounts of a line list the same premium items in the same order.
  price.fees.forEach((fee, index) =>
    lineItems.push({
      line,
      name: itemName({ kind: "FEE", refId: fee.id, brokerageFirmId: fee.brokerageFirmId }),
      fee,
      amount: amount.fees[index]!.amount,
      price: fee.amount,
      whole: whole.fees[index]!.amount
    })
  )
  price.taxes.forEach((tax, index) =>
    lineItems.push({
      line,
      name: itemName({ kind: "TAX", refId: tax.id }),
      tax,
      amount: amount.taxes[index]!.amount,
      price: tax.amount,
      whole: whole.taxes[index]!.amount
    })
  )
  return lineItems
}

/** A net premium of nothing has no premium item where fees or taxes are carried. */
const hasNet = ({ amountPreFeesAndTaxes, fees, taxes }: Amount.Amount): boolean =>
  amountPreFeesAndTaxes !== 0 || fees.length + taxes.length === 0

/** The text that tells a premium item apart from all others of a policy. */
export const itemText = ({ line, name }: LineItem): string =>
  `${line.componentId} ${line.chargeType} ${name}`

/** A piece, or a part of it, with what it comes to. */
export interface LineItemShare {
  readonly lineItem: LineItem
  readonly amount: number
}

/** The line of some premium items of one line, on a slice of it. */
export const lineOf = (parts: ReadonlyArray<LineItemShare>, slice: DayRange): BilledLine => {
  const { line } = parts[0]!.lineItem
  const { componentId, label, chargeType, quoteId, keptFrom } = line
  const names = new Set(parts.map(({ lineItem }) => lineItem.name))
  const nonRefundable = line.nonRefundable?.filter((name) => names.has(name)) ?? []
  return {
    componentId,
    label,
    chargeType,
    slice,
    amount: amountOf(parts, ({ amount }) => amount),
    quoteId,
    price: amountOf(parts, ({ lineItem }) => lineItem.price),
    ...(line.basis === undefined ? {} : { basis: basisOf(line.basis, parts) }),
    ...(nonRefundable.length > 0 ? { nonRefundable } : {}),
    ...(keptFrom === undefined ? {} : { keptFrom })
  }
}

const basisOf = ({ period, term }: PlanBasis, parts: ReadonlyArray<LineItemShare>): PlanBasis =>
  parts.every(({ amount, lineItem }) => amount === lineItem.whole)
    ? { term, period }
    : { term, period, amount: amountOf(parts, ({ lineItem }) => lineItem.whole) }

const amountOf = (
  parts: ReadonlyArray<LineItemShare>,
  of: (part: LineItemShare) => number
): Amount.Amount => {
  let net = 0
  const fees: Array<Amount.Fee> = []
  const taxes: Array<Amount.Tax> = []
  for (const part of parts) {
    const { fee, tax } = part.lineItem
    if (fee !== undefined) fees.push({ ...fee, amount: of(part) })
    else if (tax !== undefined) taxes.push({ ...tax, amount: of(part) })
    else net = of(part)
  }
  return Amount.make(net, fees, taxes)
}
