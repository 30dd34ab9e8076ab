/**
 * What `GET /permissions/explain` says against what the routes do: every read of a record, asked for
 * by the people of the permission matrix.
 */
import { assert, layer } from "@effect/vitest"
import { routesOf } from "@quittance/contract/api/PermissionMatrix"
import { PublicApi } from "@quittance/contract/api/PublicApi"
import { Effect } from "effect"
import { call } from "./Api.ts"
import { MatrixWorld } from "./MatrixWorld.ts"

const callers = ["USER", "USER_ELSEWHERE", "USER_WITHOUT", "OWNER", "STRANGER"] as const

// What permissions are asked of by the record that the path names, and has an identifier for it.
const reads = routesOf(PublicApi).flatMap((route) =>
  route.method === "GET" &&
  route.permission !== "NONE" &&
  route.permission.on === "RECORD" &&
  route.parameter !== undefined
    ? [{ route, action: route.permission.action, parameter: route.parameter }]
    : []
)

layer(MatrixWorld.layer, { excludeTestServices: true })("an explanation", (it) => {
  it("is tried on every kind of record that can be read", () => {
    const kinds = new Set(reads.map(({ parameter }) => parameter))
    assert.includeMembers(
      [...kinds],
      ["policyId", "customerId", "assetId", "quoteId", "invoiceId", "userId"]
    )
  })

  for (const { action, parameter, route } of reads) {
    it.effect(`says what the route does: ${route.method} ${route.path}`, () =>
      Effect.gen(function* () {
        const { own, records, token } = yield* MatrixWorld
        const { tenant } = own
        // The records are named like the parameters of the paths.
        const record = records.OWN[parameter]!
        const seen = new Set<boolean>()
        for (const caller of callers) {
          if (!route.callers.includes(caller.startsWith("USER") ? "User" : "Anonymous")) continue
          const bearer = yield* token(route, caller)
          assert.isDefined(bearer)
          const me = yield* call("/account", { tenant, token: bearer! })
          const answer = yield* call(route.path.replace(/:\w+/u, record), {
            tenant,
            token: bearer!
          })
          const query = new URLSearchParams({ action, record, subject: me.body.id })
          const told = yield* call(`/permissions/explain?${query}`, { tenant, token: own.client })
          assert.strictEqual(told.status, 200)
          // A sale has no difference to what is in force, which only who may read it is told.
          assert.include([200, 403, 409], answer.status)
          assert.strictEqual(
            told.body.allowed,
            answer.status !== 403,
            `${caller}: ${told.body.reason}`
          )
          assert.strictEqual(told.body.grants.length > 0, told.body.allowed)
          seen.add(told.body.allowed)
        }
        assert.deepStrictEqual(seen, new Set([true, false]))
      })
    )
  }
})
