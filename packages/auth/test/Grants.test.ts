import { assert, describe, it } from "@effect/vitest"
import { AnonymousSessionId, ClientId, UserId } from "@quittance/domain/requests/Caller"
import { type Role, roles } from "@quittance/domain/access/Grant"
import { alphabet, suffixLength } from "@quittance/domain/values/PrefixedId"
import { Arbitrary, Schema } from "effect"
import * as Grants from "../src/Grants.ts"
import type { BrokerageFirmId } from "@quittance/domain/values/Ids"
import { Action, actions } from "@quittance/domain/requests/Action"

const suffix = alphabet.slice(0, suffixLength)
const firm = (letter: string) =>
  `brokerage_firm_test_${suffix.slice(1)}${letter}` as BrokerageFirmId
const north = firm("a")
const branchOfNorth = firm("b")
const south = firm("c")

const tenant = (role: Role): Grants.HeldGrant => Grants.held({ role, on: { kind: "TENANT" } })
const onFirm = (role: Role, brokerageFirmId: BrokerageFirmId): Grants.HeldGrant =>
  Grants.held({ role, on: { kind: "FIRM", brokerageFirmId } })
const onRecord = (role: Role, recordId: string): Grants.HeldGrant =>
  Grants.held({ role, on: { kind: "RECORD", recordId } })

const policyOfNorth = { firms: [north], records: ["policy_1"] }
const policyBelowNorth = { firms: [branchOfNorth, north], records: ["policy_2"] }
const policyOfSouth = { firms: [south], records: ["policy_3"] }

describe("Grants.allows", () => {
  it("denies without a grant", () => {
    assert.isFalse(Grants.allows([], "policy.read", policyOfNorth))
  })

  it("denies what the role does not contain, wherever it holds", () => {
    assert.isFalse(Grants.allows([tenant("AUDITOR")], "policy.write", policyOfNorth))
    assert.isFalse(Grants.allows([onFirm("BROKER", north)], "payment.write", policyOfNorth))
    assert.isFalse(
      Grants.allows([onRecord("POLICYHOLDER", "policy_1")], "quote.override", policyOfNorth)
    )
  })

  it("denies another firm's record and the record of a firm above", () => {
    assert.isFalse(Grants.allows([onFirm("BROKER", north)], "policy.read", policyOfSouth))
    assert.isFalse(Grants.allows([onFirm("BROKER", branchOfNorth)], "policy.read", policyOfNorth))
  })

  it("denies a broker what belongs to no firm", () => {
    assert.isFalse(Grants.allows([onFirm("BROKER", north)], "policy.read", Grants.tenantWide))
  })

  it("does not join a role from one grant with the place of another", () => {
    const grants = [tenant("AUDITOR"), onRecord("POLICYHOLDER", "policy_1")]
    assert.isFalse(Grants.allows(grants, "policy.write", policyOfSouth))
  })

  it("covers the firms below a firm", () => {
    assert.isTrue(Grants.allows([onFirm("BROKER", north)], "policy.write", policyBelowNorth))
  })

  it("covers a record by any record it belongs to", () => {
    const customer = { firms: [], records: ["customer_1", "policy_1", "policy_9"] }
    assert.isTrue(Grants.allows([onRecord("POLICYHOLDER", "policy_9")], "customer.read", customer))
  })
})

describe("roles", () => {
  it("lets a manager of the tenant do everything", () => {
    assert.deepStrictEqual([...roles.TENANT_MANAGER].sort(), Object.keys(actions).sort())
  })

  it("lets an auditor read everything and write nothing", () => {
    assert.deepStrictEqual(
      [...roles.AUDITOR].sort(),
      Object.keys(actions)
        .filter((name) => name.endsWith(".read"))
        .sort()
    )
  })

  it.each([
    "policy.suspend",
    "policy.revert",
    "policy.assign",
    "quote.override",
    "quote.fee",
    "payment.read",
    "payment.write",
    "billing.write",
    "accounting.read"
  ] as const)("KS-11 keeps %s from a policyholder and a visitor", (action) => {
    assert.isFalse(roles.POLICYHOLDER.has(action) || roles.VISITOR.has(action))
  })
})

describe("Grants.coverage", () => {
  it("is nowhere without a grant that has the action", () => {
    const none = Grants.coverage([onFirm("BROKER", north)], "payment.write")
    assert.isTrue(Grants.isNowhere(none))
    assert.deepStrictEqual(none, { _tag: "Records", firmIds: [], recordIds: [] })
  })

  it("is the tenant as soon as one grant is", () => {
    const whole = Grants.coverage([onFirm("BROKER", north), tenant("AUDITOR")], "policy.read")
    assert.deepStrictEqual(whole, { _tag: "Tenant" })
    assert.isFalse(Grants.isNowhere(whole))
  })

  it("names each firm and record once", () => {
    const grants = [
      onFirm("BROKER", north),
      onFirm("FIRM_MANAGER", north),
      onRecord("POLICYHOLDER", "policy_1")
    ]
    assert.deepStrictEqual(Grants.coverage(grants, "policy.read"), {
      _tag: "Records",
      firmIds: [north],
      recordIds: ["policy_1"]
    })
  })

  const firmIds = Arbitrary.schema(Schema.Literals([north, branchOfNorth, south]))
  const recordIds = Arbitrary.schema(Schema.Literals(["policy_1", "policy_2", "policy_3"]))
  const role = Arbitrary.schema(
    Schema.Literals(["TENANT_MANAGER", "FIRM_MANAGER", "BROKER", "AUDITOR", "POLICYHOLDER"])
  )
  const kind = Arbitrary.schema(Schema.Literals(["TENANT", "FIRM", "FIRM", "RECORD", "RECORD"]))
  const grant = Arbitrary.all({ role, kind, firmIds, recordIds }).pipe(
    Arbitrary.map(({ firmIds, kind, recordIds, role }) =>
      kind === "TENANT"
        ? tenant(role)
        : kind === "FIRM"
          ? onFirm(role, firmIds)
          : onRecord(role, recordIds)
    )
  )
  const target = Arbitrary.all({
    firms: Arbitrary.array(firmIds, { maxLength: 2 }),
    records: Arbitrary.array(recordIds, { maxLength: 2 })
  })

  it.prop(
    "shows a record in a list exactly when the record itself may be read",
    [Arbitrary.array(grant, { maxLength: 4 }), target, Arbitrary.schema(Action)],
    ([grants, target, action]) => {
      const coverage = Grants.coverage(grants, action)
      const listed =
        coverage._tag === "Tenant" ||
        target.firms.some((id) => coverage.firmIds.includes(id)) ||
        target.records.some((id) => coverage.recordIds.includes(id))
      assert.strictEqual(listed, Grants.allows(grants, action, target))
    },
    { arbitrary: { runs: 1000 } }
  )

  it.prop(
    "never shrinks when a grant is added",
    [Arbitrary.array(grant, { maxLength: 4 }), grant, target, Arbitrary.schema(Action)],
    ([grants, added, target, action]) => {
      if (Grants.allows(grants, action, target)) {
        assert.isTrue(Grants.allows([...grants, added], action, target))
      }
    },
    { arbitrary: { runs: 500 } }
  )
})

describe("Grants.effective", () => {
  const sessionId = AnonymousSessionId.make(`anonymous_session_test_${suffix}`)
  const visitor = { _tag: "Anonymous", sessionId } as const

  it("lets every anonymous session open a policy and preview a price", () => {
    const grants = Grants.effective(visitor, [])
    assert.isTrue(Grants.allows(grants, "policy.create", Grants.tenantWide))
    assert.isTrue(Grants.allows(grants, "quote.preview", Grants.tenantWide))
    assert.isFalse(Grants.allows(grants, "policy.read", policyOfNorth))
  })

  it("gives users and clients nothing that is not stored", () => {
    const user = { _tag: "User", userId: UserId.make(`user_test_${suffix}`) } as const
    const client = {
      _tag: "Client",
      clientId: ClientId.make("acme"),
      scopes: new Set<never>()
    } as const
    assert.deepStrictEqual([Grants.effective(user, []), Grants.effective(client, [])], [[], []])
  })
})
