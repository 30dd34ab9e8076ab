import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { createHash } from "node:crypto"
import { ProductConfig, publicConfig } from "../../src/products/ProductConfig.ts"
import { productIds, productOf } from "../ShippedProducts.ts"

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

/** Every member's name at any depth. */
const names = (value: unknown): ReadonlyArray<string> => {
  if (Array.isArray(value)) return value.flatMap(names)
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => [name, ...names(member)])
}

describe("the public configuration of a product", () => {
  it("says how it is paid for, where the product does", () => {
    const directDebit = {
      schemes: ["CORE"],
      notificationDays: 14,
      announce: "INVOICE",
      retry: { maxAttempts: 2, afterDays: 5, notificationDays: 2 },
      returnFee: 500
    } as const
    const modes = ["DIRECT_DEBIT", "BANK_TRANSFER"] as const
    const motor = { ...productOf("motor-fr"), payments: { modes, directDebit } }
    assert.deepStrictEqual(publicConfig(motor, sha256).payments, {
      modes,
      schemes: ["CORE"],
      notificationDays: 14
    })
  })

  for (const productId of productIds) {
    const product = productOf(productId)
    const config = publicConfig(product, sha256)

    it(`shows no rate, rule or commission of ${productId}`, () => {
      const secret = ["rating", "rate", "multiply", "add", "factors", "taxClass", "taxes", "fees"]
      const hidden = [
        ...secret,
        "specials",
        "brokerageFee",
        "charges",
        "refund",
        "dunning",
        "limits",
        "exclusions",
        "legalDeductible"
      ]
      for (const name of hidden) assert.notInclude(names(config), name)
    })

    it(`has exactly the members that the interface gives it: ${productId}`, () => {
      const decode = Schema.decodeUnknownSync(ProductConfig)
      const wire: unknown = JSON.parse(JSON.stringify(config))
      assert.deepStrictEqual(decode(wire, { onExcessProperty: "error" }), config)
      assert.deepStrictEqual(
        Object.keys(config),
        [
          "productId version name type currency timeZone locale stopReasons fields customerRoles",
          "tiers perils periodDuration invoicing consents",
          ...(product.claims === undefined ? [] : ["claims"])
        ].flatMap((line) => line.split(" "))
      )
    })

    it(`is enough to sell ${productId}: fields with examples, options with defaults, texts with hashes`, () => {
      assert.deepStrictEqual(config.fields, product.fields)
      assert.deepStrictEqual(
        config.perils.map(({ id }) => id),
        product.perils.map(({ id }) => id)
      )
      for (const { options } of config.perils) {
        for (const option of options) {
          assert.include(
            option.values.map(({ id }) => id),
            option.default
          )
        }
      }
      for (const consent of config.consents) assert.strictEqual(consent.hash, sha256(consent.text))
      assert.include(config.stopReasons, "NON_PAYMENT")
    })
  }
})
