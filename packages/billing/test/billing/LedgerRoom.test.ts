import { assert, describe, it } from "@effect/vitest"
import { largestPrice } from "@quittance/domain/values/Amount"
import { isLarge, largeAmount, largestSum, overfull } from "../../src/billing/LedgerRoom.ts"
import { int } from "../Drawn.ts"

const posted = (amount: number) => ({ accounts: ["cash", "premium"], amounts: [amount, -amount] })

describe("the room in a policy's books", () => {
  it.prop(
    "is lacking where a posting brings an account beyond it, and nowhere else",
    [int(-largestSum, largestSum), int(-largestPrice, largestPrice)],
    ([sum, amount]) => {
      const after = BigInt(sum) + BigInt(amount)
      const isBeyond = after > BigInt(largestSum) || after < -BigInt(largestSum)
      assert.strictEqual(
        overfull(new Map([["cash", BigInt(sum)]]), [posted(amount)]),
        isBeyond ? "cash" : undefined
      )
    }
  )

  it("holds 450 terms of the largest price, and no more than a unit beyond its bound", () => {
    const terms = Array.from({ length: 450 }, () => posted(largestPrice))
    assert.isUndefined(overfull(new Map(), terms))
    assert.isDefined(overfull(new Map([["premium", -BigInt(largestSum)]]), [posted(1)]))
  })

  it("lets an account that was too full already come down", () => {
    const sums = new Map([["cash", BigInt(largestSum) + 10n]])
    assert.isUndefined(overfull(sums, [posted(-1)]))
    assert.strictEqual(overfull(sums, [posted(1)]), "cash")
  })

  it("takes four million amounts that are not large to leave the exact integers", () => {
    assert.isFalse(isLarge([posted(largeAmount - 1)]))
    assert.isTrue(isLarge([posted(-largeAmount)]))
    assert.isAbove((Number.MAX_SAFE_INTEGER - largestSum) / largeAmount, 4_000_000)
  })
})
