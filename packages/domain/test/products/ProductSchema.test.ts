import { assert, describe, it } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import { readFileSync } from "node:fs"
import { productSchema } from "../../src/products/ProductSchema.ts"
import { documentOf, productIds } from "../ShippedProducts.ts"

const validate = new Ajv2020({ allErrors: true, strict: true }).compile(productSchema())

const faultsOf = (definition: unknown) => {
  validate(definition)
  return (validate.errors ?? []).map(({ instancePath, keyword }) => [instancePath, keyword])
}

describe("the published schema of products", () => {
  it("is the one that is committed", () => {
    const committed = readFileSync(new URL("../../product.schema.json", import.meta.url), "utf8")
    assert.deepStrictEqual(
      JSON.parse(committed),
      JSON.parse(JSON.stringify(productSchema())),
      "run packages/domain/scripts/product-schema.ts"
    )
  })

  it("takes the shipped products", () => {
    for (const productId of productIds) assert.deepStrictEqual(faultsOf(documentOf(productId)), [])
  })

  it("refuses what a document of that shape can't be", () => {
    const motor = documentOf("motor-fr") as Record<string, unknown>
    const { version: _, ...nameless } = motor
    for (const [definition, path, keyword] of [
      [{ ...motor, fancy: 1 }, "", "additionalProperties"],
      [nameless, "", "required"],
      [{ ...motor, validFrom: 2026 }, "/validFrom", "type"],
      [{ ...motor, tiers: [] }, "/tiers", "minItems"],
      [{ ...motor, type: "CARAVAN" }, "/type", "enum"]
    ] as const) {
      assert.deepInclude(faultsOf(definition), [path, keyword])
    }
  })
})
