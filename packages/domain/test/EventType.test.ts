/** The closed list of events: what each kind is called, and that it tells nothing but facts. */
import { assert, describe, it } from "@effect/vitest"
import { Schema, SchemaAST } from "effect"
import { eventTypes } from "../src/EventType.ts"
import { ChangeKind } from "../src/policies/Change.ts"
import { changeEventKind } from "../src/policies/PolicyEvents.ts"
import { type EventType, Subject } from "../src/requests/Event.ts"
import * as PrefixedId from "../src/values/PrefixedId.ts"

const all: ReadonlyArray<readonly [string, EventType]> = Object.entries(eventTypes)
const id = PrefixedId.example

/** Texts that only a member which takes any text would take. */
const freeTexts = ["Claire Martin", "She moved away, so we cancelled it.", "claire@example.test"]

describe("the list of events", () => {
  it("calls each by its record and a past participle, and no two alike", () => {
    const types = all.map(([, { type }]) => type)
    const named = types.filter((type) => /^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/u.test(type))
    assert.deepStrictEqual(named, types)
    assert.strictEqual(new Set(types).size, types.length)
  })

  it("has every kind of change", () => {
    const missing = ChangeKind.literals.filter((kind) => !(changeEventKind(kind) in eventTypes))
    assert.deepStrictEqual(missing, [])
  })

  it.each(all)("tells nothing but identifiers of %s", (_kind, { data }) => {
    const { ast } = Schema.toType(data)
    const members = SchemaAST.isObjects(ast) ? ast.propertySignatures : []
    assert.isAbove(members.length, 0)
    for (const { name, type } of members) {
      const taken = freeTexts.filter(Schema.is(Schema.make(type)))
      assert.deepStrictEqual(taken, [], String(name))
    }
  })
})

/** How the audit trail names a record of each kind that has no identifier of the service's. */
const names: Readonly<Record<string, string>> = {
  product: "motor-fr@2026.1",
  client: "acme-integration",
  role: "CLAIMS_DESK",
  tenant: "acme"
}

const prefixes = {
  bankAccount: "bank_account",
  bankEntry: "bank_entry",
  bankStatement: "bank_statement",
  debit: "debit",
  mandate: "mandate",
  paymentFile: "payment_file",
  paymentMethod: "payment_method",
  customer: "customer",
  privacyRequest: "privacy_request",
  statement: "statement",
  firm: "brokerage_firm",
  invitation: "invitation",
  webhook: "webhook",
  withdrawal: "withdrawal",
  signature: "signature"
} as const

const recordOf = (kind: string) => {
  const [record = ""] = kind.split(".")
  return names[record] ?? id(prefixes[record as keyof typeof prefixes] ?? "user")
}

describe("events that follow from writes", () => {
  it.each(all)("read again as what they say, if %s has any", (kind, { data, ofRecord }) => {
    if (ofRecord === undefined) return
    const recordId = recordOf(kind)
    const { payload, subject } = ofRecord(recordId)
    assert.deepStrictEqual(Schema.decodeUnknownSync(data)(payload), payload)
    assert.include(subject, recordId.split("@")[0]!)
    assert.isTrue(Schema.is(Subject)(subject), subject)
  })

  it("are of the client, however it is named", () => {
    const { ofRecord } = eventTypes["client.create"]
    assert.strictEqual(ofRecord("acme-admin").subject, "client:acme-admin")
    assert.strictEqual(ofRecord(id("client")).subject, id("client"))
  })
})
