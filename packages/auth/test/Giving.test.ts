import { assert, describe, it } from "@effect/vitest"
import { type Grant, roles } from "@quittance/domain/access/Grant"
import { Arbitrary } from "effect"
import * as Grants from "../src/Grants.ts"
import * as Firms from "./Firms.ts"
import type { BrokerageFirmId } from "@quittance/domain/values/Ids"
import { type Action, actions as allActions } from "@quittance/domain/requests/Action"

const paths = Firms.pathsOf([9, 0, 1, 9, 3])
const [top, middle, bottom, aside] = ["a", "b", "c", "d"].map(Firms.firmOf) as [
  BrokerageFirmId,
  BrokerageFirmId,
  BrokerageFirmId,
  BrokerageFirmId
]

const held = (grant: Grant, custom?: Grants.CustomRoles) => [Grants.held(grant, custom)]
const onTenant = { kind: "TENANT" } as const
const onFirm = (brokerageFirmId: BrokerageFirmId) => ({ kind: "FIRM", brokerageFirmId }) as const
const given = (grant: Grant): Grants.GivenGrant => ({
  actions: Grants.actionsOf(grant.role),
  on: Firms.targetOf(grant.on, paths)
})
const lacking = (giver: ReadonlyArray<Grants.HeldGrant>, grant: Grant) =>
  Grants.lacking(giver, "permission.write", given(grant))

describe("a user who gives a grant", () => {
  it("needs the right to give, whatever else he may do", () => {
    const broker = held({ role: "BROKER", on: onTenant })
    assert.strictEqual(lacking(broker, { role: "BROKER", on: onTenant }), "permission.write")
  })

  it("needs the right where the grant is to hold", () => {
    const manager = held({ role: "FIRM_MANAGER", on: onFirm(middle) })
    const broker = (on: Grant["on"]) => lacking(manager, { role: "BROKER", on })
    assert.strictEqual(broker(onFirm(top)), "permission.write")
    assert.strictEqual(broker(onFirm(aside)), "permission.write")
    assert.strictEqual(broker(onTenant), "permission.write")
    assert.strictEqual(
      broker({ kind: "RECORD", recordId: `policy_${aside}_1` }),
      "permission.write"
    )
    assert.isUndefined(broker(onFirm(middle)))
    assert.isUndefined(broker(onFirm(bottom)))
    assert.isUndefined(broker({ kind: "RECORD", recordId: `policy_${bottom}_1` }))
  })

  it("needs every action of the role there: a manager of a firm makes no auditor of it", () => {
    const manager = held({ role: "FIRM_MANAGER", on: onFirm(top) })
    const action = lacking(manager, { role: "AUDITOR", on: onFirm(top) })
    assert.isDefined(action)
    assert.isTrue(roles.AUDITOR.has(action!) && !roles.FIRM_MANAGER.has(action!))
    assert.isUndefined(lacking(manager, { role: "FIRM_MANAGER", on: onFirm(top) }))
  })

  it("does not join the right from one place with the actions of another", () => {
    const giver = [
      ...held({ role: "FIRM_MANAGER", on: onFirm(aside) }),
      ...held({ role: "BROKER", on: onFirm(middle) })
    ]
    assert.strictEqual(lacking(giver, { role: "BROKER", on: onFirm(middle) }), "permission.write")
  })

  it("may join several grants that hold on one place", () => {
    const [desk] = Firms.customRoles
    const custom: Grants.CustomRoles = new Map([[desk, new Set<Action>(["permission.write"])]])
    const giver = [
      ...held({ role: desk, on: onTenant }, custom),
      ...held({ role: "BROKER", on: onFirm(middle) })
    ]
    assert.isUndefined(lacking(giver, { role: "BROKER", on: onFirm(bottom) }))
  })

  it("gives anything as a manager of the tenant", () => {
    const manager = held({ role: "TENANT_MANAGER", on: onTenant })
    assert.isUndefined(lacking(manager, { role: "TENANT_MANAGER", on: onTenant }))
  })

  it("has nothing by a role that the tenant does not have", () => {
    const [desk] = Firms.customRoles
    assert.deepStrictEqual([...held({ role: desk, on: onTenant })[0]!.actions], [])
  })
})

/** Who may do what on which record: everything that people can do, as a set of texts. */
const power = (
  people: ReadonlyArray<ReadonlyArray<Grant>>,
  custom: Grants.CustomRoles,
  targets: ReadonlyArray<Grants.Target>
): ReadonlySet<string> => {
  const all = people.flat().map((grant) => Grants.held(grant, custom))
  const names = Object.keys(allActions) as ReadonlyArray<Action>
  return new Set(
    targets.flatMap((target, place) =>
      names
        .filter((action) => Grants.allows(all, action, target))
        .map((action) => `${action} ${place}`)
    )
  )
}

describe("giving", () => {
  it.prop(
    "gives nothing that the giver may not do, on any record",
    [Firms.parents, Firms.custom, Firms.grants, Firms.grant],
    ([parents, custom, giver, grant]) => {
      const paths = Firms.pathsOf(parents)
      const held = giver.map((one) => Grants.held(one, custom))
      const actions = Grants.actionsOf(grant.role, custom)
      const on = Firms.targetOf(grant.on, paths)
      if (Grants.lacking(held, "permission.write", { actions, on }) !== undefined) return
      for (const target of Firms.targetsOf(paths)) {
        if (!Grants.covers(grant, target)) continue
        for (const action of actions) assert.isTrue(Grants.allows(held, action, target), action)
      }
    },
    { arbitrary: { runs: 2000 } }
  )

  it.prop(
    "names an action that is really lacking",
    [Firms.parents, Firms.custom, Firms.grants, Firms.grant],
    ([parents, custom, giver, grant]) => {
      const held = giver.map((one) => Grants.held(one, custom))
      const actions = Grants.actionsOf(grant.role, custom)
      const on = Firms.targetOf(grant.on, Firms.pathsOf(parents))
      const action = Grants.lacking(held, "permission.write", { actions, on })
      if (action === undefined) return
      assert.isTrue(action === "permission.write" || actions.has(action))
      assert.isFalse(Grants.allows(held, action, on))
    },
    { arbitrary: { runs: 1000 } }
  )

  const attempt = Arbitrary.all({
    giver: Firms.place,
    taker: Firms.place,
    grant: Firms.grant,
    role: Firms.place,
    actions: Firms.actionSet,
    edits: Firms.place
  })

  it.prop(
    "never lets people together do more than they could, however they give and change roles",
    [
      Firms.parents,
      Firms.custom,
      Arbitrary.array(Firms.grants, { minLength: 3, maxLength: 3 }),
      Arbitrary.array(attempt, { maxLength: 12 })
    ],
    ([parents, initial, start, attempts]) => {
      const paths = Firms.pathsOf(parents)
      const targets = Firms.targetsOf(paths)
      const before = power(start, initial, targets)
      const people = start.map((grants) => [...grants])
      const custom = new Map(initial)
      for (const { actions, edits, giver, grant, role, taker } of attempts) {
        const held = people[giver % 3]!.map((one) => Grants.held(one, custom))
        if (edits === 0) {
          const id = Firms.customRoles[role % 2]!
          const old = Grants.actionsOf(id, custom)
          const changed = [...old, ...actions].filter((one) => old.has(one) !== actions.has(one))
          const change = { actions: new Set(changed), on: Grants.tenantWide }
          if (Grants.lacking(held, "permission.write", change) === undefined)
            custom.set(id, actions)
          continue
        }
        const gift = {
          actions: Grants.actionsOf(grant.role, custom),
          on: Firms.targetOf(grant.on, paths)
        }
        if (Grants.lacking(held, "permission.write", gift) === undefined) {
          people[taker % 3]!.push(grant)
        }
      }
      const after = power(people, custom, targets)
      assert.deepStrictEqual(
        [...after].filter((one) => !before.has(one)),
        []
      )
    },
    { arbitrary: { runs: 1000 } }
  )
})
