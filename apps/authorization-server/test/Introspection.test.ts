import { assert, layer } from "@effect/vitest"
import { lifetimes } from "@quittance/domain/tokens/Token"
import { ClientId } from "@quittance/domain/requests/Caller"
import { AuthorizationServerKeys } from "@quittance/operations/tokens/SigningKeys"
import { TokenIssuer } from "@quittance/operations/tokens/TokenIssuer"
import { AnonymousSessionsRepo } from "@quittance/persistence/access/AnonymousSessionsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import * as Server from "./Server.ts"
import type { TenantId } from "@quittance/domain/requests/Tenancy"

const TestLayer = Layer.mergeAll(AnonymousSessionsRepo.layer, TokenIssuer.layer).pipe(
  Layer.provideMerge(Server.TestLayer)
)

const inactive = { active: false }

const post = (
  tenant: TenantId,
  path: string,
  form: Record<string, string>,
  headers = Server.integration(tenant)
) =>
  Server.call(tenant, {
    path,
    headers: { ...Server.formType, ...headers },
    body: new URLSearchParams(form).toString()
  })

const introspect = (tenant: TenantId, token: unknown, form: Record<string, string> = {}) =>
  Effect.flatMap(
    post(tenant, "/oauth2/introspect", { token: `${token}`, ...form }),
    Effect.fnUntraced(function* (response) {
      assert.deepStrictEqual(
        [response.status, response.headers.get("cache-control")],
        [200, "no-store"]
      )
      return yield* Server.json(response)
    })
  )

const ofClient = Effect.fn(function* (tenant: TenantId) {
  const form = { grant_type: "client_credentials", scope: "platform/policies" }
  return `${(yield* Server.json(yield* Server.token(tenant, form)))["access_token"]}`
})

/** The tokens of a user whom the confidential client has signed in. */
const signedIn = Effect.fn(function* (tenant: TenantId) {
  const client_id = yield* Server.confidentialApp(tenant)
  const code = yield* Server.code(tenant, { client_id })
  return yield* Server.json(yield* Server.redeem(tenant, code, { client_id }, own(tenant)))
})

const own = (tenant: TenantId) => Server.integration(tenant)

const rotate = (tenant: TenantId, token: unknown) =>
  Effect.flatMap(
    Server.refresh(tenant, token, { client_id: `${tenant}-integration` }, own(tenant)),
    Server.json
  )

const change = (
  tenant: TenantId,
  statement: (sql: SqlClient.SqlClient) => Statement.Statement<object>
) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const tenantSql = yield* TenantSql
    yield* tenantSql.transaction(tenantSql.write(statement(sql)))
  }).pipe(Server.as(tenant))

const options = { excludeTestServices: true }

layer(TestLayer, options)("POST /oauth2/introspect refuses", (it) => {
  it.effect("who does not authenticate, or can't keep a secret, whatever the token is", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const token = yield* ofClient(tenant)
      const callers: ReadonlyArray<[Record<string, string>, Record<string, string>]> = [
        [{}, {}],
        [Server.basic(`${tenant}-integration`, "wrong"), {}],
        [{ authorization: `Bearer ${token}` }, {}],
        [{}, { client_id: Server.signIn.clientId }],
        [{}, { client_id: `${tenant}-integration` }],
        [Server.basic(Server.signIn.clientId, ""), {}],
        [{}, { client_id: `${tenant}-integration`, client_secret: `${tenant}-integration-secret` }]
      ]
      for (const [headers, form] of callers) {
        const response = yield* post(tenant, "/oauth2/introspect", { token, ...form }, headers)
        const body = yield* Server.json(response)
        assert.deepStrictEqual([response.status, body["error"]], [401, "invalid_client"])
        assert.match(response.headers.get("www-authenticate") ?? "", /^Basic realm="/u)
        assert.notProperty(body, "active")
      }
    })
  )

  it.effect("every method but POST, a request without a token, and a token in the address", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const token = yield* ofClient(tenant)
      for (const path of ["/oauth2/introspect", "/oauth2/revoke"]) {
        const got = yield* Server.call(tenant, {
          method: "GET",
          path: `${path}?token=${token}`,
          headers: Server.integration(tenant)
        })
        assert.deepStrictEqual([got.status, got.headers.get("allow")], [405, "POST"])
        for (const [address, form] of [
          [path, ""],
          [path, "token="],
          [path, "token_type_hint=access_token"],
          [path, `token=${token}&token=${token}`],
          [`${path}?token=${token}`, ""]
        ] as const) {
          const response = yield* Server.call(tenant, {
            path: address,
            headers: { ...Server.formType, ...Server.integration(tenant) },
            body: form
          })
          const { error } = yield* Server.json(response)
          assert.deepStrictEqual([response.status, error], [400, "invalid_request"], form)
        }
      }
    })
  )
})

layer(TestLayer, options)(
  "POST /oauth2/introspect says of what does not count no more than that",
  (it) => {
    it.effect("KY-06 a token of another tenant, which stays what it is at home", () =>
      Effect.gen(function* () {
        const [tenant, other] = [yield* Server.newTenant, yield* Server.newTenant]
        const { refresh_token } = yield* signedIn(other)
        const access = yield* ofClient(other)
        for (const token of [access, refresh_token]) {
          assert.deepStrictEqual(yield* introspect(tenant, token), inactive)
          assert.strictEqual(
            (yield* post(tenant, "/oauth2/revoke", { token: `${token}` })).status,
            200
          )
          assert.propertyVal(yield* introspect(other, token), "active", true)
        }
      })
    )

    it.effect("what is no token of ours", () =>
      Effect.gen(function* () {
        const tenant = yield* Server.newTenant
        const token = yield* ofClient(tenant)
        const [header, payload] = token.split(".")
        for (const text of [
          "x",
          "a.b.c",
          "...",
          `${header}.${payload}.`,
          `${token}x`,
          ` ${token}`,
          "x".repeat(10_000),
          "\u{1F511}",
          yield* Server.code(tenant),
          `${tenant}-integration-secret`
        ]) {
          assert.deepStrictEqual(yield* introspect(tenant, text), inactive, text)
        }
      })
    )

    it.effect("a refresh token that was used up, and all of its sign-in when it comes back", () =>
      Effect.gen(function* () {
        const tenant = yield* Server.newTenant
        const { refresh_token: first } = yield* signedIn(tenant)
        const second = yield* rotate(tenant, first)
        assert.deepStrictEqual(yield* introspect(tenant, first), inactive)
        assert.propertyVal(yield* introspect(tenant, second["refresh_token"]), "active", true)
        assert.propertyVal(yield* introspect(tenant, second["access_token"]), "active", true)
        yield* rotate(tenant, first)
        assert.deepStrictEqual(yield* introspect(tenant, second["refresh_token"]), inactive)
        assert.deepStrictEqual(yield* introspect(tenant, second["access_token"]), inactive)
      })
    )

    it.effect("tokens that have expired", () =>
      Effect.gen(function* () {
        const tenant = yield* Server.newTenant
        const { refresh_token } = yield* signedIn(tenant)
        yield* change(
          tenant,
          (sql) => sql`
          UPDATE refresh_family SET created_at = created_at - interval '1 day',
            expires_at = clock_timestamp() - interval '1 second'
        `
        )
        assert.deepStrictEqual(yield* introspect(tenant, refresh_token), inactive)

        const now = Math.floor(Date.now() / 1000)
        const signed = (exp: number) =>
          AuthorizationServerKeys.use((keys) =>
            keys.sign({
              iss: `http://${tenant}.auth.localhost:8080`,
              aud: "http://localhost:8080",
              client_id: `${tenant}-integration`,
              jti: `${exp}`,
              iat: now - 3600,
              exp,
              tenant,
              kind: "client",
              sub: ClientId.make(`${tenant}-integration`),
              scope: "platform/policies"
            })
          ).pipe(Server.as(tenant))
        assert.deepStrictEqual(yield* introspect(tenant, yield* signed(now - 60)), inactive)
        assert.propertyVal(yield* introspect(tenant, yield* signed(now + 60)), "active", true)
      })
    )

    it.effect("tokens of a user or a client that was disabled", () =>
      Effect.gen(function* () {
        const tenant = yield* Server.newTenant
        const { access_token, refresh_token } = yield* signedIn(tenant)
        yield* change(
          tenant,
          (sql) => sql`
          UPDATE app_user SET status = 'DISABLED', disabled_at = now() WHERE email LIKE 'north@%'
        `
        )
        assert.deepStrictEqual(yield* introspect(tenant, access_token), inactive)
        assert.deepStrictEqual(yield* introspect(tenant, refresh_token), inactive)
        const token = yield* ofClient(tenant)
        const integration = `${tenant}-integration`
        yield* change(
          tenant,
          (sql) => sql`UPDATE client SET disabled_at = now() WHERE id = ${integration}`
        )
        // The server may know the client for a second more; its tokens count no longer.
        const answer = yield* post(tenant, "/oauth2/introspect", { token })
        assert.notPropertyVal(yield* Server.json(answer), "active", true)
      })
    )
  }
)

layer(TestLayer, options)("POST /oauth2/revoke", (it) => {
  it.effect("KY-01 counts at once at the server that was asked, with any hint or none", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      for (const hint of ["", "access_token", "refresh_token", "saml2", "__proto__"]) {
        const token = yield* ofClient(tenant)
        assert.propertyVal(yield* introspect(tenant, token), "active", true)
        const form = hint === "" ? { token } : { token, token_type_hint: hint }
        assert.strictEqual((yield* post(tenant, "/oauth2/revoke", form)).status, 200, hint)
        assert.deepStrictEqual(yield* introspect(tenant, token), inactive, hint)
        assert.strictEqual((yield* post(tenant, "/oauth2/revoke", form)).status, 200, hint)
      }
    })
  )

  it.effect("ends with a refresh token, used or not, the whole sign-in and no other", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const hinted = (token: unknown) => ({ token: `${token}`, token_type_hint: "access_token" })
      const other = yield* signedIn(tenant)
      for (const use of [false, true]) {
        const first = yield* signedIn(tenant)
        const last = use ? yield* rotate(tenant, first["refresh_token"]) : first
        const form = hinted(first["refresh_token"])
        assert.strictEqual((yield* post(tenant, "/oauth2/revoke", form)).status, 200)
        for (const { access_token, refresh_token } of [first, last]) {
          assert.deepStrictEqual(yield* introspect(tenant, access_token), inactive)
          assert.deepStrictEqual(yield* introspect(tenant, refresh_token), inactive)
        }
      }
      assert.propertyVal(yield* introspect(tenant, other["access_token"]), "active", true)
      assert.propertyVal(yield* introspect(tenant, other["refresh_token"]), "active", true)
    })
  )

  it.effect("leaves the sign-in where only its access token is given back", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const { access_token, refresh_token } = yield* signedIn(tenant)
      const form = { token: `${access_token}` }
      assert.strictEqual((yield* post(tenant, "/oauth2/revoke", form)).status, 200)
      assert.deepStrictEqual(yield* introspect(tenant, access_token), inactive)
      assert.propertyVal(yield* introspect(tenant, refresh_token), "active", true)
    })
  )
})

layer(TestLayer, options)("POST /oauth2/introspect describes", (it) => {
  it.effect("tokens to the client that was given them, and to no other of the tenant", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const { access_token, refresh_token } = yield* signedIn(tenant)
      const billing = Server.basic(`${tenant}-billing`, `${tenant}-billing-secret`)
      for (const token of [yield* ofClient(tenant), `${access_token}`, `${refresh_token}`]) {
        const answer = yield* post(tenant, "/oauth2/introspect", { token }, billing)
        assert.deepStrictEqual(yield* Server.json(answer), inactive)
        assert.propertyVal(yield* introspect(tenant, token), "active", true)
      }
      // Those of a public client are never described.
      const code = yield* Server.code(tenant)
      const others = yield* Server.json(yield* Server.redeem(tenant, code))
      assert.deepStrictEqual(yield* introspect(tenant, others["access_token"]), inactive)
    })
  )

  it.effect("a client's token", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const token = yield* ofClient(tenant)
      const { exp, iat, jti, ...rest } = yield* introspect(tenant, token)
      assert.deepStrictEqual(rest, {
        active: true,
        token_type: "Bearer",
        iss: `http://${tenant}.auth.localhost:8080`,
        aud: "http://localhost:8080",
        sub: `${tenant}-integration`,
        client_id: `${tenant}-integration`,
        tenant,
        kind: "client",
        scope: "platform/policies"
      })
      assert.strictEqual(Number(exp) - Number(iat), 3600)
      assert.isString(jti)
    })
  )

  it.effect("a user's tokens: a refresh token without what makes an access token", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const { access_token, refresh_token } = yield* signedIn(tenant)
      const access = yield* introspect(tenant, access_token, { token_type_hint: "refresh_token" })
      const refresh = yield* introspect(tenant, refresh_token, { token_type_hint: "access_token" })
      const members = "active aud client_id exp iat iss jti kind sub tenant token_type"
      assert.strictEqual(Object.keys(access).sort().join(" "), members)
      const { exp, iat, ...rest } = refresh
      assert.deepStrictEqual(rest, {
        active: true,
        iss: access["iss"],
        sub: access["sub"],
        client_id: `${tenant}-integration`,
        tenant,
        kind: "user"
      })
      assert.closeTo(Number(exp) - Number(iat), lifetimes.refreshIdle, 1)
    })
  )

  it.effect("the token of an anonymous session to no client, since none was given it", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const sessions = yield* AnonymousSessionsRepo
      const id = (yield* Ids).next("anonymous_session")
      const insert = sessions.insert({ id, productId: undefined, lifetimeSeconds: 3600 })
      const session = yield* Server.inTransaction(insert).pipe(Server.as(tenant))
      const token = yield* TokenIssuer.use((issuer) => issuer.anonymous(session)).pipe(
        Server.as(tenant)
      )
      assert.deepStrictEqual(yield* introspect(tenant, token), inactive)
    })
  )
})
