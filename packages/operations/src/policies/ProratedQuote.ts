/** What a quote comes to in one invoicing period: pricing's prorated quote under billing's plan. */
import { amountsOf, type Plan, planOf } from "@quittance/billing/periods/Plan"
import { termOf } from "@quittance/billing/periods/Term"
import { layOut } from "@quittance/billing/periods/BillingWindows"
import { toEpochDay } from "@quittance/domain/values/LocalDate"
import type { PolicyState } from "@quittance/domain/policies/PolicyState"
import type { Product } from "@quittance/domain/products/Product"
import type { PolicyQuote, PremiumItem } from "@quittance/domain/products/Quote"
import { prorate } from "@quittance/pricing/Prorate"

/**
 * The quote with the `RECURRING` premium items of the first whole invoicing period of the first term, else of
 * the longest and earliest one.
 */
export const prorated = (
  quote: PolicyQuote,
  premiumItems: ReadonlyArray<PremiumItem>,
  product: Product,
  state: Pick<PolicyState, "invoicingConfig" | "periodDuration" | "startedAt">
): PolicyQuote => {
  const term = termOf({ ...state, timeZone: product.timeZone }, 1)
  const { periods } = layOut(term, state.invoicingConfig, product.invoicing, toEpochDay(term.start))
  const plan = planOf(periods)
  const shown = shownPeriod(plan)
  return prorate(quote, premiumItems, ({ amount }) => amountsOf(plan, amount)[shown]!)
}

const shownPeriod = ({ periods }: Plan): number => {
  const whole = periods.findIndex(({ end, start, wholeDays }) => end - start === wholeDays)
  if (whole >= 0) return whole
  return periods.reduce(
    (longest, { end, start }, index) =>
      end - start > periods[longest]!.end - periods[longest]!.start ? index : longest,
    0
  )
}
