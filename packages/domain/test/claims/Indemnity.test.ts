import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { AssessedLoss, indemnity } from "../../src/claims/Indemnity.ts"

const decode = Schema.decodeUnknownSync(AssessedLoss)
const Losses = Arbitrary.schema(AssessedLoss)

describe("the indemnity of a loss", () => {
  it("refuses a proportion of more than the whole, and amounts below nothing", () => {
    assert.throws(() => decode({ assessed: 100, proportion: [3, 2] }))
    assert.throws(() => decode({ assessed: 100, proportion: [0, 2] }))
    assert.throws(() => decode({ assessed: -1 }))
    assert.throws(() => decode({ assessed: 1.5 }))
    assert.throws(() => decode({ assessed: 100, deductible: { permyriad: 10_001 } }))
  })

  it("leaves out the tax that the insured recovers", () => {
    const loss = { assessed: 250_000, vat: 50_000 }
    assert.strictEqual(indemnity(loss).gross, 300_000)
    assert.strictEqual(indemnity({ ...loss, vatRecoverable: true }).gross, 250_000)
  })

  it("goes step by step: wear, proportion, deductible, limit, what was paid", () => {
    const loss = {
      assessed: 100_001,
      depreciation: 20_000,
      proportion: [1, 2],
      deductible: { amount: 5000 },
      limitLeft: 30_000,
      paid: 12_000
    } as const
    assert.deepStrictEqual(indemnity(loss), {
      gross: 100_001,
      worn: 80_001,
      reduced: 40_001,
      deductible: 5000,
      due: 30_000,
      payable: 18_000
    })
  })

  it("takes a share of the reduced loss, within its bounds", () => {
    const deductible = { permyriad: 1000, min: 1000, max: 20_000 }
    const of = (assessed: number) => indemnity({ assessed, deductible }).deductible
    assert.deepStrictEqual([50, 100_005, 500_000].map(of), [1000, 10_001, 20_000])
  })

  it("is never below nothing", () => {
    const nothing = { assessed: 1000, depreciation: 5000, deductible: { amount: 700 } }
    assert.deepStrictEqual(indemnity(nothing), {
      gross: 1000,
      worn: 0,
      reduced: 0,
      deductible: 700,
      due: 0,
      payable: 0
    })
    assert.strictEqual(indemnity({ assessed: 1000, paid: 2000 }).payable, 0)
    assert.strictEqual(indemnity({ assessed: 1000, limitLeft: 0 }).due, 0)
  })

  it("stays exact where the product of amount and proportion leaves the exact integers", () => {
    const loss = {
      assessed: 999_999_999_999,
      proportion: [999_999_999_998, 999_999_999_999]
    } as const
    assert.strictEqual(indemnity(loss).reduced, 999_999_999_998)
  })

  it.prop(
    "never goes beyond loss or limit, and what was paid and is payable is what is due",
    [Losses],
    ([loss]) => {
      const { due, gross, payable, reduced, worn } = indemnity(loss)
      assert.isTrue(0 <= payable && payable <= due && due <= reduced)
      assert.isTrue(reduced <= worn && worn <= gross)
      assert.isAtMost(due, loss.limitLeft ?? due)
      assert.strictEqual(payable + Math.min(loss.paid ?? 0, due), due)
    }
  )

  it.prop("never falls as the assessed loss grows", [Losses], ([loss]) => {
    for (const more of [1, 99, 100_000]) {
      const larger = { ...loss, assessed: loss.assessed + more }
      assert.isAtLeast(indemnity(larger).reduced, indemnity(loss).reduced)
      assert.isAtLeast(indemnity(larger).payable, indemnity(loss).payable)
    }
  })
})
