import type { LocalDate } from "@quittance/domain/values/LocalDate"
import type { Product } from "@quittance/domain/products/Product"
import { exampleOf } from "@quittance/domain/products/ProductExamples"
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { compile } from "../src/Engine.ts"
import { explain } from "../src/Explain.ts"
import type { PriceInput } from "../src/PriceInput.ts"
import { halfAwayFromZero, type Ratio } from "./PlainReading.ts"
import { property } from "./Property.ts"
import { randomInput } from "./RandomInput.ts"
import { randomProduct } from "./RandomProduct.ts"
import { liability, motor } from "./Shipped.ts"

const explained = (product: Product, componentId: string, change: Partial<PriceInput> = {}) => {
  const input = { ...exampleOf(product), startDate: "2026-01-01" as LocalDate, ...change }
  const priced = Result.getOrThrow(compile(product).price(input))
  return explain(product, priced).components.find((one) => one.componentId === componentId)!
}

describe("an explanation", () => {
  it("tells what every input moved, in cents, from the base to the taxes", () => {
    const { label, steps } = explained(motor, "THEFT", { tierId: "COMPREHENSIVE" })
    assert.strictEqual(label, "Vol")
    // 14 500.00 € × 0.42 % = 60.90 €; × 0.68; × 1.00; × 1.08; × 0.95
    assert.deepStrictEqual(
      steps.map(({ change, id, kind, rate }) => [kind, id, rate, change]),
      [
        ["BASE", "THEFT", undefined, 6_090],
        ["FACTOR", "BONUS_MALUS", 6_800, -1_949],
        ["FACTOR", "GROUP", 10_000, 0],
        ["FACTOR", "ZONE", 10_800, 331],
        ["FACTOR", "PARKING", 9_500, -223],
        ["TAX", "TSCA_18", 1_800, 765]
      ]
    )
  })

  it("tells the least price of a peril as a step of its own", () => {
    const customFields = { ...exampleOf(liability).customFields, turnover: 0 }
    const { amountPreFeesAndTaxes, steps } = explained(liability, "PROFESSIONAL_LIABILITY", {
      customFields
    })
    assert.strictEqual(amountPreFeesAndTaxes, 24_000)
    const moved = steps.filter(({ change, part }) => part === "NET" && change !== 0)
    assert.deepStrictEqual(
      moved.map(({ change, kind }) => [kind, change]),
      [["MINIMUM", 24_000]]
    )
  })

  it("tells the share and its base for CatNat", () => {
    const { steps } = explained(motor, "CATNAT", { tierId: "COMPREHENSIVE" })
    assert.deepStrictEqual(steps[0], {
      part: "NET",
      kind: "SHARE",
      id: "CATNAT",
      label: "Catastrophes naturelles",
      rate: 900,
      inputs: [
        { id: "share", value: "9/100" },
        { id: "base", value: 5_560 }
      ],
      change: 500
    })
  })

  it("merges the steps of several assets", () => {
    const fleet: Product = { ...motor, assets: { type: "VEHICLE", min: 1, max: 10 } }
    const [asset] = exampleOf(motor).assets
    const one = explained(motor, "THEFT")
    const three = explained(fleet, "THEFT", { assets: [asset!, asset!, asset!] })
    assert.deepStrictEqual(
      three.steps.map(({ change }) => change).slice(0, -1),
      one.steps.map(({ change }) => change * 3).slice(0, -1)
    )
  })

  property(
    "tells of each step of a peril what it moves, as the rates of the quote have it",
    (draw) => {
      const product = randomProduct(draw)
      const input = randomInput(draw, product)
      const result = compile(product).price({ ...input, assets: input.assets.slice(0, 1) })
      if (Result.isFailure(result)) return
      const { quote } = result.success
      const { to = 1 } = product.rounding?.premiums ?? {}
      for (const { componentId, steps } of explain(product, result.success).components) {
        const peril = product.perils.find(({ id }) => id === componentId)
        if (peril === undefined) continue
        const based = quote.rates.find(({ id }) => id === `${componentId}/base`)!
        const found = new Map(based.inputs.map(({ id, value }) => [id, value]))
        const [top, bottom] = String(found.get("share") ?? "1/1")
          .split("/")
          .map(BigInt)
        let price: Ratio = { numerator: BigInt(found.get("amount")!) * top!, denominator: bottom! }
        let before = 0
        for (const { change, id, inputs, kind, part, rate } of steps) {
          if (part !== "NET") continue
          const { denominator, numerator } = price
          if (rate !== undefined) {
            price = { numerator: numerator * BigInt(rate), denominator: denominator * 10_000n }
          } else if (kind === "OPTION") {
            const { values } = peril.options.find((option) => option.id === id)!
            const add = BigInt(values.find((value) => value.id === inputs[0]?.value)?.add ?? 0)
            price = { numerator: numerator + add * denominator, denominator }
          }
          const isBound = kind === "MINIMUM" || kind === "MAXIMUM"
          const { max, min = 0 } = peril.rating!
          const after = isBound ? (kind === "MINIMUM" ? min : max!) : halfAwayFromZero(price, to)
          assert.strictEqual(change, after - before, `${componentId} ${kind} ${id}`)
          before = after
        }
      }
    }
  )
})
