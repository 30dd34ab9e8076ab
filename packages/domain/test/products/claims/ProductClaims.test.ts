import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { frenchDeadlines } from "../../../src/claims/FrenchDeadlines.ts"
import { DeadlineRule } from "../../../src/products/claims/DeadlineRule.ts"
import { examine } from "../../../src/products/ProductFaults.ts"
import { documentOf, type Json, productOf, withAt } from "../../ShippedProducts.ts"

const motor = documentOf("motor-fr")
const french = ["motor-fr", "home-fr", "liability-fr"]

/** What is wrong with the document once it has another value in a place. */
const faultsOf = (at: string, value: Json | undefined) =>
  examine(withAt(motor, at, value)).faults.map(({ message, pointer }) => `${pointer}: ${message}`)

const wrong: ReadonlyArray<readonly [string, Json, string]> = [
  [
    "/claims/lossTypes/1/id",
    "COLLISION",
    "/claims/lossTypes/1/id: Choose another name; COLLISION is taken by an earlier entry."
  ],
  [
    "/claims/lossTypes/0/perils/1",
    "DAMAGES",
    "/claims/lossTypes/0/perils/1: Add DAMAGES to /perils, or write DAMAGE if that is what it means."
  ],
  [
    "/claims/lossTypes/0/facts/0/key",
    "injuries",
    "/claims/lossTypes/0/facts/0/key: Choose another key; every claim says injuries of itself."
  ],
  [
    "/claims/lossTypes/0/facts/0/example",
    "none",
    "/claims/lossTypes/0/facts/0/example: Send an integer."
  ],
  [
    "/claims/lossTypes/0/needsDecree",
    false,
    "/claims/lossTypes/0/needsDecree: Write true, or leave it out."
  ],
  [
    "/claims/declareWithin/1/lossTypes",
    ["CATNAT"],
    "/claims/declareWithin/2: Leave it out; an earlier entry is for CATNAT."
  ],
  [
    "/claims/declareWithin/0/from",
    "DECREE_PUBLISHED",
    "/claims/declareWithin/0/from: Name loss types that need a decree; others have none that it could run from."
  ],
  [
    "/claims/perils/THEFT/limitOption",
    "DEDUCTIBLE",
    "/claims/perils/THEFT/limitOption: Leave it out; the peril has no option of kind LIMIT."
  ],
  [
    "/claims/perils/THEFT/deductibleOption",
    "OWN",
    "/claims/perils/THEFT/deductibleOption: Choose one of: DEDUCTIBLE."
  ],
  [
    "/claims/perils/THEFT/waiting",
    { amount: 36, unit: "HOUR" },
    "/claims/perils/THEFT/waiting/unit: Choose whole days."
  ],
  ["/claims/perils/FLOOD", { limitPer: "CLAIM" }, "/claims/perils/FLOOD: Add FLOOD to /perils."],
  [
    "/claims/exclusions/0/perils/0",
    "FLOOD",
    "/claims/exclusions/0/perils/0: Add FLOOD to /perils."
  ],
  [
    "/claims/deadlines/0/lossTypes/0",
    "FLOOD",
    "/claims/deadlines/0/lossTypes/0: Add FLOOD to /claims/lossTypes."
  ],
  [
    "/claims/deadlines/0/working",
    true,
    "/claims/deadlines/0/duration/unit: Write a duration of days; only those can be working days."
  ],
  [
    "/claims/stopAfterClaim",
    { reason: "GLASS", noticeDays: 30 },
    "/claims/stopAfterClaim/reason: Add GLASS to /stopReasons."
  ]
]

describe("what a product says of claims", () => {
  it("may be absent", () => {
    assert.deepStrictEqual(faultsOf("/claims", undefined), [])
  })

  it.each(wrong)("is refused where %s is %j", (at, value, fault) => {
    assert.deepStrictEqual(faultsOf(at, value), [fault])
  })

  it("sets the deadlines of the law in the shipped products", () => {
    const found = french.flatMap((productId) => productOf(productId).claims!.deadlines)
    assert.lengthOf(found, 13)
    for (const { id, ...deadline } of found) {
      // Each is named as in the law's own list.
      const rule: DeadlineRule = frenchDeadlines[id as keyof typeof frenchDeadlines]
      assert.deepStrictEqual(Schema.decodeUnknownSync(DeadlineRule)(deadline), rule, id)
    }
  })

  it("lets the insured bear what the law says of natural disasters, once there is a decree", () => {
    for (const [productId, id, amount] of [
      ["motor-fr", "CATNAT", 38_000],
      ["home-fr", "CATNAT", 38_000],
      ["home-fr", "CATNAT_SUBSIDENCE", 152_000]
    ] as const) {
      const type = productOf(productId).claims!.lossTypes.find((one) => one.id === id)
      assert.deepStrictEqual(type?.legalDeductible?.deductible, { amount })
      assert.isTrue(type?.needsDecree)
    }
  })
})
