import { assert, layer } from "@effect/vitest"
import { AccessTokens } from "@quittance/operations/tokens/AccessTokens"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import * as Server from "./Server.ts"

const options = { excludeTestServices: true }

const get = (tenant: Parameters<typeof Server.call>[0], path: string) =>
  Effect.flatMap(Server.call(tenant, { method: "GET", path }), Server.json)

layer(Server.TestLayer, options)("the server's metadata", (it) => {
  it.effect("TN-17 names the address it was fetched from, and endpoints below it", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const issuer = `http://${tenant}.auth.localhost:8080`
      const document = yield* get(tenant, "/.well-known/oauth-authorization-server")
      assert.strictEqual(document["issuer"], issuer)
      for (const [name, value] of Object.entries(document)) {
        if (/_endpoint$|_uri$/u.test(name)) assert.isTrue(`${value}`.startsWith(`${issuer}/`), name)
      }
      assert.deepStrictEqual(document["code_challenge_methods_supported"], ["S256"])
      assert.deepStrictEqual(yield* get(tenant, "/.well-known/openid-configuration"), document)
    })
  )

  it.effect("KY-04 publishes public members of the tenant's keys alone", () =>
    Effect.gen(function* () {
      const [tenant, other] = [yield* Server.newTenant, yield* Server.newTenant]
      const { keys } = yield* get(tenant, "/oauth2/jwks")
      const published = keys as ReadonlyArray<Record<string, string>>
      assert.deepStrictEqual(
        published.map((key) => Object.keys(key).sort().join(" ")),
        ["alg crv kid kty use x y", "alg crv kid kty use x y"]
      )
      assert.deepStrictEqual([published[0]!["alg"], published[0]!["crv"]], ["ES256", "P-256"])
      assert.notDeepEqual(yield* get(other, "/oauth2/jwks"), { keys })
    })
  )
})

layer(Server.TestLayer, options)("POST /oauth2/revoke", (it) => {
  const revoke = (
    tenant: Parameters<typeof Server.call>[0],
    form: Record<string, string>,
    headers = Server.integration(tenant)
  ) =>
    Server.call(tenant, {
      path: "/oauth2/revoke",
      headers: { ...Server.formType, ...headers },
      body: new URLSearchParams(form).toString()
    })

  const issued = Effect.fn(function* (tenant: Parameters<typeof Server.call>[0]) {
    const body = yield* Server.json(
      yield* Server.token(tenant, { grant_type: "client_credentials" })
    )
    return `${body["access_token"]}`
  })

  const isRevoked = (tenant: Parameters<typeof Server.call>[0]) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* TenantSql.use((tenantSql) =>
        tenantSql.read(sql`SELECT jti FROM revoked_token`)
      )
      return rows.length > 0
    }).pipe(Server.as(tenant))

  it.effect("refuses who does not authenticate, and a request without a token", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const statuses = [
        (yield* revoke(tenant, { token: "x" }, {})).status,
        (yield* revoke(tenant, { token: "x" }, Server.basic("x", "y"))).status,
        (yield* revoke(tenant, {})).status
      ]
      assert.deepStrictEqual(statuses, [401, 401, 400])
    })
  )

  it.effect(
    "KY-06 has no effect on the token of another tenant or another client, and does not say so",
    () =>
      Effect.gen(function* () {
        const [tenant, other] = [yield* Server.newTenant, yield* Server.newTenant]
        const [own, foreign] = [yield* issued(tenant), yield* issued(other)]
        const billing = Server.basic(`${tenant}-billing`, `${tenant}-billing-secret`)
        assert.strictEqual((yield* revoke(tenant, { token: foreign })).status, 200)
        assert.strictEqual((yield* revoke(tenant, { token: own }, billing)).status, 200)
        assert.strictEqual((yield* revoke(tenant, { token: "a.b.c" })).status, 200)
        assert.deepStrictEqual([yield* isRevoked(tenant), yield* isRevoked(other)], [false, false])
      })
  )

  it.effect("KY-01 ends an access token, and with a refresh token the whole sign-in", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const token = yield* issued(tenant)
      assert.strictEqual(
        (yield* revoke(tenant, { token, token_type_hint: "access_token" })).status,
        200
      )
      const signedIn = yield* Server.json(yield* Server.redeem(tenant, yield* Server.code(tenant)))
      const refreshToken = `${signedIn["refresh_token"]}`
      const asPublic = { token: refreshToken, client_id: Server.signIn.clientId }
      assert.strictEqual((yield* revoke(tenant, { token: refreshToken })).status, 200)
      assert.strictEqual((yield* revoke(tenant, asPublic, {})).status, 200)
      assert.strictEqual((yield* Server.refresh(tenant, refreshToken)).status, 400)

      // Another instance, which has not seen the tokens yet.
      const elsewhere = Layer.fresh(AccessTokens.layer)
      const verify = (text: unknown) =>
        AccessTokens.use((tokens) => tokens.verify(Redacted.make(`${text}`))).pipe(
          Effect.provide(elsewhere),
          Server.as(tenant),
          Effect.flip
        )
      for (const text of [token, signedIn["access_token"]]) {
        const error = yield* verify(text)
        assert.strictEqual(error._tag, "Unauthorized")
      }
    })
  )
})
