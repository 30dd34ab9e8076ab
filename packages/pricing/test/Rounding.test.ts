/** Where a product has its amounts rounded, and to what. */
import { assert, describe, it } from "@effect/vitest"
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import type { Product } from "@quittance/domain/products/Product"
import type { Rounding } from "@quittance/domain/products/ProductCharges"
import { exampleOf } from "@quittance/domain/products/ProductExamples"
import { Result } from "effect"
import { compile } from "../src/Engine.ts"
import { explain } from "../src/Explain.ts"
import { faults } from "../src/Publishable.ts"
import { fleet, home } from "./Shipped.ts"
import type { BrokerageFirmId } from "@quittance/domain/values/Ids"

const firm = "brokerage_firm_test_346789ABCDEFGHJKLMNPQ" as BrokerageFirmId

const day = "2026-01-01" as LocalDate

const priced = (product: Product, assets = exampleOf(product).assets) =>
  Result.getOrThrow(
    compile(product).price({
      ...exampleOf(product),
      assets,
      startDate: day,
      brokerageFees: [{ brokerageFirmId: firm, fee: 4.2517 }]
    })
  )

const rounded = (product: Product, rounding: Rounding): Product => ({ ...product, rounding })

/** Vehicles whose exact premiums have fractions of a cent. */
const vehicles = Array.from({ length: 7 }, (_, index) => ({
  customFields: { ...exampleOf(fleet).assets[0]!.customFields, value: 1_000_001 + index * 33_333 }
}))

const multiples = (product: Product) =>
  priced(product).quote.components.map(
    ({ premium: { amountPreFeesAndTaxes, fees, taxes }, type }) => ({
      type,
      net: amountPreFeesAndTaxes,
      fees: fees.map(({ amount }) => amount),
      taxes: taxes.map(({ amount }) => amount)
    })
  )

describe("the rounding of a product", () => {
  it("is to the minor unit where it says nothing", () => {
    const { rounding: _, ...plain } = home
    const said: Product = rounded(home, {
      premiums: { at: "ASSET", to: 1 },
      specials: { to: 1 },
      fees: { to: 1 },
      taxes: {}
    })
    assert.deepStrictEqual(priced(said).quote, priced(plain).quote)
  })

  it("is to multiples, at each point by itself, and leaves given amounts as they are", () => {
    const product: Product = {
      ...rounded(home, {
        premiums: { to: 100 },
        specials: { to: 10 },
        fees: { to: 50 },
        taxes: { to: 5 }
      }),
      perils: home.perils.map((peril) => {
        const { max: _max, min: _min, ...rating } = peril.rating!
        return { ...peril, rating }
      }),
      fees: [
        {
          id: "GIVEN",
          name: "Given",
          chargeType: "ONE_TIME",
          charges: [{ from: home.validFrom, amount: 1_234 }]
        },
        {
          id: "SHARE",
          name: "Share",
          chargeType: "ONE_TIME",
          charges: [{ from: home.validFrom, rate: "7/1000" }]
        }
      ]
    }
    assert.deepStrictEqual(faults(product), [])
    const found = multiples(product)
    const of = (type: string) => found.filter((one) => one.type === type)
    assert.isAbove(of("PERIL").length, 2)
    for (const { net } of of("PERIL")) assert.strictEqual(net % 100, 0)
    for (const { net } of of("SPECIAL")) assert.strictEqual(net % 10, 0)
    for (const { taxes, type } of found) {
      if (type !== "TAX") for (const tax of taxes) assert.strictEqual(tax % 5, 0)
    }
    const [brokerage, given, share] = of("FEE").map(({ fees }) => fees[0]!)
    assert.deepStrictEqual([brokerage! % 50, given, share! % 50], [0, 1_234, 0])
    assert.isAbove(brokerage!, 0)
    // Half of the step is rounded up, as half a cent is.
    const half = {
      ...product,
      taxes: product.taxes.map((tax) => ({
        ...tax,
        charges: [{ from: home.validFrom, rate: "1/40" as const }]
      }))
    }
    for (const { net, taxes } of multiples(half).filter(({ type }) => type === "PERIL")) {
      for (const tax of taxes) assert.strictEqual(tax, Math.floor(net / 200 + 0.5) * 5)
    }
  })

  it("is of each asset, or of a peril's whole sum once, which is never farther from exact", () => {
    const each = priced(rounded(fleet, { premiums: { at: "ASSET" } }), vehicles)
    const once = priced(rounded(fleet, { premiums: { at: "PERIL" } }), vehicles)
    let different = 0
    for (const [index, { component, trace }] of once.components.entries()) {
      if (trace.kind !== "RATED") continue
      const { peril, units } = trace.rated
      if (units.length === 1) continue
      const net = component.premium.amountPreFeesAndTaxes
      assert.strictEqual(
        units.reduce((sum, unit) => sum + unit.net, 0),
        net
      )
      const apart = each.components[index]!.component.premium.amountPreFeesAndTaxes
      if (apart !== net) different++
      assert.isAtMost(Math.abs(apart - net), units.length, peril.id)
    }
    assert.isAbove(different, 0)
    const alone = (at: "ASSET" | "PERIL") =>
      priced(rounded(fleet, { premiums: { at } }), vehicles.slice(0, 1)).quote
    assert.deepStrictEqual(alone("PERIL"), alone("ASSET"))
  })

  it("is explained by steps that sum to what was rounded", () => {
    for (const premiums of [{ at: "PERIL" }, { at: "PERIL", to: 100 }, { to: 100 }] as const) {
      const { perils, ...rest } = rounded(fleet, { premiums })
      const product = {
        ...rest,
        perils: perils.map((peril) => {
          const { max: _max, min: _min, ...rating } = peril.rating!
          return { ...peril, rating }
        })
      }
      const price = priced(product, vehicles)
      for (const [index, { steps }] of explain(product, price).components.entries()) {
        const { premium } = price.quote.components[index]!
        const net = steps.filter(({ part }) => part === "NET")
        assert.strictEqual(
          net.reduce((sum, { change }) => sum + change, 0),
          premium.amountPreFeesAndTaxes
        )
        if (price.components[index]!.trace.kind === "RATED") assert.isAbove(net.length, 1)
      }
    }
  })

  it("keeps a least and a greatest premium, which have to be multiples of it", () => {
    const bounds = (min: number, max: number): Product => ({
      ...rounded(fleet, { premiums: { at: "PERIL", to: 100 } }),
      perils: fleet.perils.map((peril) => ({ ...peril, rating: { ...peril.rating!, min, max } }))
    })
    const found = faults(bounds(150, 1_050)).map(({ pointer }) => pointer)
    assert.includeMembers(found, ["/perils/0/rating/min", "/perils/0/rating/max"])
    assert.lengthOf(found, 2 * fleet.perils.length)
    const at = (min: number, max: number) =>
      priced(bounds(min, max), vehicles).components.flatMap(({ component, trace }) =>
        trace.kind === "RATED"
          ? [component.premium.amountPreFeesAndTaxes / trace.rated.units.length]
          : []
      )
    for (const each of at(9_000_000, 9_000_000)) assert.strictEqual(each, 9_000_000)
    for (const each of at(0, 100)) assert.isAtMost(each, 100)
  })
})
