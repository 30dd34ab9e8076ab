import { mostNoticeDays, renewalDays } from "@quittance/domain/products/documents/RenewalNoticeDay"
import type { Refusal } from "@quittance/domain/products/ProductTerms"
import { fromEpochDay, parse, toEpochDay } from "@quittance/domain/values/LocalDate"
import { assert, describe, it } from "@effect/vitest"

/** Art. L113-15-1 code des assurances: fifteen days before the last day to refuse, two months before. */
const french: Refusal = { before: { amount: 2, unit: "MONTH" }, notice: { leadDays: 15 } }

describe("the last legal day of a renewal notice", () => {
  it.for([
    ["2027-01-01", "2026-11-01", "2026-10-17"],
    ["2026-09-01", "2026-07-01", "2026-06-16"],
    // A month that lacks the day has its last one.
    ["2027-04-30", "2027-02-28", "2027-02-13"],
    ["2028-04-30", "2028-02-29", "2028-02-14"],
    ["2028-05-01", "2028-03-01", "2028-02-15"]
  ] as const)("is counted back from %s on the calendar", ([end, refuseBy, noticeBy]) => {
    assert.deepEqual(renewalDays(french, parse(end)!), {
      refuseBy: parse(refuseBy)!,
      noticeBy: parse(noticeBy)!
    })
  })

  it("is 77 days before the end of a term at most; with 75 most notices would be late", () => {
    assert.strictEqual(mostNoticeDays(french), 77)
    const late = Array.from({ length: 1461 }, (_, day) => day).filter(
      (day) => day - toEpochDay(renewalDays(french, fromEpochDay(day)).noticeBy) > 75
    )
    assert.strictEqual(late.length, 1221)
  })
})
