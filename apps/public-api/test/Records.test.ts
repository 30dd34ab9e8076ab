/** Records of others, asked for by everybody who must not have them; ids of test/security-cases.json. */
import { assert, layer } from "@effect/vitest"
import { parameterExampleOf } from "@quittance/contract/api/ParameterTerms"
import { type Route, routesOf } from "@quittance/contract/api/PermissionMatrix"
import { PublicApi } from "@quittance/contract/api/PublicApi"
import type { Grant } from "@quittance/domain/access/Grant"
import { Effect } from "effect"
import { call, newTenant, TestLayer, type World } from "./Api.ts"
import { fixtures } from "./MatrixFixtures.ts"
import { prepared, send, signed } from "./Sales.ts"

const codeOf = Effect.fnUntraced(function* (world: World, token: string, path: string) {
  const { body, status } = yield* call(path, { tenant: world.tenant, token })
  return [status, body.code]
})

/** The brokerage firm on which a broker has its grant. */
const firmOf = Effect.fnUntraced(function* (world: World, token: string) {
  const { body } = yield* send(world, token, "/account")
  const grants: ReadonlyArray<Grant> = body.permissions
  for (const { on } of grants) if (on.kind === "FIRM") return on.brokerageFirmId
  return yield* Effect.die(new Error("This user has no grant on a firm"))
})

/** Spellings of an identifier that are none. */
const misspelled = (id: string): ReadonlyArray<string> => {
  const [, prefix, suffix] = /^(.+_)([^_]+)$/u.exec(id)!
  return [
    `${prefix}${suffix!.slice(1)}`,
    `${prefix}${suffix}3`,
    `${prefix}0${suffix!.slice(1)}`,
    `${prefix}O${suffix!.slice(1)}`,
    `${prefix}-${suffix!.slice(1)}`,
    id.toUpperCase(),
    `audit_entry_test_${suffix}`,
    `_test_${suffix}`,
    suffix!,
    `${id}%00`,
    `%00${id}`,
    `${id}%2e`,
    `${id}%20`,
    `${id}%0a`,
    `%2e%2e%2f${id}`,
    `${id}'--`,
    `${id}%E2%80%8B`,
    id.replace("_test_", "_"),
    "%F0%9F%92%A5",
    "null",
    "undefined",
    "*"
  ]
}

const exampleOf = ({ id, method }: Route, name: string) =>
  String(parameterExampleOf({ operationId: id, method, in: "path", name }))

const prefixed = (route: Route) =>
  route.parameter !== undefined && /_test_/u.test(exampleOf(route, route.parameter))

// Real time: the database dates sessions by its own clock.
layer(TestLayer, { excludeTestServices: true })("a record of another person", (it) => {
  it.effect("ID-03 is refused to another session, with all that hangs on it", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { assetId, customerId, policyId } = yield* prepared(world, world.session)
      const paths = [
        `/policies/${policyId}`,
        `/policies/${policyId}/available-pricing`,
        `/policies/${policyId}/branches`,
        `/customers/${customerId}`,
        `/assets/${assetId}`,
        `/assets/policies/${policyId}`,
        `/quotes/policies/${policyId}`,
        `/billing/policies/${policyId}/schedule`,
        `/billing/policies/${policyId}/invoices`
      ]
      for (const path of paths) {
        assert.deepStrictEqual(yield* codeOf(world, world.stranger, path), [403, "FORBIDDEN"])
        assert.strictEqual((yield* codeOf(world, world.session, path))[0], 200)
      }
    })
  )

  it.effect("ID-04 is neither in a list nor in its count, whatever the list is asked for", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const [north, south] = [yield* firmOf(world, world.north), yield* firmOf(world, world.south)]
      yield* signed(world, world.north)
      yield* signed(world, world.north)
      yield* signed(world, world.south)
      yield* call("/admin/test-clock", {
        tenant: world.tenant,
        token: world.client,
        method: "PUT",
        body: { now: "2026-05-02T12:00:00Z" }
      })
      const counted = Effect.fnUntraced(function* (token: string, query: string) {
        const { body } = yield* send(world, token, `/accounting-summary?${query}`)
        assert.strictEqual(body.data.length, body.totalCount)
        return [body.totalCount, body.totalPages]
      })
      const queries = ["", "queryString=Camille", "unpaidDurationDays=0"]
      for (const query of queries) {
        assert.deepStrictEqual(yield* counted(world.auditor, query), [3, 1])
        assert.deepStrictEqual(yield* counted(world.north, query), [2, 1])
        assert.deepStrictEqual(yield* counted(world.south, query), [1, 1])
      }
      const of = (firm: string) => `brokerageFirmId=${firm}`
      assert.deepStrictEqual(yield* counted(world.north, of(north)), [2, 1])
      assert.deepStrictEqual(yield* counted(world.north, of(south)), [0, 0])
      assert.deepStrictEqual(yield* counted(world.south, of(north)), [0, 0])
      assert.deepStrictEqual(yield* counted(world.auditor, of(south)), [1, 1])
    })
  )

  for (const route of routesOf(PublicApi).filter(prefixed)) {
    const { id: name, method, parameter, path } = route
    it.effect(`ID-08 is not looked for by what is no identifier: ${method} ${path}`, () =>
      Effect.gen(function* () {
        const { manager: token, tenant } = yield* newTenant
        for (const id of misspelled(exampleOf(route, parameter!))) {
          const target = path.replace(/:(\w+)/gu, (_, name: string) =>
            name === parameter ? id : exampleOf(route, name)
          )
          const { body, status } = yield* call(target, {
            tenant,
            token,
            method,
            headers: fixtures[name]?.headers ?? {},
            ...(method === "GET" || method === "DELETE" ? {} : { body: {} })
          })
          assert.oneOf(`${status} ${body.code}`, ["400 INVALID_REQUEST", "404 ROUTE_NOT_FOUND"], id)
          if (status === 404) continue
          const parts = body.details.issues.map((issue: { in: string }) => issue.in)
          assert.include(parts, "path", id)
        }
      })
    )
  }
})
