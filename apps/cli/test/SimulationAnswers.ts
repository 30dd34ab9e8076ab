/** What simulations may find: many prices, few, none, and texts that mean something to a picture. */
import { fromEpochMillis } from "@quittance/domain/values/Instant"
import type { PolicyId } from "@quittance/domain/policies/Policy"
import { Product } from "@quittance/domain/products/Product"
import { TenantId } from "@quittance/domain/tenants/Tenant"
import { PriceChanges } from "@quittance/pricing/portfolio/PriceChanges"
import { Unpriced } from "@quittance/pricing/portfolio/Unpriced"
import { Schema } from "effect"
import { readFileSync } from "node:fs"
import type { SimulationAnswer } from "../src/product/SimulationAnswer.ts"

const motor = Schema.decodeUnknownSync(Product)(
  JSON.parse(readFileSync(new URL("../../../products/motor-fr.json", import.meta.url), "utf8"))
)

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
