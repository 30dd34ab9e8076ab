import { assert, describe, it } from "@effect/vitest"
import { format } from "../src/terminal/Money.ts"

describe("amounts as people read them", () => {
  it("have the currency's places, whatever they are", () => {
    assert.strictEqual(format(123_456, "EUR"), "€1,234.56")
    assert.strictEqual(format(5, "EUR"), "€0.05")
    assert.strictEqual(format(0, "EUR"), "€0.00")
    assert.strictEqual(format(1500, "JPY"), "JP¥1,500")
    assert.strictEqual(format(1500, "KWD"), "KWD\u00a01.500")
  })

  it("keep their sign", () => {
    assert.strictEqual(format(-5, "EUR"), "-€0.05")
    assert.strictEqual(format(-123_456, "EUR"), "-€1,234.56")
  })

  it("have a plus where a change is asked for", () => {
    assert.strictEqual(format(5, "EUR", { signed: true }), "+€0.05")
    assert.strictEqual(format(0, "EUR", { signed: true }), "€0.00")
  })

  it("are exact as far as amounts go", () => {
    assert.strictEqual(format(Number.MAX_SAFE_INTEGER, "EUR"), "€90,071,992,547,409.91")
    assert.strictEqual(format(10n ** 20n, "EUR"), "€1,000,000,000,000,000,000.00")
  })
})
