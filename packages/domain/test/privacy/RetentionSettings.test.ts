import { assert, describe, it } from "@effect/vitest"
import { frenchRetention, type RetentionPeriod } from "../../src/privacy/Retention.ts"
import { type OwnRetention, retentionFault, rulesOf } from "../../src/privacy/RetentionSettings.ts"

const years = (amount: number): RetentionPeriod => ({ amount, unit: "YEAR" })
const days = (amount: number): RetentionPeriod => ({ amount, unit: "DAY" })

const own = (
  name: OwnRetention["class"],
  active: RetentionPeriod,
  archive: RetentionPeriod
): OwnRetention => ({ class: name, active, archive, source: "Ours" })

describe("a tenant's own times", () => {
  it("may be longer than the law's, and not shorter", () => {
    assert.isUndefined(retentionFault([own("ACCOUNTING", years(2), years(8))]))
    assert.isUndefined(retentionFault([own("CONTRACT", years(0), years(30))]))
    assert.deepStrictEqual(retentionFault([own("ACCOUNTING", years(0), years(9))])?.floors, [
      { class: "ACCOUNTING", atLeast: years(10) }
    ])
  })

  it("of days count as a year only where each year has no more", () => {
    assert.isUndefined(retentionFault([own("CONTRACT", days(366 * 5), years(0))]))
    assert.isDefined(retentionFault([own("CONTRACT", days(365 * 5 + 1), years(0))]))
  })

  it("of those who never bought may be short, but not so short that the job would miss it", () => {
    assert.isUndefined(retentionFault([own("PROSPECT", days(30), days(0))]))
    assert.deepStrictEqual(retentionFault([own("PROSPECT", days(29), days(0))])?.floors, [
      { class: "PROSPECT", atLeast: days(30) }
    ])
  })

  it("are one for each class, and take the place of the default alone", () => {
    const rule = own("PROSPECT", years(1), years(0))
    assert.deepStrictEqual(retentionFault([rule, rule])?.repeated, ["PROSPECT"])
    const rules = rulesOf([rule])
    assert.deepStrictEqual(
      rules.filter((one) => one.class !== "PROSPECT"),
      frenchRetention.filter((one) => one.class !== "PROSPECT")
    )
    assert.deepInclude(
      rules.find((one) => one.class === "PROSPECT"),
      { active: years(1), source: "Ours", from: "the last act of a person who never signed" }
    )
  })
})
