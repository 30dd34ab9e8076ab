/** Until when a contract can be withdrawn from, on local calendars. */
import { assert, describe, it } from "@effect/vitest"
import { withdrawalEnd, type WithdrawalTerms } from "../../src/products/sale/Withdrawal.ts"
import { type Instant, fromEpochMillis, toEpochMillis } from "../../src/values/Instant.ts"
import { addDays } from "../../src/values/LocalDate.ts"
import { localDate, startOfDay } from "../../src/values/TimeZone.ts"
import { rightOf, type WithdrawalFacts } from "../../src/withdrawals/WithdrawalPeriod.ts"
import { CustomerId } from "../../src/values/Ids.ts"
import { example } from "../../src/values/PrefixedId.ts"
import { DocumentDefinition } from "../../src/products/documents/DocumentDefinition.ts"
import { Schema } from "effect"

const at = (text: string): Instant => fromEpochMillis(Date.parse(text))
const before = (instant: Instant): Instant => fromEpochMillis(toEpochMillis(instant) - 1)

const terms: WithdrawalTerms = {
  days: 14,
  from: "CONCLUSION",
  stopReason: "WITHDRAWAL",
  refundWithinDays: 30,
  onRequestedStart: "FULL",
  source: "art. L112-2-1 code des assurances"
}
const camille = CustomerId.make(example("customer"))
const antoine = CustomerId.make(`${example("customer").slice(0, -1)}3`)
const conditions = Schema.decodeUnknownSync(DocumentDefinition)({
  id: "CONDITIONS",
  kind: "GENERAL_CONDITIONS",
  title: "Conditions",
  source: { template: "conditions", version: "1" },
  on: ["QUOTED"],
  visibility: "CUSTOMER"
})
const facts: WithdrawalFacts = {
  product: { timeZone: "Europe/Paris", withdrawal: terms, documents: [conditions] },
  now: at("2026-03-11T12:00:00Z"),
  signedAt: at("2026-03-10T09:00:00Z"),
  salesChannel: "DISTANCE",
  holders: [{ id: camille, type: "INDIVIDUAL" }],
  documents: []
}
const given = (customerId: CustomerId, recordedAt: string) => ({
  documentId: "document",
  definitionId: "CONDITIONS",
  kind: "GENERAL_CONDITIONS" as const,
  productVersion: "1",
  isVoid: false,
  deliveries: [{ customerId, level: "DELIVERED" as const, recordedAt: at(recordedAt) }]
})

describe("the period of withdrawal", () => {
  it("is fourteen full days of the local calendar, also across clock changes and new years", () => {
    const ends: ReadonlyArray<readonly [string, string, string]> = [
      // Both of these are signed within an hour; on Réunion it is the next day already.
      ["2026-03-10T21:30:00Z", "Europe/Paris", "2026-03-24T23:00:00.000Z"],
      ["2026-03-10T21:30:00Z", "Indian/Reunion", "2026-03-25T20:00:00.000Z"],
      // The clock goes forward on 29 March, and back on 25 October.
      ["2026-03-20T09:00:00Z", "Europe/Paris", "2026-04-03T22:00:00.000Z"],
      ["2026-10-20T09:00:00Z", "Europe/Paris", "2026-11-03T23:00:00.000Z"],
      ["2026-10-20T09:00:00Z", "Indian/Reunion", "2026-11-03T20:00:00.000Z"],
      // The first and the last instant of one day have the same end.
      ["2026-03-09T23:00:00Z", "Europe/Paris", "2026-03-24T23:00:00.000Z"],
      ["2026-03-10T22:59:59.999Z", "Europe/Paris", "2026-03-24T23:00:00.000Z"],
      ["2027-12-20T09:00:00Z", "Europe/Paris", "2028-01-03T23:00:00.000Z"],
      ["2028-02-20T09:00:00Z", "Europe/Paris", "2028-03-05T23:00:00.000Z"]
    ]
    for (const [concludedAt, timeZone, end] of ends) {
      assert.strictEqual(withdrawalEnd(terms, { concludedAt: at(concludedAt) }, timeZone), end)
    }
  })

  it("is open to its last millisecond, and over with the first instant of the fifteenth day", () => {
    for (const timeZone of ["Europe/Paris", "Indian/Reunion", "America/Martinique"]) {
      for (let hour = 0; hour < 24 * 400; hour += 7) {
        const signedAt = fromEpochMillis(Date.UTC(2026, 0, 1, hour))
        // Said in another way: the day of the conclusion and fourteen more, each of them whole.
        const until = startOfDay(addDays(localDate(signedAt, timeZone), 15), timeZone)
        const of = (now: Instant) =>
          rightOf({ ...facts, product: { ...facts.product, timeZone }, signedAt, now })
        assert.deepStrictEqual(of(before(until)), { status: "OPEN", until })
        assert.deepStrictEqual(of(until), { status: "OVER", until })
      }
    }
  })

  it("begins once the last policyholder has the terms, and is open until then", () => {
    const withdrawal: WithdrawalTerms = { ...terms, from: "LATER_OF_CONCLUSION_AND_TERMS" }
    const both: WithdrawalFacts = {
      ...facts,
      product: { ...facts.product, withdrawal },
      holders: [...facts.holders, { id: antoine, type: "INDIVIDUAL" }],
      now: at("2027-03-10T09:00:00Z")
    }
    const early = given(camille, "2026-03-01T09:00:00Z")
    assert.deepStrictEqual(rightOf(both), { status: "OPEN" })
    assert.deepStrictEqual(rightOf({ ...both, documents: [early] }), { status: "OPEN" })
    const late = given(antoine, "2026-03-12T09:00:00Z")
    const again = given(antoine, "2026-03-20T09:00:00Z")
    assert.deepStrictEqual(rightOf({ ...both, documents: [early, again, late] }), {
      status: "OVER",
      until: at("2026-03-26T23:00:00Z")
    })
    // What is for another person, or is void, is no proof that they have the terms.
    const others = { ...late, recipientId: camille }
    const isVoid = { ...late, isVoid: true }
    assert.deepStrictEqual(rightOf({ ...both, documents: [early, others, isVoid] }), {
      status: "OPEN"
    })
    // Terms that were there before the signature: the signature counts.
    const alone = { ...both, holders: facts.holders, documents: [early] }
    assert.deepStrictEqual(rightOf(alone).until, at("2026-03-24T23:00:00Z"))
  })

  it("is for the channels and the kinds of customers that the product names", () => {
    const limited: WithdrawalTerms = {
      ...terms,
      channels: ["DISTANCE", "TELEPHONE"],
      customerTypes: ["INDIVIDUAL"]
    }
    const product = { ...facts.product, withdrawal: limited }
    const status = (more: Partial<WithdrawalFacts>) =>
      rightOf({ ...facts, product, ...more }).status
    assert.strictEqual(status({}), "OPEN")
    assert.strictEqual(status({ salesChannel: "FACE_TO_FACE" }), "NONE")
    // Customers do not lose a right because it was not written down how they were sold it.
    assert.strictEqual(status({ salesChannel: undefined }), "OPEN")
    assert.strictEqual(status({ holders: [{ id: camille, type: "COMPANY" }] }), "NONE")
    assert.strictEqual(status({ signedAt: undefined }), "NONE")
    const { withdrawal: _, ...without } = product
    assert.strictEqual(rightOf({ ...facts, product: without }).status, "NONE")
  })
})
