import { assert, layer } from "@effect/vitest"
import type { Grant } from "@quittance/domain/access/Grant"
import { type AnonymousSessionId, subject } from "@quittance/domain/requests/Caller"
import * as HttpApp from "@quittance/http/HttpApp"
import { AccessTokens } from "@quittance/operations/tokens/AccessTokens"
import { AuthorizationServerKeys } from "@quittance/operations/tokens/SigningKeys"
import { KeyEncryption } from "@quittance/operations/tokens/KeyEncryption"
import { Issuers } from "@quittance/operations/tokens/Issuers"
import { OneTimeLinkKey } from "@quittance/operations/access/OneTimeLinkKey"
import { OneTimeLinks } from "@quittance/operations/access/OneTimeLinks"
import { Sandbox } from "@quittance/operations/provisioning/Sandbox"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { UsersRepo } from "@quittance/persistence/access/UsersRepo"
import * as PgTest from "@quittance/testing/PgTest"
import { sandboxTenant } from "@quittance/testing/SandboxTenant"
import { ConfigProvider, Context, Effect, Layer, Option, Redacted, References } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { Routes } from "../src/Routes.ts"
import { CurrentTenant, type TenantId } from "@quittance/domain/requests/Tenancy"
import * as Targets from "@quittance/persistence/targets"

interface Call {
  readonly headers?: Record<string, string>
  readonly body?: string
  /** Of the socket. */
  readonly address?: string
}

class Server extends Context.Service<
  Server,
  { readonly start: (call: Call) => Effect.Effect<Response> }
>()("test/Server") {}

const serve = (variables: Record<string, string>) =>
  Layer.effect(
    Server,
    Effect.gen(function* () {
      const app = yield* HttpApp.make(Routes)
      return Server.of({
        start: ({ address, body, headers }) => {
          const request = HttpServerRequest.fromWeb(
            new Request("http://localhost:8080/anonymous-session", {
              method: "POST",
              headers: { host: "localhost:8080", ...headers },
              ...(body === undefined ? {} : { body })
            })
          ).modify({ remoteAddress: Option.fromNullishOr(address) })
          return app.pipe(
            Effect.map((response) => HttpServerResponse.toWeb(response)),
            Effect.provideService(HttpServerRequest.HttpServerRequest, request),
            Effect.provideService(References.MinimumLogLevel, "Error"),
            Effect.scoped
          )
        }
      })
    })
  ).pipe(
    Layer.provide([ProductsRepo.layer, Targets.layer]),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(variables)))
  )

const shared = Layer.mergeAll(
  AccessTokens.layer,
  AuthorizationServerKeys.layer,
  GrantsRepo.layer,
  OneTimeLinkKey.layer,
  OneTimeLinks.layer,
  Sandbox.layer,
  UsersRepo.layer
).pipe(
  Layer.provide(Targets.layer),
  Layer.provideMerge(
    Issuers.layerOf("http://{tenant}.auth.localhost:8080", "http://localhost:8080")
  ),
  Layer.provideMerge(KeyEncryption.layerOf(new Uint8Array(32).fill(7))),
  Layer.provideMerge(PgTest.layer)
)

const newTenant = Effect.gen(function* () {
  const tenant = sandboxTenant()
  const { id } = tenant
  yield* Sandbox.use((sandbox) => sandbox.seedTenant(tenant, Effect.void))
  yield* AuthorizationServerKeys.use((keys) => keys.ensure).pipe(
    Effect.provideService(CurrentTenant, id)
  )
  return id
})

const start = (tenant: string, call: Call = {}) =>
  Server.use((server) => server.start({ ...call, headers: { tenant, ...call.headers } }))

const json = (response: Response) =>
  Effect.promise(() => response.json() as Promise<Record<string, unknown>>)

const refused = Effect.fn(function* (response: Response, status: number, code: string) {
  const body = yield* json(response)
  assert.deepStrictEqual([response.status, body["code"]], [status, code])
  assert.deepStrictEqual(Object.keys(body).sort(), ["code", "details", "message"])
})

const toPolicy = {
  role: "POLICYHOLDER",
  on: { kind: "RECORD", recordId: "policy_test_346789ABCDEFGHJKLMNPQ" }
} as const
const toWork = { role: "TENANT_MANAGER", on: { kind: "TENANT" } } as const

/** An invitation, and the secret of its link. */
const invited = Effect.fn(function* (tenant: TenantId, permission: Grant = toPolicy) {
  const links = yield* OneTimeLinks
  const key = yield* OneTimeLinkKey
  const sql = yield* TenantSql
  const users = yield* UsersRepo
  const make = Effect.gen(function* () {
    const manager = yield* users.findLogin(`manager@${tenant}.test`)
    return yield* links.make({
      purpose: "INVITATION",
      email: "ada@example.test",
      permissions: [permission],
      invitedBy: manager!.id,
      expires: { inSeconds: 3600 }
    })
  })
  const { id } = yield* sql.transaction(make).pipe(Effect.provideService(CurrentTenant, tenant))
  return { id, token: Redacted.value(key.token(tenant, id)) }
})

const live = { excludeTestServices: true }

layer(serve({}).pipe(Layer.provideMerge(shared)), live)("POST /anonymous-session", (it) => {
  it.effect("TN-06 needs the header tenant, well formed, of a tenant that exists", () =>
    Effect.gen(function* () {
      const server = yield* Server
      yield* refused(yield* server.start({}), 400, "MISSING_TENANT")
      yield* refused(yield* start("No Tenant"), 400, "INVALID_TENANT")
      yield* refused(yield* start("nowhere"), 404, "TENANT_NOT_FOUND")
    })
  )

  it.effect(
    "refuses a body that is none, has unknown members, or names a product that isn't sold",
    () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const headers = { "content-type": "application/json" }
        yield* refused(yield* start(tenant, { headers, body: "{" }), 400, "INVALID_REQUEST")
        yield* refused(
          yield* start(tenant, { headers, body: '{"product":"motor-fr"}' }),
          400,
          "INVALID_REQUEST"
        )
        yield* refused(
          yield* start(tenant, { headers, body: '{"productId":1}' }),
          400,
          "INVALID_REQUEST"
        )
        yield* refused(
          yield* start(tenant, { headers, body: '{"productId":"moon-fr"}' }),
          422,
          "UNKNOWN_PRODUCT"
        )
        yield* refused(
          yield* start(tenant, { headers: { "content-type": "text/plain" }, body: "{}" }),
          415,
          "UNSUPPORTED_MEDIA_TYPE"
        )
      })
  )

  it.effect("answers a token of the new session, with and without a body", () =>
    Effect.gen(function* () {
      const tenant = yield* newTenant
      const headers = { "content-type": "application/json" }
      for (const call of [{}, { headers, body: "{}" }]) {
        const response = yield* start(tenant, call)
        const { accessToken, sessionId, ...rest } = yield* json(response)
        assert.deepStrictEqual(
          [response.status, response.headers.get("cache-control")],
          [201, "no-store"]
        )
        assert.deepStrictEqual(Object.keys(rest).sort(), ["expiresAt", "expiresIn", "tokenType"])
        const caller = yield* AccessTokens.use((tokens) =>
          tokens.verify(Redacted.make(`${accessToken}`))
        ).pipe(Effect.provideService(CurrentTenant, tenant))
        assert.deepStrictEqual([caller._tag, subject(caller)], ["Anonymous", sessionId])
      }
    })
  )

  it.effect("IN-15: starts none with an invitation to work for the tenant", () =>
    Effect.gen(function* () {
      const tenant = yield* newTenant
      const headers = { "content-type": "application/json" }
      const { token } = yield* invited(tenant, toWork)
      const body = JSON.stringify({ invitationToken: token })
      // Twice: what was refused is not used up.
      yield* refused(yield* start(tenant, { headers, body }), 409, "ACCOUNT_REQUIRED")
      yield* refused(yield* start(tenant, { headers, body }), 409, "ACCOUNT_REQUIRED")
    })
  )

  it.effect("starts a session with what an invitation gives, once", () =>
    Effect.gen(function* () {
      const tenant = yield* newTenant
      const headers = { "content-type": "application/json" }
      const { id, token } = yield* invited(tenant)
      const body = JSON.stringify({ invitationToken: token })
      const foreign = yield* start(yield* newTenant, { headers, body })
      yield* refused(foreign, 404, "INVITATION_NOT_FOUND")
      const response = yield* start(tenant, { headers, body })
      assert.strictEqual(response.status, 201)
      const { sessionId } = yield* json(response)
      const given = yield* GrantsRepo.use((grants) =>
        grants.of(`${sessionId}` as AnonymousSessionId)
      ).pipe(Effect.provideService(CurrentTenant, tenant))
      assert.deepStrictEqual(given, [toPolicy])
      const again = yield* start(tenant, { headers, body })
      yield* refused(again, 404, "INVITATION_NOT_FOUND")
      yield* refused(
        yield* start(tenant, { headers, body: JSON.stringify({ invitationToken: id }) }),
        400,
        "INVALID_REQUEST"
      )
    })
  )

  it.effect(
    "AN-03 refuses the 101st of an address, whatever it claims to be, and serves the other tenant",
    () =>
      Effect.gen(function* () {
        const [tenant, other] = [yield* newTenant, yield* newTenant]
        const call = (i: number): Call => ({
          address: "192.0.2.7",
          headers: { "x-forwarded-for": `10.0.0.${i}` }
        })
        const answers = yield* Effect.all(
          Array.from({ length: 105 }, (_, i) => start(tenant, call(i))),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(answers.filter(({ status }) => status === 201).length, 100)
        const blocked = answers.find(({ status }) => status === 429)!
        const seconds = Number(blocked.headers.get("retry-after"))
        assert.isTrue(seconds > 3500 && seconds <= 3600)
        assert.deepStrictEqual(
          ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"].map((name) =>
            blocked.headers.get(name)
          ),
          ["100", "0", `${seconds}`]
        )
        yield* refused(blocked, 429, "RATE_LIMITED")
        assert.strictEqual((yield* start(other, call(0))).status, 201)
        assert.strictEqual((yield* start(tenant, { address: "192.0.2.8" })).status, 201)
      })
  )
})

layer(serve({ TRUSTED_PROXIES: "1" }).pipe(Layer.provideMerge(shared)), live)(
  "POST /anonymous-session behind one proxy",
  (it) => {
    it.effect("counts the address that the proxy saw, by /64, and not what the client wrote", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const call = (seen: string, claimed: string): Call => ({
          address: "10.0.0.1",
          headers: { "x-forwarded-for": `${claimed}, ${seen}` }
        })
        const answers = yield* Effect.all(
          Array.from({ length: 101 }, (_, i) =>
            start(tenant, call(`2001:db8:1:2::${i}`, `192.0.2.${i}`))
          ),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(answers.filter(({ status }) => status === 201).length, 100)
        assert.strictEqual((yield* start(tenant, call("2001:db8:1:3::1", "192.0.2.1"))).status, 201)
      })
    )
  }
)
