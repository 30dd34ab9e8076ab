/** Surcharges, promotions and least premiums on the net premiums of several perils. */
import { assert, describe, it } from "@effect/vitest"
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import type { Product } from "@quittance/domain/products/Product"
import { exampleOf } from "@quittance/domain/products/ProductExamples"
import type { Special } from "@quittance/domain/products/ProductCharges"
import { Result } from "effect"
import { compile } from "../src/Engine.ts"
import { explain } from "../src/Explain.ts"
import { read } from "../src/Publishable.ts"
import { property } from "./Property.ts"
import { randomInput } from "./RandomInput.ts"
import { randomProduct } from "./RandomProduct.ts"
import { motor } from "./Shipped.ts"

const day = (text: string) => text as LocalDate

const discount: Special = {
  id: "LAUNCH",
  name: "Launch",
  kind: "DISCOUNT",
  of: ["THEFT", "FIRE"],
  taxClass: "MOTOR_OTHER",
  charges: [{ from: day("2020-01-01"), rate: "1/10" }]
}

const withSpecials = (...specials: ReadonlyArray<Special>): Product => ({ ...motor, specials })

const priced = (product: Product, startDate = day("2026-01-01"), customFields: object = {}) => {
  const example = exampleOf(product)
  return Result.getOrThrow(
    compile(product).price({
      ...example,
      customFields: { ...example.customFields, ...customFields },
      startDate,
      tierId: "COMPREHENSIVE"
    })
  )
}

const nets = (product: Product, startDate?: LocalDate, customFields?: object) =>
  new Map(
    priced(product, startDate, customFields).quote.components.map((component) => [
      component.id,
      component.premium.amountPreFeesAndTaxes
    ])
  )

const pointers = (...specials: ReadonlyArray<object>) => {
  const result = read({ ...motor, specials })
  return Result.isFailure(result) ? result.failure.faults.map(({ pointer }) => pointer) : []
}

describe("the specials of a product", () => {
  it("are refused where they could not be levied, or not taxed right", () => {
    const wrong = [
      [{ ...discount, of: ["THEFT", "RC"] }, "/specials/0/of/1"],
      [
        { ...discount, charges: [{ from: "2020-01-01", rate: "11/10" }] },
        "/specials/0/charges/0/rate"
      ],
      [{ ...discount, until: "2020-01-01" }, "/specials/0/until"],
      [{ ...discount, when: "nothing" }, "/specials/0/when"],
      [{ ...discount, when: "bonusMalus" }, "/specials/0/when"],
      [{ ...discount, kind: "MINIMUM" }, "/specials/0/charges/0/rate"]
    ] as const
    for (const [special, pointer] of wrong) assert.deepStrictEqual(pointers(special), [pointer])
    assert.deepStrictEqual(pointers(discount), [])
  })

  it("take a promotion off, and its taxes with it", () => {
    const { quote } = priced(withSpecials(discount))
    const of = (id: string) => quote.components.find((component) => component.id === id)!
    const base = ["THEFT", "FIRE"].reduce(
      (sum, id) => sum + of(id).premium.amountPreFeesAndTaxes,
      0
    )
    const { premium, type } = of("LAUNCH")
    assert.strictEqual(type, "SPECIAL")
    assert.strictEqual(premium.amountPreFeesAndTaxes, -Math.round(base / 10))
    assert.deepStrictEqual(
      premium.taxes.map(({ amount }) => amount),
      [-Math.round(Math.round(base / 10) * 0.18)]
    )
  })

  it("end a promotion on its day, and give it only where its condition is true", () => {
    const until = withSpecials({ ...discount, until: day("2026-07-01") })
    assert.isTrue(nets(until, day("2026-06-30")).has("LAUNCH"))
    assert.isFalse(nets(until, day("2026-07-01")).has("LAUNCH"))
    const calm = {
      id: "calm",
      label: "No claims",
      of: "POLICY",
      as: "EXPRESSION",
      expression: "claims == 0",
      type: "BOOLEAN"
    } as const
    const conditional: Product = {
      ...withSpecials({ ...discount, when: "calm" }),
      rating: { ...motor.rating, inputs: [...motor.rating.inputs, calm] }
    }
    assert.isTrue(nets(conditional).has("LAUNCH"))
    assert.isFalse(nets(conditional, undefined, { claims: 1 }).has("LAUNCH"))
  })

  it("take promotions one after the other, and never more than there is", () => {
    const half = { ...discount, charges: [{ from: day("2020-01-01"), rate: "1/2" }] }
    const all = {
      ...discount,
      id: "ALL",
      charges: [{ from: day("2020-01-01"), amount: 9_999_999 }]
    }
    const share: Special = { ...discount, id: "AFTER", kind: "SHARE" }
    const found = nets(withSpecials(half, all, share))
    const base = found.get("THEFT")! + found.get("FIRE")!
    assert.strictEqual(found.get("LAUNCH"), -Math.round(base / 2))
    assert.strictEqual(found.get("ALL"), -(base - Math.round(base / 2)))
    assert.strictEqual(found.get("AFTER"), 0)
  })

  it("fill up to a least premium, as a premium of its own", () => {
    const minimum: Special = {
      ...discount,
      id: "LEAST",
      kind: "MINIMUM",
      of: ["RC"],
      taxClass: "MOTOR_LIABILITY",
      charges: [{ from: day("2020-01-01"), amount: 60_000 }]
    }
    const product = withSpecials(minimum)
    const { quote } = priced(product)
    const least = quote.components.find(({ id }) => id === "LEAST")!
    assert.strictEqual(least.type, "PREMIUM")
    const rc = nets(product).get("RC")!
    assert.strictEqual(rc + least.premium.amountPreFeesAndTaxes, 60_000)
    const enough = { ...minimum, charges: [{ from: day("2020-01-01"), amount: rc }] }
    assert.isFalse(nets(withSpecials(enough)).has("LEAST"))
  })

  it("are explained by what they are levied on", () => {
    const product = withSpecials(discount)
    const [step] = explain(product, priced(product)).components.find(
      ({ componentId }) => componentId === "LAUNCH"
    )!.steps
    assert.deepInclude(step, { part: "NET", kind: "DISCOUNT", id: "LAUNCH", rate: 1000 })
  })

  property("leave no class of perils a premium below nothing", (draw) => {
    const product = randomProduct(draw)
    const result = compile(product).price(randomInput(draw, product))
    if (Result.isFailure(result)) return
    const left = new Map<string, number>()
    for (const { component } of result.success.components) {
      const special = product.specials.find(({ id }) => id === component.id)
      const peril = product.perils.find(({ id }) => id === component.id)
      if (peril === undefined && special?.kind !== "DISCOUNT") continue
      const name = (peril ?? special)!.taxClass
      const net = component.premium.amountPreFeesAndTaxes
      left.set(name, (left.get(name) ?? 0) + net)
    }
    for (const net of left.values()) assert.isAtLeast(net, 0)
  })
})
