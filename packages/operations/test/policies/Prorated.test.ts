import { assert, describe, it } from "@effect/vitest"
import { sum } from "@quittance/domain/values/Amount"
import type { InvoicingConfig } from "@quittance/domain/products/InvoicingConfig"
import type { PolicyQuote, PremiumItem } from "@quittance/domain/products/Quote"
import * as Amount from "@quittance/domain/values/Amount"
import { prorated } from "../../src/policies/ProratedQuote.ts"
import * as World from "../World.ts"

const premiumItem = (id: string, amount: number, rest: Partial<PremiumItem> = {}): PremiumItem => ({
  id,
  componentId: id.split("/")[0]!,
  kind: "NET",
  chargeType: "RECURRING",
  amount,
  everyTerm: false,
  refundable: true,
  ...rest
})

const premiumItems = [
  premiumItem("RC", 36_500),
  premiumItem("RC/tax/TAX", 3_650, { kind: "TAX", refId: "TAX" }),
  premiumItem("FILE", 2_000, { chargeType: "ONE_TIME" })
]

const component = (id: string, chargeType: PremiumItem["chargeType"], premium: Amount.Amount) =>
  ({ id, type: "PERIL", chargeType, premium }) as const

const components = [
  component(
    "RC",
    "RECURRING",
    Amount.make(36_500, [], [{ id: "TAX", chargeType: "RECURRING", amount: 3_650 }])
  ),
  component("FILE", "ONE_TIME", Amount.make(2_000, [], []))
]

const quote: PolicyQuote = {
  id: "quote_test_346789ABCDEFGHJKLMNPQ" as PolicyQuote["id"],
  entityId: "policy",
  provider: { id: "test", version: "1" },
  rates: [],
  components,
  totalPremium: sum(components.map(({ premium }) => premium))
}

const of = (
  invoicingConfig: InvoicingConfig,
  alignment: typeof World.motor.invoicing.alignment = { kind: "START_DATE" },
  start = "2026-04-10T00:00:00+02:00"
) => {
  const product = { ...World.motor, invoicing: { ...World.motor.invoicing, alignment } }
  const state = {
    startedAt: World.at(start),
    periodDuration: { amount: 1, unit: "YEAR" } as const,
    invoicingConfig
  }
  const { amountPreFeesAndTaxes, totalTaxes } = prorated(
    quote,
    premiumItems,
    product,
    state
  ).totalPremium
  return [amountPreFeesAndTaxes, totalTaxes]
}

const config = (
  frequency: InvoicingConfig["frequency"],
  firstPayment: InvoicingConfig["firstPayment"] = "NONE"
) => ({ frequency, timing: "IN_ADVANCE", firstPayment }) as const

describe("a prorated quote", () => {
  it("has what recurs in the first period of the grid, and nothing that is charged once", () => {
    // 36,500 over twelve equal months: eight of 3,042 and four of 3,041, the larger ones first.
    assert.deepStrictEqual(of(config("MONTHLY")), [3_042, 305])
    assert.deepStrictEqual(of(config("QUARTERLY")), [9_125, 913])
    assert.deepStrictEqual(of(config("YEARLY")), [36_500, 3_650])
  })

  it("has the whole term where that is paid first", () => {
    assert.deepStrictEqual(of(config("MONTHLY", "FULL_AT_SIGNATURE")), [36_500, 3_650])
  })

  it("has the whole term where the step is longer", () => {
    assert.deepStrictEqual(of(config("BIENNIAL")), [36_500, 3_650])
  })

  it("has a whole month, not the shorter one that leads to the day of the month", () => {
    const [net] = of(config("MONTHLY"), { kind: "DAY_OF_MONTH", day: 1 })
    assert.isTrue(net === 3_041 || net === 3_042)
  })

  it("has the longest of the periods where none is whole", () => {
    // A year from 10 April on a grid of 1 April: 356 days, and then 9 days.
    const [net] = of(
      config("YEARLY"),
      { kind: "DAY_OF_MONTH", day: 1 },
      "2026-04-10T00:00:00+02:00"
    )
    const [whole] = of(config("YEARLY"))
    assert.isTrue(net! > whole! / 2 && net! < whole!)
  })
})
