import { assert, describe, it } from "@effect/vitest"
import type { QuoteRecord } from "../../../src/policies/aggregate/QuoteRecord.ts"
import { BranchStatus } from "../../../src/policies/Branch.ts"
import * as QuoteValidity from "../../../src/policies/aggregate/QuoteValidity.ts"
import { BranchId, QuoteId } from "../../../src/values/Ids.ts"
import type { Instant } from "../../../src/values/Instant.ts"
import * as PrefixedId from "../../../src/values/PrefixedId.ts"

const [own, other] = ["3", "4"].map((digit) => BranchId.make(`branch_test_${digit.repeat(21)}`))
const quoteId = QuoteId.make(PrefixedId.example("quote"))
const [before, end, after] = [
  "2026-03-01T00:00:00.000Z",
  "2026-03-31T00:00:00.000Z",
  "2026-04-01T00:00:00.000Z"
] as unknown as readonly [Instant, Instant, Instant]

const quote: Pick<QuoteRecord, "branchId" | "expiresAt" | "id" | "pricedHash"> = {
  id: quoteId,
  branchId: own!,
  expiresAt: end,
  pricedHash: "as it was"
}

const isOutdated = (
  pricedHash: string,
  now: Instant,
  { current = quoteId, id = own!, status = "OPEN" as BranchStatus } = {}
) => QuoteValidity.isOutdated(quote, pricedHash, { branch: { id, status }, quoteId: current, now })

describe("a quote", () => {
  it("is outdated at once where the data that it priced has changed", () => {
    for (const status of BranchStatus.literals) {
      assert.isTrue(isOutdated("otherwise", before, { status }))
      assert.isFalse(isOutdated("as it was", before, { status }))
    }
  })

  it("expires at its instant on each branch that has not merged it", () => {
    for (const status of BranchStatus.literals) {
      const isMerged = status === "MERGED"
      assert.strictEqual(isOutdated("as it was", end, { status }), !isMerged, status)
      assert.strictEqual(isOutdated("as it was", after, { status }), !isMerged, status)
    }
    const another = QuoteId.make(`quote_test_${"9".repeat(21)}`)
    assert.isTrue(isOutdated("as it was", end, { status: "MERGED", current: another }))
  })

  it("does not expire on a branch that began with it: it was accepted before", () => {
    assert.isFalse(isOutdated("as it was", after, { id: other! }))
    assert.isTrue(isOutdated("otherwise", after, { id: other! }))
  })
})
