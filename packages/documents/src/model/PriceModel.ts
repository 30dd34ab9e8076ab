/** Prices and covers, as documents show them: what was quoted, by its components. */
import type { ModelCover, ModelPrice } from "@quittance/domain/documents/DocumentModel"
import { componentName, type Product } from "@quittance/domain/products/Product"
import type { PolicyQuote, SelectedPeril, SelectedTier } from "@quittance/domain/products/Quote"
import type { Amount } from "@quittance/domain/values/Amount"

export const sumsOf = (amount: Amount) => ({
  net: amount.amountPreFeesAndTaxes,
  fees: amount.totalFees,
  taxes: amount.totalTaxes,
  total: amount.amountWithFeesAndTaxes
})

/** Fees or taxes by their name; what is charged in several ways stands there once. */
export const leviesOf = (
  product: Product,
  levies: ReadonlyArray<{ readonly id: string; readonly amount: number }>
) => {
  const sums = new Map<string, number>()
  for (const { amount, id } of levies) sums.set(id, (sums.get(id) ?? 0) + amount)
  return [...sums].map(([id, amount]) => ({ id, name: componentName(product, id), amount }))
}

export const priceOf = (product: Product, quote: PolicyQuote): ModelPrice => ({
  ...sumsOf(quote.totalPremium),
  components: quote.components
    .filter(({ premium }) => premium.amountWithFeesAndTaxes !== 0)
    .map(({ id, premium }) => ({ id, name: componentName(product, id), ...sumsOf(premium) })),
  feeList: leviesOf(product, quote.totalPremium.fees),
  taxList: leviesOf(product, quote.totalPremium.taxes)
})

export const coversOf = (product: Product, tier: SelectedTier): ReadonlyArray<ModelCover> =>
  tier.perils.map((peril) => coverOf(product, peril))

const coverOf = (
  { perils }: Product,
  { deductible, id, limit, name, option = {}, premium }: SelectedPeril
): ModelCover => {
  const known = perils.find((peril) => peril.id === id)
  return {
    id,
    name,
    ...(known?.description === undefined ? {} : { description: known.description }),
    ...(limit === undefined ? {} : { limit }),
    ...(deductible === undefined ? {} : { deductible }),
    options: (known?.options ?? []).flatMap(({ id: optionId, name: label, values }) => {
      const value = values.find((choice) => choice.id === option[optionId])?.name
      return value === undefined ? [] : [{ label, value }]
    }),
    premium: premium.amountWithFeesAndTaxes
  }
}
