import type { LocalDate } from "@quittance/domain/values/LocalDate"
import { exampleOf } from "@quittance/domain/products/ProductExamples"
import type { PremiumItem } from "@quittance/domain/products/Quote"
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { compile, toQuote } from "../src/Engine.ts"
import { prorate } from "../src/Prorate.ts"
import { motor } from "./Shipped.ts"

const priced = Result.getOrThrow(
  compile(motor).price({
    ...exampleOf(motor),
    startDate: "2026-01-01" as LocalDate,
    brokerageFees: [
      { brokerageFirmId: "brokerage_firm_test_346789ABCDEFGHJKLMNPQ" as never, fee: 10 }
    ]
  })
)
const quote = toQuote(priced, {
  id: "quote_test_346789ABCDEFGHJKLMNPQ" as never,
  entityId: "policy_test_346789ABCDEFGHJKLMNPQ"
})
const twelfth = ({ amount }: PremiumItem) => Math.round(amount / 12)

describe("a prorated quote", () => {
  const prorated = prorate(quote, priced.premiumItems, twelfth)

  it("has no component that is charged once", () => {
    const ids = prorated.components.map(({ id }) => id)
    assert.notInclude(ids, "POLICY_FEE")
    assert.notInclude(ids, "FGTI_TERRORISM")
    assert.lengthOf(ids, quote.components.length - 2)
  })

  it("has each premium item's own amount and derives every total from them", () => {
    const rc = quote.components.find(({ id }) => id === "RC")!.premium
    const { premium } = prorated.components.find(({ id }) => id === "RC")!
    assert.strictEqual(premium.amountPreFeesAndTaxes, Math.round(rc.amountPreFeesAndTaxes / 12))
    assert.deepStrictEqual(
      premium.taxes,
      rc.taxes.map((tax) => ({ ...tax, amount: Math.round(tax.amount / 12) }))
    )
    assert.strictEqual(
      prorated.totalPremium.amountWithFeesAndTaxes,
      priced.premiumItems
        .filter(({ chargeType }) => chargeType === "RECURRING")
        .reduce((sum, premiumItem) => sum + twelfth(premiumItem), 0)
    )
  })

  it("keeps the firm of a brokerage fee, and whose quote it is", () => {
    const { premium } = prorated.components.find(({ id }) => id === "BROKERAGE_FEE")!
    assert.deepStrictEqual(
      premium.fees.map(({ brokerageFirmId, id }) => [id, brokerageFirmId]),
      [["BROKERAGE_FEE", "brokerage_firm_test_346789ABCDEFGHJKLMNPQ"]]
    )
    assert.strictEqual(prorated.id, quote.id)
    assert.deepStrictEqual(prorated.rates, quote.rates)
  })
})
