import { assert, describe, it } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import { readFileSync } from "node:fs"
import { priceExchangeSchema } from "../../src/products/PriceExchange.ts"

const validate = new Ajv2020({ allErrors: true, strict: true }).compile(priceExchangeSchema())

const refusal = {
  requestId: "3f1c2e58-8a53-4ce6-9d51-9f2f2ba7a0b1",
  providerVersion: "2026.4",
  currency: "EUR",
  tiers: [{ id: "BASIC", refusals: [{ path: "/assets/0", message: "We don't insure this." }] }]
}

describe("the published schema of requests to quote providers and of answers", () => {
  it("is the one that is committed", () => {
    const committed = readFileSync(
      new URL("../../price-exchange.schema.json", import.meta.url),
      "utf8"
    )
    assert.deepStrictEqual(
      JSON.parse(committed),
      JSON.parse(JSON.stringify(priceExchangeSchema())),
      "run packages/domain/scripts/price-exchange-schema.ts"
    )
  })

  it("takes an answer, and refuses what none can be", () => {
    assert.isTrue(validate(refusal), JSON.stringify(validate.errors))
    for (const broken of [
      { ...refusal, note: "more" },
      { ...refusal, currency: "euro" },
      { ...refusal, tiers: [{ id: "BASIC" }] },
      { ...refusal, tiers: [{ id: "BASIC", refusals: [{ message: "" }] }] }
    ]) {
      assert.isFalse(validate(broken))
    }
  })
})
