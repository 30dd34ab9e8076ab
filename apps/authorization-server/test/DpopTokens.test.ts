/** Tokens that are bound to a key (RFC 9449), as the authorization server issues them. */
import { assert, layer } from "@effect/vitest"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect } from "effect"
import * as jose from "jose"
import * as oauth from "oauth4webapi"
import * as openid from "openid-client"
import { randomUUID } from "node:crypto"
import * as OnSocket from "./OnSocket.ts"
import * as Server from "./Server.ts"
import type { TenantId } from "@quittance/domain/requests/Tenancy"

const options = { excludeTestServices: true }

const newKey = (alg = "ES256") =>
  Effect.promise(async () => {
    const pair = await jose.generateKeyPair(alg, { extractable: true })
    const jwk = await jose.exportJWK(pair.publicKey)
    return { ...pair, alg, jwk, jkt: await jose.calculateJwkThumbprint(jwk) }
  })
type Key = Effect.Success<ReturnType<typeof newKey>>

const proof = (tenant: TenantId, key: Key, claims: Record<string, unknown> = {}) =>
  Effect.promise(() =>
    new jose.SignJWT({
      jti: randomUUID(),
      htm: "POST",
      htu: `${OnSocket.issuer(tenant)}/oauth2/token`,
      iat: Math.floor(Date.now() / 1000),
      ...claims
    })
      .setProtectedHeader({ alg: key.alg, typ: "dpop+jwt", jwk: key.jwk })
      .sign(key.privateKey)
  )

const bound = Effect.fn(function* (
  tenant: TenantId,
  form: Record<string, string>,
  key: Key | undefined,
  headers: Record<string, string> = {}
) {
  const dpop = key === undefined ? {} : { dpop: yield* proof(tenant, key) }
  const response = yield* Server.token(tenant, form, { ...headers, ...dpop })
  return { status: response.status, body: yield* Server.json(response) }
})

const credentials = { grant_type: "client_credentials" }

/** The form by which the command line redeems a code, or refreshes. */
const redemption = (code: string) => ({
  grant_type: "authorization_code",
  client_id: Server.signIn.clientId,
  code,
  redirect_uri: Server.signIn.redirectUri,
  code_verifier: Server.signIn.verifier
})
const refreshing = (token: unknown) => ({
  grant_type: "refresh_token",
  client_id: Server.signIn.clientId,
  refresh_token: `${token}`
})

layer(Server.TestLayer, options)("the token endpoint refuses", (it) => {
  it.effect("a proof that is for another request, old, used or none, and uses nothing up", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const key = yield* newKey()
      const code = yield* Server.code(tenant)
      const now = Math.floor(Date.now() / 1000)
      const used = yield* proof(tenant, key)
      const basic = Server.integration(tenant)
      const first = yield* Server.token(tenant, credentials, { ...basic, dpop: used })
      assert.strictEqual(first.status, 200)
      const wrong: Record<string, string> = {
        "another method": yield* proof(tenant, key, { htm: "GET" }),
        "another address": yield* proof(tenant, key, { htu: `${OnSocket.issuer(tenant)}/` }),
        "another tenant": yield* proof(tenant, key, {
          htu: "http://acme.auth.localhost:8080/oauth2/token"
        }),
        "too old": yield* proof(tenant, key, { iat: now - 75 }),
        "too new": yield* proof(tenant, key, { iat: now + 60 }),
        "used before": used,
        "two of them": `${yield* proof(tenant, key)}, ${yield* proof(tenant, key)}`,
        nothing: ""
      }
      for (const [name, dpop] of Object.entries(wrong)) {
        for (const [form, headers] of [
          [credentials, basic],
          [redemption(code), {}]
        ] as const) {
          const response = yield* Server.token(tenant, form, { ...headers, dpop })
          const { error } = yield* Server.json(response)
          assert.strictEqual(`${response.status} ${error}`, "400 invalid_dpop_proof", name)
        }
      }
      const { body } = yield* bound(tenant, redemption(code), key)
      assert.strictEqual(body["token_type"], "DPoP")
    })
  )

  it.effect(
    "a refresh token of a public client with another key or none, and ends the sign-in",
    () =>
      Effect.gen(function* () {
        const tenant = yield* Server.newTenant
        const [key, other] = [yield* newKey(), yield* newKey()]
        for (const thief of [other, undefined]) {
          const first = yield* bound(tenant, redemption(yield* Server.code(tenant)), key)
          const next = yield* bound(tenant, refreshing(first.body["refresh_token"]), key)
          assert.deepStrictEqual([next.status, next.body["token_type"]], [200, "DPoP"])
          const stolen = next.body["refresh_token"]
          const refused = yield* bound(tenant, refreshing(stolen), thief)
          assert.strictEqual(refused.body["error"], "invalid_grant")
          const again = yield* bound(tenant, refreshing(stolen), key)
          assert.strictEqual(again.body["error"], "invalid_grant")
        }
        const sql = yield* SuperuserSql
        const rows = yield* sql<{ reason: string }>`
        SELECT detail->>'reason' AS reason FROM audit
        WHERE tenant_id = ${tenant} AND action = 'user.signIn.end'
      `
        assert.deepStrictEqual(rows, [{ reason: "OTHER_KEY" }, { reason: "OTHER_KEY" }])
      })
  )

  it.effect("wrong and repeated proofs of one address after twenty, and no others", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const key = yield* newKey()
      const used = yield* proof(tenant, key)
      const basic = Server.integration(tenant)
      const send = (dpop: string, address: string) =>
        Effect.map(
          Server.token(tenant, credentials, { ...basic, dpop, "test-address": address }),
          ({ status }) => status
        )
      assert.strictEqual(yield* send(used, "192.0.2.1"), 200)
      for (let turn = 0; turn < 10; turn++) {
        assert.strictEqual(yield* send(used, "192.0.2.1"), 400)
        assert.strictEqual(yield* send("no proof", "192.0.2.1"), 400)
      }
      assert.strictEqual(yield* send("no proof", "192.0.2.1"), 429)
      assert.strictEqual(yield* send(yield* proof(tenant, key), "192.0.2.1"), 429)
      assert.strictEqual(yield* send(yield* proof(tenant, key), "192.0.2.2"), 200)
    })
  )

  it.effect("a code that was asked for with a key (dpop_jkt) from a client with another one", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const [key, other] = [yield* newKey(), yield* newKey()]
      const codeFor = Effect.fn(function* (dpop_jkt: string) {
        const response = yield* Server.submit(tenant, { dpop_jkt })
        return new URL(response.headers.get("location") ?? "none:").searchParams
      })
      assert.strictEqual((yield* codeFor("short")).get("error"), "invalid_request")
      for (const thief of [other, undefined]) {
        const code = (yield* codeFor(key.jkt)).get("code")!
        const refused = yield* bound(tenant, redemption(code), thief)
        assert.strictEqual(refused.body["error"], "invalid_grant")
      }
      const good = yield* bound(tenant, redemption((yield* codeFor(key.jkt)).get("code")!), key)
      assert.strictEqual(good.status, 200)
    })
  )
})

layer(OnSocket.TestLayer, options)("over sockets, DPoP", (it) => {
  it.effect("is published, and oauth4webapi gets a bound token whose key introspection names", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const connection = yield* OnSocket.connect
      const http = { [oauth.customFetch]: connection.fetch, [oauth.allowInsecureRequests]: true }
      const issuer = new URL(OnSocket.issuer(tenant))
      const client: oauth.Client = { client_id: `${tenant}-integration` }
      const secret = oauth.ClientSecretBasic(`${tenant}-integration-secret`)
      const key = yield* newKey("EdDSA")
      const { introspected, server, tokens } = yield* Effect.promise(async () => {
        const server = await oauth.processDiscoveryResponse(
          issuer,
          await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...http })
        )
        const DPoP = oauth.DPoP(client, key)
        const tokens = await oauth.processClientCredentialsResponse(
          server,
          client,
          await oauth.clientCredentialsGrantRequest(
            server,
            client,
            secret,
            { scope: "platform/policies" },
            { ...http, DPoP }
          )
        )
        const introspected = await oauth.processIntrospectionResponse(
          server,
          client,
          await oauth.introspectionRequest(server, client, secret, tokens.access_token, http)
        )
        return { server, tokens, introspected }
      })
      const algorithms = ["ES256", "EdDSA", "Ed25519", "PS256", "RS256"]
      assert.deepStrictEqual(server.dpop_signing_alg_values_supported, algorithms)
      assert.strictEqual(tokens.token_type, "dpop")
      assert.deepStrictEqual(
        [introspected.active, introspected.token_type, introspected.cnf?.jkt],
        [true, "DPoP", key.jkt]
      )
    })
  )

  it.effect("binds what openid-client signs a user in with, and refreshes", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const connection = yield* OnSocket.connect
      const types = yield* Effect.promise(async () => {
        const configuration = await openid.discovery(
          new URL(OnSocket.issuer(tenant)),
          Server.signIn.clientId,
          undefined,
          openid.None(),
          {
            algorithm: "oauth2",
            execute: [openid.allowInsecureRequests],
            [openid.customFetch]: connection.fetch
          }
        )
        const DPoP = openid.getDPoPHandle(configuration, await openid.randomDPoPKeyPair("ES256"))
        const pkceCodeVerifier = openid.randomPKCECodeVerifier()
        const expectedState = openid.randomState()
        const address = openid.buildAuthorizationUrl(configuration, {
          redirect_uri: Server.signIn.redirectUri,
          code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
          code_challenge_method: "S256",
          dpop_jkt: await DPoP.calculateThumbprint(),
          state: expectedState
        })
        const callback = await OnSocket.signIn(connection, address, {
          email: `north@${tenant}.test`,
          password: "sandbox-password"
        })
        const checks = { pkceCodeVerifier, expectedState }
        const first = await openid.authorizationCodeGrant(
          configuration,
          callback,
          checks,
          undefined,
          { DPoP }
        )
        const next = await openid.refreshTokenGrant(
          configuration,
          first.refresh_token!,
          undefined,
          { DPoP }
        )
        return [first.token_type, next.token_type]
      })
      assert.deepStrictEqual(types, ["dpop", "dpop"])
    })
  )
})
