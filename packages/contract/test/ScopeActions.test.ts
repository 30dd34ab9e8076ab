import { assert, describe, it } from "@effect/vitest"
import { routesOf } from "../src/api/PermissionMatrix.ts"
import { PublicApi } from "../src/api/PublicApi.ts"
import { Action, scopeActions, scopeOf } from "@quittance/domain/requests/Action"

describe("what a client may do with a scope", () => {
  it("has all that the routes of the area which serve clients ask people for", () => {
    const missing = routesOf(PublicApi).flatMap(({ callers, method, path, permission, scope }) =>
      scope === "NONE" ||
      permission === "NONE" ||
      !callers.includes("Client") ||
      scopeActions(scope).includes(permission.action)
        ? []
        : [
            `${method} ${path}: ${permission.action} needs \`clients\` in Action.ts, and the scope ${scope}`
          ]
    )
    assert.deepStrictEqual(missing, [])
  })

  it("stands for the actions that the routes of the area ask people for", () => {
    const routes = routesOf(PublicApi)
    const strange = Action.literals.filter((action) => {
      const asking = routes.filter(
        ({ permission }) =>
          permission !== "NONE" && permission.action.split(".")[0] === action.split(".")[0]
      )
      return asking.length > 0 && !asking.some(({ scope }) => scope === scopeOf(action))
    })
    assert.deepStrictEqual(strange, [])
  })
})
