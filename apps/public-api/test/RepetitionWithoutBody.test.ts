/** A command whose answer has no body is repeated like any other, also when it took the caller's own right. */
import { assert, layer } from "@effect/vitest"
import { expected, type Route, routesOf } from "@quittance/contract/api/PermissionMatrix"
import { PublicApi } from "@quittance/contract/api/PublicApi"
import { Effect } from "effect"
import { call } from "./Api.ts"
import { fixtureOf, named, pathOf } from "./MatrixPaths.ts"
import { MatrixWorld } from "./MatrixWorld.ts"
import { prepared, send } from "./Sales.ts"

/**
 * Those that the world of the matrix lets succeed; sign-ins have tests of their own. What hangs on a record
 * is removed before it.
 */
const routes = routesOf(PublicApi)
  .filter((route) => route.success === 204 && fixtureOf(route).instead === undefined)
  .toSorted((one, other) => other.path.length - one.path.length)

/** The weakest caller that the route serves. */
const callerOf = (route: Route) =>
  (["OWNER", "USER", "CLIENT"] as const).find(
    (caller) => expected(route, { caller, record: "OWN", tenancy: "OWN" }).status === 204
  )!

// Real time: the database dates sessions by its own clock.
layer(MatrixWorld.layer, { excludeTestServices: true })("an answer without a body", (it) => {
  it("is that of some routes", () => assert.isAbove(routes.length, 5))

  for (const route of routes) {
    it.effect(`is given again: ${named(route)}`, () =>
      Effect.gen(function* () {
        const { own, token } = yield* MatrixWorld
        const caller = callerOf(route)
        const path = yield* pathOf(route, { caller, record: "OWN" }, "")
        const bearer = yield* token(route, caller)
        const { body } = fixtureOf(route)
        const again = call(path, {
          tenant: own.tenant,
          method: route.method,
          headers: { "idempotency-key": `again-${route.id}` },
          ...(bearer === undefined ? {} : { token: bearer }),
          ...(body === undefined ? {} : { body })
        })
        const [first, second] = [yield* again, yield* again]
        assert.deepStrictEqual([first.status, first.text], [204, ""], first.text)
        assert.deepStrictEqual([second.status, second.text], [204, ""], second.text)
        assert.isUndefined(first.header("idempotency-replayed"))
        assert.strictEqual(second.header("idempotency-replayed"), "true")
        assert.strictEqual(second.header("etag"), first.header("etag"))
      })
    )
  }

  it.effect("is given to a visitor again who took themselves the right to the record", () =>
    Effect.gen(function* () {
      const { own } = yield* MatrixWorld
      const token = own.stranger
      const { customerId, policyId } = yield* prepared(own, token)
      const rename = (key: string) =>
        call(`/customers/${customerId}`, {
          tenant: own.tenant,
          token,
          method: "PATCH",
          body: { name: "Alix Durand" },
          headers: { "idempotency-key": key }
        })
      const takeOff = (key: string) =>
        call(`/customers/${customerId}/policies/${policyId}`, {
          tenant: own.tenant,
          token,
          method: "DELETE",
          headers: { "idempotency-key": key }
        })
      const renamed = yield* rename("rename")
      assert.strictEqual(renamed.status, 200)
      assert.strictEqual((yield* takeOff("take-off")).status, 204)
      for (const refused of [yield* rename("another"), yield* takeOff("a-further-one")]) {
        assert.include([403, 404], refused.status)
      }
      assert.strictEqual((yield* takeOff("take-off")).status, 204)
      const again = yield* rename("rename")
      assert.deepStrictEqual([again.status, again.body], [200, renamed.body])
      // To no other caller, and for nothing else.
      const other = yield* send(own, own.session, "/policies", { productId: "motor-fr" })
      assert.strictEqual(other.status, 201)
      const foreign = yield* call(`/customers/${customerId}/policies/${policyId}`, {
        tenant: own.tenant,
        token: own.session,
        method: "DELETE",
        headers: { "idempotency-key": "take-off" }
      })
      assert.include([403, 404], foreign.status)
    })
  )
})
