/** The messages for a product's document of the wrong shape. */
import { assert, describe, it } from "@effect/vitest"
import { examine } from "../../src/products/ProductFaults.ts"
import { documentOf, type Json, withAt } from "../ShippedProducts.ts"

const motor = documentOf("motor-fr")

const faultsOf = (definition: unknown) =>
  examine(definition).faults.map(({ message, pointer }) => [pointer, message])

/** What is put where, and what is told; there, unless it is said otherwise. */
const slips: ReadonlyArray<readonly [string, Json | undefined, string, string?]> = [
  ["/currency", undefined, "Add it: a currency in three capitals, as in ISO 4217: EUR."],
  ["/currency", "euro", 'Give a currency in three capitals, as in ISO 4217: EUR, not "euro".'],
  ["/type", "HERD", 'Choose one of INDIVIDUAL, FLEET, GROUP, MASTER, not "HERD".'],
  ["/perils/0/name", "", 'Give a text that is not empty, not "".'],
  ["/perils/0/optional", "yes", 'Give true or false, not "yes".'],
  ["/brokerageFee", undefined, "Add it: an object with id, name, chargeType."],
  [
    "/perils/0/rating/min",
    -5,
    "Give an integer in the minor unit that is not negative: 1234 for 12.34, not -5."
  ],
  ["/perils/0/rating/per", "VEHICLE", 'Choose one of POLICY, ASSET, not "VEHICLE".'],
  ["/tiers", "none", 'Give a list of at least 1 and at most 50 entries, not "none".'],
  ["/tiers", [], "Give a list of at least 1 and at most 50 entries."],
  ["/customerRoles", [], "Give a list that is not empty."],
  [
    "/rating/factors",
    Array(301).fill((motor["rating"] as { factors: Array<Json> }).factors[1]!),
    "Give a list of at most 300 entries."
  ],
  ["/specials", {}, "Give a list of at most 100 entries, not an object."],
  ["/quote", [], "Give an object with validDays, not a list."],
  ["/quote/validDays", 0, "Give an integer between 1 and 366, not 0."],
  ["/assets/min", 0.5, "Give an integer between 0 and 10000, not 0.5."],
  ["/validFrom", "2025-02-29", 'Give a day that exists, such as 2026-01-31, not "2025-02-29".'],
  ["/rating/factors/1/rows", undefined, "Add it: a list."],
  [
    "/rating/factors/1/rows/0/rate",
    1.15,
    "Give an integer between 0 and 10000000, 10000 being ×1: 11500 for ×1.15, not 1.15."
  ],
  ["/taxes/0/charges/0/rate", 0.33, "Give a fraction of integers such as 33/100, not 0.33."],
  ["/taxes/0/charges/0/amount", 7, "Give either `rate` or `amount`.", "/taxes/0/charges/0"],
  ["/rating/inputs/0/max", "high", 'Give a number, not "high".'],
  [
    "/fields/policy/0/min",
    true,
    "Give a number or a day that exists, such as 2026-01-31, not true."
  ],
  ["/fields/policy/0/example", null, "Give a text or a number or true or false, not null."]
]

describe("a slip in the shape of a document is told with its mending:", () => {
  for (const [at, value, message, pointer = at] of slips) {
    it(`${pointer} ${message}`, () => {
      assert.deepStrictEqual(faultsOf(withAt(motor, at, value)), [[pointer, message]])
    })
  }

  it("an unknown name, with the closest known one or all of them", () => {
    const told = (at: string) => faultsOf(withAt(motor, at, 7))[0]
    assert.deepStrictEqual(told("/perils/0/raiting"), [
      "/perils/0/raiting",
      "Leave it out, or write `rating` if that is what it means."
    ])
    assert.deepStrictEqual(told("/quote/days"), [
      "/quote/days",
      "Leave it out; known here are validDays."
    ])
    assert.deepStrictEqual(told("/colour"), [
      "/colour",
      "Leave it out; docs/products.md tells the members that are known here."
    ])
  })

  it("a form that is none, by the member that tells the forms apart", () => {
    const base = "/perils/0/rating/base"
    assert.deepStrictEqual(faultsOf(withAt(motor, `${base}/kind`, "RAGNE")), [
      [
        `${base}/kind`,
        'Choose one of AMOUNT, VALUE, RANGE, SHARE, not "RAGNE". Did you mean RANGE?'
      ]
    ])
    assert.deepStrictEqual(faultsOf(withAt(motor, `${base}/kind`, undefined)), [
      [`${base}/kind`, "Add it: one of AMOUNT, VALUE, RANGE, SHARE."]
    ])
    assert.deepStrictEqual(faultsOf(withAt(motor, base, "9000")), [
      [base, 'Give an object with `kind`: one of AMOUNT, VALUE, RANGE, SHARE, not "9000".']
    ])
    assert.deepStrictEqual(faultsOf(withAt(motor, base, { kind: "AMOUNT", amount: 1, rows: [] })), [
      [`${base}/rows`, "Leave it out; known here are kind, amount."]
    ])
  })

  it("an input that is neither a field nor an expression, by what it says that it is", () => {
    const at = "/rating/inputs/0"
    const input = { id: "x", label: "x", of: "POLICY", type: "INTEGER" }
    assert.deepStrictEqual(faultsOf(withAt(motor, at, { ...input, as: "EXPRESSION" })), [
      [`${at}/expression`, "Add it: a text of at least 1 and at most 1000 characters."]
    ])
    assert.deepStrictEqual(faultsOf(withAt(motor, at, { ...input, as: "VALUES", key: "x" })), [
      [
        `${at}/as`,
        'Choose one of VALUE, AGE, AGE_IN_MONTHS, YEAR, EXPRESSION, not "VALUES". Did you mean VALUE?'
      ]
    ])
  })

  it("every slip at once, in the order of the schema", () => {
    const definition = [
      ["/colour", "red"],
      ["/currency", "euro"],
      ["/perils/0/optional", "yes"],
      ["/taxes/0/charges/0/rate", 0.33]
    ].reduce<Json>((definition, [at, value]) => withAt(definition, at as string, value), motor)
    assert.deepStrictEqual(
      faultsOf(definition).map(([pointer]) => pointer),
      ["/colour", "/currency", "/perils/0/optional", "/taxes/0/charges/0/rate"]
    )
  })

  it("a name with a slash or a tilde at the pointer that escapes it", () => {
    assert.strictEqual(faultsOf({ ...motor, "a/b~c": 1 })[0]?.[0], "/a~1b~0c")
  })
})
