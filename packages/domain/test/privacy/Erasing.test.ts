import { assert, describe, it } from "@effect/vitest"
import { erasurePlan, type ErasureFacts } from "../../src/privacy/Erasing.ts"
import type { RetentionClock } from "../../src/privacy/Retention.ts"
import { CustomerId, PolicyId } from "../../src/values/Ids.ts"
import { fromEpochMillis } from "../../src/values/Instant.ts"
import * as PrefixedId from "../../src/values/PrefixedId.ts"

const customerId = CustomerId.make(PrefixedId.example("customer"))
const policyId = PolicyId.make(PrefixedId.example("policy"))
const other = PolicyId.make(
  [...policyId.slice(0, -21), ...Array.from(policyId.slice(-21)).reverse()].join("")
)
const at = (text: string) => fromEpochMillis(Date.parse(text))
const now = at("2026-03-10T09:00:00Z")

const clock = (
  name: RetentionClock["class"],
  recordId: string,
  erasedAt?: string
): RetentionClock => ({
  class: name,
  recordId,
  source: name,
  ...(erasedAt === undefined ? { waitsFor: "CONTRACT_OPEN" } : { erasedAt: at(erasedAt) })
})

const person = (clocks: ReadonlyArray<RetentionClock>): ErasureFacts => ({
  customerId,
  policyIds: [policyId, other],
  clocks
})

const freeOf = (clocks: ReadonlyArray<RetentionClock>) =>
  erasurePlan([person(clocks)], now).steps.map(
    ({ class: name, policyId: of }) =>
      `${name}${of === undefined ? "" : of === other ? "@other" : "@policy"}`
  )

describe("what may be erased", () => {
  it("is all of a person who never signed, and what names them is the last", () => {
    const { kept, steps } = erasurePlan([person([])], now)
    assert.deepStrictEqual(kept, [])
    assert.strictEqual(steps.at(-1)?.class, "PERSON")
    assert.isTrue(steps.some(({ policyId: of }) => of === policyId))
  })

  it("is the data of a contract that is over, while another runs", () => {
    const free = freeOf([
      clock("CONTRACT", policyId, "2026-01-01T00:00:00Z"),
      clock("CONTRACT", other)
    ])
    assert.include(free, "CONTRACT@policy")
    assert.notInclude(free, "CONTRACT@other")
    for (const name of ["PERSON", "CONTRACT", "MANDATE", "ACCOUNTING", "TECHNICAL", "ACCOUNT"]) {
      assert.notInclude(free, name)
    }
  })

  it("waits for the books, which name the person, but lets the risk of the contract go", () => {
    const ended = [policyId, other].map((id) => clock("CONTRACT", id, "2026-01-01T00:00:00Z"))
    const free = freeOf([...ended, clock("ACCOUNTING", "invoice", "2031-01-01T00:00:00Z")])
    assert.includeMembers(free, ["CONTRACT@policy", "CONTRACT@other", "CONTRACT", "MANDATE"])
    for (const name of ["ACCOUNTING@policy", "ACCOUNTING", "PERSON"]) assert.notInclude(free, name)
  })

  it("begins at the instant at which the clock ends, not a millisecond before", () => {
    const ends = (text: string) => freeOf([clock("CONTRACT", policyId, text)])
    assert.include(ends("2026-03-10T09:00:00.000Z"), "CONTRACT@policy")
    assert.notInclude(ends("2026-03-10T09:00:00.001Z"), "CONTRACT@policy")
  })

  it("is kept until the longest of the clocks, and longer than all by one that waits", () => {
    const keptUntil = (clocks: ReadonlyArray<RetentionClock>) =>
      erasurePlan([person(clocks)], now, ["PERSON"]).kept.map(({ source, until }) => ({
        source,
        until
      }))
    const mandate = clock("MANDATE", "mandate", "2029-01-01T00:00:00Z")
    const invoice = clock("ACCOUNTING", "invoice", "2036-01-01T00:00:00Z")
    assert.deepStrictEqual(keptUntil([mandate, invoice, mandate]), [
      { source: "ACCOUNTING", until: at("2036-01-01T00:00:00Z") }
    ])
    assert.deepStrictEqual(keptUntil([invoice, clock("CONTRACT", policyId), mandate]), [
      { source: "CONTRACT", until: undefined }
    ])
  })
})
