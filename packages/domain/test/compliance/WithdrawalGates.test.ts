/** What customers have to know of their right of withdrawal before they buy. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { type GateFacts, unmetOf } from "../../src/compliance/Gates.ts"
import { CustomerId } from "../../src/values/Ids.ts"
import { fromEpochMillis } from "../../src/values/Instant.ts"

const at = (text: string) => fromEpochMillis(Date.parse(text))
const camille = Schema.decodeUnknownSync(CustomerId)("customer_test_346789ABCDEFGHJKLMNPQ")
const now = at("2026-03-10T09:00:00Z")
const hashOf = (text: string) => `hash of ${text}`
const startRequest = { textId: "EARLY_START", text: "Let cover begin before I can withdraw." }

const facts: GateFacts = {
  product: {
    consents: [],
    timeZone: "Europe/Paris",
    version: "2",
    complianceGates: [{ kind: "WITHDRAWAL_RIGHT", requiredFor: "CONFIRM" }],
    withdrawal: {
      days: 14,
      from: "CONCLUSION",
      channels: ["DISTANCE"],
      customerTypes: ["INDIVIDUAL"],
      stopReason: "WITHDRAWAL",
      refundWithinDays: 30,
      onRequestedStart: "FULL",
      information: "RIGHTS",
      startRequest,
      source: "art. L112-2-1 code des assurances"
    }
  },
  branchType: "NEW_BUSINESS",
  now,
  holders: [{ id: camille, status: "CUSTOMER_CONFIRMED", type: "INDIVIDUAL" }],
  holdersOver: [new Set([camille])],
  salesChannel: "DISTANCE",
  startedAt: at("2026-03-11T00:00:00Z"),
  documents: [],
  accepted: [],
  hashOf
}
const information: GateFacts["documents"][number] = {
  documentId: "document",
  definitionId: "RIGHTS",
  kind: "INFORMATION_STATEMENT",
  productVersion: "2",
  isVoid: false,
  deliveries: [{ customerId: camille, level: "DELIVERED", recordedAt: now }]
}
const request = { textId: "EARLY_START", textHash: hashOf(startRequest.text), acceptedAt: now }
const lacks = (more: Partial<GateFacts>) =>
  unmetOf({ ...facts, ...more }, "CONFIRM").map(({ definitionId, kind, textId, why }) => [
    kind,
    definitionId ?? textId,
    why
  ])
const untold = ["WITHDRAWAL_RIGHT", "RIGHTS", "MISSING"]
const unasked = ["WITHDRAWAL_RIGHT", "EARLY_START", "MISSING"]

describe("the gate on the right of withdrawal", () => {
  it("wants customers to be told of it, and to ask for an early start", () => {
    assert.deepStrictEqual(lacks({}), [untold, unasked])
    assert.deepStrictEqual(lacks({ documents: [information] }), [unasked])
    assert.deepStrictEqual(lacks({ accepted: [request] }), [untold])
    assert.deepStrictEqual(lacks({ documents: [information], accepted: [request] }), [])
  })

  it("takes no other wording, and what was told of the version before does not count", () => {
    const accepted = [{ ...request, textHash: hashOf("Another text.") }]
    const documents = [{ ...information, productVersion: "1" }]
    assert.deepStrictEqual(lacks({ accepted, documents }), [
      ["WITHDRAWAL_RIGHT", "RIGHTS", "OUTDATED"],
      ["WITHDRAWAL_RIGHT", "EARLY_START", "OUTDATED"]
    ])
  })

  it("asks for no early start where cover begins once the right is over, to the millisecond", () => {
    const documents = [information]
    const end = "2026-03-25T00:00:00+01:00"
    assert.deepStrictEqual(lacks({ documents, startedAt: at(end) }), [])
    const before = fromEpochMillis(Date.parse(end) - 1)
    assert.deepStrictEqual(lacks({ documents, startedAt: before }), [unasked])
  })

  it("is there only for sales and customers that have the right", () => {
    assert.deepStrictEqual(lacks({ salesChannel: "FACE_TO_FACE" }), [])
    assert.deepStrictEqual(lacks({ salesChannel: undefined }), [untold, unasked])
    const company = { id: camille, status: "CUSTOMER_CONFIRMED", type: "COMPANY" } as const
    assert.deepStrictEqual(lacks({ holders: [company] }), [])
  })
})

describe("a gate of some channels", () => {
  it("is there for sales by them, and for those whose channel is not known", () => {
    const gate = { kind: "IPID", requiredFor: "CONFIRM", channels: ["TELEPHONE"] } as const
    const product = { ...facts.product, complianceGates: [gate] }
    const missing = [["IPID", undefined, "MISSING"]]
    assert.deepStrictEqual(lacks({ product, salesChannel: "TELEPHONE" }), missing)
    assert.deepStrictEqual(lacks({ product, salesChannel: undefined }), missing)
    assert.deepStrictEqual(lacks({ product, salesChannel: "DISTANCE" }), [])
  })
})
