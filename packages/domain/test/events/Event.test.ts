/** Events as others receive them: what they say, byte by byte, and the schema that is published of them. */
import { assert, describe, it } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Result } from "effect"
import { eventNames, type EventKind } from "../../src/EventType.ts"
import { type Event, eventBytes, eventOf, type StoredEvent } from "../../src/events/Event.ts"
import { eventsSchema, publishedTypes } from "../../src/events/EventSchemas.ts"
import { TenantId } from "../../src/requests/Tenancy.ts"
import type { Instant } from "../../src/values/Instant.ts"
import * as PrefixedId from "../../src/values/PrefixedId.ts"

const id = PrefixedId.example

// A canonical text.
const at = "2026-03-01T10:00:00.000Z" as Instant

const row = (kind: EventKind, payload: StoredEvent["payload"]): StoredEvent => ({
  id: id("event") as Event["id"],
  kind,
  tenant: TenantId.make("acme"),
  environment: "sandbox",
  subject: id("policy"),
  sequence: 3,
  previousSequence: 1,
  policyId: id("policy"),
  timestamp: at,
  recordedAt: at,
  payload
})

const told = (kind: EventKind, payload: StoredEvent["payload"]) =>
  Result.getOrThrow(eventOf(row(kind, payload)))

describe("an event as it is told", () => {
  const payload = { branchId: id("branch"), changeId: id("change") }

  it("has the published name and the facts of its kind", () => {
    assert.deepStrictEqual(told("policy.announce_stop", payload), {
      id: id("event") as Event["id"],
      type: "policy.stop_announced",
      timestamp: at,
      tenant: TenantId.make("acme"),
      environment: "sandbox",
      schema: 1,
      subject: id("policy"),
      sequence: 3,
      previousSequence: 1,
      recordedAt: at,
      data: { policyId: id("policy"), ...payload }
    })
  })

  it("carries no reason", () => {
    const event = told("invoice.written_off", { invoiceId: id("invoice"), reason: "Claire died." })
    assert.notInclude(JSON.stringify(event), "Claire")
    assert.deepStrictEqual(event.data, { policyId: id("policy"), invoiceId: id("invoice") })
  })

  it("names a credit note as one, though its row names an invoice", () => {
    const { data } = told("credit_note.issued", { invoiceId: id("credit_note") })
    assert.deepStrictEqual(data, { policyId: id("policy"), creditNoteId: id("credit_note") })
  })

  it("is a defect where its row does not say what the kind says", () => {
    assert.throws(() => told("invoice.issued", { invoiceId: "Claire Martin" }))
  })

  it("is not told by a release that does not know its kind", () => {
    const unknown = eventOf({ ...row("policy.create", {}), kind: "claim.open" })
    assert.include(String(Result.isFailure(unknown) && unknown.failure.message), "claim.open")
  })

  it("is the same bytes, in whatever order the row has its members", () => {
    const event = told("policy.announce_stop", payload)
    const turned = { changeId: payload.changeId, branchId: payload.branchId }
    const text = new TextDecoder().decode(eventBytes(event))
    const again = new TextDecoder().decode(eventBytes(told("policy.announce_stop", turned)))
    assert.strictEqual(again, text)
    assert.strictEqual(
      text,
      `{"id":"${id("event")}","type":"policy.stop_announced","timestamp":"${at}","tenant":"acme",` +
        `"environment":"sandbox","schema":1,"subject":"${id("policy")}","sequence":3,` +
        `"previousSequence":1,"recordedAt":"${at}","data":{"policyId":"${id("policy")}",` +
        `"branchId":"${id("branch")}","changeId":"${id("change")}"}}`
    )
  })
})

describe("the published schema of events", () => {
  const ajv = new Ajv2020({ allErrors: true, strict: true, formats: { "date-time": true } })
  const validate = ajv.compile(eventsSchema())
  const types = publishedTypes()

  it("has every type, once", () => {
    assert.deepStrictEqual(
      types.map(({ type }) => type),
      eventNames
    )
  })

  it.each(types)("takes the example of $type, which fits into 4 KiB", ({ example }) => {
    assert.isTrue(validate(example), JSON.stringify(validate.errors))
    assert.isBelow(eventBytes(example).length, 4096)
  })

  it.each([
    ["a text where an identifier should be", { data: { policyId: "Claire Martin" } }],
    ["the data of another type", { type: "invoice.issued" }],
    ["a type that is not listed", { type: "policy.exploded" }],
    ["no place in its subject", { sequence: 0 }],
    ["a subject that is no record", { subject: "Claire Martin" }]
  ])("refuses an event with %s", (_fault, faulty) => {
    const { example } = types.find(({ type }) => type === "policy.created")!
    assert.isFalse(validate({ ...example, ...faulty }))
  })
})
