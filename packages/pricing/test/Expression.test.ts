import { assert, describe, it } from "@effect/vitest"
import type { CustomFieldValue } from "@quittance/domain/values/CustomField"
import { Result, Schema } from "effect"
import { compileExpression, type ScalarType } from "../src/Expression.ts"

const variables = new Map<string, ScalarType>([
  ["power", "INTEGER"],
  ["weight", "NUMBER"],
  ["zone", "STRING"],
  ["young", "BOOLEAN"]
])

const compile = (text: string, type: ScalarType) => compileExpression(text, variables, type)

const given: Readonly<Record<string, CustomFieldValue>> = {
  power: 7,
  weight: 1.5,
  zone: "75",
  young: true
}

const valueOf = (text: string, type: ScalarType, values = given) =>
  Result.getOrThrow(compile(text, type)).evaluate((name) => values[name]!)

const refusal = (text: string, type: ScalarType) => {
  const result = compile(text, type)
  assert.isTrue(Result.isFailure(result), text)
  return Result.isFailure(result) ? result.failure : ""
}

describe("an expression", () => {
  it("is refused where it is none, or does not fit, with the place and what to do", () => {
    for (const [text, type, message] of [
      [
        "power +",
        "INTEGER",
        "Write on after character 7: the expression ends before it is complete."
      ],
      ['zone == "75', "BOOLEAN", "Close the text that begins at character 9."],
      [
        "power # 2",
        "INTEGER",
        "Correct it at character 7: `#` has no place there (Unexpected character: #)."
      ],
      ["young or power > 1", "BOOLEAN", "Write `||` for or, at character 7."],
      ["not young", "BOOLEAN", "Write `!` for not, at character 5."],
      ["power = 1", "BOOLEAN", "Write `==` for equal, at character 7."],
      ["power <> 1", "BOOLEAN", "Write `!=` for unequal, at character 8."],
      [
        "if young then 1 else 2",
        "INTEGER",
        "Leave out `if` at character 1, a word without a meaning here; a choice is `condition ? this : that`."
      ],
      ["  ", "INTEGER", "Write an expression; this one is empty."],
      [
        "power constructor",
        "INTEGER",
        "Correct it at character 7: `constructor` has no place there (Unexpected character: 'r')."
      ],
      [
        "1 + powre",
        "INTEGER",
        "Name an input that is before this one in the list and of the same record, instead of `powre` at character 5. Did you mean power?"
      ],
      [
        "horses",
        "INTEGER",
        "Name an input that is before this one in the list and of the same record, instead of `horses` at character 1. It sees power, weight, zone, young."
      ],
      [
        "young && power + zone > 1",
        "BOOLEAN",
        "Correct `power + zone` at character 10: no such overload: INTEGER + STRING. Values of one type go together; int(…) makes an INTEGER of a NUMBER, double(…) a NUMBER, string(…) a STRING."
      ],
      [
        'young ? 1 : "1"',
        "INTEGER",
        "Correct `young ? 1 : \"1\"` at character 1: Ternary branches must have the same type, got 'INTEGER' and 'STRING'."
      ],
      ["power > 3", "INTEGER", "Write what makes INTEGER, or correct `type`; this makes BOOLEAN."],
      [
        "weight * 2.0",
        "INTEGER",
        "Write what makes INTEGER, or correct `type`; this makes NUMBER."
      ],
      ["[power]", "INTEGER", "Write what makes INTEGER; this makes no scalar."],
      [
        "2 + zone.indexOf(zone)",
        "INTEGER",
        "Leave out the method indexOf in `zone.indexOf(zone)` at character 5. There are size, int, double, string, startsWith, endsWith, contains, `in [...]` and `? :`; see docs/products.md."
      ]
    ] as const) {
      assert.strictEqual(refusal(text, type), message)
    }
    assert.match(refusal("[1].map(x, x)", "INTEGER"), /^Leave out the method map in/u)
    assert.match(refusal("1 + ".repeat(200) + "power", "INTEGER"), /^Split it into several inputs/u)
  })

  it("reaches nothing of JavaScript", () => {
    for (const text of [
      "zone.constructor",
      'zone["constructor"]',
      "zone.__proto__",
      "constructor",
      "toString",
      "__proto__",
      "globalThis",
      "process.env",
      'zone.constructor("return 1")()'
    ]) {
      refusal(text, "STRING")
    }
  })

  it("has no loops, no patterns, and no constants that are no scalars", () => {
    for (const [text, type] of [
      ["[1, 2].map(x, x * 2).size()", "INTEGER"],
      ["[1, 2].all(x, x > 0)", "BOOLEAN"],
      ["[1, 2].exists(x, x > power)", "BOOLEAN"],
      ['zone.matches("(a+)+b")', "BOOLEAN"],
      ['zone.split("")[0]', "STRING"],
      ['{"a": 1}["a"]', "INTEGER"],
      ["null == null", "BOOLEAN"],
      ['timestamp("2020-01-01T00:00:00Z").getFullYear()', "INTEGER"],
      ["dyn(power) == 7", "BOOLEAN"],
      ["type(power) == int", "BOOLEAN"]
    ] as const) {
      refusal(text, type)
    }
  })

  it("costs no more than its length allows", () => {
    refusal(Array.from({ length: 300 }, () => "power").join(" + "), "INTEGER")
    refusal(`${"!".repeat(300)}young`, "BOOLEAN")
    refusal(`power in [${Array.from({ length: 101 }, (_, index) => index).join(", ")}]`, "BOOLEAN")
  })

  it("computes, compares, chooses and puts texts together", () => {
    assert.strictEqual(valueOf("power * 2 + 1", "INTEGER"), 15)
    assert.strictEqual(valueOf("-power / 2", "INTEGER"), -3)
    assert.strictEqual(valueOf("young && power >= 7", "BOOLEAN"), true)
    assert.strictEqual(valueOf('zone in ["13", "75"] ? "CITY" : "LAND"', "STRING"), "CITY")
    assert.strictEqual(valueOf('zone + "/" + string(power)', "STRING"), "75/7")
    assert.strictEqual(valueOf('zone.startsWith("7") || !young', "BOOLEAN"), true)
    assert.strictEqual(valueOf("int(weight * 10.0) + size(zone)", "INTEGER"), 17)
    assert.strictEqual(valueOf("weight > 1.25", "BOOLEAN"), true)
  })

  it("has no value where there is none, and never throws", () => {
    assert.isUndefined(valueOf("power / 0", "INTEGER"))
    assert.isUndefined(valueOf("power % 0", "INTEGER"))
    assert.isUndefined(valueOf("power * 9007199254740991", "INTEGER"))
    assert.isUndefined(valueOf("power * 9223372036854775807", "INTEGER"))
  })

  it("tells the variables that it names, each once", () => {
    const { variables } = Result.getOrThrow(compile("power > 3 && power < 9 && young", "BOOLEAN"))
    assert.deepStrictEqual(variables, ["power", "young"])
  })

  it.prop(
    "is refused or compiled for any text, and never throws",
    {
      text: Schema.String,
      parts: Schema.Array(
        Schema.Literals([
          "power",
          "zone",
          "young",
          "+",
          "(",
          ")",
          "?",
          ":",
          "&&",
          "1",
          '"a"',
          ".",
          "[",
          "]",
          "in",
          "map",
          ","
        ])
      )
    },
    ({ parts, text }) => {
      for (const one of [text, parts.join(" "), parts.join("")]) {
        const compiled = compile(one, "INTEGER")
        if (Result.isSuccess(compiled)) compiled.success.evaluate((name) => given[name]!)
      }
    },
    { arbitrary: { runs: 1000 } }
  )
})
