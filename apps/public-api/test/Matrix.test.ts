/**
 * Every route of the contract against every kind of caller: what is refused, and in which order. The
 * cases come from the contract itself, so a route that is added is tested with it.
 */
import { assert, layer } from "@effect/vitest"
import { Callers, RequiredScope } from "@quittance/contract/Access"
import { PublicApi } from "@quittance/contract/PublicApi"
import { alphabet } from "@quittance/domain/PrefixedId"
import { Context, Effect } from "effect"
import { HttpApi } from "effect/http-api"
import { call, newTenant, TestLayer } from "./Api.ts"

interface Route {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly scope: Context.Service.Shape<typeof RequiredScope>
  readonly callers: Context.Service.Shape<typeof Callers>
}

const routes: Array<Route> = []
HttpApi.reflect(PublicApi, {
  onGroup: () => {},
  onEndpoint: ({ endpoint, mergedAnnotations }) => {
    routes.push({
      name: `${endpoint.method} ${endpoint.path}`,
      method: endpoint.method,
      path: endpoint.path,
      scope: Context.getUnsafe(mergedAnnotations, RequiredScope),
      callers: Context.getUnsafe(mergedAnnotations, Callers)
    })
  }
})

const prefixOf: Record<string, string> = {
  policyId: "policy",
  customerId: "customer",
  assetId: "asset",
  quoteId: "quote",
  invoiceId: "invoice"
}
const suffix = alphabet.slice(0, 21)

/** The route's path with well-formed identifiers of records that no tenant has. */
const missing = ({ path }: Route) =>
  path.replace(/:(\w+)/gu, (_, name: string) => `${prefixOf[name]}_test_${suffix}`)

/** A body that fits, for writes whose refusal is to be seen behind the schema. */
const bodies: Record<string, unknown> = {
  "POST /policies": { productId: "motor-fr" },
  "PATCH /policies/:policyId": { name: "x" },
  "POST /policies/:policyId/calculate-quote": {},
  "POST /policies/:policyId/quote": {},
  "POST /policies/:policyId/confirm": {},
  "POST /policies/:policyId/reopen": {},
  "POST /policies/:policyId/sign": {
    signer: { firstName: "A", lastName: "B", email: "a@b.test" },
    consent: { textId: "T", accepted: true }
  },
  "POST /customers/policies/:policyId": { role: "POLICYHOLDER" },
  "PATCH /customers/:customerId": { name: "x" },
  "POST /customers/:customerId/confirm": {},
  "POST /assets/policies/:policyId": { customFields: [] },
  "PATCH /assets/:assetId": { name: "x" },
  "POST /quotes/preview": {
    productId: "motor-fr",
    customFields: [],
    customers: [],
    assets: []
  },
  "POST /payments/invoices/:invoiceId": { amount: 1, method: "CARD", reference: "r" },
  "PUT /admin/test-clock": { now: "2026-03-10T09:00:00Z" }
}

const request = (route: Route) => ({
  method: route.method,
  ...(route.method === "GET" ? {} : { body: bodies[route.name] })
})

// Real time: the database dates sessions by its own clock.
layer(TestLayer, { excludeTestServices: true })("every bearer route", (it) => {
  it("has a body here if it is a write", () => {
    const writes = routes.filter(({ method }) => method !== "GET").map(({ name }) => name)
    assert.deepStrictEqual(writes.toSorted(), Object.keys(bodies).toSorted())
  })

  for (const route of routes) {
    it.effect(`refuses in order: ${route.name}`, () =>
      Effect.gen(function* () {
        const [world, other] = [yield* newTenant, yield* newTenant]
        const { tenant } = world
        const path = missing(route)
        const codes = Effect.fnUntraced(function* (given: Parameters<typeof call>[1]) {
          const { body, status } = yield* call(path, { ...request(route), ...given })
          assert.hasAllKeys(body, ["code", "message", "details"])
          return [status, body.code]
        })
        assert.deepStrictEqual(yield* codes({ token: world.client }), [400, "MISSING_TENANT"])
        assert.deepStrictEqual(yield* codes({ tenant: "-" }), [400, "INVALID_TENANT"])
        assert.deepStrictEqual(yield* codes({ tenant }), [401, "UNAUTHORIZED"])
        assert.deepStrictEqual(yield* codes({ tenant, token: "x.y.z" }), [401, "UNAUTHORIZED"])
        const foreign = { tenant, token: other.manager }
        assert.deepStrictEqual(yield* codes(foreign), [401, "UNAUTHORIZED"])
        const unknown = { tenant: "no-such-tenant", token: world.manager }
        assert.deepStrictEqual(yield* codes(unknown), [401, "UNAUTHORIZED"])
        if (route.scope !== "NONE") {
          const token = yield* world.withoutScopes(route.scope)
          const body = route.method === "GET" ? {} : { body: "{" }
          const refused = yield* call(path, { tenant, token, method: route.method, ...body })
          assert.deepStrictEqual([refused.status, refused.body.code], [403, "FORBIDDEN"])
          assert.strictEqual(refused.body.details.requiredScope, route.scope)
        }
      })
    )

    it.effect(`knows its callers: ${route.name}`, () =>
      Effect.gen(function* () {
        const world = yield* newTenant
        const { tenant } = world
        const tokens = { Client: world.client, User: world.manager, Anonymous: world.session }
        for (const kind of ["Client", "User", "Anonymous"] as const) {
          const { body, status } = yield* call(missing(route), {
            ...request(route),
            tenant,
            token: tokens[kind]
          })
          assert.isBelow(status, 500)
          if (!route.callers.includes(kind)) {
            const expected = kind === "Client" ? "USER_NOT_FOUND" : "FORBIDDEN"
            assert.strictEqual(body.code, expected)
          } else if (route.path.includes(":")) {
            assert.match(body.code, /^(FORBIDDEN|[A-Z]+_NOT_FOUND)$/u)
            assert.notStrictEqual(body.code, "USER_NOT_FOUND")
          }
        }
      })
    )

    if (route.method !== "GET") {
      it.effect(`lists every fault of a request: ${route.name}`, () =>
        Effect.gen(function* () {
          const { manager: token, tenant } = yield* newTenant
          const path = route.path.replace(/:\w+/gu, "nobody")
          const { body, status } = yield* call(`${path}?dryrun=true`, {
            tenant,
            token,
            method: route.method,
            body: { mistyped: 1 },
            headers: { "idempotency-key": "é" }
          })
          assert.deepStrictEqual([status, body.code], [400, "INVALID_REQUEST"])
          const parts = new Set(body.details.issues.map((issue: { in: string }) => issue.in))
          assert.isTrue(parts.has("body") && parts.has("query"))
          if (route.path.includes(":")) assert.isTrue(parts.has("path"))
        })
      )

      it.effect(`refuses a body that is no JSON: ${route.name}`, () =>
        Effect.gen(function* () {
          const { manager: token, tenant } = yield* newTenant
          const send = (body: unknown, headers = {}) =>
            call(missing(route), { tenant, token, method: route.method, body, headers })
          for (const body of ["{", "[]", "null", "1", '"x"', '{"name":"\\u0000"}', "\ud800"]) {
            const answer = yield* send(body)
            assert.deepStrictEqual([answer.status, answer.body.code], [400, "INVALID_REQUEST"])
          }
          const text = yield* send("{}", { "content-type": "text/plain" })
          assert.strictEqual(text.status, 415)
          const large = yield* send(`{"a":"${"x".repeat(1_100_000)}"}`)
          assert.strictEqual(large.status, 413)
        })
      )
    }
  }
})
