/** What a price comes to in one invoicing period, once the plan has said what each premium item does. */
import { make, type QuoteComponent, sum } from "@quittance/domain/values/Amount"
import type { PolicyQuote, PremiumItem } from "@quittance/domain/products/Quote"

/**
 * The quote with only its `RECURRING` leaves, each with the amount that the plan gives for the period;
 * totals are derived, so the prorated quote adds up as the whole one does. Components that are charged
 * otherwise are not in it. Rates and base price stay those of the whole term.
 */
export const prorate = (
  quote: PolicyQuote,
  premiumItems: ReadonlyArray<PremiumItem>,
  leafAmount: (premiumItem: PremiumItem) => number
): PolicyQuote => {
  const recurring = Map.groupBy(
    premiumItems.filter(({ chargeType }) => chargeType === "RECURRING"),
    ({ componentId }) => componentId
  )
  const components = quote.components.flatMap((component): ReadonlyArray<QuoteComponent> => {
    const own = recurring.get(component.id)
    return own === undefined ? [] : [{ ...component, premium: amountOf(own, leafAmount) }]
  })
  return { ...quote, components, totalPremium: sum(components.map(({ premium }) => premium)) }
}

const amountOf = (
  premiumItems: ReadonlyArray<PremiumItem>,
  leafAmount: (premiumItem: PremiumItem) => number
): QuoteComponent["premium"] => {
  let net = 0
  const fees: Array<QuoteComponent["premium"]["fees"][number]> = []
  const taxes: Array<QuoteComponent["premium"]["taxes"][number]> = []
  for (const premiumItem of premiumItems) {
    const { brokerageFirmId, chargeType, kind, refId: id = premiumItem.id } = premiumItem
    const amount = leafAmount(premiumItem)
    if (kind === "NET") net += amount
    else if (kind === "TAX") taxes.push({ id, chargeType, amount })
    else if (brokerageFirmId === undefined) fees.push({ id, chargeType, amount })
    else fees.push({ id, brokerageFirmId, chargeType, amount })
  }
  return make(net, fees, taxes)
}
