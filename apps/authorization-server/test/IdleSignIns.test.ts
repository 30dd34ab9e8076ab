/** Unused sign-ins end, and what is stored of the browser that made them. */
import { assert, layer } from "@effect/vitest"
import { lifetimes } from "@quittance/domain/tokens/Token"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { ConfigProvider, Effect, Layer } from "effect"
import * as Server from "./Server.ts"
import type { TenantId } from "@quittance/domain/requests/Tenancy"

const signedIn = Effect.fnUntraced(function* (tenant: TenantId) {
  const response = yield* Server.redeem(tenant, yield* Server.code(tenant))
  return String((yield* Server.json(response))["refresh_token"])
})

/** Makes the tenant's refresh tokens older, as if so many seconds had passed without a use. */
const idleFor = (tenant: TenantId, seconds: number) =>
  SuperuserSql.use(
    (sql) => sql`
      UPDATE refresh_token SET created_at = created_at - ${seconds}::int * interval '1 second'
      WHERE tenant_id = ${tenant}
    `
  )

const introspected = Effect.fnUntraced(function* (tenant: TenantId, token: string) {
  const response = yield* Server.call(tenant, {
    path: "/oauth2/introspect",
    headers: { ...Server.formType, ...Server.integration(tenant) },
    body: `${new URLSearchParams({ token })}`
  })
  return yield* Server.json(response)
})

/** The refresh token of a sign-in at a client that may introspect it. */
const ofConfidential = Effect.fnUntraced(function* (tenant: TenantId) {
  const clientId = yield* Server.confidentialApp(tenant)
  const redirect = { redirect_uri: "http://127.0.0.1:4123/callback" }
  const code = yield* Server.code(tenant, { client_id: clientId })
  const fields = { client_id: clientId, ...redirect }
  const response = yield* Server.redeem(tenant, code, fields, Server.integration(tenant))
  return String((yield* Server.json(response))["refresh_token"])
})

layer(Server.TestLayer, { excludeTestServices: true })("a sign-in", (it) => {
  it.effect("ends after an hour without use, and each use begins a new one", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      let token = yield* signedIn(tenant)
      for (let use = 0; use < 3; use++) {
        yield* idleFor(tenant, lifetimes.refreshIdle - 60)
        const response = yield* Server.refresh(tenant, token)
        assert.strictEqual(response.status, 200)
        token = String((yield* Server.json(response))["refresh_token"])
      }
      yield* idleFor(tenant, lifetimes.refreshIdle)
      const late = yield* Server.refresh(tenant, token)
      assert.strictEqual(late.status, 400)
      assert.strictEqual((yield* Server.json(late))["error"], "invalid_grant")
      assert.strictEqual((yield* Server.refresh(tenant, token)).status, 400)
    })
  )

  it.effect("that is idle is told to be nothing, and one that isn't when it will be", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const token = yield* ofConfidential(tenant)
      const { active, exp, iat } = yield* introspected(tenant, token)
      assert.strictEqual(active, true)
      assert.strictEqual(Number(exp) - Number(iat), lifetimes.refreshIdle)
      yield* idleFor(tenant, lifetimes.refreshIdle)
      assert.deepStrictEqual(yield* introspected(tenant, token), { active: false })
    })
  )

  it.effect("keeps the address and the name of the browser, and nothing else that it sent", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const userAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0"
      const headers = { "test-address": "2001:db8:7:8:9::1", "user-agent": userAgent }
      const response = yield* Server.submit(tenant, {}, headers)
      const code = new URL(response.headers.get("location")!).searchParams.get("code")!
      // The program that redeems the code is another machine.
      assert.strictEqual((yield* Server.redeem(tenant, code)).status, 200)
      const sql = yield* SuperuserSql
      const kept = yield* sql`
        SELECT address, browser FROM refresh_family WHERE tenant_id = ${tenant}
      `
      assert.deepStrictEqual(kept, [{ address: "2001:db8:7:8::/64", browser: "Firefox on Linux" }])
    })
  )
})

const shorter = ConfigProvider.layer(ConfigProvider.fromUnknown({ SIGN_IN_IDLE_SECONDS: "1800" }))

layer(Layer.provide(Server.TestLayer, shorter), { excludeTestServices: true })(
  "a shorter end",
  (it) => {
    it.effect("is what the operator says", () =>
      Effect.gen(function* () {
        const tenant = yield* Server.newTenant
        const token = yield* signedIn(tenant)
        yield* idleFor(tenant, 1800)
        assert.strictEqual((yield* Server.refresh(tenant, token)).status, 400)
      })
    )
  }
)
