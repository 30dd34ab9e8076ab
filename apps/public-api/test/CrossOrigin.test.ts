/** Calls from pages of other origins, by the ids of test/security-cases.json. */
import { assert, layer } from "@effect/vitest"
import { routesOf } from "@quittance/contract/api/PermissionMatrix"
import { PublicApi } from "@quittance/contract/api/PublicApi"
import { ConfigProvider, Effect, Layer } from "effect"
import { Api, call, newTenant, Services } from "./Api.ts"

const partner = "https://partner.example"

const served = (variables: Record<string, string>) =>
  Api.layer.pipe(
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(variables))),
    Layer.provideMerge(Services)
  )

/** The headers of an answer that tell a browser whom to show it. */
const corsOf = Effect.fnUntraced(function* (
  method: string,
  path: string,
  headers: Record<string, string>
) {
  const { fetch } = yield* Api
  const response = yield* fetch(new Request(`http://localhost:8080${path}`, { method, headers }))
  return Object.fromEntries(
    [...response.headers].filter(([name]) => name.startsWith("access-control-"))
  )
})

const preflight = { "access-control-request-method": "POST" }

const unlisted = [
  "https://evil.test",
  "null",
  "https://partner.example.evil.test",
  "https://evilpartner.example",
  "http://partner.example",
  "https://partner.example:444",
  "HTTPS://PARTNER.EXAMPLE",
  "https://partner.example/",
  "https://partner.example.",
  "https://sub.partner.example",
  "*",
  ""
]

// Real time: the database dates sessions by its own clock.
layer(served({ ENVIRONMENT: "sandbox", CORS_ORIGINS: partner }), { excludeTestServices: true })(
  "a page of another origin",
  (it) => {
    it.effect.each(unlisted)("CO-02 gets nothing to read by where it is not listed: %s", (origin) =>
      Effect.gen(function* () {
        const { client, tenant } = yield* newTenant
        const authorization = `Bearer ${client}`
        assert.deepStrictEqual(yield* corsOf("OPTIONS", "/account", { origin, ...preflight }), {})
        const cors = yield* corsOf("GET", "/account", { origin, tenant, authorization })
        assert.deepStrictEqual(cors, {})
      })
    )

    it.effect("CO-03 may read refusals where it is listed", () =>
      Effect.gen(function* () {
        const { client, session, tenant } = yield* newTenant
        const refusals = [
          [400, "/account", {}],
          [401, "/account", { tenant }],
          [403, "/accounting-summary", { tenant, token: session }],
          [404, "/policies/unknown/nowhere", { tenant, token: client }],
          [405, "/account", { tenant, method: "DELETE" }]
        ] as const
        for (const [expected, path, request] of refusals) {
          const { header, status } = yield* call(path, { ...request, headers: { origin: partner } })
          assert.deepStrictEqual(
            [status, header("access-control-allow-origin")],
            [expected, partner]
          )
        }
      })
    )

    it.effect("CO-04 is never answered with a wildcard, and never with its user's cookies", () =>
      Effect.gen(function* () {
        const { client, tenant } = yield* newTenant
        const authorization = `Bearer ${client}`
        for (const { method, path } of routesOf(PublicApi)) {
          for (const origin of [partner, "https://evil.test"]) {
            const answers = [
              yield* corsOf("OPTIONS", path, { origin, ...preflight }),
              yield* corsOf(method, path, { origin }),
              yield* corsOf(method, path, { origin, tenant, authorization })
            ]
            for (const cors of answers) {
              assert.notProperty(cors, "access-control-allow-credentials")
              for (const value of Object.values(cors)) assert.notInclude(value, "*")
              assert.strictEqual(
                cors["access-control-allow-origin"],
                origin === partner ? partner : undefined
              )
            }
          }
        }
      })
    )

    it.effect("CO-05 of this machine may read outside production", () =>
      Effect.gen(function* () {
        const origin = "http://localhost:3000"
        const cors = yield* corsOf("GET", "/account", { origin })
        assert.strictEqual(cors["access-control-allow-origin"], origin)
      })
    )
  }
)

layer(served({ ENVIRONMENT: "production", CORS_ORIGINS: partner }), { excludeTestServices: true })(
  "in production",
  (it) => {
    it.effect("CO-05 no page of this machine may read, and a listed one may", () =>
      Effect.gen(function* () {
        for (const origin of ["http://localhost:3000", "http://127.0.0.1:3000", "http://[::1]"]) {
          assert.deepStrictEqual(yield* corsOf("GET", "/account", { origin }), {})
          assert.deepStrictEqual(yield* corsOf("OPTIONS", "/account", { origin, ...preflight }), {})
        }
        const cors = yield* corsOf("GET", "/account", { origin: partner })
        assert.strictEqual(cors["access-control-allow-origin"], partner)
      })
    )
  }
)
