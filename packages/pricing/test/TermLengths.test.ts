import { assert, describe, it } from "@effect/vitest"
import type { Duration } from "@quittance/domain/values/Duration"
import { isSameLength, lengthRatio } from "@quittance/domain/values/Duration"
import type { Product } from "@quittance/domain/products/Product"
import { exampleOf } from "@quittance/domain/products/ProductExamples"
import { LocalDate } from "@quittance/domain/values/LocalDate"
import { Result } from "effect"
import { compile, type Priced } from "../src/Engine.ts"
import { explain } from "../src/Explain.ts"
import type { PriceInput } from "../src/PriceInput.ts"
import { products } from "./Shipped.ts"

const startDate = LocalDate.make("2026-01-01")

const years = (amount: number): Duration => ({ amount, unit: "YEAR" })

const priced = (product: Product, input: PriceInput, term?: Duration): Priced =>
  Result.getOrThrow(
    compile(product).price({ ...input, ...(term === undefined ? {} : { periodDuration: term }) })
  )

const nets = ({ premiumItems }: Priced, chargeTypes: ReadonlyArray<string>) =>
  new Map(
    premiumItems
      .filter(({ chargeType, kind }) => kind === "NET" && chargeTypes.includes(chargeType))
      .map(({ amount, id }) => [id, amount])
  )

const lengths: ReadonlyArray<readonly [Duration, number, number]> = [
  [years(10), 10, 1],
  [years(2), 2, 1],
  [{ amount: 6, unit: "MONTH" }, 1, 2],
  [{ amount: 1, unit: "MONTH" }, 1, 12],
  [{ amount: 30, unit: "DAY" }, 6, 73],
  [{ amount: 2, unit: "WEEK" }, 14, 365],
  [{ amount: 1, unit: "HOUR" }, 1, 8760]
]

describe("how long one duration is beside another", () => {
  it("is a fraction in lowest terms, the same wherever it begins", () => {
    for (const [length, numerator, denominator] of lengths) {
      assert.deepStrictEqual(lengthRatio(length, years(1)), { numerator, denominator })
      assert.isFalse(isSameLength(length, years(1)))
    }
    for (const same of [
      { amount: 12, unit: "MONTH" },
      { amount: 365, unit: "DAY" }
    ] as const) {
      assert.isTrue(isSameLength(same, years(1)))
    }
  })
})

describe("a term of another length", () => {
  for (const product of products) {
    const input = { startDate, ...exampleOf(product) }
    const year = priced(product, input)

    it(`costs as much in proportion, of ${product.productId}`, () => {
      const own = nets(year, ["RECURRING"])
      const perils = new Set(product.perils.map(({ id }) => id))
      for (const [term, numerator, denominator] of lengths) {
        for (const [id, amount] of nets(priced(product, input, term), ["RECURRING"])) {
          if (!perils.has(id)) continue
          const exact = (own.get(id)! * numerator) / denominator
          assert.strictEqual(amount, Math.round(exact), `${id} over ${term.amount} ${term.unit}`)
        }
      }
    })

    it(`leaves as it is what is charged once, and what is as long, of ${product.productId}`, () => {
      const once = ["ONE_TIME", "SPOT"]
      assert.deepStrictEqual(nets(priced(product, input, years(10)), once), nets(year, once))
      assert.deepStrictEqual(
        priced(product, input, { amount: 12, unit: "MONTH" }).quote,
        year.quote
      )
    })

    it(`is explained to the cent, of ${product.productId}`, () => {
      for (const [term] of lengths) {
        const other = priced(product, input, term)
        for (const component of explain(product, other).components) {
          const sum = component.steps.reduce((total, { change }) => total + change, 0)
          assert.strictEqual(sum, component.amountWithFeesAndTaxes)
        }
        const total = other.premiumItems.reduce((sum, { amount }) => sum + amount, 0)
        assert.strictEqual(total, other.quote.totalPremium.amountWithFeesAndTaxes)
        assert.isTrue(other.quote.rates.some(({ id }) => id === "periodDuration"))
      }
    })
  }

  it("takes its brokerage fee of what the term costs", () => {
    const motor = products.find(({ productId }) => productId === "motor-fr")!
    const brokerageFees = [
      // Any firm: who it is does not matter to the price.
      { brokerageFirmId: "brokerage_firm_test_AAAAAAAAAAAAAAAAAAAAA" as never, fee: 10 }
    ]
    const decade = priced(motor, { startDate, ...exampleOf(motor), brokerageFees }, years(10))
    const { amountPreFeesAndTaxes: net } = decade.quote.totalPremium
    const fee = decade.premiumItems.find(({ brokerageFirmId }) => brokerageFirmId !== undefined)
    assert.strictEqual(fee?.amount, Math.round(net / 10))
  })
})
