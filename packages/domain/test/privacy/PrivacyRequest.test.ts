import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import {
  completed,
  dueAt,
  exportable,
  extended,
  identified,
  PrivacyRequestId,
  type PrivacyRequest,
  refused,
  started,
  withdrawn
} from "../../src/privacy/PrivacyRequest.ts"
import { CustomerId } from "../../src/values/Ids.ts"
import { Instant } from "../../src/values/Instant.ts"
import * as PrefixedId from "../../src/values/PrefixedId.ts"

const paris = "Europe/Paris"
const receivedAt = Instant.make("2026-01-31T12:00:00.000Z")
const now = Instant.make("2026-02-10T12:00:00.000Z")
const acting = { by: "user_x", now }

const received: PrivacyRequest = {
  id: PrivacyRequestId.make(PrefixedId.example("privacy_request")),
  kind: "ERASURE",
  customerIds: [CustomerId.make(PrefixedId.example("customer"))],
  status: "RECEIVED",
  receivedAt,
  dueAt: dueAt(receivedAt, paris)
}

const proven = Result.getOrThrow(identified(received, "By letter", acting))
const begun = Result.getOrThrow(started(proven, now))

const steps = {
  identify: (request: PrivacyRequest) => identified(request, "By letter", acting),
  extend: (request: PrivacyRequest) => extended(request, "Much paper", now, paris),
  start: (request: PrivacyRequest) => started(request, now),
  complete: (request: PrivacyRequest) =>
    completed(request, { outcome: "PARTLY_DONE", text: "Contract runs" }, acting),
  refuse: (request: PrivacyRequest) => refused(request, "Art. 12(5)", acting),
  withdraw: (request: PrivacyRequest) => withdrawn(request, now)
}

/** The steps that are possible from a state. */
const possible = (request: PrivacyRequest) =>
  Object.entries(steps)
    .filter(([, step]) => Result.isSuccess(step(request)))
    .map(([name]) => name)

describe("privacy requests", () => {
  it.each([
    // 31 January leads to the end of February, in both kinds of years.
    ["2026-01-31T12:00:00.000Z", false, "2026-02-28T23:00:00.000Z"],
    ["2028-01-31T12:00:00.000Z", false, "2028-02-29T23:00:00.000Z"],
    // Three months from the receipt itself: not from a day that was cut short.
    ["2026-01-31T12:00:00.000Z", true, "2026-04-30T22:00:00.000Z"],
    // Late in the evening of UTC it is the next day in Paris.
    ["2026-02-14T23:30:00.000Z", false, "2026-03-15T23:00:00.000Z"]
  ] as const)("received at %s, extended: %s, are due by %s", (at, isExtended, due) => {
    assert.strictEqual(dueAt(Instant.make(at), paris, isExtended), Instant.make(due))
  })

  it("go through their states, and no other way", () => {
    assert.deepStrictEqual(possible(received), ["identify", "extend", "refuse", "withdraw"])
    assert.deepStrictEqual(possible(proven), ["extend", "start", "refuse", "withdraw"])
    assert.deepStrictEqual(possible(begun), ["extend", "complete", "refuse", "withdraw"])
    for (const end of ["complete", "refuse", "withdraw"] as const) {
      const ended = Result.getOrThrow(steps[end](begun))
      assert.deepStrictEqual(possible(ended), [])
      assert.strictEqual(ended.closedAt, now)
    }
  })

  it("do not start before the identity is proven", () => {
    const result = started(received, now)
    assert.isTrue(Result.isFailure(result) && result.failure._tag === "IdentityNotProven")
  })

  it("are extended once, and before their time ends", () => {
    const longer = Result.getOrThrow(steps.extend(begun))
    assert.strictEqual(longer.dueAt, "2026-04-30T22:00:00.000Z")
    assert.notInclude(possible(longer), "extend")
    assert.isTrue(Result.isFailure(extended(begun, "Late", begun.dueAt, paris)))
    const justInTime = Instant.make("2026-02-28T22:59:59.999Z")
    assert.isTrue(Result.isSuccess(extended(begun, "In time", justInTime, paris)))
  })

  it("let data leave for those who ask for them, once their request is begun", () => {
    const canExport = (request: PrivacyRequest) => Result.isSuccess(exportable(request, now))
    assert.isFalse(canExport(begun))
    for (const kind of ["ACCESS", "PORTABILITY"] as const) {
      assert.isTrue(canExport({ ...begun, kind }))
      assert.isFalse(canExport({ ...proven, kind }))
      assert.isFalse(canExport({ ...Result.getOrThrow(steps.withdraw(begun)), kind }))
      const early = exportable({ ...received, kind }, now)
      assert.isTrue(Result.isFailure(early) && early.failure._tag === "IdentityNotProven")
    }
  })

  it("say what is possible instead", () => {
    const result = started(begun, now)
    assert.deepInclude(Result.isFailure(result) ? result.failure : {}, {
      _tag: "InvalidTransition",
      status: "IN_PROGRESS",
      allowed: ["extend", "erase", "complete", "refuse", "withdraw"]
    })
  })
})
