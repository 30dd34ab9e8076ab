import type { LocalDate } from "@quittance/domain/values/LocalDate"
import { Product } from "@quittance/domain/products/Product"
import { exampleOf } from "@quittance/domain/products/ProductExamples"
import type { Explanation } from "@quittance/domain/products/Quote"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import { compare, type PricePart } from "../src/portfolio/Comparison.ts"
import { compile } from "../src/Engine.ts"
import { explain } from "../src/Explain.ts"
import type { PriceInput } from "../src/PriceInput.ts"
import { Draw } from "@quittance/testing/Draw"
import { randomInput } from "./RandomInput.ts"
import { randomProduct } from "./RandomProduct.ts"
import { randomVersion } from "./RandomVersion.ts"
import { fleet, motor, products } from "./Shipped.ts"

const seed = { seed: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 31 - 1 })) }
const property = (name: string, check: (draw: Draw) => void) =>
  it.effect.prop(name, seed, ({ seed }) => Effect.sync(() => check(new Draw(seed))), {
    arbitrary: { runs: 300 }
  })

const explained = (product: Product, input: PriceInput): Explanation | undefined => {
  const result = compile(product).price(input)
  return Result.isFailure(result) ? undefined : explain(product, result.success)
}

const total = ({ components }: Explanation) =>
  components.reduce((sum, { amountWithFeesAndTaxes }) => sum + amountWithFeesAndTaxes, 0)
const sumOf = (parts: ReadonlyArray<PricePart>) =>
  parts.reduce((sum, { change }) => sum + change, 0)

/** Two prices that may have to do with each other: of versions, of risks, of both. */
const pairOf = (draw: Draw) => {
  const product = draw.chance(0.5) ? draw.pick(products) : randomProduct(draw)
  const version = draw.chance(0.7) ? randomVersion(draw, product) : product
  const input = randomInput(draw, product)
  const other = draw.chance(0.5) ? randomInput(draw, product) : input
  const [before, after] = [explained(product, input), explained(version, other)]
  return before === undefined || after === undefined ? undefined : { before, after }
}

const edited = (product: Product, edit: (text: string) => string): Product =>
  Schema.decodeUnknownSync(Product)(JSON.parse(edit(JSON.stringify(product))))

const day = "2026-01-01" as LocalDate
const example = (product: Product): PriceInput => ({
  ...exampleOf(product),
  startDate: day,
  tierId: "THIRD_PARTY"
})

const told = (parts: ReadonlyArray<PricePart>) =>
  parts.map(({ after, before, cause, change, componentId }) => [
    componentId,
    after?.id ?? before?.id,
    cause,
    change
  ])

describe("the comparison of two prices", () => {
  property("has parts that sum to the difference, and none that moves nothing", (draw) => {
    const pair = pairOf(draw)
    if (pair === undefined) return
    const parts = compare(pair.before, pair.after)
    assert.strictEqual(sumOf(parts), total(pair.after) - total(pair.before))
    assert.isTrue(parts.every(({ change }) => change !== 0 && Number.isSafeInteger(change)))
  })

  property("finds nothing between a price and itself", (draw) => {
    const pair = pairOf(draw)
    if (pair !== undefined) assert.deepStrictEqual(compare(pair.after, pair.after), [])
  })

  property("lays nothing on a factor that stayed as it was", (draw) => {
    const product = draw.pick([motor, fleet])
    const input = { ...randomInput(draw, product), assets: exampleOf(product).assets.slice(0, 1) }
    const before = explained(product, input)
    const after = explained(randomVersion(draw, product, 0.1), input)
    if (before === undefined || after === undefined) return
    const same = compare(before, after).filter(
      (part) => part.after?.kind === "FACTOR" && part.after.rate === part.before?.rate
    )
    assert.deepStrictEqual(same, [])
  })

  property("leaves cents to rounding: half a cent of a base, times its rates", (draw) => {
    const product = draw.pick(products)
    const version = randomVersion(draw, product)
    const before = explained(product, randomInput(draw, product))
    const after = explained(version, randomInput(draw, version))
    if (before === undefined || after === undefined) return
    for (const { cause, change } of compare(before, after)) {
      if (cause === "ROUNDING") assert.isAtMost(Math.abs(change), 20)
    }
  })

  it("tells the table that moved, and what is levied on it", () => {
    const dearer = edited(motor, (text) => text.replace('"amount":26500', '"amount":29150'))
    const parts = compare(explained(motor, example(motor))!, explained(dearer, example(motor))!)
    const fees = parts.map(({ after }) => after?.label)
    assert.deepStrictEqual(fees, [
      "Responsabilité civile",
      "Taxe sur les conventions d'assurance, 33 %",
      "Contribution FGAO"
    ])
    assert.deepStrictEqual(
      parts.map(({ cause }) => cause),
      ["AMOUNT", "BASE", "BASE"]
    )
  })

  it("tells a tax's own rate from what it is levied on", () => {
    const taxed = edited(motor, (text) =>
      text.replace('"rate":"33/100"', '"rate":"43/100"').replace('"amount":26500', '"amount":53000')
    )
    const [before, after] = [explained(motor, example(motor))!, explained(taxed, example(motor))!]
    const tax = compare(before, after).filter((part) => part.after?.id === "TSCA_33")
    const net = before.components[0]!.amountPreFeesAndTaxes
    const grown = Math.round(net * 0.33)
    assert.deepStrictEqual(told(tax), [
      ["RC", "TSCA_33", "BASE", grown],
      ["RC", "TSCA_33", "RATE", Math.round(net * 2 * 0.43) - 2 * grown]
    ])
  })

  it("tells another value from another table", () => {
    const input = example(motor)
    const customFields = { ...input.customFields, bonusMalus: 100 }
    const parts = compare(explained(motor, input)!, explained(motor, { ...input, customFields })!)
    const own = parts.filter(({ cause }) => cause !== "BASE")
    assert.isNotEmpty(own)
    assert.isTrue(own.every(({ after, cause }) => cause === "INPUT" && after?.id === "BONUS_MALUS"))
  })

  it("tells a component that came or went as one part", () => {
    const input = example(motor)
    const parts = compare(
      explained(motor, input)!,
      explained(motor, { ...input, tierId: "COMPREHENSIVE" })!
    )
    const theft = parts.filter(({ componentId }) => componentId === "THEFT")
    assert.lengthOf(theft, 1)
    assert.deepInclude(theft[0]!, { cause: "ADDED", label: "Vol" })
    assert.notProperty(theft[0]!, "after")
  })
})
