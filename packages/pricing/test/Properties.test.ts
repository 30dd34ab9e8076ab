import { make, sum } from "@quittance/domain/Amount"
import { read } from "../src/Publishable.ts"
import type { Product } from "@quittance/domain/Product"
import { Explanation, PolicyQuote, QuoteLeaf, SelectedTier } from "@quittance/domain/Quote"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import { compile, type Priced, type PriceResult, toQuote } from "../src/Engine.ts"
import { explain } from "../src/Explain.ts"
import type { PriceInput } from "../src/PriceInput.ts"
import { prorate } from "../src/Prorate.ts"
import { Draw } from "./Draw.ts"
import { plainNets } from "./PlainReading.ts"
import { randomInput } from "./RandomInput.ts"
import { damaged, randomProduct } from "./RandomProduct.ts"
import { products } from "./Shipped.ts"

const runs = { arbitrary: { runs: 300 } }
const seed = { seed: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 31 - 1 })) }

const property = (name: string, check: (draw: Draw) => void) =>
  it.effect.prop(name, seed, ({ seed }) => Effect.sync(() => check(new Draw(seed))), runs)

const anyProduct = (draw: Draw): Product =>
  draw.chance(0.5) ? draw.pick(products) : randomProduct(draw)

const succeeded = (result: PriceResult): Priced => {
  if (Result.isFailure(result)) throw new Error(JSON.stringify(result.failure))
  return result.success
}

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
    [Schema.Array(QuoteLeaf), priced.leaves],
    [Explanation, explain(product, priced)]
  ] as const) {
    Schema.decodeUnknownSync(schema[0] as Schema.Schema<unknown> & { DecodingServices: never })(
      JSON.parse(JSON.stringify(schema[1])),
      { onExcessProperty: "error" }
    )
  }
  const { totalPremium } = quote
  assert.strictEqual(new Set(priced.leaves.map(({ id }) => id)).size, priced.leaves.length)
  assert.strictEqual(total(priced.leaves), totalPremium.amountWithFeesAndTaxes)
  // With every leaf at its whole amount, prorating leaves out what is charged once, and no more.
  const whole = prorate(quote, priced.leaves, ({ amount }) => amount)
  const once = priced.leaves.filter(({ chargeType }) => chargeType !== "RECURRING")
  addsUp(whole)
  assert.strictEqual(
    whole.totalPremium.amountWithFeesAndTaxes + total(once),
    totalPremium.amountWithFeesAndTaxes
  )
  for (const fee of totalPremium.fees.filter((fee) => fee.brokerageFirmId !== undefined)) {
    assert.isAtLeast(fee.amount, 0)
    assert.isAtMost(fee.amount, totalPremium.amountPreFeesAndTaxes)
  }
  assert.lengthOf(
    totalPremium.fees.filter((fee) => fee.brokerageFirmId !== undefined),
    input.brokerageFees?.length ?? 0
  )
}

const total = (leaves: ReadonlyArray<QuoteLeaf>) =>
  leaves.reduce((sum, { amount }) => sum + amount, 0)

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

  property("are what a plain reading of the document gives", (draw) => {
    const product = anyProduct(draw)
    const input = randomInput(draw, product)
    const result = compile(product).price(input)
    if (Result.isFailure(result)) return
    const { components } = result.success.quote
    assert.deepStrictEqual(
      Object.fromEntries(
        components
          .filter(({ type }) => type === "PERIL")
          .map(({ id, premium }) => [id, premium.amountPreFeesAndTaxes])
      ),
      plainNets(product, input)
    )
  })

  property("are the same to the byte for the same input", (draw) => {
    const product = anyProduct(draw)
    const input = randomInput(draw, product, 0.1)
    const first = JSON.stringify(compile(product).price(input))
    // Another object with the same content compiles anew.
    const again = compile(structuredClone(product)).price(structuredClone(input))
    assert.strictEqual(JSON.stringify(again), first)
  })

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

  property("never come from a damaged document: it is refused, or still prices", (draw) => {
    const document = damaged(draw, draw.chance(0.5) ? draw.pick(products) : randomProduct(draw))
    const published = read(document)
    if (Result.isFailure(published)) {
      assert.isNotEmpty(published.failure.faults)
      for (const { pointer } of published.failure.faults) assert.match(pointer, /^(\/.*)?$/u)
      return
    }
    const product = published.success
    const input = randomInput(draw, product, draw.pick([0, 0.1]))
    for (const { result } of compile(product).tiers(input)) {
      if (Result.isSuccess(result)) explain(product, result.success)
    }
  })
})

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

describe("monotonic factors", () => {
  const cases = [
    [0, "customFields", "bonusMalus", 50, 350],
    [0, "assets", "value", 50_000, 15_000_000],
    [1, "assets", "contents", 300_000, 20_000_000],
    [1, "assets", "rooms", 1, 15],
    [2, "customFields", "employees", 0, 250],
    [2, "customFields", "claims", 0, 20]
  ] as const
  for (const [index, record, key, low, high] of cases) {
    const product = products[index]!
    property(`never make ${product.productId} cheaper with a greater ${key}`, (draw) => {
      const input = randomInput(draw, product)
      const [less, more] = [draw.int(low, high), draw.int(low, high)].sort((a, b) => a - b)
      const at = (value: number): PriceInput =>
        record === "customFields"
          ? { ...input, customFields: { ...input.customFields, [key]: value } }
          : {
              ...input,
              assets: input.assets.map((asset) => ({
                ...asset,
                customFields: { ...asset.customFields, [key]: value }
              }))
            }
      const cheap = compile(product).price(at(less!))
      const dear = compile(product).price(at(more!))
      assert.strictEqual(Result.isSuccess(cheap), Result.isSuccess(dear))
      if (Result.isFailure(cheap)) return
      for (const [position, { premium }] of succeeded(dear).quote.components.entries()) {
        const before = cheap.success.quote.components[position]!.premium
        assert.isAtLeast(premium.amountWithFeesAndTaxes, before.amountWithFeesAndTaxes)
      }
    })
  }
})
