/** How strong a sign-in with the tenant's provider is: when it was, and what is asked beside it. */
import { assert, layer } from "@effect/vitest"
import { IdentityProviders } from "@quittance/operations/access/IdentityProviders"
import { SecondFactorPolicy } from "@quittance/operations/authorization-server/SecondFactorPolicy"
import { Effect, Layer } from "effect"
import * as IdentityProvider from "./IdentityProvider.ts"
import * as OnSocket from "./OnSocket.ts"
import * as Server from "./Server.ts"
import type { TenantId } from "@quittance/domain/requests/Tenancy"

const options = { excludeTestServices: true }
const TestLayer = Layer.provideMerge(
  Layer.merge(IdentityProviders.layer, SecondFactorPolicy.layer),
  OnSocket.TestLayer
)

const startOf = (tenant: TenantId, more: Record<string, string> = {}) =>
  new URL(
    `${OnSocket.issuer(tenant)}/federation/start?${new URLSearchParams({ ...Server.request, ...more })}`
  )

const claimsOf = Effect.fn(function* (tenant: TenantId, url: URL) {
  const answer = yield* Server.redeem(tenant, url.searchParams.get("code") ?? "")
  const { access_token } = yield* Server.json(answer)
  const payload = `${access_token}`.split(".")[1] ?? ""
  return JSON.parse(Buffer.from(payload, "base64url").toString()) as Record<string, unknown>
})

layer(TestLayer, options)("a sign-in with the tenant's provider", (it) => {
  it.effect("is as recent as the provider says, and never counts from our own code", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      yield* IdentityProvider.start(tenant)
      const { open } = yield* IdentityProvider.browser
      const silent = yield* claimsOf(tenant, (yield* open(startOf(tenant))).url)
      assert.deepStrictEqual([silent["amr"], silent["auth_time"]], [["fed"], undefined])
      const before = Math.floor(Date.now() / 1000)
      for (const again of [{ max_age: "0" }, { prompt: "login" }]) {
        const fresh = yield* claimsOf(tenant, (yield* open(startOf(tenant, again))).url)
        assert.isAtLeast(Number(fresh["auth_time"]), before, JSON.stringify(again))
      }
    })
  )

  it.effect("is refused if the provider was not asked for a recent one", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      yield* IdentityProvider.start(tenant)
      for (const again of [{ max_age: "900" }, { prompt: "login" }]) {
        const { open } = yield* IdentityProvider.browser
        const back = yield* open(startOf(tenant, again), (url) => {
          url.searchParams.delete("max_age")
          url.searchParams.delete("prompt")
          return url
        })
        assert.deepStrictEqual([back.status, back.url.searchParams.has("code")], [400, true])
        assert.include(back.text, "did not confirm who you are")
      }
    })
  )

  it.effect("leads on to a second factor where the tenant asks for one", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      yield* IdentityProvider.start(tenant, { email: `manager@${tenant}.test` })
      yield* SecondFactorPolicy.use((policy) => policy.setRequired(true)).pipe(Server.as(tenant))
      const { open } = yield* IdentityProvider.browser
      const back = yield* open(startOf(tenant))
      assert.strictEqual(back.status, 200)
      assert.include(back.text, "Set up a second factor")
    })
  )

  it.effect("ends what passwords have opened once everybody has to come by it", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      yield* IdentityProvider.start(tenant)
      const location = Effect.map(Server.submit(tenant, {}), ({ headers }) =>
        new URL(headers.get("location") ?? "none:").searchParams.get("code")
      )
      const redeem = Effect.flatMap(location, (code) => Server.redeem(tenant, code ?? ""))
      const { refresh_token } = yield* Server.json(yield* redeem)
      const waiting = yield* location
      yield* IdentityProviders.use((providers) => providers.set({ mode: "REQUIRED" })).pipe(
        Server.as(tenant)
      )
      assert.strictEqual((yield* Server.refresh(tenant, refresh_token)).status, 400)
      assert.strictEqual((yield* Server.redeem(tenant, waiting ?? "")).status, 400)
    })
  )
})
