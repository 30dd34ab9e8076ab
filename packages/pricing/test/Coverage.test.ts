/** That the random products and inputs of the properties reach all of the language of products. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { compile } from "../src/Engine.ts"
import { Draw } from "@quittance/testing/Draw"
import { featuresOf } from "./Features.ts"
import { randomInput } from "./RandomInput.ts"
import { randomProduct } from "./RandomProduct.ts"
import { products } from "./Shipped.ts"

const drawn = 400

/** Each feature in so many of them, of which so many have a price. */
const least = { products: 12, prices: 6 }

const entities = ["POLICY", "CUSTOMER", "ASSET"]
const charges = ["none", "ONE_TIME", "SPOT", "RECURRING"]

/** Written down here, so that what a generator no longer makes is missed. */
const language = [
  ...["BOOLEAN", "ENUM", "DATE", "NUMBER", "MONEY", "STRING", "INTEGER"].map((t) => `field ${t}`),
  "field showWhen",
  "field roles",
  "field that a quote does not need",
  "field without a price",
  ...entities.flatMap((of) =>
    ["VALUE", "AGE", "AGE_IN_MONTHS", "YEAR", "EXPRESSION"].map((as) => `input of ${of} as ${as}`)
  ),
  "input default",
  "input bounds",
  "input of several roles",
  ...["INTEGER", "BOOLEAN", "STRING", "STRING of values"].map((type) => `expression ${type}`),
  ...[
    "assetCount",
    "another expression",
    "a choice",
    "a comparison",
    "a division",
    "an integer of a decimal",
    "a list",
    "a negation",
    "logic",
    "size",
    "text",
    "text in text"
  ].map((part) => `expression with ${part}`),
  ...["VALUE", "RANGE", "LINEAR", "otherwise", "falling", "rising"].map((kind) => `factor ${kind}`),
  ...["AMOUNT", "VALUE", "RANGE", "SHARE"].flatMap((kind) =>
    ["POLICY", "ASSET"].map((per) => `base ${kind} per ${per}`)
  ),
  ...charges.map((chargeType) => `peril charged ${chargeType}`),
  ...["every term", "optional", "not refundable", "min", "max"].map((what) => `peril ${what}`),
  ...["LIMIT", "DEDUCTIBLE", "CHOICE"].map((kind) => `option ${kind}`),
  ...["multiplies", "adds", "takes off"].map((what) => `option that ${what}`),
  ...["SHARE by rate", "SHARE by amount", "DISCOUNT by rate", "DISCOUNT by amount"].map(
    (kind) => `special ${kind}`
  ),
  "special MINIMUM by amount",
  ...charges.map((chargeType) => `special charged ${chargeType}`),
  "special when",
  "special until",
  ...["FEE", "COMPONENT", "POLICY"].flatMap((level) =>
    ["by amount", "by rate", "that changes on a day", "where"].map((what) => `${level} ${what}`)
  ),
  ...["ONE_TIME", "SPOT", "RECURRING"].map((chargeType) => `FEE charged ${chargeType}`),
  ...["none", "ONE_TIME", "RECURRING"].map((chargeType) => `COMPONENT charged ${chargeType}`),
  "POLICY charged ONE_TIME",
  "POLICY every term",
  ...["FEE", "COMPONENT", "POLICY"].map((level) => `${level} not refundable`),
  "FEE on classes",
  "POLICY on classes",
  "FEE taxed",
  "brokerage fee taxed",
  ...["premiums", "specials", "fees", "taxes"].map((point) => `rounding of ${point}`),
  "rounding at ASSET",
  "rounding at PERIL",
  "derogation",
  "tier defaults",
  "several assets"
]

describe("random products", () => {
  const [inProducts, inPrices] = [new Map<string, number>(), new Map<string, number>()]
  const count = (features: ReadonlySet<string>, counts: Map<string, number>) => {
    for (const feature of features) counts.set(feature, (counts.get(feature) ?? 0) + 1)
  }
  for (let seed = 0; seed < drawn; seed++) {
    const draw = new Draw(seed)
    const product = randomProduct(draw)
    const features = featuresOf(product)
    count(features, inProducts)
    const result = compile(product).price(randomInput(draw, product))
    if (Result.isSuccess(result)) count(features, inPrices)
  }

  it("have every feature of the language in many of them, and in many that are priced", () => {
    const seldom = language.filter(
      (feature) =>
        (inProducts.get(feature) ?? 0) < least.products ||
        (inPrices.get(feature) ?? 0) < least.prices
    )
    const counts = seldom.map((name) => [name, inProducts.get(name) ?? 0, inPrices.get(name) ?? 0])
    assert.deepStrictEqual(counts, [])
  })

  it("have no undocumented feature", () => {
    const known = new Set(language)
    assert.deepStrictEqual(
      [...inProducts.keys()].filter((feature) => !known.has(feature)),
      []
    )
    for (const product of products) {
      const unknown = [...featuresOf(product)].filter((feature) => !known.has(feature))
      assert.deepStrictEqual(unknown, [])
    }
  })

  it("are refused a price, too, for all that can stand in the way of one", () => {
    const kinds = new Map<string, number>()
    for (let seed = 0; seed < drawn; seed++) {
      const draw = new Draw(seed)
      const product = draw.chance(0.5) ? draw.pick(products) : randomProduct(draw)
      const result = compile(product).price(randomInput(draw, product, 0.1))
      const failures = Result.isFailure(result) ? result.failure : []
      for (const kind of new Set(failures.map(({ _tag }) => _tag))) {
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
      }
    }
    for (const kind of [
      "InvalidAmount",
      "InvalidCustomField",
      "InvalidEffectiveDate",
      "InvalidReference"
    ]) {
      assert.isAtLeast(kinds.get(kind) ?? 0, 10, kind)
    }
  })
})
