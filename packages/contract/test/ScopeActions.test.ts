import { assert, describe, it } from "@effect/vitest"
import { scopeNames } from "@quittance/domain/Caller"
import { scopeActions } from "@quittance/domain/Client"
import { routesOf } from "../src/PermissionMatrix.ts"
import { PublicApi } from "../src/PublicApi.ts"

describe("what a client may do with a scope", () => {
  it("has all that the routes of the area which serve clients ask people for", () => {
    const missing = routesOf(PublicApi).flatMap(({ callers, method, path, permission, scope }) =>
      scope === "NONE" ||
      permission === "NONE" ||
      !callers.includes("Client") ||
      scopeActions[scope].includes(permission.action)
        ? []
        : [`${method} ${path}: add ${permission.action} to ${scope} in domain/src/Client.ts`]
    )
    assert.deepStrictEqual(missing, [])
  })

  it("names each action once", () => {
    for (const scope of scopeNames) {
      const actions = scopeActions[scope]
      assert.strictEqual(new Set(actions).size, actions.length, scope)
    }
  })
})
