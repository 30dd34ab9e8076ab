import { assert, describe, it } from "@effect/vitest"
import type { Authority, DerogationAuthority } from "@quittance/domain/access/Authority"
import { CustomRoleId, type GrantTarget } from "@quittance/domain/access/Grant"
import type { Action } from "@quittance/domain/requests/Action"
import { Currency } from "@quittance/domain/values/Amount"
import { excessOf } from "../src/Authority.ts"
import { explain } from "../src/Explanation.ts"
import * as Grants from "../src/Grants.ts"
import * as Firms from "./Firms.ts"

const desk = CustomRoleId.make("CLAIMS_DESK")
const eur = Currency.make("EUR")
const usd = Currency.make("USD")
const north = Firms.firmOf("north")
const south = Firms.firmOf("south")
const onNorth = { firms: [north], records: [] }

/** A grant of a role of the tenant's own. */
const of = (
  authority: Authority,
  actions: ReadonlyArray<Action> = ["permission.write"],
  on: GrantTarget = { kind: "TENANT" }
): Grants.HeldGrant =>
  Grants.held({ role: desk, on }, new Map([[desk, new Set(actions)]]), authority)

const give = (
  held: ReadonlyArray<Grants.HeldGrant>,
  authority: Grants.HeldGrant["authority"],
  on: Grants.Target = Grants.tenantWide
) => excessOf(held, { actions: new Set(), authority, on })

describe("authority that is given", () => {
  it("is refused to who has none, and says how far theirs goes", () => {
    const needed = { claimPayment: { [eur]: 10 } }
    assert.deepStrictEqual(give([], needed), {
      authority: "claimPayment",
      currency: eur,
      limit: 0,
      needed: 10
    })
    assert.strictEqual(give([of({ claimPayment: { [eur]: 9 } })], needed)?.limit, 9)
    assert.strictEqual(give([of({ claimReserve: { [eur]: 99 } })], needed)?.limit, 0)
    assert.strictEqual(give([of({ claimPayment: { [usd]: 99 } })], needed)?.limit, 0)
  })

  it("is never more than some role of theirs has, and never the sum of several", () => {
    const held = [of({ payout: { [eur]: 10 } }), of({ payout: { [eur]: 20 } })]
    assert.isUndefined(give(held, { payout: { [eur]: 20 } }))
    assert.strictEqual(give(held, { payout: { [eur]: 21 } })?.limit, 20)
  })

  it("counts where it is held", () => {
    const held = [of({ payout: { [eur]: 10 } }, [], { kind: "FIRM", brokerageFirmId: north })]
    assert.isUndefined(give(held, { payout: { [eur]: 10 } }, onNorth))
    assert.isDefined(give(held, { payout: { [eur]: 10 } }, { firms: [south], records: [] }))
    assert.isDefined(give(held, { payout: { [eur]: 10 } }))
  })

  it("has no limit for a manager of the tenant, and only they give their role", () => {
    const manager = Grants.held({ role: "TENANT_MANAGER", on: { kind: "TENANT" } })
    assert.isUndefined(give([manager], { payout: { [eur]: Number.MAX_SAFE_INTEGER } }))
    assert.isUndefined(give([manager], "UNLIMITED"))
    assert.isDefined(give([of({ payout: { [eur]: Number.MAX_SAFE_INTEGER } })], "UNLIMITED"))
    assert.deepStrictEqual(Grants.authorityOf("FIRM_MANAGER"), {})
  })

  it("reaches no exception that theirs does not contain", () => {
    const wide: DerogationAuthority = {
      kind: "RULE",
      productIds: ["car", "home"],
      atMost: 10,
      atLeast: 1,
      eyes: 2
    }
    const held = [of({ derogations: [wide] })]
    const narrow = { ...wide, ruleId: "age", productIds: ["car"] as const, atMost: 9 }
    assert.isUndefined(give(held, { derogations: [wide, narrow] }))
    const { atLeast: _, ...unbounded } = wide
    const { productIds: __, ...anywhere } = wide
    for (const other of [
      { ...wide, kind: "FEE" as const },
      { ...wide, productIds: ["car", "boat"] as const },
      { ...wide, atMost: 11 },
      { ...wide, atLeast: 0 },
      { ...wide, eyes: 1 as const },
      unbounded,
      anywhere
    ]) {
      assert.deepStrictEqual(give(held, { derogations: [other] })?.needed, other)
    }
    assert.isDefined(give([of({ derogations: [narrow] })], { derogations: [wide] }))
  })
})

describe("an explanation", () => {
  it("tells how far the grants that allow an action reach, and no others", () => {
    const held = [
      of({ payout: { [eur]: 10 }, derogations: [{ kind: "FEE", eyes: 1 }] }, ["policy.read"]),
      of({ payout: { [eur]: 20, [usd]: 5 } }, ["policy.read"]),
      of({ payout: { [eur]: 90 } }, ["policy.write"])
    ]
    assert.deepStrictEqual(explain(held, "policy.read", Grants.tenantWide).authority, {
      payout: { [eur]: 20, [usd]: 5 },
      derogations: [{ kind: "FEE", eyes: 1 }]
    })
    assert.isUndefined(explain([of({}, ["policy.read"])], "policy.read", onNorth).authority)
    const manager = Grants.held({ role: "TENANT_MANAGER", on: { kind: "TENANT" } })
    assert.deepStrictEqual(explain([...held, manager], "policy.read", onNorth).authority, {
      unlimited: true
    })
  })
})
