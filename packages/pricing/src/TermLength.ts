/** What a price of the product's own period comes to over a term of another length. */
import type { ChargeType } from "@quittance/domain/values/Amount"
import { type Duration, lengthRatio } from "@quittance/domain/values/Duration"
import type { Product } from "@quittance/domain/products/Product"
import type { QuoteRate } from "@quittance/domain/products/Quote"
import type { Charge } from "./Charges.ts"
import { type Fraction, one, share } from "./Exact.ts"

/** How much longer or shorter the term is than the product's period; absent where it is neither. */
export type TermLength = Fraction | undefined

export const termLengthOf = (
  { periodDuration }: Pick<Product, "periodDuration">,
  term: Duration = periodDuration
): TermLength => {
  const ratio = lengthRatio(term, periodDuration)
  return ratio.numerator === ratio.denominator ? undefined : ratio
}

/** What recurs is in proportion to the term, rounded half away from zero; what is charged once is not. */
export const amountOver = (length: TermLength, chargeType: ChargeType, amount: number): number =>
  length === undefined || chargeType !== "RECURRING" ? amount : share(amount, length)

/** A share is of what the term costs already; an amount is one of the product's own period. */
export const chargeOver = (length: TermLength, chargeType: ChargeType, charge: Charge): Charge =>
  "amount" in charge ? { amount: amountOver(length, chargeType, charge.amount) } : charge

/** What rates and explanations call it. */
export const termRateId = "periodDuration"

export const termRate = (length: Fraction): QuoteRate => ({
  id: termRateId,
  rate: share(one, length),
  inputs: [{ id: "share", value: `${length.numerator}/${length.denominator}` }]
})
