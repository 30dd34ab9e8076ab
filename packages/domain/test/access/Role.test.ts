import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { BuiltInRole, CustomRoleId, Role, roles } from "../../src/access/Grant.ts"
import { ActionsByArea, builtInNames, byArea, toActions } from "../../src/access/Role.ts"
import { Action } from "../../src/requests/Action.ts"

const accepts = Schema.is(ActionsByArea)

describe("the name of a role of a tenant's own", () => {
  const isCustom = Schema.is(CustomRoleId)

  it.each([...BuiltInRole.literals, "", "A", "a", "DESK ", "9A", "_A", "A-B", "A".repeat(41), "É"])(
    "is not %s",
    (name) => {
      assert.isFalse(isCustom(name))
    }
  )

  it.each(["AB", "CLAIMS_DESK", "A9_", "A".repeat(40)])("may be %s", (name) => {
    assert.isTrue(isCustom(name))
  })

  it("and that of a built-in one are the names of all roles", () => {
    const isRole = Schema.is(Role)
    assert.isTrue(BuiltInRole.literals.every(isRole) && isRole("CLAIMS_DESK"))
    assert.isFalse(isRole("claims"))
  })
})

describe("actions by area", () => {
  it("leave out areas without actions, and keep the order of the list of actions", () => {
    assert.deepStrictEqual(byArea(["quote.read", "policy.write", "policy.read"]), {
      policy: ["read", "write"],
      quote: ["read"]
    })
    assert.deepStrictEqual(byArea([]), {})
  })

  it.each([
    { polici: ["read"] },
    { policy: ["levitate"] },
    { policy: ["read", "read"] },
    { policy: "read" },
    { quote: ["suspend"] }
  ])("are not %o", (areas) => {
    assert.throws(() =>
      Schema.decodeUnknownSync(ActionsByArea)(areas, { onExcessProperty: "error" })
    )
  })

  it("name every built-in role, and can be read as what they were made of", () => {
    for (const role of BuiltInRole.literals) {
      assert.isAbove(builtInNames[role].length, 0)
      assert.deepStrictEqual(new Set(toActions(byArea(roles[role]))), new Set(roles[role]))
    }
  })

  it.prop(
    "lead back to the actions they were made of, each once",
    [Arbitrary.array(Arbitrary.schema(Action), { maxLength: 40 })],
    ([actions]) => {
      const areas = byArea(actions)
      assert.isTrue(accepts(areas))
      const back = toActions(areas)
      assert.deepStrictEqual(
        back,
        Action.literals.filter((action) => actions.includes(action))
      )
    },
    { arbitrary: { runs: 500 } }
  )
})
