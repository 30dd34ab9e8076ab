/** What holds of every price, of whatever product that may be published and whatever is asked of it. */
import { allocate } from "@quittance/domain/values/Allocation"
import { make, sum } from "@quittance/domain/values/Amount"
import { read } from "../src/Publishable.ts"
import type { Product } from "@quittance/domain/products/Product"
import {
  Explanation,
  PolicyQuote,
  PremiumItem,
  SelectedTier
} from "@quittance/domain/products/Quote"
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { compile, type Priced, type PriceResult, toQuote } from "../src/Engine.ts"
import { explain } from "../src/Explain.ts"
import type { PriceInput } from "../src/PriceInput.ts"
import { prorate } from "../src/Prorate.ts"
import { damaged } from "./Damage.ts"
import { Draw } from "@quittance/testing/Draw"
import { bytesOf, shuffled } from "./Bytes.ts"
import { NotInsurable, plainly, plainQuote } from "./PlainReading.ts"
import { property } from "./Property.ts"
import { randomInput } from "./RandomInput.ts"
import { randomProduct } from "./RandomProduct.ts"
import { products } from "./Shipped.ts"

const anyProduct = (draw: Draw): Product =>
  draw.chance(0.5) ? draw.pick(products) : randomProduct(draw)

const quoteId = "quote_test_346789ABCDEFGHJKLMNPQ" as PolicyQuote["id"]
const quoteOf = (priced: Priced) => toQuote(priced, { id: quoteId, entityId: "policy" })

/** Totals derive from their lists, and the components sum to the whole, field by field. */
const addsUp = ({ components, totalPremium }: Omit<PolicyQuote, "id" | "entityId">) => {
  for (const { premium } of components) {
    const { amountPreFeesAndTaxes, fees, taxes } = premium
    assert.deepStrictEqual(premium, make(amountPreFeesAndTaxes, fees, taxes))
  }
  assert.deepStrictEqual(totalPremium, sum(components.map(({ premium }) => premium)))
  const { amountPreFeesAndTaxes, fees, taxes } = totalPremium
  assert.deepStrictEqual(totalPremium, make(amountPreFeesAndTaxes, fees, taxes))
}

const holds = (product: Product, input: PriceInput, priced: Priced) => {
  const quote = quoteOf(priced)
  addsUp(quote)
  for (const schema of [
    [PolicyQuote, quote],
    [SelectedTier, priced.selectedTier],
    [Schema.Array(PremiumItem), priced.premiumItems],
    [Explanation, explain(product, priced)]
  ] as const) {
    Schema.decodeUnknownSync(schema[0] as Schema.Schema<unknown> & { DecodingServices: never })(
      JSON.parse(JSON.stringify(schema[1])),
      { onExcessProperty: "error" }
    )
  }
  const { totalPremium } = quote
  assert.strictEqual(
    new Set(priced.premiumItems.map(({ id }) => id)).size,
    priced.premiumItems.length
  )
  assert.strictEqual(total(priced.premiumItems), totalPremium.amountWithFeesAndTaxes)
  // With every premium item at its whole amount, prorating leaves out what is charged once, and no more.
  const whole = prorate(quote, priced.premiumItems, ({ amount }) => amount)
  const once = priced.premiumItems.filter(({ chargeType }) => chargeType !== "RECURRING")
  addsUp(whole)
  assert.strictEqual(
    whole.totalPremium.amountWithFeesAndTaxes + total(once),
    totalPremium.amountWithFeesAndTaxes
  )
  splits(quote, priced.premiumItems)
  assert.lengthOf(
    totalPremium.fees.filter((fee) => fee.brokerageFirmId !== undefined),
    input.brokerageFees?.length ?? 0
  )
}

/** Leaves split over periods or payers give quotes that add up, and that sum to the whole by each field. */
const splits = (quote: PolicyQuote, premiumItems: ReadonlyArray<PremiumItem>) => {
  const recurring = prorate(quote, premiumItems, ({ amount }) => amount)
  for (const weights of [
    [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
    [17, 92, 91, 92, 73],
    [0, 3, 1]
  ]) {
    const shares = new Map(
      premiumItems.map((premiumItem) => [premiumItem.id, allocate(premiumItem.amount, weights)])
    )
    const parts = weights.map((_, part) =>
      prorate(quote, premiumItems, ({ id }) => shares.get(id)![part]!)
    )
    for (const part of parts) addsUp(part)
    assert.deepStrictEqual(
      sum(parts.map(({ totalPremium }) => totalPremium)),
      recurring.totalPremium
    )
    for (const [index, { id, premium }] of recurring.components.entries()) {
      const split = parts.map(({ components }) => components[index]!)
      assert.isTrue(split.every((component) => component.id === id))
      assert.deepStrictEqual(sum(split.map((component) => component.premium)), premium)
    }
  }
}

const total = (premiumItems: ReadonlyArray<PremiumItem>) =>
  premiumItems.reduce((sum, { amount }) => sum + amount, 0)

describe("prices of random products and inputs", () => {
  property("hold the invariants of a quote", (draw) => {
    const product = anyProduct(draw)
    for (let times = 0; times < 5; times++) {
      const input = randomInput(draw, product)
      const result = compile(product).price(input)
      if (Result.isFailure(result)) assert.deepStrictEqual(kinds(result), ["InvalidCustomField"])
      else holds(product, input, result.success)
    }
  })

  property(
    "are what a plain reading of the document gives, or are refused where that finds none",
    (draw) => {
      const product = anyProduct(draw)
      const input = randomInput(draw, product)
      const result = compile(product).price(input)
      if (Result.isSuccess(result)) {
        assert.deepStrictEqual(
          result.success.quote.components.map(plainly),
          plainQuote(product, input)
        )
      } else {
        assert.deepStrictEqual(kinds(result), ["InvalidCustomField"])
        assert.throws(() => plainQuote(product, input), NotInsurable)
      }
    }
  )

  property(
    "are the same to the byte for the same input, in whatever order its names come",
    (draw) => {
      const product = anyProduct(draw)
      const input = randomInput(draw, product, 0.1)
      const first = bytesOf(product, input)
      // Another object with the same content compiles anew.
      assert.strictEqual(bytesOf(structuredClone(product), structuredClone(input)), first)
      const definition: unknown = JSON.parse(JSON.stringify(shuffled(draw, product)))
      assert.strictEqual(bytesOf(Result.getOrThrow(read(definition)), shuffled(draw, input)), first)
    }
  )

  property("are explained by steps that sum to them", (draw) => {
    const product = anyProduct(draw)
    const result = compile(product).price(randomInput(draw, product))
    if (Result.isFailure(result)) return
    const priced = result.success
    const { components } = explain(product, priced)
    assert.deepStrictEqual(
      components.map(({ componentId }) => componentId),
      priced.quote.components.map(({ id }) => id)
    )
    for (const [index, { amountWithFeesAndTaxes, steps }] of components.entries()) {
      const { premium } = priced.quote.components[index]!
      const change = (part: string) =>
        steps.reduce((sum, step) => sum + (step.part === part ? step.change : 0), 0)
      assert.strictEqual(change("NET"), premium.amountPreFeesAndTaxes)
      assert.strictEqual(change("FEE"), premium.totalFees)
      assert.strictEqual(change("TAX"), premium.totalTaxes)
      assert.strictEqual(amountWithFeesAndTaxes, premium.amountWithFeesAndTaxes)
    }
  })

  property("are refused with reasons, never with an exception, for faulty inputs", (draw) => {
    const product = anyProduct(draw)
    for (let times = 0; times < 5; times++) {
      const input = randomInput(draw, product, draw.pick([0.02, 0.1, 0.5]))
      const result = compile(product).price(input)
      if (Result.isSuccess(result)) {
        addsUp(result.success.quote)
        explain(product, result.success)
      } else {
        assert.isNotEmpty(result.failure)
        for (const failure of result.failure) assert.isNotEmpty(failure.message)
      }
    }
  })

  property("never come from a damaged document: it is told where, or still prices", (draw) => {
    const whole = JSON.parse(JSON.stringify(anyProduct(draw))) as unknown
    const { definition, names, pointer } = damaged(draw, whole)
    const published = read(definition)
    if (Result.isFailure(published)) {
      const { faults } = published.failure
      assert.isNotEmpty(faults)
      for (const fault of faults) {
        assert.match(fault.pointer, /^(?:\/(?:[^~/]|~[01])*)*$/u)
        assert.match(fault.message, /^[A-Z][\s\S]*[.?]$/u)
        assert.isTrue(
          isAbout(fault.pointer, pointer) || names.has(lastOf(whole, fault.pointer)),
          [pointer, fault.pointer, fault.message].join(" ")
        )
      }
      return
    }
    const product = published.success
    const input = randomInput(draw, product, draw.pick([0, 0.1]))
    for (const { result } of compile(product).tiers(input)) {
      if (Result.isSuccess(result)) explain(product, result.success)
    }
  })
})

/** The name that stands at a place of the whole document, or by which the place is called. */
const lastOf = (definition: unknown, pointer: string): string => {
  const path = pointer.split("/").slice(1)
  const found = path.reduce<unknown>(
    (node, key) => (Object(node) as Record<string, unknown>)[key],
    definition
  )
  return typeof found === "string" ? found : (path.at(-1) ?? "")
}

/** One of the two places is the other, lies in it, or in the same object beside it. */
const isAbout = (told: string, damaged: string): boolean =>
  [damaged, told].some((a) => [damaged, told].some((b) => a === b || `${a}/`.startsWith(`${b}/`)))

const kinds = (result: PriceResult) =>
  Result.isFailure(result) ? result.failure.map(({ _tag }) => _tag) : []

describe("random products", () => {
  property("are products that could be published", (draw) => {
    const result = read(randomProduct(draw))
    if (Result.isFailure(result)) assert.deepStrictEqual(result.failure.faults, [])
  })

  it("are priced more often than not, so that the properties look at prices", () => {
    const results = Array.from({ length: 300 }, (_, seed) => {
      const draw = new Draw(seed)
      const product = randomProduct(draw)
      return compile(product).price(randomInput(draw, product))
    })
    assert.isAbove(results.filter(Result.isSuccess).length, 200)
  })
})
