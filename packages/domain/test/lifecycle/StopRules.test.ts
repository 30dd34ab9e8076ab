/** When the law lets a contract end; what each law says is in `test/vectors/stop-notices.json`. */
import { assert, describe, it } from "@effect/vitest"
import { earliestEnd, mayEnd, type StopFacts } from "../../src/lifecycle/StopRules.ts"
import type { StopRule } from "../../src/products/ProductTerms.ts"
import type { Instant } from "../../src/values/Instant.ts"

const at = (text: string) => new Date(text).toISOString() as Instant

const annual: StopRule = {
  article: "art. L113-12 code des assurances",
  end: "TERM",
  notice: { amount: 2, unit: "MONTH" }
}
const facts: StopFacts = {
  timeZone: "Europe/Paris",
  startedAt: at("2025-07-01T00:00:00+02:00"),
  periodDuration: { amount: 1, unit: "YEAR" },
  receivedAt: at("2026-04-30T12:00:00+02:00")
}

describe("the rule of a stop reason", () => {
  it("ends a contract with a term, and at no other time", () => {
    const ends = (text: string) => mayEnd(annual, facts, at(text))
    assert.isTrue(ends("2026-07-01T00:00:00+02:00"))
    assert.isTrue(ends("2027-07-01T00:00:00+02:00"))
    assert.isFalse(ends("2026-06-30T23:59:59.999+02:00"))
    assert.isFalse(ends("2026-07-01T00:00:00.001+02:00"))
    assert.isFalse(ends("2025-07-01T00:00:00+02:00"))
  })
  it("ends it once the notice is over, and at any time later", () => {
    const rule: StopRule = { ...annual, end: "NOTICE" }
    const ends = (text: string) => mayEnd(rule, facts, at(text))
    assert.isFalse(ends("2026-06-30T23:59:59.999+02:00"))
    assert.isTrue(ends("2026-07-01T00:00:00+02:00"))
    assert.isTrue(ends("2026-07-19T11:00:00+02:00"))
  })
  it("ends it at any instant where the law wants no notice", () => {
    assert.isTrue(mayEnd({ ...annual, end: "ANY_DAY" }, facts, facts.startedAt))
  })
  it("finds the end of a term among very many short ones", () => {
    const hours = { ...facts, periodDuration: { amount: 1, unit: "SECOND" } } as const
    assert.strictEqual(earliestEnd(annual, hours), at("2026-07-01T00:00:00+02:00"))
  })
})
