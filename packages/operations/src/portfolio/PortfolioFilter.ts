/** A selection of live policies as the database picks them out. */
import type { PolicySelection } from "@quittance/domain/portfolio/PolicySelection"
import type { Product } from "@quittance/domain/products/Product"
import { startOfDay } from "@quittance/domain/values/TimeZone"
import type { LiveFilter } from "@quittance/persistence/portfolio/PortfolioRepo"

/** Days are those of the product's time zone. */
export const filterOf = (product: Product, selection: PolicySelection): LiveFilter => {
  const { startedAfter, startedBefore, ...rest } = selection
  const startOf = (day: typeof startedAfter) =>
    day === undefined ? undefined : startOfDay(day, product.timeZone)
  return {
    ...rest,
    productId: product.productId,
    startedAfter: startOf(startedAfter),
    startedBefore: startOf(startedBefore)
  }
}
