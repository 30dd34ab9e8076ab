import { assert, describe, it } from "@effect/vitest"
import type { Grant } from "@quittance/domain/access/Grant"
import * as Explanation from "../src/Explanation.ts"
import * as Grants from "../src/Grants.ts"
import * as Firms from "./Firms.ts"
import type { Action } from "@quittance/domain/requests/Action"

const north = Firms.firmOf("north")
const below = Firms.firmOf("below")
const south = Firms.firmOf("south")
const ofBelow = { firms: [below, north], records: ["policy_1"] }
const explain = (
  grants: ReadonlyArray<Grant>,
  action: Action,
  target: Grants.Target,
  record?: string
) =>
  Explanation.explain(
    grants.map((grant) => Grants.held(grant)),
    action,
    target,
    record
  )

describe("an explanation of a refusal", () => {
  it("says that there is no grant", () => {
    assert.deepStrictEqual(explain([], "policy.read", ofBelow, "policy_1"), {
      allowed: false,
      grants: [],
      reason: "There is no grant at all, and what no grant allows is refused."
    })
  })

  it("says that the roles lack the action, each role once", () => {
    const grants: ReadonlyArray<Grant> = [
      { role: "BROKER", on: { kind: "FIRM", brokerageFirmId: north } },
      { role: "BROKER", on: { kind: "FIRM", brokerageFirmId: south } },
      { role: "AUDITOR", on: { kind: "TENANT" } }
    ]
    assert.strictEqual(
      explain(grants, "payment.write", ofBelow, "policy_1").reason,
      "None of the roles granted contains payment.write: AUDITOR, BROKER."
    )
  })

  it("says on what else the action is granted", () => {
    const grants: ReadonlyArray<Grant> = [
      { role: "AUDITOR", on: { kind: "RECORD", recordId: "policy_2" } },
      { role: "BROKER", on: { kind: "FIRM", brokerageFirmId: south } }
    ]
    assert.strictEqual(
      explain(grants, "policy.read", ofBelow, "policy_1").reason,
      `policy.read is granted by AUDITOR, BROKER, but only on the firm ${south}, the record policy_2, which does not cover policy_1.`
    )
    assert.include(
      explain(grants, "policy.read", Grants.tenantWide).reason,
      "which does not cover the whole tenant"
    )
  })

  it("counts what it does not name", () => {
    const grants = Array.from({ length: 13 }, (_, index): Grant => ({
      role: "POLICYHOLDER",
      on: { kind: "RECORD", recordId: `policy_${String(index).padStart(2, "0")}x` }
    }))
    const { reason } = explain(grants, "policy.read", ofBelow, "policy_1")
    assert.include(reason, "the record policy_09x and 3 more")
    assert.notInclude(reason, "policy_10x")
  })
})

describe("an explanation of what is allowed", () => {
  it("names every grant that allows it, and how each reaches the record", () => {
    const grants: ReadonlyArray<Grant> = [
      { role: "AUDITOR", on: { kind: "TENANT" } },
      { role: "BROKER", on: { kind: "FIRM", brokerageFirmId: below } },
      { role: "BROKER", on: { kind: "FIRM", brokerageFirmId: north } },
      { role: "BROKER", on: { kind: "FIRM", brokerageFirmId: south } },
      { role: "POLICYHOLDER", on: { kind: "RECORD", recordId: "policy_1" } }
    ]
    const { allowed, grants: named } = explain(grants, "policy.read", ofBelow, "policy_1")
    assert.isTrue(allowed)
    assert.deepStrictEqual(
      named.map(({ because, on }) => [on.kind, because]),
      [
        ["TENANT", "It is granted on the whole tenant."],
        ["FIRM", "It is granted on the firm that the record belongs to."],
        ["FIRM", "It is granted on a firm above the one that the record belongs to."],
        ["RECORD", "It is granted on this record."]
      ]
    )
    const writes = explain(grants, "policy.write", ofBelow, "policy_1").grants
    assert.deepStrictEqual(
      writes.map(({ role }) => role),
      ["BROKER", "BROKER", "POLICYHOLDER"]
    )
  })

  it("tells a record from the policy it belongs to, and a firm from the firms above it", () => {
    const holder: Grant = { role: "POLICYHOLDER", on: { kind: "RECORD", recordId: "policy_1" } }
    assert.strictEqual(
      explain([holder], "asset.read", ofBelow, "asset_1").grants[0]?.because,
      "It is granted on policy_1, which the record belongs to."
    )
    const onFirm = (brokerageFirmId: typeof north): Grant => ({
      role: "FIRM_MANAGER",
      on: { kind: "FIRM", brokerageFirmId }
    })
    const firm = { firms: [below, north], records: [] }
    const grants = [onFirm(below), onFirm(north)]
    assert.deepStrictEqual(
      explain(grants, "firm.write", firm, below).grants.map(({ because }) => because),
      ["It is granted on this firm.", "It is granted on a firm above this one."]
    )
  })
})

describe("every explanation", () => {
  it.prop(
    "says what the check does, and names exactly the grants that allow it",
    [Firms.parents, Firms.custom, Firms.grants, Firms.action, Firms.place, Firms.place],
    ([parents, custom, grants, action, place, other]) => {
      const targets = Firms.targetsOf(Firms.pathsOf(parents))
      const target = targets[(place * 6 + other) % targets.length]!
      const held = grants.map((grant) => Grants.held(grant, custom))
      const { allowed, grants: named, reason } = Explanation.explain(held, action, target, "x")
      assert.strictEqual(allowed, Grants.allows(held, action, target))
      assert.strictEqual(allowed, named.length > 0)
      for (const grant of held) {
        const isNamed = named.some(({ on, role }) => on === grant.on && role === grant.role)
        assert.strictEqual(isNamed, Grants.allows([grant], action, target))
      }
      const sentence = allowed
        ? /^Allowed by /u
        : held.length === 0
          ? /^There is no grant at all/u
          : held.some(({ actions }) => actions.has(action))
            ? /but only on /u
            : /^None of the roles granted contains /u
      assert.match(reason, sentence)
    },
    { arbitrary: { runs: 2000 } }
  )

  it("says one role in the singular, and several in the plural", () => {
    const grants = ["AUDITOR" as const, "TENANT_MANAGER" as const].map((role): Grant => ({
      role,
      on: { kind: "TENANT" }
    }))
    const reasonOf = (held: ReadonlyArray<Grant>) =>
      explain(held, "audit.read", Grants.tenantWide).reason
    assert.strictEqual(
      reasonOf(grants.slice(0, 1)),
      "Allowed by AUDITOR, which contains audit.read and is granted on what covers the whole tenant."
    )
    assert.strictEqual(
      reasonOf(grants),
      "Allowed by AUDITOR, TENANT_MANAGER, which contain audit.read and are granted on what covers the whole tenant."
    )
  })
})
