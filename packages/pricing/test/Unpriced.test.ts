import type { LocalDate } from "@quittance/domain/values/LocalDate"
import type { Product } from "@quittance/domain/products/Product"
import { exampleOf } from "@quittance/domain/products/ProductExamples"
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { compile } from "../src/Engine.ts"
import type { PriceInput } from "../src/PriceInput.ts"
import { type Reason, reasonsOf, Unpriced } from "../src/portfolio/Unpriced.ts"
import { motor } from "./Shipped.ts"

const failing = (product: Product, change: Partial<PriceInput>): ReadonlyArray<Reason> => {
  const input = { ...exampleOf(product), startDate: "2026-01-01" as LocalDate, ...change }
  const result = compile(product).price(input)
  return Result.isFailure(result) ? reasonsOf(product, result.failure) : []
}

const reason = (message: string): Reason => ({ code: "INVALID_AMOUNT", at: "/x", message })

describe("the reasons why there is no price", () => {
  it("name what is wrong without the record that has it", () => {
    const { assets, customers } = exampleOf(motor)
    const named = { id: "asset_1", customFields: { ...assets[0]!.customFields, power: "strong" } }
    assert.deepStrictEqual(failing(motor, { assets: [named] }), [
      {
        code: "INVALID_CUSTOM_FIELD",
        at: "/assets/*/customFields/power",
        message: "Send an integer."
      }
    ])
    const { birthDate: _birthDate, ...customFields } = customers[0]!.customFields
    const [missing] = failing(motor, { customers: [{ ...customers[0]!, id: "c1", customFields }] })
    assert.strictEqual(missing?.at, "/customers/*/customFields/birthDate")
  })

  it("tell which tier, peril or option a version does not have", () => {
    const messages = (change: Partial<PriceInput>) =>
      failing(motor, change).map(({ at, message }) => `${at} ${message}`)
    assert.deepStrictEqual(messages({ tierId: "GOLD" }), ["/tierId The version has no tier GOLD."])
    assert.deepStrictEqual(messages({ perils: [{ id: "HAIL" }] }), [
      "/perils/*/id The version has no peril HAIL."
    ])
    assert.deepStrictEqual(messages({ perils: [{ id: "RC", options: { NONE: "X" } }] }), [
      "/perils/*/options The version has no option NONE."
    ])
    assert.deepStrictEqual(messages({ perils: [{ id: "RC", included: false }] }), [
      "/perils/*/included The version has the peril fixed; it can be neither added nor left out."
    ])
  })

  it("tell from when on a version is valid", () => {
    const [early] = failing(motor, { startDate: "2019-12-31" as LocalDate })
    assert.deepInclude(early!, { code: "INVALID_EFFECTIVE_DATE" })
    assert.include(early!.message, motor.validFrom)
  })
})

describe("the count of what has no price", () => {
  it("counts each policy once for a reason, the most frequent first, with a few examples", () => {
    const unpriced = new Unpriced()
    for (const id of ["a", "b", "c", "d"]) unpriced.add(id, [reason("often"), reason("often")])
    unpriced.add("e", [reason("seldom"), reason("often")])
    assert.strictEqual(unpriced.count, 5)
    assert.deepStrictEqual(
      unpriced.reasons.map(({ count, examples, message }) => [message, count, examples]),
      [
        ["often", 5, ["a", "b", "c"]],
        ["seldom", 1, ["e"]]
      ]
    )
  })

  it("stays small however many reasons there are, and says so", () => {
    const unpriced = new Unpriced()
    for (let index = 0; index < 250; index++) unpriced.add("a", [reason(`${index}`)])
    assert.strictEqual(unpriced.count, 250)
    assert.lengthOf(unpriced.reasons, 100)
    assert.strictEqual(unpriced.further, 150)
  })
})
