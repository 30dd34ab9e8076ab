/** Money on a quote or an invoice: integers in the minor unit of the currency, never floats. */
import { Schema } from "effect"
import { BrokerageFirmId } from "./Ids.ts"

/** An integer in minor units, within ±(2^53−1). */
export const Money = Schema.Int.annotate({ identifier: "Money" })

/**
 * The most that the premium items of one quote come to, each counted as if it were owed, and the most
 * that one payment brings, in minor units. The books of a policy take 450 terms of such a price, and what
 * would bring them beyond the exact integers is not written (`LedgerRoom.ts` of billing).
 */
export const largestPrice = 10_000_000_000_000

/** ISO 4217. */
export const Currency = Schema.String.check(
  Schema.isPattern(/^[A-Z]{3}$/u, {
    message: "Expected a currency in three capitals, as in ISO 4217: EUR"
  })
).pipe(Schema.brand("Currency"))
export type Currency = typeof Currency.Type

/** `ONE_TIME` once per policy, `SPOT` once per cause, `RECURRING` spread over the term. */
export const ChargeType = Schema.Literals(["ONE_TIME", "SPOT", "RECURRING"])
export type ChargeType = typeof ChargeType.Type

export const Fee = Schema.Struct({
  id: Schema.String,
  brokerageFirmId: Schema.optionalKey(BrokerageFirmId),
  chargeType: ChargeType,
  amount: Money
}).annotate({ identifier: "Fee" })
export type Fee = typeof Fee.Type

export const Tax = Schema.Struct({
  id: Schema.String,
  chargeType: ChargeType,
  amount: Money
}).annotate({ identifier: "Tax" })
export type Tax = typeof Tax.Type

export const Amount = Schema.Struct({
  amountPreFeesAndTaxes: Money,
  fees: Schema.Array(Fee),
  totalFees: Money,
  amountWithFeesPreTaxes: Money,
  taxes: Schema.Array(Tax),
  totalTaxes: Money,
  amountWithFeesAndTaxes: Money
}).annotate({ identifier: "Amount" })
export type Amount = typeof Amount.Type

export const ComponentType = Schema.Literals(["PREMIUM", "PERIL", "FEE", "TAX", "SPECIAL"])
export type ComponentType = typeof ComponentType.Type

export const QuoteComponent = Schema.Struct({
  id: Schema.String,
  type: ComponentType,
  premium: Amount,
  chargeType: ChargeType
}).annotate({ identifier: "QuoteComponent" })
export type QuoteComponent = typeof QuoteComponent.Type

/** Raised where a sum leaves ±(2^53−1): an overflow is an error, never a wrap. */
export class AmountOverflow extends Schema.TaggedError<AmountOverflow>()("AmountOverflow", {}) {
  override get message() {
    return "An amount leaves the range of ±(2^53−1) minor units; lower the sums insured."
  }
}

/** `a + b`, exact. */
export const add = (a: number, b: number): number => {
  const sum = a + b
  if (!Number.isSafeInteger(sum)) throw new AmountOverflow({})
  return sum
}

/** The amount of the given leaves, its totals derived from them. */
export const make = (
  amountPreFeesAndTaxes: number,
  fees: ReadonlyArray<Fee>,
  taxes: ReadonlyArray<Tax>
): Amount => {
  const totalFees = fees.reduce((sum, fee) => add(sum, fee.amount), 0)
  const totalTaxes = taxes.reduce((sum, tax) => add(sum, tax.amount), 0)
  const amountWithFeesPreTaxes = add(amountPreFeesAndTaxes, totalFees)
  return {
    amountPreFeesAndTaxes,
    fees,
    totalFees,
    amountWithFeesPreTaxes,
    taxes,
    totalTaxes,
    amountWithFeesAndTaxes: add(amountWithFeesPreTaxes, totalTaxes)
  }
}

/** Field by field, fees and taxes of the same id, charge type and firm merged in order of appearance. */
export const sum = (amounts: ReadonlyArray<Amount>): Amount => {
  const fees: Array<Fee> = []
  const taxes: Array<Tax> = []
  let net = 0
  for (const amount of amounts) {
    net = add(net, amount.amountPreFeesAndTaxes)
    for (const fee of amount.fees) merge<Fee>(fees, fee, isSameFee)
    for (const tax of amount.taxes) merge<Tax>(taxes, tax, isSameTax)
  }
  return make(net, fees, taxes)
}

const isSameTax = (a: Tax, b: Tax): boolean => a.id === b.id && a.chargeType === b.chargeType

const isSameFee = (a: Fee, b: Fee): boolean =>
  isSameTax(a, b) && a.brokerageFirmId === b.brokerageFirmId

/** An invoice knows few fees and taxes, so that looking through them beats making a key for each. */
const merge = <A extends { readonly amount: number }>(
  premiumItems: Array<A>,
  premiumItem: A,
  isSame: (a: A, b: A) => boolean
) => {
  const index = premiumItems.findIndex((present) => isSame(present, premiumItem))
  const present = premiumItems[index]
  if (present === undefined) premiumItems.push(premiumItem)
  else premiumItems[index] = { ...present, amount: add(present.amount, premiumItem.amount) }
}
