/** A table that only rises never makes anything cheaper, roundings included. */
import { assert, describe, it } from "@effect/vitest"
import type { Amount } from "@quittance/domain/values/Amount"
import type { Product } from "@quittance/domain/products/Product"
import type { FieldValues } from "@quittance/domain/products/ProductFields"
import type { Base, Factor } from "@quittance/domain/products/ProductRating"
import { Result } from "effect"
import { compile } from "../src/Engine.ts"
import type { PriceInput } from "../src/PriceInput.ts"
import { faults } from "../src/Publishable.ts"
import { Draw } from "@quittance/testing/Draw"
import { property } from "./Property.ts"
import { randomInput } from "./RandomInput.ts"
import { randomProduct } from "./RandomProduct.ts"
import { products } from "./Shipped.ts"

type Entity = "policy" | "customer" | "asset"

/** The same risk with another value of one field, wherever it is. */
const withValue = (input: PriceInput, entity: Entity, key: string, value: number): PriceInput => {
  const set = <A extends { readonly customFields: FieldValues }>(record: A): A => ({
    ...record,
    customFields: { ...record.customFields, [key]: value }
  })
  if (entity === "policy") return set(input)
  return entity === "customer"
    ? { ...input, customers: input.customers.map(set) }
    : { ...input, assets: input.assets.map(set) }
}

const sorted = (draw: Draw, low: number, high: number) =>
  [draw.int(low, high), draw.int(low, high)].sort((a, b) => a - b) as [number, number]

const rising = (draw: Draw, high: number) =>
  Array.from({ length: 4 }, () => draw.int(0, high)).sort((a, b) => a - b)

const cuts = [undefined, 10, 30, 60, undefined] as const

const rows = <A>(outcomes: ReadonlyArray<number>, row: (outcome: number) => A) =>
  outcomes.map((outcome, index) => ({
    ...(cuts[index] === undefined ? {} : { from: cuts[index] }),
    ...(cuts[index + 1] === undefined ? {} : { below: cuts[index + 1]! }),
    ...row(outcome)
  }))

const risingFactor = (draw: Draw): Factor => {
  const common = { id: "RISING", label: "Rising", input: "risk" }
  return draw.chance(0.5)
    ? { ...common, kind: "RANGE", rows: rows(rising(draw, 40_000), (rate) => ({ rate })) }
    : { ...common, kind: "LINEAR", perUnit: draw.int(0, 500), offset: draw.int(0, 9_000) }
}

const risingBase = (draw: Draw): Base =>
  draw.chance(0.5)
    ? {
        kind: "RANGE",
        input: "risk",
        rows: rows(rising(draw, 90_000), (amount) => ({ amount }))
      }
    : { kind: "SHARE", input: "risk", rate: `${draw.int(0, 9_999)}/${draw.int(1, 99)}` }

/** A random product, with one more field that raises the price of some of its perils. */
const withRisk = (draw: Draw, product: Product, entity: Entity): Product => {
  const of = { policy: "POLICY", customer: "CUSTOMER", asset: "ASSET" } as const
  const bounds = { min: 0, max: 100 }
  return {
    ...product,
    fields: {
      ...product.fields,
      [entity]: [
        ...product.fields[entity],
        {
          key: "risk",
          label: "Risk",
          type: "INTEGER",
          ...bounds,
          requiredFor: "QUOTE",
          priced: true,
          example: 1
        }
      ]
    },
    rating: {
      inputs: [
        ...product.rating.inputs,
        {
          id: "risk",
          label: "Risk",
          of: of[entity],
          ...(entity === "customer" ? { roles: ["DRIVER", "POLICYHOLDER"] } : {}),
          ...bounds,
          key: "risk",
          as: "VALUE"
        }
      ],
      factors: [...product.rating.factors, risingFactor(draw)]
    },
    perils: product.perils.map((peril) => {
      const rating = peril.rating!
      if (entity === "asset" && rating.per === "POLICY") return peril
      return {
        ...peril,
        rating: {
          ...rating,
          ...(draw.chance(0.5) ? { base: risingBase(draw) } : {}),
          factors: draw.chance(0.7) ? [...rating.factors, "RISING"] : rating.factors
        }
      }
    })
  }
}

/** The quotes of a lower and a higher value, where that risk has a price. */
const quotes = (product: Product, at: (value: number) => PriceInput, low: number, high: number) => {
  const [less, more] = [compile(product).price(at(low)), compile(product).price(at(high))]
  assert.strictEqual(Result.isSuccess(less), Result.isSuccess(more))
  return Result.isSuccess(less) && Result.isSuccess(more)
    ? { less: less.success.quote, more: more.success.quote }
    : undefined
}

const totals = [
  "amountPreFeesAndTaxes",
  "totalFees",
  "amountWithFeesPreTaxes",
  "totalTaxes",
  "amountWithFeesAndTaxes"
] as const

const neverFalls = (less: Amount, more: Amount, slack = 0) => {
  for (const total of totals) assert.isAtLeast(more[total], less[total] - slack, total)
}

/** The greatest step that anything of the product is rounded to. */
const greatestStep = ({ rounding = {} }: Product) =>
  Math.max(1, ...Object.values(rounding).map(({ to = 1 }) => to))

describe("a rising table of any product", () => {
  property("makes no peril cheaper, and nothing that is levied on it", (draw) => {
    const entity = draw.pick(["policy", "customer", "asset"] as const)
    const product = withRisk(draw, { ...randomProduct(draw), specials: [] }, entity)
    assert.deepStrictEqual(faults(product), [])
    const input = randomInput(draw, product)
    const at = (value: number) => withValue(input, entity, "risk", value)
    const found = quotes(product, at, ...sorted(draw, 0, 100))
    if (found === undefined) return
    const { less, more } = found
    for (const [index, { id, premium }] of more.components.entries()) {
      assert.strictEqual(less.components[index]!.id, id)
      neverFalls(less.components[index]!.premium, premium)
    }
    neverFalls(less.totalPremium, more.totalPremium)
  })

  property(
    "makes nothing cheaper beside a surcharge, and beside a promotion but for its rounding",
    (draw) => {
      const entity = draw.pick(["policy", "customer", "asset"] as const)
      const drawn = randomProduct(draw)
      const specials = drawn.specials.filter(({ kind }) => kind !== "MINIMUM")
      const product = withRisk(draw, { ...drawn, specials }, entity)
      const input = randomInput(draw, product)
      const at = (value: number) => withValue(input, entity, "risk", value)
      const found = quotes(product, at, ...sorted(draw, 0, 100))
      if (found === undefined) return
      const { less, more } = found
      const hasPromotion = specials.some(({ kind }) => kind === "DISCOUNT")
      // A promotion and each of its taxes are rounded by themselves, as is what they leave.
      const lines = more.components.flatMap(({ premium: { fees, taxes } }) => [
        1,
        ...fees,
        ...taxes
      ])
      const slack = hasPromotion ? lines.length * greatestStep(product) : 0
      neverFalls(less.totalPremium, more.totalPremium, slack)
    }
  )

  it("is looked at in products that do cost more for it", () => {
    const dearer = Array.from({ length: 200 }, (_, seed) => {
      const draw = new Draw(seed)
      const product = withRisk(draw, { ...randomProduct(draw), specials: [] }, "policy")
      const input = randomInput(draw, product)
      const found = quotes(product, (value) => withValue(input, "policy", "risk", value), 0, 100)
      if (found === undefined) return false
      const [less, more] = [found.less, found.more].map(({ totalPremium }) => totalPremium)
      return more!.amountWithFeesAndTaxes > less!.amountWithFeesAndTaxes
    })
    assert.isAbove(dearer.filter(Boolean).length, 100)
  })
})

describe("a rising table of a shipped product", () => {
  const cases = [
    [0, "policy", "bonusMalus", 50, 350],
    [0, "asset", "value", 50_000, 15_000_000],
    [1, "asset", "contents", 300_000, 20_000_000],
    [1, "asset", "rooms", 1, 15],
    [2, "policy", "employees", 0, 250],
    [2, "policy", "claims", 0, 20]
  ] as const
  for (const [index, entity, key, low, high] of cases) {
    const product = products[index]!
    property(`never makes ${product.productId} cheaper with a greater ${key}`, (draw) => {
      const input = randomInput(draw, product)
      const at = (value: number) => withValue(input, entity, key, value)
      const found = quotes(product, at, ...sorted(draw, low, high))
      for (const [position, { premium }] of found?.more.components.entries() ?? []) {
        neverFalls(found!.less.components[position]!.premium, premium)
      }
    })
  }
})
