/** Attacks on tenants, kinds of token and scopes, by the ids of test/security-cases.json. */
import { assert, layer } from "@effect/vitest"
import { SigningKeysRepo } from "@quittance/persistence/tokens/SigningKeysRepo"
import { Effect, Layer } from "effect"
import { randomBytes } from "node:crypto"
import { call, newTenant, TestLayer } from "./Api.ts"
import { claimsOf, forged } from "./Forger.ts"
import { prepared } from "./Sales.ts"

const codeOf = Effect.fnUntraced(function* (path: string, request: Parameters<typeof call>[1]) {
  const { body, status } = yield* call(path, request)
  return [status, body.code]
})

const unauthorized = [401, "UNAUTHORIZED"]
const forbidden = [403, "FORBIDDEN"]

const TestedLayer = Layer.provideMerge(SigningKeysRepo.layer, TestLayer)

// Real time: the database dates sessions by its own clock.
layer(TestedLayer, { excludeTestServices: true })("an attack on the tenant", (it) => {
  it.effect("TN-02 AN-02 with a token of each kind at another tenant", () =>
    Effect.gen(function* () {
      const [acme, globex] = [yield* newTenant, yield* newTenant]
      for (const token of [acme.client, acme.manager, acme.session]) {
        assert.strictEqual((yield* call("/account", { tenant: acme.tenant, token })).status, 200)
        assert.deepStrictEqual(
          yield* codeOf("/account", { tenant: globex.tenant, token }),
          unauthorized
        )
      }
    })
  )

  it.effect("TN-05 with a genuine signature and the issuer or tenant of another", () =>
    Effect.gen(function* () {
      const [acme, globex] = [yield* newTenant, yield* newTenant]
      const { iss } = claimsOf(globex.client)
      const tokens = [
        yield* forged(acme, acme.client, { claims: { iss } }),
        yield* forged(acme, acme.client, { claims: { tenant: globex.tenant } }),
        yield* forged(acme, acme.client, { claims: { iss, tenant: globex.tenant } })
      ]
      for (const token of tokens) {
        for (const { tenant } of [acme, globex]) {
          assert.deepStrictEqual(yield* codeOf("/account", { tenant, token }), unauthorized)
        }
      }
      // What is forged is the only difference from a token that works.
      const token = yield* forged(acme, acme.client, { claims: {} })
      assert.strictEqual((yield* call("/account", { tenant: acme.tenant, token })).status, 200)
    })
  )

  it.effect("TN-06 TN-08 without the header, with and without a token", () =>
    Effect.gen(function* () {
      const { client: token } = yield* newTenant
      for (const request of [{ token }, {}, { token: "x.y.z" }]) {
        assert.deepStrictEqual(yield* codeOf("/account", request), [400, "MISSING_TENANT"])
      }
    })
  )

  it.effect("TN-10 by every other way to name one", () =>
    Effect.gen(function* () {
      const [acme, globex] = [yield* newTenant, yield* newTenant]
      const host = `${globex.tenant}.auth.localhost`
      const { body, status } = yield* call(`/account?tenant=${globex.tenant}`, {
        tenant: acme.tenant,
        token: acme.client,
        headers: {
          "x-tenant": globex.tenant,
          tenant_id: globex.tenant,
          "x-tenant-id": globex.tenant,
          "x-forwarded-host": host,
          "x-original-host": host,
          forwarded: `host=${host}`,
          cookie: `tenant=${globex.tenant}`
        }
      })
      assert.deepStrictEqual([status, body.tenant], [200, acme.tenant])
    })
  )

  it.effect("by a header that is no one tenant's name", () =>
    Effect.gen(function* () {
      const [acme, globex] = [yield* newTenant, yield* newTenant]
      const token = acme.client
      const names = [
        acme.tenant.toUpperCase(),
        `${acme.tenant},${globex.tenant}`,
        `${acme.tenant} ${globex.tenant}`,
        `${acme.tenant}%00`,
        `${acme.tenant}.`,
        `../${acme.tenant}`,
        `${acme.tenant}'--`,
        "x".repeat(1000),
        "%",
        "-"
      ]
      for (const tenant of names) {
        const answer = yield* codeOf("/account", { tenant, token })
        assert.deepStrictEqual(answer, [400, "INVALID_TENANT"], tenant)
      }
      // One that does not exist is answered as a token that is none.
      const nowhere = yield* call("/account", { tenant: "no-such-tenant", token })
      const none = yield* call("/account", { tenant: acme.tenant, token: "x.y.z" })
      assert.deepStrictEqual([nowhere.status, nowhere.body], [none.status, none.body])
    })
  )
})

layer(TestedLayer, { excludeTestServices: true })("an attack on kinds and scopes", (it) => {
  it.effect("KS-01 learns nothing before the scope: no fault of the request, no record", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { tenant } = world
      const { policyId } = yield* prepared(world, world.session)
      const requests = [
        ["platform/billing", "/accounting-summary?count=0", {}],
        ["platform/policies", `/policies/${policyId}`, {}],
        ["platform/policies", "/policies/nonsense", {}],
        ["platform/policies", "/policies", { body: "{" }],
        ["platform/policies", "/policies", { body: "x".repeat(2_000_000) }],
        ["platform/admin", "/admin/test-clock", { method: "PUT", body: { now: 1 } }]
      ] as const
      for (const [scope, path, request] of requests) {
        const token = yield* world.withoutScopes(scope)
        const { body, status } = yield* call(path, { tenant, token, ...request })
        assert.deepStrictEqual([status, body.code], forbidden)
        assert.deepStrictEqual(body.details, { requiredScope: scope })
      }
      const token = world.client
      assert.deepStrictEqual(yield* codeOf("/accounting-summary?count=0", { tenant, token }), [
        400,
        "INVALID_REQUEST"
      ])
      assert.strictEqual((yield* call("/accounting-summary", { tenant, token })).status, 200)
    })
  )

  it.effect("KS-03 answers a client alike for a policy that exists and one that does not", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { client: token, tenant } = world
      const { policyId } = yield* prepared(world, world.session)
      const other = yield* newTenant
      const foreign = yield* prepared(other, other.session)
      for (const id of [policyId, foreign.policyId, policyId.replace(/.{5}$/u, "AAAAA")]) {
        const { body, status } = yield* call(`/policies/${id}`, { tenant, token })
        assert.deepStrictEqual([status, body.code, body.details], [404, "USER_NOT_FOUND", {}])
      }
    })
  )

  it.effect("KS-04 takes no scope for another that it resembles", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { tenant } = world
      const alike = [
        "platform/account-read",
        "xplatform/account",
        "platform/accountplatform/customers",
        "platform/accoun",
        "platform/*",
        "platform/",
        "PLATFORM/ACCOUNT",
        "platform/account/",
        "platform/account,platform/customers",
        "platform/account\u00a0platform/customers",
        ""
      ]
      for (const scope of alike) {
        const token = yield* forged(world, world.client, { claims: { scope } })
        assert.deepStrictEqual(yield* codeOf("/account", { tenant, token }), forbidden, scope)
      }
      const token = yield* forged(world, world.client, { claims: { scope: "platform/account" } })
      assert.strictEqual((yield* call("/account", { tenant, token })).status, 200)
    })
  )

  it.effect("KS-05 KS-06 refuses a person's token that carries scopes, or another kind", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { tenant } = world
      const changes = [
        { scope: "platform/admin" },
        { scope: "" },
        { kind: "admin" },
        { kind: undefined },
        { kind: ["client", "user"] }
      ]
      for (const person of [world.manager, world.session]) {
        for (const change of changes) {
          const token = yield* forged(world, person, { claims: change })
          assert.deepStrictEqual(yield* codeOf("/account", { tenant, token }), unauthorized)
        }
        // A client by its kind, but with the identity of a person: a client it is.
        const token = yield* forged(world, person, {
          claims: { kind: "client", scope: "platform/account" }
        })
        const { body } = yield* call("/account", { tenant, token })
        assert.deepStrictEqual([body.kind, body.permissions], ["client", undefined])
      }
    })
  )

  it.effect("KS-11 keeps a session from routes of clients and of the office", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { session: token, tenant } = world
      yield* prepared(world, token)
      for (const path of ["/accounting-summary", "/admin/test-clock"]) {
        assert.deepStrictEqual(yield* codeOf(path, { tenant, token }), forbidden)
      }
    })
  )

  it.effect("KS-12 takes nothing but an access token for one", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { client, tenant } = world
      const opaque = randomBytes(32).toString("base64url")
      const [, payload, signature] = client.split(".")
      const typed = (typ: string | undefined) => forged(world, client, { header: { typ } })
      const others = [
        opaque,
        `${tenant}-integration-secret`,
        `${tenant}-integration:${tenant}-integration-secret`,
        Buffer.from(`${tenant}-integration:${tenant}-integration-secret`).toString("base64"),
        yield* typed("JWT"),
        yield* typed("id+jwt"),
        yield* typed("logout+jwt"),
        yield* typed("application/at+jwt"),
        yield* typed(undefined),
        `${payload}.${signature}`,
        `${client}.${signature}`,
        `${client}, ${client}`,
        "null",
        "undefined"
      ]
      for (const token of others) {
        assert.deepStrictEqual(yield* codeOf("/account", { tenant, token }), unauthorized)
      }
    })
  )

  it.effect("looks for a token in the one header alone", () =>
    Effect.gen(function* () {
      const { client, tenant } = yield* newTenant
      const places = [
        call(`/account?access_token=${client}&token=${client}`, { tenant }),
        call("/account", { tenant, headers: { cookie: `access_token=${client}` } }),
        call("/account", { tenant, headers: { "x-authorization": `Bearer ${client}` } }),
        call("/account", { tenant, headers: { "proxy-authorization": `Bearer ${client}` } }),
        call("/account", { tenant, headers: { authorization: client } }),
        call("/account", { tenant, headers: { authorization: `Basic ${client}` } }),
        call("/account", { tenant, headers: { authorization: `Bearer  ${client} x` } }),
        call("/account", { tenant, headers: { authorization: "Bearer" } }),
        call("/policies", { tenant, body: { productId: "motor-fr", access_token: client } })
      ]
      for (const place of places) {
        const { body, header, status } = yield* place
        assert.deepStrictEqual([status, body.code], unauthorized)
        assert.strictEqual(header("www-authenticate"), "Bearer")
      }
    })
  )

  it.effect("takes no member of a body that the contract does not name", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { session: token, tenant } = world
      const other = yield* newTenant
      const { customerId, policyId } = yield* prepared(world, token)
      const members = [
        `"tenantId":"${other.tenant}"`,
        `"tenant":"${other.tenant}"`,
        `"id":"${policyId}"`,
        '"status":"POLICY_SIGNED"',
        '"permissions":[{"role":"TENANT_MANAGER","on":{"kind":"TENANT"}}]',
        '"__proto__":{"admin":true}',
        '"constructor":{"prototype":{}}'
      ]
      for (const member of members) {
        for (const path of [`/policies/${policyId}`, `/customers/${customerId}`]) {
          const body = `{"name":"x",${member}}`
          const answer = yield* codeOf(path, { tenant, token, method: "PATCH", body })
          assert.deepStrictEqual(answer, [400, "INVALID_REQUEST"], member)
        }
      }
      const { body } = yield* call(`/policies/${policyId}`, { tenant, token })
      assert.deepStrictEqual([body.name, body.id], [undefined, policyId])
    })
  )
})
