import { assert, describe, it } from "@effect/vitest"
import { clocks, frenchRetention, type RetentionFact } from "../../src/privacy/Retention.ts"
import { type PastErasure, retentionPlan } from "../../src/privacy/RetentionPlan.ts"
import { CustomerId, PolicyId } from "../../src/values/Ids.ts"
import { fromEpochMillis } from "../../src/values/Instant.ts"
import * as PrefixedId from "../../src/values/PrefixedId.ts"
import { TimeZone } from "../../src/values/TimeZone.ts"

const customerId = CustomerId.make(PrefixedId.example("customer"))
const policyId = PolicyId.make(PrefixedId.example("policy"))
const timeZone = TimeZone.make("Europe/Paris")
const at = (text: string) => fromEpochMillis(Date.parse(text))

const planOf = (
  facts: ReadonlyArray<RetentionFact>,
  now: string,
  past: ReadonlyArray<PastErasure> = []
) =>
  retentionPlan(
    {
      customerId,
      policyIds: [policyId],
      clocks: clocks(facts, frenchRetention, timeZone),
      past,
      rules: frenchRetention,
      timeZone
    },
    at(now)
  )

/** An offer of 10 March 2026 without a signature: three years end at 00:00 of 11 March 2029. */
const offer: ReadonlyArray<RetentionFact> = [
  { class: "PROSPECT", recordId: customerId, startsAt: at("2026-03-10T09:00:00Z") },
  { class: "PROSPECT", recordId: policyId, startsAt: at("2026-03-10T09:00:00Z") }
]
const ended = "2029-03-10T23:00:00Z"

describe("what the job erases", () => {
  it("is nothing of who asked for an offer, until the last millisecond of their time", () => {
    assert.deepStrictEqual(planOf(offer, "2029-03-10T22:59:59.999Z"), {
      steps: [],
      lookAt: at(ended)
    })
    const { steps } = planOf(offer, ended)
    assert.strictEqual(steps.at(-1)?.class, "PERSON")
    assert.isTrue(steps.some((step) => step.policyId === policyId && step.class === "CONTRACT"))
  })

  it("is nothing twice, and all again of a person who has come back", () => {
    const { steps } = planOf(offer, ended)
    const past = steps.map((step) => ({ ...step, erasedAt: at(ended) }))
    assert.deepStrictEqual(planOf(offer, "2029-03-11T23:00:00Z", past).steps, [])
    const back: ReadonlyArray<RetentionFact> = offer.map((fact) => ({
      ...fact,
      startsAt: at("2030-01-01T12:00:00Z")
    }))
    assert.deepStrictEqual(planOf(back, "2033-01-01T22:59:59Z", past).steps, [])
    assert.deepStrictEqual(planOf(back, "2033-01-01T23:00:00Z", past).steps, steps)
  })

  it("leaves an offer to a customer alone for as long as one to a stranger", () => {
    const facts: ReadonlyArray<RetentionFact> = [
      { class: "CONTRACT", recordId: "another", waitsFor: "CONTRACT_OPEN" },
      offer[1]!
    ]
    assert.deepStrictEqual(planOf(facts, "2029-03-10T22:59:59Z").steps, [])
    const { steps } = planOf(facts, ended)
    assert.isTrue(steps.length > 0 && steps.every((step) => step.policyId === policyId))
  })

  it("waits for contracts and debts, and looks again when they could have ended at the earliest", () => {
    const facts: ReadonlyArray<RetentionFact> = [
      { class: "CONTRACT", recordId: policyId, waitsFor: "DEBT_OPEN" }
    ]
    assert.deepStrictEqual(planOf(facts, "2026-03-10T09:00:00Z"), {
      steps: [],
      lookAt: at("2031-03-10T23:00:00Z")
    })
  })

  it("takes the risk of a contract after five years, and the books with the name after ten", () => {
    const facts: ReadonlyArray<RetentionFact> = [
      { class: "CONTRACT", recordId: policyId, startsAt: at("2026-06-30T12:00:00Z") },
      { class: "ACCOUNTING", recordId: "invoice", startsAt: at("2026-03-10T09:00:00Z") }
    ]
    const first = planOf(facts, "2031-06-30T22:00:00Z")
    assert.isTrue(first.steps.some((step) => step.class === "CONTRACT"))
    assert.isFalse(first.steps.some(({ class: name }) => ["ACCOUNTING", "PERSON"].includes(name)))
    assert.strictEqual(first.lookAt, at("2036-12-31T23:00:00Z"))
    const past = first.steps.map((step) => ({ ...step, erasedAt: at("2031-06-30T22:00:00Z") }))
    const names = planOf(facts, first.lookAt, past).steps.map((step) => step.class)
    assert.include(names, "ACCOUNTING")
    assert.include(names, "PERSON")
    assert.notInclude(names, "CONTRACT")
  })
})
