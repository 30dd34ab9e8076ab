import { shippedProduct } from "@quittance/testing/ShippedProducts"
/** What simulations may find: many prices, few, none, and texts that mean something to a picture. */
import { fromEpochMillis } from "@quittance/domain/values/Instant"
import { PriceChanges } from "@quittance/pricing/portfolio/PriceChanges"
import { Unpriced } from "@quittance/pricing/portfolio/Unpriced"
import type { SimulationAnswer } from "../src/product/SimulationAnswer.ts"
import type { PolicyId } from "@quittance/domain/values/Ids"
import { TenantId } from "@quittance/domain/requests/Tenancy"

const motor = shippedProduct("motor-fr")

export const policyId = "policy_test_346789ABCDEFGHJKLMNPQ" as PolicyId

/** The answer for policies whose prices go from one amount to another. */
export const answerOf = (
  prices: ReadonlyArray<readonly [number, number]>,
  parts: Partial<SimulationAnswer> = {}
): SimulationAnswer => {
  const changes = new PriceChanges()
  for (const [before, after] of prices) changes.add(before, after)
  return {
    draft: { ...motor, version: "2027.1" },
    tenant: TenantId.make("acme"),
    selection: {},
    term: "RUNNING",
    now: fromEpochMillis(Date.UTC(2026, 2, 10, 9)),
    count: prices.length,
    versions: new Map([["2026.1", prices.length]]),
    changes,
    unpriced: new Unpriced(),
    largest: [],
    ...parts
  }
}
