/** What a quote comes to in one invoicing period: pricing's prorated quote under billing's plan. */
import { amountsOf, type Plan, planOf } from "@quittance/billing/Plan"
import { termOf } from "@quittance/billing/Term"
import { layOut } from "@quittance/billing/Windows"
import { toEpochDay } from "@quittance/domain/LocalDate"
import type { PolicyState } from "@quittance/domain/PolicyState"
import type { Product } from "@quittance/domain/Product"
import type { PolicyQuote, QuoteLeaf } from "@quittance/domain/Quote"
import { prorate } from "@quittance/pricing/Prorate"

/**
 * The quote with the `RECURRING` leaves of the first whole invoicing period of the first term, else of
 * the longest and earliest one.
 */
export const prorated = (
  quote: PolicyQuote,
  leaves: ReadonlyArray<QuoteLeaf>,
  product: Product,
  state: Pick<PolicyState, "invoicingConfig" | "periodDuration" | "startedAt">
): PolicyQuote => {
  const term = termOf({ ...state, timeZone: product.timeZone }, 1)
  const { periods } = layOut(term, state.invoicingConfig, product.invoicing, toEpochDay(term.start))
  const plan = planOf(periods)
  const shown = shownPeriod(plan)
  return prorate(quote, leaves, ({ amount }) => amountsOf(plan, amount)[shown]!)
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
