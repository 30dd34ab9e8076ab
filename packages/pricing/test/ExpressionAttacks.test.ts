/** The author of a product is trusted with prices, and with nothing else of the machine. */
import { assert, describe, it } from "@effect/vitest"
import type { CustomFieldValue } from "@quittance/domain/values/CustomField"
import { Result } from "effect"
import { compileExpression, type ScalarType } from "../src/Expression.ts"
import { Draw } from "@quittance/testing/Draw"
import { property } from "./Property.ts"
import { NoValue, randomExpression } from "./RandomExpression.ts"

const types = new Map<string, ScalarType>([
  ["power", "INTEGER"],
  ["weight", "NUMBER"],
  ["zone", "STRING"],
  ["young", "BOOLEAN"]
])

const scalars = ["INTEGER", "NUMBER", "BOOLEAN", "STRING"] as const

/** The type in which a text compiles, if it does in any. */
const compiled = (text: string) =>
  scalars.flatMap((type) => {
    const result = compileExpression(text, types, type)
    return Result.isSuccess(result) ? [{ ...result.success, type }] : []
  })[0]

const isOf = (value: CustomFieldValue, type: ScalarType): boolean =>
  type === "INTEGER" ? Number.isSafeInteger(value) : typeof value === jsTypes[type]

const jsTypes = { NUMBER: "number", BOOLEAN: "boolean", STRING: "string" } as const

const values: Readonly<Record<string, CustomFieldValue>> = {
  power: 7,
  weight: 1.5,
  zone: "75",
  young: true
}

const evaluated = (text: string, given = values) => compiled(text)?.evaluate((name) => given[name]!)

/** Each group is a known way out of some interpreter. */
const attacks: Readonly<Record<string, ReadonlyArray<string>>> = {
  "the prototypes of values": [
    "zone.constructor",
    "zone.__proto__",
    'zone["constructor"]',
    "power.constructor.constructor",
    'zone.constructor.constructor("return globalThis")()',
    "young.toString()",
    "zone.valueOf()",
    '[1].constructor["from"]',
    '{"a": 1}.__proto__',
    "zone.length",
    "zone.at(0)"
  ],
  "names that every object has": [
    "constructor",
    "__proto__",
    "prototype",
    "toString",
    "hasOwnProperty",
    "__defineGetter__",
    "__lookupGetter__"
  ],
  "the globals of the process": [
    "globalThis",
    "process",
    "process.env.PATH",
    "require",
    'import("node:fs")',
    "Function",
    'eval("1")',
    "this",
    "arguments",
    "self"
  ],
  "loops, however they are nested": [
    "[1, 2].map(x, x * 2)",
    "[1, 2].map(x, x > 1, x)",
    "[1, 2].filter(x, x > 0)",
    "[1, 2].all(x, x > 0)",
    "[1, 2].exists(x, x > power)",
    "[1, 2].exists_one(x, x > 0)",
    "[1,2,3].map(a, [1,2,3].map(b, [1,2,3].map(c, a * b * c)))",
    "[[1]].map(x, x.filter(y, true))",
    "cel.bind(x, zone, x)",
    '{"a": 1}.map(k, k)'
  ],
  "patterns that backtrack": [
    'zone.matches("(a+)+$")',
    'matches(zone, "(a|a)*b")',
    "zone.matches(zone)",
    'zone.replace("a", "b")',
    'zone.split("")'
  ],
  "time, durations and zones": [
    'timestamp("9999-12-31T23:59:59Z")',
    "timestamp(9007199254740991)",
    'timestamp("2020-01-01T00:00:00Z").getHours("Europe/Paris")',
    'duration("1000000h")',
    'duration("1s") + duration("1s")',
    "timestamp(0) < timestamp(1)"
  ],
  "numbers from texts, of which an empty one would be 0": [
    "int(zone)",
    'int("7")',
    "double(zone)",
    'int(young ? zone : "")',
    "1 + int((zone + zone))",
    "double(string(power))",
    "int // (\n(zone)",
    "int(zone // )\n)"
  ],
  "other kinds of values": [
    "dyn(power)",
    "type(power)",
    "type(zone) == string",
    "1u",
    "uint(power)",
    "bytes(zone)",
    "b'abc' == b'abc'",
    "null",
    "optional.of(power)",
    '{"a": 1}["a"]',
    "[1, 2][0]",
    "[1].size()",
    "has(zone.a)",
    "google.protobuf.Timestamp{seconds: 1}"
  ]
}

describe("an expression has no way to", () => {
  for (const [what, texts] of Object.entries(attacks)) {
    it(`${what}`, () => {
      for (const text of texts) assert.isUndefined(compiled(text), text)
    })
  }

  it("what JavaScript has under the name of an input", () => {
    for (const name of ["constructor", "toString", "hasOwnProperty", "valueOf"]) {
      const result = compileExpression(`${name} + 1`, new Map([[name, "INTEGER"]]), "INTEGER")
      assert.strictEqual(
        Result.getOrThrow(result).evaluate(() => 1),
        2
      )
    }
  })

  it("a word of the language that is the name of an input, and says so", () => {
    for (const word of "type list map int package function return __proto__ prototype".split(" ")) {
      const named = new Map<string, ScalarType>([
        [word, "INTEGER"],
        ["power", "INTEGER"]
      ])
      const result = compileExpression(`${word} + 1`, named, "INTEGER")
      assert.strictEqual(
        Result.isFailure(result) && result.failure,
        `Give the input \`${word}\` another name; that is a word of the language of expressions.`
      )
      assert.isTrue(Result.isSuccess(compileExpression("power + 1", named, "INTEGER")), word)
    }
  })
})

describe("an expression costs", () => {
  it("nothing for texts that would need an endless stack", () => {
    for (const text of [
      "(".repeat(1000),
      "[".repeat(1000),
      "!".repeat(999) + "young",
      "-".repeat(999) + "1",
      "young ? ".repeat(120),
      "young ? 1 : ".repeat(80) + "1",
      `${"(".repeat(480)}power${")".repeat(480)}`,
      "zone.".repeat(190) + "a",
      "power in [".repeat(90),
      "f(".repeat(400),
      "{".repeat(500)
    ]) {
      assert.isUndefined(compiled(text), text.slice(0, 20))
    }
  })

  it("at most so many steps as it has parts", () => {
    assert.isUndefined(compiled(Array(201).fill("1").join("+")))
    assert.isUndefined(compiled(`power in [${Array(101).fill("1").join(",")}]`))
    assert.strictEqual(evaluated(Array(30).fill("power").join("+")), 210)
  })

  it("no text longer than a field may be, so that no input is many times the one before", () => {
    const long = { ...values, zone: "x".repeat(1000) }
    assert.isUndefined(evaluated("zone + zone", long))
    assert.isUndefined(evaluated("zone + string(power)", long))
    assert.strictEqual(evaluated("size(zone + zone)", long), 2000)
    assert.strictEqual(evaluated("zone", long), long.zone)
    const tooLong = { ...values, zone: "x".repeat(1001) }
    for (const text of ["zone", "size(zone)", 'zone.contains("y")']) {
      assert.isUndefined(evaluated(text, tooLong), text)
    }
  })
})

describe("an expression has no value", () => {
  it("beyond the integers that are exact, on the way and at its end", () => {
    for (const text of [
      "power * 9007199254740991",
      "9007199254740991 + power",
      "-9007199254740991 - power",
      "power * 9223372036854775807",
      "9223372036854775807 + power - 9223372036854775807",
      "power + 99999999999999999999999999",
      "-9223372036854775808 * (power - 8)",
      "int(weight * 1e308 * 1e10)",
      "int(weight / 0.0)",
      "int(0.0 / (weight - weight))"
    ]) {
      assert.isUndefined(evaluated(text), text)
    }
    assert.strictEqual(evaluated("9007199254740990 + power - 6"), Number.MAX_SAFE_INTEGER)
  })

  it("where it divides by nothing", () => {
    for (const text of ["power / (power - 7)", "power % (power - 7)"]) {
      assert.isUndefined(evaluated(text), text)
    }
  })

  it("for a while only: the other branch, or the other operand, is not looked at", () => {
    assert.strictEqual(evaluated("power == 7 ? 1 : 1 / (power - 7)"), 1)
    assert.strictEqual(evaluated("young || 1 / (power - 7) == 1"), true)
    assert.strictEqual(evaluated("!young && 1 / (power - 7) == 1"), false)
  })
})

/** Words of the language, of what it leaves out, and of nothing. */
const words = [
  ..."power weight zone young horses + - * / % == != < <= > >= && || ! ? : ( ) [ ] { } , . in".split(
    " "
  ),
  ..."0 1 -1 2.5 1e400 0x1F 1u 9223372036854775807 9223372036854775808 true false null".split(" "),
  ...`"a" 'b' "" "\\u0000" "\\n" """x""" r"\\d" b"x" "unclosed`.split(" "),
  ..."size int double string bool dyn type bytes timestamp duration startsWith endsWith contains".split(
    " "
  ),
  ..."matches map filter all exists has constructor __proto__ toString optional cel.bind".split(
    " "
  ),
  "\u0000",
  "\u202e",
  "é",
  "💥",
  "\n",
  "//",
  ";",
  "`"
]

/** What strangers type, and what overflows. */
const extremes: Readonly<Record<string, ReadonlyArray<CustomFieldValue>>> = {
  power: [0, -1, 7, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER],
  weight: [0, -0, 1.5, 5e-324, -1e308, Number.MAX_VALUE],
  zone: ["", "75", "\u0000", "💥".repeat(400), "x".repeat(1000), "__proto__"],
  young: [true, false]
}

const variables = [...types].map(([name, type]) => ({ name, type }))

const drawn = (draw: Draw, type: ScalarType) =>
  randomExpression(draw, variables, type, draw.int(0, 4))

const drawnValues = (draw: Draw) =>
  Object.fromEntries(Object.entries(extremes).map(([name, list]) => [name, draw.pick(list)]))

/** It answers a value of its type or none, the same one for the same values. */
const behaves = (draw: Draw, text: string): boolean => {
  const expression = compiled(text)
  if (expression === undefined) return false
  const given = drawnValues(draw)
  const value = expression.evaluate((name) => given[name]!)
  if (value !== undefined) assert.isTrue(isOf(value, expression.type), text)
  assert.deepStrictEqual(
    expression.evaluate((name) => given[name]!),
    value
  )
  for (const name of expression.variables) assert.isTrue(types.has(name), text)
  return true
}

describe("any text", () => {
  property(
    "is compiled or refused in a sentence, and never throws",
    (draw) => {
      const text = Array.from({ length: draw.int(0, 30) }, () => draw.pick(words)).join(
        draw.pick(["", " "])
      )
      behaves(draw, text)
      const refused = compileExpression(text, types, "INTEGER")
      if (Result.isFailure(refused)) assert.match(refused.failure, /^[A-Z][\s\S]+[.?]$/u)
    },
    3000
  )

  property(
    "that fits together is worth what a plain reading makes of it, or nothing",
    (draw) => {
      const type = draw.pick(scalars)
      const { text, value } = drawn(draw, type)
      const result = compileExpression(text, types, type)
      if (Result.isFailure(result)) {
        assert.match(result.failure, /^Split it into several/u, text)
        return
      }
      const given = drawnValues(draw)
      const expected = plainValue(() => value((name) => given[name]!))
      assert.deepStrictEqual(
        result.success.evaluate((name) => given[name]!),
        expected,
        text
      )
      assert.isTrue(expected === undefined || isOf(expected, type), text)
    },
    3000
  )

  it("that is drawn to fit together has a value more often than not", () => {
    const worth = Array.from({ length: 500 }, (_, seed) => {
      const draw = new Draw(seed)
      const { value } = drawn(draw, draw.pick(scalars))
      const given = drawnValues(draw)
      return plainValue(() => value((name) => given[name]!)) !== undefined
    })
    assert.isAbove(worth.filter(Boolean).length, 300)
  })
})

/** No value where a text on the way in or out is too long, or an integer is not exact. */
const plainValue = (read: () => bigint | number | boolean | string) => {
  try {
    const value = read()
    if (typeof value === "string" && value.length > 1000) return undefined
    if (typeof value !== "bigint") return value
    return Number.isSafeInteger(Number(value)) ? Number(value) : undefined
  } catch (error) {
    if (error instanceof NoValue) return undefined
    throw error
  }
}
