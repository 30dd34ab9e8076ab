/** Expressions among the inputs of a product: what they may name, and what a price makes of them. */
import { assert, describe, it } from "@effect/vitest"
import { exampleOf } from "@quittance/domain/products/ProductExamples"
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import { Result } from "effect"
import { compile } from "../src/Engine.ts"
import { read } from "../src/Publishable.ts"
import { definition, fleet, motor } from "./Shipped.ts"

// A document before it is checked.
const broken = (productId: string, change: (product: any) => void) => {
  const copy = structuredClone(definition(productId))
  change(copy)
  const result = read(copy)
  return Result.isFailure(result) ? result.failure.faults : []
}

const expression = (id: string, text: string, more: object = {}) => ({
  id,
  label: id,
  of: "POLICY",
  as: "EXPRESSION",
  expression: text,
  type: "INTEGER",
  ...more
})

const added = (input: object) => (product: { rating: { inputs: Array<object> } }) => {
  product.rating.inputs.push(input)
}

const at = "/rating/inputs/12/expression"

describe("an expression of a product", () => {
  it("is refused at its pointer where it is no expression, or names what it can't see", () => {
    for (const [text, more] of [
      ["bonusMalus +", {}],
      ["bonusMalus == 50", {}],
      ["colour", {}],
      // Of an asset, of a customer, itself, a field that is no input.
      ["power", {}],
      ["driverAge", {}],
      ["later + 1", { id: "later" }],
      ["previouslyInsured ? 1 : 2", {}],
      ["driverAge", { of: "ASSET" }],
      ["power", { of: "CUSTOMER", roles: ["DRIVER"] }],
      // Other roles than those by which the age is found.
      ["driverAge", { of: "CUSTOMER", roles: ["DRIVER"] }]
    ] as const) {
      const faults = broken("motor-fr", added(expression("one", text, more)))
      assert.deepStrictEqual(
        faults.map(({ pointer }) => pointer),
        [at],
        text
      )
    }
  })

  it("sees what is of the policy, and beside it what is of the same customer or asset", () => {
    for (const [text, more] of [
      ["bonusMalus * assetCount", {}],
      ["power + bonusMalus", { of: "ASSET" }],
      ["driverAge - licenceYears + claims", { of: "CUSTOMER", roles: ["DRIVER", "POLICYHOLDER"] }]
    ] as const) {
      assert.deepStrictEqual(broken("motor-fr", added(expression("one", text, more))), [], text)
    }
  })

  it("takes no name that is taken, and lists only texts", () => {
    const pointers = (input: object) =>
      broken("motor-fr", added(input)).map(({ pointer }) => pointer)
    assert.deepStrictEqual(pointers(expression("assetCount", "1")), ["/rating/inputs/12/id"])
    assert.deepStrictEqual(pointers(expression("power", "1")), ["/rating/inputs/12/id"])
    const listed = expression("one", "1", { values: ["1"] })
    assert.deepStrictEqual(pointers(listed), ["/rating/inputs/12/values"])
    const role = expression("one", "1", { roles: ["DRIVER"] })
    assert.deepStrictEqual(pointers(role), ["/rating/inputs/12/roles"])
  })

  it("is one of at most a hundred", () => {
    const faults = broken("motor-fr", (product) => {
      for (let count = 0; count <= 100; count++) added(expression(`e${count}`, "1"))(product)
    })
    assert.deepStrictEqual(
      faults.map(({ pointer }) => pointer),
      ["/rating/inputs/112"]
    )
  })

  it("is told beside faults of the shape and of other parts", () => {
    const faults = broken("motor-fr", (product) => {
      added(expression("one", "bonusMalus +"))(product)
      product.currency = "euro"
      product.defaultTier = "GOLD"
    })
    assert.deepStrictEqual(
      faults.map(({ pointer }) => pointer),
      ["/currency", "/defaultTier", at]
    )
  })

  it("is checked beside inputs that are named as words of its language are", () => {
    const named = (text: string) =>
      broken("fleet-fr", (product) => {
        for (const [index, id] of ["type", "return", "list"].entries()) {
          const { as, key, label, of } = product.rating.inputs[0]
          product.rating.inputs.splice(index, 0, { id, label, of, key, as })
        }
        added(expression("one", text))(product)
      })
    assert.deepStrictEqual(named("assetCount + 1"), [])
    for (const text of ["type + 1", "return + 1"]) {
      assert.match(named(text)[0]?.message ?? "", /^Give the input `\w+` another name/u)
    }
  })

  it("needs a row for each value that it declares", () => {
    const faults = broken("fleet-fr", (product) => {
      product.rating.factors.find(({ id }: { id: string }) => id === "VEHICLE_USE").rows.pop()
    })
    assert.match(faults[0]?.message ?? "", /^Add a row for TRUCK\/NATIONAL/u)
  })
})

describe("a derogation rule of a product", () => {
  it("names an input that is there, and is true or false, under a name of its own", () => {
    const pointers = (...rules: ReadonlyArray<{ id: string; input: string }>) =>
      broken("fleet-fr", (product) => {
        product.derogations = rules.map((rule) => ({ label: "x", ...rule }))
      }).map(({ pointer }) => pointer)
    assert.deepStrictEqual(pointers({ id: "A", input: "nothing" }), ["/derogations/0/input"])
    assert.deepStrictEqual(pointers({ id: "A", input: "lossRatio" }), ["/derogations/0/input"])
    assert.deepStrictEqual(pointers({ id: "A", input: "telematics" }), [])
    const twice = { id: "A", input: "poorResults" }
    assert.lengthOf(pointers(twice, twice), 1)
  })
})

const startDate = "2026-03-01" as LocalDate

const priced = (product: typeof fleet, change: (input: any) => void = () => {}) => {
  const input = { ...structuredClone(exampleOf(product)), startDate, tierId: "COMPREHENSIVE" }
  change(input)
  return compile(product).price(input)
}

describe("a price by expressions", () => {
  it("moves with the number of assets", () => {
    const total = (count: number) => {
      const result = priced(fleet, (input) => {
        input.assets = Array.from({ length: count }, () => input.assets[0])
      })
      return Result.getOrThrow(result).components.find(({ component }) => component.id === "RC")!
        .component.premium.amountPreFeesAndTaxes
    }
    // 335.00 × 0.93 (results) × 0.93 (telematics) × 1.03 × 1.14 × 1.08, then × 0.94 from five on.
    assert.strictEqual(total(1), Math.round(33_500 * 0.93 * 0.93 * 1.03 * 1.14 * 1.08))
    assert.strictEqual(total(5), 5 * Math.round(33_500 * 0.94 * 0.93 * 0.93 * 1.03 * 1.14 * 1.08))
  })

  it("says of what can't be computed, or lies outside, that it is not insurable", () => {
    const failing = (text: string, more: object) => {
      const copy = structuredClone(definition("fleet-fr")) as any
      const input = copy.rating.inputs.find(({ id }: { id: string }) => id === "lossRatio")
      Object.assign(input, { expression: text, ...more })
      const result = priced(Result.getOrThrow(read(copy)))
      return Result.isFailure(result) ? result.failure : []
    }
    for (const [text, message] of [
      ["claimsPaid / (premiumsPaid - premiumsPaid)", /can't be computed/u],
      ["claimsPaid * 0 - 1", /below 0\.$/u],
      ["1001 + claimsPaid * 0", /above 1000\.$/u]
    ] as const) {
      const [failure, ...others] = failing(text, {})
      assert.lengthOf(others, 0)
      assert.deepInclude(failure, { _tag: "InvalidCustomField" })
      const [issue] = (failure as unknown as { issues: Array<{ path: string; message: string }> })
        .issues
      assert.strictEqual(issue?.path, "/inputs/lossRatio")
      assert.match(issue?.message ?? "", message)
    }
    const standsIn = failing("claimsPaid / (premiumsPaid - premiumsPaid)", { default: 60 })
    assert.deepStrictEqual(standsIn, [])
  })

  it("rates each customer who holds the role, and counts the dearest", () => {
    const copy = structuredClone(definition("motor-fr")) as any
    const roles = ["DRIVER", "POLICYHOLDER"]
    copy.rating.inputs.push({
      ...expression("firstLicenceAge", "driverAge - licenceYears"),
      of: "CUSTOMER",
      roles,
      min: 0,
      max: 150
    })
    copy.rating.factors.push({
      id: "LATE_LICENCE",
      label: "Late licence",
      kind: "RANGE",
      input: "firstLicenceAge",
      rows: [
        { below: 30, rate: 10_000 },
        { from: 30, rate: 20_000 }
      ]
    })
    copy.perils[2].rating.factors = ["LATE_LICENCE"]
    const product = Result.getOrThrow(read(copy))
    const legal = (licences: ReadonlyArray<string>) => {
      const result = priced(product, (input) => {
        const { customFields } = input.customers[0]
        input.customers.push(
          ...licences.map((licenceDate) => ({
            role: "DRIVER",
            customFields: { birthDate: customFields.birthDate, licenceDate }
          }))
        )
        input.perils = [{ id: "LEGAL_PROTECTION", included: true }]
      })
      return Result.getOrThrow(result).components.find(
        ({ component }) => component.id === "LEGAL_PROTECTION"
      )!.component.premium.amountPreFeesAndTaxes
    }
    const [early, late] = ["2007-06-20", "2020-06-20"]
    assert.strictEqual(legal([]), 1250)
    assert.strictEqual(legal([early!, early!]), 1250)
    assert.strictEqual(legal([early!, late!]), 2500)
    assert.strictEqual(legal([late!, early!]), 2500)
  })

  it("has nothing to do where a product has no expressions", () => {
    assert.isTrue(Result.isSuccess(priced(motor)))
  })
})
