import { assert, describe, it } from "@effect/vitest"
import type { LocalDate } from "../../src/values/LocalDate.ts"
import { exampleOf } from "../../src/products/ProductExamples.ts"
import { type Field, type FieldCheck, fieldFaults } from "../../src/products/ProductFields.ts"
import { patternFault } from "../../src/products/ProductPattern.ts"
import { productIds, productOf } from "../ShippedProducts.ts"

const field = (key: string, more: Partial<Field> & Pick<Field, "type">): Field => ({
  key,
  label: key,
  requiredFor: "NEVER",
  priced: false,
  example: "",
  ...more
})

const fields: ReadonlyArray<Field> = [
  field("name", { type: "STRING", min: 2, max: 4, requiredFor: "CONFIRM" }),
  field("plate", { type: "STRING", pattern: "[A-Z]{2}|X", requiredFor: "SIGN" }),
  field("power", { type: "INTEGER", min: 1, max: 60, requiredFor: "QUOTE" }),
  field("area", { type: "NUMBER", min: 0.5 }),
  field("value", { type: "MONEY", max: 1000 }),
  field("alarm", { type: "BOOLEAN" }),
  field("born", { type: "DATE", max: "2020-12-31" as LocalDate }),
  field("zone", { type: "ENUM", values: [{ id: "A", label: "A" }] }),
  field("licence", { type: "DATE", roles: ["DRIVER"], requiredFor: "QUOTE" }),
  field("alarmBrand", {
    type: "STRING",
    requiredFor: "QUOTE",
    showWhen: { key: "alarm", in: [true] }
  })
]

const keys = (check: Partial<FieldCheck>) =>
  fieldFaults(fields, { values: {}, stage: "DRAFT", role: "PAYER", ...check }).map(({ path }) =>
    path.replace("/customFields/", "")
  )

describe("custom fields are refused", () => {
  it("when they are missing at the step that requires them, or an earlier one", () => {
    assert.deepStrictEqual(keys({ stage: "DRAFT" }), [])
    assert.deepStrictEqual(keys({ stage: "QUOTE" }), ["power"])
    assert.deepStrictEqual(keys({ stage: "CONFIRM" }), ["name", "power"])
    assert.deepStrictEqual(keys({ stage: "SIGN" }), ["name", "plate", "power"])
    assert.deepStrictEqual(keys({ stage: "QUOTE", role: "DRIVER" }), ["power", "licence"])
  })

  it("when they are shown and missing, but not while they are hidden", () => {
    const values = { power: 1, alarm: true }
    assert.deepStrictEqual(keys({ stage: "QUOTE", values }), ["alarmBrand"])
    assert.deepStrictEqual(keys({ stage: "QUOTE", values: { power: 1, alarm: false } }), [])
  })

  it("when the product, or the customer's role, does not have them", () => {
    const values = { colour: "red", licence: "2010-01-01" as LocalDate, constructor: "x" }
    assert.deepStrictEqual(keys({ values }), ["colour", "constructor", "licence"])
    assert.deepStrictEqual(keys({ values: { licence: "2010-01-01" }, role: "DRIVER" }), [])
  })

  it("all at once, with the path of their record", () => {
    const values = { name: "x", power: 0, zone: "B" }
    const found = fieldFaults(fields, {
      values,
      stage: "DRAFT",
      role: "PAYER",
      at: "/customers/c1"
    })
    assert.deepStrictEqual(
      found.map(({ path }) => path),
      ["name", "power", "zone"].map((key) => `/customers/c1/customFields/${key}`)
    )
    for (const { message } of found) assert.match(message, /^Send .*\.$/u)
  })

  const wrong: ReadonlyArray<readonly [string, ReadonlyArray<string | number | boolean>]> = [
    ["name", ["", "x", "abcde", 12, true]],
    ["plate", ["AB1", "ab", "AAX", "XX\n", 7]],
    ["power", [0, 61, 1.5, "5", true, 2 ** 53]],
    ["area", [0.4, "1", false, Number.NaN, Number.POSITIVE_INFINITY]],
    ["value", [1001, 0.5, "1"]],
    ["alarm", ["true", 1, 0]],
    ["born", ["2021-01-01", "2020-02-30", "01/02/2020", 2020, "2020-1-1"]],
    ["zone", ["B", "", 0, "a"]]
  ]
  for (const [key, values] of wrong) {
    it(`when ${key} is of a wrong type or outside its rules`, () => {
      for (const value of values) {
        assert.deepStrictEqual(keys({ values: { [key]: value } }), [key], String(value))
      }
    })
  }

  const right: ReadonlyArray<readonly [string, ReadonlyArray<string | number | boolean>]> = [
    ["name", ["ab", "abcd", "éé", "👍👍👍👍"]],
    ["plate", ["AB", "X"]],
    ["power", [1, 60]],
    ["area", [0.5, 68.25]],
    ["value", [-5, 0, 1000]],
    ["alarm", [true, false]],
    ["born", ["2020-12-31", "2000-02-29"]],
    ["zone", ["A"]]
  ]
  for (const [key, values] of right) {
    it(`never when ${key} fits`, () => {
      for (const value of values) assert.deepStrictEqual(keys({ values: { [key]: value } }), [])
    })
  }
})

describe("the examples of a product", () => {
  for (const productId of productIds) {
    it(`have all that ${productId} needs to be signed`, () => {
      const product = productOf(productId)
      const { assets, customers, customFields } = exampleOf(product)
      const stage = "SIGN"
      assert.deepStrictEqual(
        [
          ...fieldFaults(product.fields.policy, { values: customFields, stage }),
          ...customers.flatMap(({ customFields: values, role }) =>
            fieldFaults(product.fields.customer, { values, stage, role })
          ),
          ...assets.flatMap(({ customFields: values }) =>
            fieldFaults(product.fields.asset, { values, stage })
          )
        ],
        []
      )
    })
  }
})

describe("a pattern", () => {
  it("is refused when a text could match it in too many ways", () => {
    const dangerous = [
      "(a+)+",
      "(a|a)*b",
      "(ab){1,9}",
      "\\d*\\d*\\d*x",
      "a?".repeat(30),
      ".*.*",
      "a{1,1000}b{1,1000}"
    ]
    for (const pattern of dangerous) assert.isDefined(patternFault(pattern, 1000), pattern)
    assert.isDefined(patternFault("(?:a|b)(?:a|b)".repeat(9), 50))
  })

  it("is refused when it looks around, refers back or is none", () => {
    for (const pattern of ["(?=a)b", "(?<!a)b", "(a)\\1", "(?<x>a)\\k<x>", "[", "a)(b", "\\-"]) {
      assert.isDefined(patternFault(pattern, 10), pattern)
    }
  })

  it("is taken when it is of the kind that identifiers have", () => {
    const usual = [
      "[A-Z]{2}-[0-9]{3}-[A-Z]{2}",
      "[0-9]{5}",
      "[+][0-9]{8,15}",
      "\\d{1,4}[A-Z]{1,3}\\d{2}",
      "(?:FR)?[0-9]{9}",
      "\\p{Lu}{2}\\d+",
      "[)(|*]a\\)"
    ]
    for (const pattern of usual) assert.isUndefined(patternFault(pattern, 1000), pattern)
  })
})
