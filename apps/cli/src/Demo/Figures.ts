/** Amounts added up apart from the service, so that its own sums can be held against them. */
import type { Amount, QuoteComponent } from "@quittance/domain/values/Amount"

/** The figures of an amount, in minor units. */
export interface Figures {
  readonly net: number
  readonly fees: number
  readonly taxes: number
  readonly total: number
}

/** As the amount states them. */
export const stated = (amount: Amount): Figures => ({
  net: amount.amountPreFeesAndTaxes,
  fees: amount.totalFees,
  taxes: amount.totalTaxes,
  total: amount.amountWithFeesAndTaxes
})

/** From the net premium, the single fees and the single taxes alone. */
export const added = (amount: Amount): Figures => {
  const net = amount.amountPreFeesAndTaxes
  const fees = total(amount.fees.map(({ amount }) => amount))
  const taxes = total(amount.taxes.map(({ amount }) => amount))
  return { net, fees, taxes, total: net + fees + taxes }
}

export const sum = (all: ReadonlyArray<Figures>): Figures => ({
  net: total(all.map(({ net }) => net)),
  fees: total(all.map(({ fees }) => fees)),
  taxes: total(all.map(({ taxes }) => taxes)),
  total: total(all.map(({ total }) => total))
})

/** The sum of the components. */
export const ofComponents = (components: ReadonlyArray<QuoteComponent>): Figures =>
  sum(components.map(({ premium }) => added(premium)))

export const total = (amounts: ReadonlyArray<number>): number =>
  amounts.reduce((sum, amount) => sum + amount, 0)
