import { assert, describe, it } from "@effect/vitest"
import { type Change, isOnlyData } from "../../src/policies/Change.ts"
import { fromEpochMillis } from "../../src/values/Instant.ts"

const now = fromEpochMillis(1_800_000_000_000)
const later = fromEpochMillis(1_800_000_000_001)
const change = (path: string, of: Partial<Pick<Change, "effectiveAt" | "kind">> = {}) => ({
  kind: "UPDATE" as const,
  effectiveAt: now,
  patch: [{ path, value: "x" }],
  ...of
})

describe("a change that leads to nothing else", () => {
  it.each([
    ["/name"],
    ["/externalId"],
    ["/customFields/memo"],
    ["/assets/asset_1/name"],
    ["/customers/customer_1/customFields/phone"]
  ])("says only %s", (path) => {
    assert.isTrue(isOnlyData(change(path), now))
    assert.isFalse(isOnlyData(change(path, { effectiveAt: later }), now))
    assert.isFalse(isOnlyData(change(path, { kind: "STOP" }), now))
  })

  it.each([
    ["/billingAssignment"],
    ["/invoicingConfig"],
    ["/startedAt"],
    ["/customers/customer_1"],
    ["/customers/customer_1/role"],
    ["/assets/asset_1"],
    ["/quoteId"],
    ["/name/more"]
  ])("says nothing of %s", (path) => assert.isFalse(isOnlyData(change(path), now)))

  it("says nothing beside that either", () => {
    const { patch, ...rest } = change("/name")
    const both = { ...rest, patch: [...patch, { path: "/periodDuration", value: 1 }] }
    assert.isFalse(isOnlyData(both, now))
  })
})
