/** The client `oauth4webapi` against our servers, and as a service that accepts their tokens. */
import { assert, layer } from "@effect/vitest"
import { ClientId } from "@quittance/domain/requests/Caller"
import { AuthorizationServerKeyRotation } from "@quittance/operations/tokens/KeyRotation"
import { TokenIssuer } from "@quittance/operations/tokens/TokenIssuer"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as oauth from "oauth4webapi"
import * as OnSocket from "./OnSocket.ts"
import * as Server from "./Server.ts"
import type { TenantId } from "@quittance/domain/requests/Tenancy"

const TestLayer = AuthorizationServerKeyRotation.layer.pipe(Layer.provideMerge(OnSocket.TestLayer))
const options = { excludeTestServices: true }
const audience = "http://localhost:8080"

/** What one application knows: the server's metadata, its own credentials, and how it connects. */
const application = Effect.fn(function* (tenant: TenantId) {
  const connection = yield* OnSocket.connect
  const http = { [oauth.customFetch]: connection.fetch, [oauth.allowInsecureRequests]: true }
  const issuer = new URL(OnSocket.issuer(tenant))
  const server = yield* Effect.promise(async () => {
    const answer = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...http })
    return oauth.processDiscoveryResponse(issuer, answer)
  })
  const client: oauth.Client = { client_id: `${tenant}-integration` }
  const basic = oauth.ClientSecretBasic(`${tenant}-integration-secret`)
  const token = async (secret = basic) => {
    const parameters = { scope: "platform/policies" }
    const answer = await oauth.clientCredentialsGrantRequest(
      server,
      client,
      secret,
      parameters,
      http
    )
    return oauth.processClientCredentialsResponse(server, client, answer)
  }
  /** Accepts a token as another service would: by RFC 9068, with the keys of the JWKS. */
  const accept = (token: string, cache: oauth.JWKSCacheInput = {}) =>
    oauth.validateJwtAccessToken(
      server,
      new Request("http://localhost/", { headers: { authorization: `Bearer ${token}` } }),
      audience,
      { ...http, [oauth.jwksCache]: cache }
    )
  return { accept, basic, client, connection, http, server, token }
})

const failure = (attempt: () => Promise<unknown>) =>
  Effect.promise(() =>
    attempt().then(
      () => "none",
      (error: unknown) => (error instanceof Error && "code" in error ? `${error.code}` : `${error}`)
    )
  )

/** Lets the tenant's keys be a day old, and rotates. */
const rotate = (tenant: TenantId, compromised = false) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const tenantSql = yield* TenantSql
    yield* tenantSql.transaction(
      tenantSql.write(sql`UPDATE signing_key SET created_at = created_at - interval '1 day'`)
    )
    return yield* AuthorizationServerKeyRotation.use((keys) => keys.rotate({ compromised }))
  }).pipe(Server.as(tenant))

/** A token of an instance of its own, so that the server under test has signed nothing yet. */
const elsewhere = (tenant: TenantId) =>
  TokenIssuer.use((issuer) => issuer.client(ClientId.make(`${tenant}-integration`), "")).pipe(
    Effect.provide(Layer.fresh(TokenIssuer.layer)),
    Server.as(tenant)
  )

layer(TestLayer, options)("oauth4webapi is refused", (it) => {
  it.effect("TE-26 with a wrong secret, and with one in the body", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const { token } = yield* application(tenant)
      for (const secret of [
        oauth.ClientSecretBasic("wrong"),
        oauth.ClientSecretPost(`${tenant}-integration-secret`)
      ]) {
        assert.strictEqual(yield* failure(() => token(secret)), oauth.WWW_AUTHENTICATE_CHALLENGE)
      }
    })
  )
})

layer(TestLayer, options)("oauth4webapi refuses", (it) => {
  it.effect("TN-02 a token of another tenant, one of a deleted key, and one that was changed", () =>
    Effect.gen(function* () {
      const [tenant, other] = [yield* Server.newTenant, yield* Server.newTenant]
      const [one, two] = [yield* application(tenant), yield* application(other)]
      const { access_token } = yield* Effect.promise(() => two.token())
      assert.strictEqual(yield* failure(() => one.accept(access_token)), oauth.JWT_CLAIM_COMPARISON)
      const changed = `${access_token.slice(0, -4)}AAAA`
      assert.strictEqual(yield* failure(() => two.accept(changed)), oauth.INVALID_RESPONSE)
      yield* rotate(other, true)
      const anew = yield* application(other)
      assert.strictEqual(yield* failure(() => anew.accept(access_token)), oauth.KEY_SELECTION)
    })
  )
})

layer(TestLayer, options)("oauth4webapi", (it) => {
  it.effect("TE-01 gets a token that is valid by RFC 9068, introspects it and gives it back", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const { accept, basic, client, http, server, token } = yield* application(tenant)
      const { access_token, scope } = yield* Effect.promise(() => token())
      const claims = yield* Effect.promise(() => accept(access_token))
      assert.deepStrictEqual(
        [scope, claims.scope, claims.sub, claims["tenant"], claims["kind"]],
        ["platform/policies", "platform/policies", client.client_id, tenant, "client"]
      )
      const introspect = Effect.promise(async () => {
        const answer = await oauth.introspectionRequest(server, client, basic, access_token, http)
        return oauth.processIntrospectionResponse(server, client, answer)
      })
      const { active, exp, jti } = yield* introspect
      assert.deepStrictEqual([active, exp, jti], [true, claims.exp, claims.jti])
      yield* Effect.promise(async () =>
        oauth.processRevocationResponse(
          await oauth.revocationRequest(server, client, basic, access_token, http)
        )
      )
      assert.deepStrictEqual(yield* introspect, { active: false })
    })
  )

  it.effect("UF-05 signs a user in with a code and PKCE, and refreshes", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const { accept, connection, http, server } = yield* application(tenant)
      const cli: oauth.Client = { client_id: Server.signIn.clientId }
      const verifier = oauth.generateRandomCodeVerifier()
      const state = oauth.generateRandomState()
      const { redirectUri } = Server.signIn
      const address = new URL(server.authorization_endpoint!)
      address.search = `${new URLSearchParams({
        ...Server.request,
        code_challenge: yield* Effect.promise(() => oauth.calculatePKCECodeChallenge(verifier)),
        state
      })}`
      const credentials = { email: `north@${tenant}.test`, password: "sandbox-password" }
      const tokens = yield* Effect.promise(async () => {
        const callback = await OnSocket.signIn(connection, address, credentials)
        const answer = await oauth.authorizationCodeGrantRequest(
          server,
          cli,
          oauth.None(),
          oauth.validateAuthResponse(server, cli, callback, state),
          redirectUri,
          verifier,
          http
        )
        return oauth.processAuthorizationCodeResponse(server, cli, answer)
      })
      const refreshed = yield* Effect.promise(async () => {
        const answer = await oauth.refreshTokenGrantRequest(
          server,
          cli,
          oauth.None(),
          tokens.refresh_token!,
          http
        )
        return oauth.processRefreshTokenResponse(server, cli, answer)
      })
      const [first, second] = yield* Effect.promise(() =>
        Promise.all([accept(tokens.access_token), accept(refreshed.access_token)])
      )
      assert.deepStrictEqual([first["kind"], first.sub], ["user", second.sub])
      assert.notStrictEqual(first.jti, second.jti)
    })
  )

  it.effect("KY-05 accepts the tokens of a new key with the key set that it has kept", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const { accept, connection, server, token } = yield* application(tenant)
      const old = yield* elsewhere(tenant)
      const answer = yield* Effect.promise(() => connection.fetch(server.jwks_uri!, {}))
      assert.strictEqual(answer.headers.get("cache-control"), "public, max-age=300")
      const jwks = (yield* Server.json(answer)) as unknown as oauth.JWKS
      const kept = { jwks, uat: Math.floor(Date.now() / 1000) }
      const { keys, unknownUntil } = yield* rotate(tenant)
      assert.isUndefined(unknownUntil)
      const { access_token } = yield* Effect.promise(() => token())
      const asked = connection.asked.length
      yield* Effect.promise(() => Promise.all([accept(access_token, kept), accept(old, kept)]))
      assert.strictEqual(connection.asked.length, asked)
      const signers = [old, access_token].map((text) => decodeHeader(text).kid)
      assert.deepStrictEqual(signers, [keys[0]?.kid, keys[1]?.kid])
      // Who asks anew still finds the key of the old token.
      yield* Effect.promise(() => accept(old))
    })
  )
})

const decodeHeader = (token: string): { readonly kid: string } =>
  JSON.parse(Buffer.from(token.split(".")[0]!, "base64url").toString())
