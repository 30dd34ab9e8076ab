import { assert, describe, it } from "@effect/vitest"
import { type GatedStep, type GateFacts, gatesOf, unmetOf } from "../../src/compliance/Gates.ts"
import { registrationFault } from "../../src/compliance/Registration.ts"
import { Arbitrary, Schema } from "effect"
import { fromEpochMillis } from "../../src/values/Instant.ts"
import { CustomerId } from "../../src/values/Ids.ts"
import { LocalDate } from "../../src/values/LocalDate.ts"

const at = (text: string) => fromEpochMillis(Date.parse(text))
const day = Schema.decodeUnknownSync(LocalDate)
const hashOf = (text: string) => `hash of ${text}`

const consents = [
  { textId: "ADVICE", text: "I was advised.", requiredFor: "CONFIRM" },
  { textId: "TERMS", text: "I have read the terms.", requiredFor: "SIGN" },
  { textId: "DEBIT", text: "You may debit me.", requiredFor: "SIGN" }
] as const

const now = at("2026-03-10T09:00:00Z")
const accepted = (textId: string, text: string) => ({
  textId,
  textHash: hashOf(text),
  acceptedAt: now
})
const all = consents.map(({ text, textId }) => accepted(textId, text))

const customer = Schema.decodeUnknownSync(CustomerId)
const camille = customer("customer_test_346789ABCDEFGHJKLMNPQ")
const antoine = customer("customer_test_346789ABCDEFGHJKLMNPR")

const facts: GateFacts = {
  product: { consents, timeZone: "Europe/Paris", version: "2" },
  branchType: "NEW_BUSINESS",
  now,
  holders: [{ id: camille, status: "CUSTOMER_CONFIRMED", type: "INDIVIDUAL" }],
  holdersOver: [new Set([camille])],
  salesChannel: undefined,
  startedAt: now,
  documents: [],
  accepted: all,
  hashOf
}

const kinds = (given: GateFacts, step: GatedStep) =>
  unmetOf(given, step).map(({ kind, textId, why }) => [kind, textId, why])

describe("the gates of a step", () => {
  it("are met where every text of the step is accepted in its wording", () => {
    assert.deepStrictEqual(kinds(facts, "CONFIRM"), [])
    assert.deepStrictEqual(kinds(facts, "SIGN"), [])
    assert.isTrue(gatesOf(facts, "SIGN").every(({ metAt }) => metAt === now))
  })

  it("name every text that is missing at once, and only those of the step", () => {
    const bare = { ...facts, accepted: [], holders: [] }
    assert.deepStrictEqual(kinds(bare, "CONFIRM"), [
      ["POLICYHOLDER_CONFIRMED", undefined, "MISSING"],
      ["CONSENT", "ADVICE", "MISSING"]
    ])
    assert.deepStrictEqual(kinds(bare, "SIGN"), [
      ["CONSENT", "TERMS", "MISSING"],
      ["CONSENT", "DEBIT", "MISSING"]
    ])
  })

  it("take the texts that the signature itself accepts", () => {
    const signing = (...ids: ReadonlyArray<string>) =>
      kinds({ ...facts, accepted: [], signedTextIds: new Set(ids) }, "SIGN")
    assert.deepStrictEqual(signing("TERMS"), [["CONSENT", "DEBIT", "MISSING"]])
    assert.deepStrictEqual(signing("TERMS", "DEBIT"), [])
  })

  it("call a text outdated that was accepted in other words", () => {
    const other = { ...facts, accepted: [accepted("ADVICE", "I was not advised.")] }
    assert.deepStrictEqual(kinds(other, "CONFIRM"), [["CONSENT", "ADVICE", "OUTDATED"]])
  })

  it("ask for no text where nothing is signed", () => {
    const bare = { ...facts, accepted: [], holders: [] }
    assert.deepStrictEqual([...kinds(bare, "MERGE"), ...kinds(bare, "ACCEPT")], [])
  })
})

const gate = { kind: "BROKER_REGISTRATION", requiredFor: "CONFIRM" } as const
const registration = {
  brokerageFirmId: "brokerage_firm_test_346789ABCDEFGHJKLMNPQ" as never,
  register: "ORIAS",
  number: "07000001",
  categories: ["COA"],
  validUntil: day("2026-03-10"),
  checkedAt: at("2026-03-01T00:00:00Z"),
  evidence: "https://www.orias.fr",
  recordedAt: at("2026-03-01T01:00:00Z"),
  author: "user"
}
const selling = (more: Partial<GateFacts>, duty: object = {}): GateFacts => ({
  ...facts,
  product: { ...facts.product, complianceGates: [{ ...gate, ...duty }] },
  ...more
})
const missing = [["BROKER_REGISTRATION", undefined, "MISSING"]]

describe("a gate on the broker's registration", () => {
  it("is not met where nothing is recorded of the firm", () => {
    const unknown = { firm: { registration: undefined } }
    assert.deepStrictEqual(kinds(selling(unknown), "CONFIRM"), missing)
    assert.deepStrictEqual(kinds(selling(unknown), "ACCEPT"), missing)
    assert.deepStrictEqual(kinds(selling(unknown), "SIGN"), [])
    assert.deepStrictEqual(kinds(selling(unknown, { requiredFor: "SIGN" }), "MERGE"), missing)
  })

  it("is none where the tenant itself sells", () => {
    assert.deepStrictEqual(kinds(selling({}), "CONFIRM"), [])
  })

  it("is one of the branches and of the customers that it names alone", () => {
    const unknown = { firm: { registration: undefined } }
    assert.deepStrictEqual(kinds(selling(unknown, { branches: ["MTA"] }), "CONFIRM"), [])
    assert.deepStrictEqual(
      kinds(selling({ ...unknown, branchType: "MTA" }, { branches: ["MTA"] }), "CONFIRM"),
      missing
    )
    assert.deepStrictEqual(kinds(selling(unknown, { customerTypes: ["COMPANY"] }), "CONFIRM"), [])
    assert.deepStrictEqual(
      kinds(selling(unknown, { customerTypes: ["INDIVIDUAL"] }), "CONFIRM"),
      missing
    )
  })

  it("holds to the last minute of its last day, where the product is sold", () => {
    const on = (now: string, timeZone: string) =>
      registrationFault(registration, { now: at(now), timeZone })
    assert.isUndefined(on("2026-03-10T22:59:59.999Z", "Europe/Paris"))
    assert.strictEqual(on("2026-03-10T23:00:00Z", "Europe/Paris"), "OUTDATED")
    assert.isUndefined(on("2026-03-11T03:59:59.999Z", "America/Martinique"))
    assert.strictEqual(on("2026-03-11T04:00:00Z", "America/Martinique"), "OUTDATED")
  })

  it("counts the age of the look-up in calendar days, across a change of the clocks", () => {
    const fault = (checkedAt: string, now: string) =>
      registrationFault(
        { validUntil: day("2026-12-31"), checkedAt: at(checkedAt) },
        { now: at(now), timeZone: "Europe/Paris", maxAgeDays: 30 }
      )
    // 1 March began at 23:00 UTC of the day before; on 31 March clocks are an hour ahead.
    assert.isUndefined(fault("2026-02-28T23:00:00Z", "2026-03-31T21:59:59.999Z"))
    assert.strictEqual(fault("2026-02-28T22:59:59.999Z", "2026-03-31T21:59:59.999Z"), "OUTDATED")
    assert.strictEqual(fault("2026-02-28T23:00:00Z", "2026-03-31T22:00:00Z"), "OUTDATED")
  })
})

const ipid = { kind: "IPID", requiredFor: "CONFIRM" } as const
const paper = { documentId: "d", definitionId: "IPID", kind: "IPID", isVoid: false } as const
const delivered = (customerId: CustomerId, recordedAt = now) => ({
  customerId,
  level: "DELIVERED" as const,
  recordedAt
})
const giving = (
  deliveries: GateFacts["documents"][number]["deliveries"],
  more: Partial<GateFacts["documents"][number]> = {}
): GateFacts => ({
  ...facts,
  product: { ...facts.product, complianceGates: [ipid] },
  documents: [{ ...paper, productVersion: "2", deliveries, ...more }]
})
const lacks = (given: GateFacts) => unmetOf(given, "CONFIRM").map(({ why }) => why)

describe("a gate on a document", () => {
  it("is met by a delivery to the policyholder, up to the step's own instant", () => {
    assert.deepStrictEqual(lacks(giving([delivered(camille)])), [])
    const late = delivered(camille, at("2026-03-10T09:00:00.001Z"))
    assert.deepStrictEqual(lacks(giving([late])), ["TOO_LATE"])
  })

  it("is not met by a delivery to another customer, nor by another version or kind", () => {
    assert.deepStrictEqual(lacks(giving([delivered(antoine)])), ["MISSING"])
    assert.deepStrictEqual(lacks(giving([delivered(camille)], { productVersion: "1" })), [
      "OUTDATED"
    ])
    assert.deepStrictEqual(lacks(giving([delivered(camille)], { kind: "QUOTE" })), ["MISSING"])
  })

  it("waits for each of several policyholders", () => {
    const [holder] = facts.holders
    const holders = [holder!, { ...holder!, id: antoine }]
    const both = giving([delivered(camille)])
    assert.deepStrictEqual(lacks({ ...both, holders }), ["MISSING"])
    const all = giving([delivered(camille), delivered(antoine)])
    assert.deepStrictEqual(lacks({ ...all, holders }), [])
  })

  it("is not met by what is another customer's own, even when they were given it", () => {
    const theirs = giving([delivered(camille)], { recipientId: antoine })
    assert.deepStrictEqual(lacks(theirs), ["MISSING"])
    assert.deepStrictEqual(lacks(giving([delivered(camille)], { recipientId: camille })), [])
  })

  it("of the product's own list wants the proof that it names, of the offer as it is", () => {
    const definition = {
      id: "IPID",
      kind: "IPID",
      title: "IPID",
      source: { template: "ipid", version: "1" },
      on: ["QUOTED"],
      visibility: "CUSTOMER",
      gate: { step: "CONFIRM", proof: "OPENED" }
    } as const
    const waiting = (given: GateFacts): GateFacts => ({
      ...given,
      product: { ...facts.product, documents: [definition] }
    })
    const opened = { ...delivered(camille), level: "ACKNOWLEDGED" as const }
    assert.deepStrictEqual(lacks(waiting(giving([delivered(camille)]))), ["MISSING"])
    assert.deepStrictEqual(lacks(waiting(giving([opened]))), [])
    assert.deepStrictEqual(lacks(waiting(giving([opened], { isVoid: true }))), ["OUTDATED"])
  })
})

/** The same rules once more, the slow way: each gate from all that is recorded. */
const naive = (
  given: {
    readonly texts: ReadonlyArray<readonly [string, boolean]>
    readonly signed: ReadonlyArray<string>
    readonly holder: boolean
  },
  step: "CONFIRM" | "SIGN"
) => [
  ...(step === "CONFIRM" && !given.holder ? ["POLICYHOLDER_CONFIRMED"] : []),
  ...consents
    .filter(({ requiredFor }) => requiredFor === step)
    .filter(({ textId }) => !given.signed.includes(textId))
    .filter(({ textId }) => !given.texts.some(([id, same]) => id === textId && same))
    .map(({ textId }) => textId)
]

const Sale = Schema.Struct({
  texts: Schema.Array(
    Schema.Tuple([Schema.Literals(["ADVICE", "TERMS", "DEBIT", "OTHER"]), Schema.Boolean])
  ),
  signed: Schema.Array(Schema.Literals(["TERMS", "DEBIT"])),
  holder: Schema.Boolean
})

describe("any sale", () => {
  it.prop("stops at the gates that a naive count finds", [Arbitrary.schema(Sale)], ([sale]) => {
    const given: GateFacts = {
      ...facts,
      holders: sale.holder ? facts.holders : [],
      signedTextIds: new Set(sale.signed),
      accepted: sale.texts.map(([textId, isSame]) => {
        const text = consents.find((consent) => consent.textId === textId)?.text ?? ""
        return accepted(textId, isSame ? text : `${text} More.`)
      })
    }
    for (const step of ["CONFIRM", "SIGN"] as const) {
      const found = unmetOf(given, step).map(({ kind, textId }) => textId ?? kind)
      assert.deepStrictEqual(found, naive(sale, step))
    }
  })
})
