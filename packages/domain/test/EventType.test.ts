/** The closed list of events: what each kind is called, and that it tells nothing but facts. */
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema, SchemaAST } from "effect"
import { type EventKind, eventTypes } from "../src/EventType.ts"
import { ChangeKind } from "../src/policies/Change.ts"
import { changeEventKind } from "../src/policies/PolicyEvents.ts"
import type { EventType } from "../src/requests/Event.ts"
import { published, type StoredEvent } from "../src/events/FeedEvent.ts"
import type { Instant } from "../src/values/Instant.ts"
import * as PrefixedId from "../src/values/PrefixedId.ts"

const all: ReadonlyArray<readonly [string, EventType]> = Object.entries(eventTypes)
const id = PrefixedId.example

// A canonical text.
const at = "2026-03-01T10:00:00.000Z" as Instant

const row = (kind: EventKind, payload: StoredEvent["payload"]): StoredEvent => ({
  position: 7,
  id: id("event"),
  kind,
  subject: id("policy"),
  sequence: 3,
  policyId: id("policy"),
  timestamp: at,
  recordedAt: at,
  payload
})

/** Texts that only a member which takes any text would take. */
const freeTexts = ["Claire Martin", "She moved away, so we gave it up.", "claire@example.test"]

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

describe("an event as it is told", () => {
  it("has the published name and the facts of its kind", () => {
    const payload = { branchId: id("branch"), changeId: id("change") }
    assert.deepStrictEqual(Result.getOrThrow(published(row("policy.announce_stop", payload))), {
      position: 7,
      id: id("event"),
      type: "policy.stop_announced",
      subject: id("policy"),
      sequence: 3,
      timestamp: at,
      recordedAt: at,
      data: { policyId: id("policy"), ...payload }
    })
  })

  it("says nothing of why somebody did it", () => {
    const told = published(
      row("invoice.written_off", { invoiceId: id("invoice"), reason: "Claire died." })
    )
    assert.notInclude(JSON.stringify(told), "Claire")
    assert.deepStrictEqual(Result.getOrThrow(told).data, {
      policyId: id("policy"),
      invoiceId: id("invoice")
    })
  })

  it("names a credit note as one, though its row names an invoice", () => {
    const told = published(row("credit_note.issued", { invoiceId: id("credit_note") }))
    assert.deepStrictEqual(Result.getOrThrow(told).data, {
      policyId: id("policy"),
      creditNoteId: id("credit_note")
    })
  })

  it("is not told by a release that does not know its kind", () => {
    const told = published({ ...row("policy.create", {}), kind: "claim.open" })
    assert.include(String(Result.isFailure(told) && told.failure.message), "claim.open")
  })
})

describe("events that follow from writes", () => {
  it.each(all)("read again as what they say, if %s has any", (kind, { data, ofRecord }) => {
    if (ofRecord === undefined) return
    const recordId = kind.startsWith("product")
      ? "motor-fr@2026.1"
      : id(kind.startsWith("firm") ? "brokerage_firm" : "user")
    const { payload, subject } = ofRecord(recordId)
    assert.deepStrictEqual(Schema.decodeUnknownSync(data)(payload), payload)
    assert.strictEqual(subject, kind.startsWith("product") ? "product:motor-fr" : recordId)
  })
})
