/** Clients that authenticate by a key of their own (RFC 7523), as libraries do it and as attackers would. */
import { assert, layer } from "@effect/vitest"
import type { ClientKey } from "@quittance/domain/access/ClientKey"
import { ClientId } from "@quittance/domain/requests/Caller"
import { ClientsRepo } from "@quittance/persistence/access/ClientsRepo"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect } from "effect"
import * as jose from "jose"
import * as oauth from "oauth4webapi"
import * as openid from "openid-client"
import { createHmac, randomUUID } from "node:crypto"
import * as OnSocket from "./OnSocket.ts"
import * as Server from "./Server.ts"
import type { TenantId } from "@quittance/domain/requests/Tenancy"

const options = { excludeTestServices: true }
const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

type Algorithm = ClientKey["alg"]

/** A key pair, its public half as it is registered. */
const newKey = Effect.fn(function* (alg: Algorithm = "ES256", kid: string = randomUUID()) {
  const pair = yield* Effect.promise(() => jose.generateKeyPair(alg, { extractable: true }))
  const jwk = yield* Effect.promise(() => jose.exportJWK(pair.publicKey))
  return { ...pair, alg, kid, registered: { ...jwk, alg, kid } as unknown as ClientKey }
})
type Key = Effect.Success<ReturnType<typeof newKey>>

const clientId = (tenant: TenantId) => ClientId.make(`${tenant}-integration`)

const register = (tenant: TenantId, keys: ReadonlyArray<Key>) =>
  ClientsRepo.use((clients) =>
    clients.putKeys(
      clientId(tenant),
      keys.map(({ registered }) => registered)
    )
  ).pipe(Server.inTransaction, Server.as(tenant))

/** What an honest client says; `undefined` leaves a claim out. */
const claims = (tenant: TenantId) => ({
  iss: `${tenant}-integration`,
  sub: `${tenant}-integration`,
  aud: OnSocket.issuer(tenant) as string | ReadonlyArray<string> | undefined,
  jti: randomUUID() as string | number | undefined,
  iat: Math.floor(Date.now() / 1000),
  exp: Math.floor(Date.now() / 1000) + 60
})
type Claims = Record<string, unknown>

const sign = (key: Key, payload: Claims, header: Record<string, unknown> = {}) =>
  Effect.promise(() =>
    new jose.SignJWT(payload as jose.JWTPayload)
      .setProtectedHeader({ alg: key.alg, kid: key.kid, ...header })
      .sign(key.privateKey)
  )

const withAssertion = (client_assertion: string, more: Record<string, string> = {}) => ({
  grant_type: "client_credentials",
  client_assertion_type: assertionType,
  client_assertion,
  ...more
})

/** The status and error of the token endpoint's answer. */
const answer = Effect.fn(function* (
  tenant: TenantId,
  form: Record<string, string>,
  headers: Record<string, string> = {}
) {
  const response = yield* Server.token(tenant, form, headers)
  const body = yield* Server.json(response)
  return response.status === 200 ? "200" : `${response.status} ${body["error"]}`
})

layer(Server.TestLayer, options)("an assertion is refused", (it) => {
  it.effect("unless it is for this server, of this client, in time and with an identifier", () =>
    Effect.gen(function* () {
      const [tenant, other] = [yield* Server.newTenant, yield* Server.newTenant]
      const key = yield* newKey()
      yield* register(tenant, [key])
      const now = Math.floor(Date.now() / 1000)
      const wrong: Record<string, Claims> = {
        "another audience": { aud: OnSocket.issuer(other) },
        "two audiences": { aud: [OnSocket.issuer(tenant), "https://elsewhere.example"] },
        "no audience": { aud: undefined },
        "an empty list of audiences": { aud: [] },
        "the audience of access tokens": { aud: "http://localhost:8080" },
        "an audience that begins as ours": { aud: `${OnSocket.issuer(tenant)}.evil.example` },
        "another issuer": { iss: "other" },
        "another subject": { sub: Server.signIn.clientId },
        "an end that is past": { exp: now - 11 },
        "no end": { exp: undefined },
        "an end far away": { exp: now + 3600 },
        "an end that is a text": { exp: `${now + 60}` },
        "a beginning that is to come": { nbf: now + 60 },
        "a date of issue that is to come": { iat: now + 60 },
        "no identifier": { jti: undefined },
        "an empty identifier": { jti: "" },
        "an endless identifier": { jti: "x".repeat(201) },
        "an identifier that is no text": { jti: 1 }
      }
      for (const [name, change] of Object.entries(wrong)) {
        const assertion = yield* sign(key, { ...claims(tenant), ...change })
        const got = yield* answer(tenant, withAssertion(assertion), { "test-address": name })
        assert.strictEqual(got, "401 invalid_client", name)
      }
      const good = yield* sign(key, claims(tenant))
      assert.strictEqual(yield* answer(tenant, withAssertion(good)), "200")
    })
  )

  it.effect(
    "with a key that the client has not, an algorithm of another key, or no signature",
    () =>
      Effect.gen(function* () {
        const [tenant, other] = [yield* Server.newTenant, yield* Server.newTenant]
        const [key, rsa, stranger] = [yield* newKey(), yield* newKey("RS256"), yield* newKey()]
        yield* register(tenant, [key, rsa])
        yield* register(other, [stranger])
        const payload = Buffer.from(JSON.stringify(claims(tenant))).toString("base64url")
        const head = (header: object) => Buffer.from(JSON.stringify(header)).toString("base64url")
        const hmac = (header: object, secret: string) => {
          const content = `${head(header)}.${payload}`
          return `${content}.${createHmac("sha256", secret).update(content).digest("base64url")}`
        }
        const pem = yield* Effect.promise(() => jose.exportSPKI(rsa.publicKey))
        const honest = yield* sign(key, claims(tenant))
        const forged: Record<string, string> = {
          "a stranger's key": yield* sign(stranger, claims(tenant)),
          "a stranger's key under our kid": yield* sign(stranger, claims(tenant), { kid: key.kid }),
          "a stranger's key in the header": yield* sign(stranger, claims(tenant), {
            kid: undefined,
            jwk: stranger.registered
          }),
          "no algorithm": `${head({ alg: "none", kid: key.kid })}.${payload}.`,
          "the public key as a secret": hmac({ alg: "HS256", kid: rsa.kid }, pem),
          "the client's secret": hmac({ alg: "HS256" }, `${tenant}-integration-secret`),
          "another algorithm of the same key": yield* Effect.promise(async () => {
            const pkcs8 = await jose.exportPKCS8(rsa.privateKey)
            return new jose.SignJWT(claims(tenant) as jose.JWTPayload)
              .setProtectedHeader({ alg: "PS256", kid: rsa.kid })
              .sign(await jose.importPKCS8(pkcs8, "PS256"))
          }),
          "the type of a proof": yield* sign(key, claims(tenant), { typ: "dpop+jwt" }),
          "the type of an access token": yield* sign(key, claims(tenant), { typ: "at+jwt" }),
          "an unknown extension": yield* sign(key, claims(tenant), { kid: "x" }),
          "a changed payload": honest.replace(/\.[^.]+\./u, `.${payload}.`),
          "no token": "x",
          "an endless one": "x".repeat(5000)
        }
        for (const [name, assertion] of Object.entries(forged)) {
          const got = yield* answer(tenant, withAssertion(assertion), { "test-address": name })
          assert.strictEqual(got, "401 invalid_client", name)
        }
        assert.strictEqual(yield* answer(tenant, withAssertion(honest)), "200")
      })
  )

  it.effect("when it comes again, however many send it at once, and wherever", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const key = yield* newKey()
      yield* register(tenant, [key])
      const assertion = yield* sign(key, claims(tenant))
      const tries = Array.from({ length: 8 }, (_, index) =>
        answer(tenant, withAssertion(assertion), { "test-address": `192.0.2.${index}` })
      )
      const got = yield* Effect.all(tries, { concurrency: "unbounded" })
      assert.deepStrictEqual(got.toSorted(), [
        "200",
        ...Array.from({ length: 7 }, () => "401 invalid_client")
      ])
      const introspected = yield* Server.call(tenant, {
        path: "/oauth2/introspect",
        headers: Server.formType,
        body: new URLSearchParams({ ...withAssertion(assertion), token: "x" }).toString()
      })
      assert.strictEqual(introspected.status, 401)
      // What is kept of it is a digest that ends, not the assertion.
      const sql = yield* SuperuserSql
      const rows = yield* sql<{ bucket: string }>`
        SELECT bucket FROM rate_limit WHERE tenant_id = ${tenant} AND bucket LIKE 'once:%'
          AND ends_at < clock_timestamp() + interval '12 minutes'
      `
      assert.lengthOf(rows, 1)
    })
  )

  it.effect("when it comes again, and uses up nothing of the client's own quota", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const key = yield* newKey()
      yield* register(tenant, [key])
      const assertion = yield* sign(key, claims(tenant))
      assert.strictEqual(yield* answer(tenant, withAssertion(assertion)), "200")
      const sql = yield* SuperuserSql
      const spent = sql<{ count: number }>`
        SELECT coalesce(sum(count), 0)::int AS count FROM rate_limit
        WHERE tenant_id = ${tenant} AND bucket LIKE 'assertion:%'
      `
      const [before] = yield* spent
      assert.strictEqual(before!.count, 1)
      for (let turn = 0; turn < 30; turn++) {
        const from = { "test-address": `192.0.2.${turn}` }
        assert.strictEqual(
          yield* answer(tenant, withAssertion(assertion), from),
          "401 invalid_client"
        )
      }
      assert.deepStrictEqual(yield* spent, [before!])
      // Who repeats it comes to an end by themselves.
      const stranger = { "test-address": "192.0.2.200" }
      const tries = yield* Effect.replicateEffect(
        answer(tenant, withAssertion(assertion), stranger),
        21
      )
      assert.match(tries.at(-1)!, /^429/u)
    })
  )

  it.effect("beside another way to authenticate, or of another client than is named", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const key = yield* newKey()
      yield* register(tenant, [key])
      const assertion = yield* sign(key, claims(tenant))
      const ask = (more: Record<string, string>, headers: Record<string, string> = {}) =>
        answer(tenant, withAssertion(assertion, more), headers)
      const invalid = "400 invalid_request"
      assert.strictEqual(yield* ask({}, Server.integration(tenant)), invalid)
      assert.strictEqual(yield* ask({ client_secret: "x" }), invalid)
      assert.strictEqual(yield* ask({ client_assertion_type: "x" }), invalid)
      assert.strictEqual(yield* ask({ client_assertion: "" }), invalid)
      assert.strictEqual(yield* ask({ client_id: "another" }), "401 invalid_client")
      assert.strictEqual(yield* ask({ client_id: clientId(tenant) }), "200")
    })
  )

  it.effect("of a public client, even if keys of it were stored", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const key = yield* newKey()
      const app = Server.signIn.clientId
      yield* ClientsRepo.use((clients) => clients.putKeys(app, [key.registered])).pipe(
        Server.inTransaction,
        Server.as(tenant)
      )
      const assertion = yield* sign(key, { ...claims(tenant), iss: app, sub: app })
      assert.strictEqual(yield* answer(tenant, withAssertion(assertion)), "401 invalid_client")
    })
  )

  it.effect("within a second after its key was taken away", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const [old, next] = [yield* newKey(), yield* newKey()]
      yield* register(tenant, [old, next])
      const by = (key: Key) =>
        Effect.flatMap(sign(key, claims(tenant)), (text) => answer(tenant, withAssertion(text)))
      assert.deepStrictEqual([yield* by(old), yield* by(next)], ["200", "200"])
      yield* register(tenant, [next])
      // An instance that has not known the client before knows no other keys.
      assert.strictEqual(yield* by(old).pipe(Effect.provide(Server.another)), "401 invalid_client")
      assert.strictEqual(yield* by(next).pipe(Effect.provide(Server.another)), "200")
    })
  )
})

layer(Server.TestLayer, options)("an assertion lets a client in", (it) => {
  for (const alg of ["ES256", "EdDSA", "Ed25519", "PS256", "RS256"] as const) {
    it.effect(`signed with ${alg}, with and without the key's name, for either audience`, () =>
      Effect.gen(function* () {
        const tenant = yield* Server.newTenant
        const key = yield* newKey(alg)
        yield* register(tenant, [key])
        const issuer = OnSocket.issuer(tenant)
        for (const [aud, header] of [
          [issuer, {}],
          [[issuer], { typ: "JWT", ...(alg === "EdDSA" ? { alg: "Ed25519" } : {}) }],
          [`${issuer}/oauth2/token`, { kid: undefined }]
        ] as const) {
          const assertion = yield* sign(key, { ...claims(tenant), aud }, header)
          assert.strictEqual(yield* answer(tenant, withAssertion(assertion)), "200")
        }
      })
    )
  }
})

layer(OnSocket.TestLayer, options)("over sockets, private_key_jwt", (it) => {
  it.effect("is published, and oauth4webapi gets, introspects and revokes a token by it", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const key = yield* newKey("PS256")
      yield* register(tenant, [key])
      const connection = yield* OnSocket.connect
      const http = { [oauth.customFetch]: connection.fetch, [oauth.allowInsecureRequests]: true }
      const issuer = new URL(OnSocket.issuer(tenant))
      const client: oauth.Client = { client_id: clientId(tenant) }
      const proof = oauth.PrivateKeyJwt({ key: key.privateKey, kid: key.kid })
      const { active, server } = yield* Effect.promise(async () => {
        const server = await oauth.processDiscoveryResponse(
          issuer,
          await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...http })
        )
        const scope = { scope: "platform/policies" }
        const { access_token } = await oauth.processClientCredentialsResponse(
          server,
          client,
          await oauth.clientCredentialsGrantRequest(server, client, proof, scope, http)
        )
        const introspect = async () => {
          const answer = await oauth.introspectionRequest(server, client, proof, access_token, http)
          return (await oauth.processIntrospectionResponse(server, client, answer)).active
        }
        const before = await introspect()
        await oauth.processRevocationResponse(
          await oauth.revocationRequest(server, client, proof, access_token, http)
        )
        return { server, active: [before, await introspect()] }
      })
      assert.deepStrictEqual(active, [true, false])
      const algorithms = ["ES256", "EdDSA", "Ed25519", "PS256", "RS256"]
      for (const endpoint of ["token", "revocation", "introspection"]) {
        const methods = server[`${endpoint}_endpoint_auth_methods_supported`]
        assert.include(methods as ReadonlyArray<string>, "private_key_jwt", endpoint)
        const published = server[`${endpoint}_endpoint_auth_signing_alg_values_supported`]
        assert.deepStrictEqual(published as ReadonlyArray<string>, algorithms, endpoint)
      }
    })
  )

  it.effect("serves openid-client", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const key = yield* newKey("ES256")
      yield* register(tenant, [key])
      const connection = yield* OnSocket.connect
      const tokens = yield* Effect.promise(async () => {
        const configuration = await openid.discovery(
          new URL(OnSocket.issuer(tenant)),
          clientId(tenant),
          undefined,
          openid.PrivateKeyJwt({ key: key.privateKey, kid: key.kid }),
          {
            algorithm: "oauth2",
            execute: [openid.allowInsecureRequests],
            [openid.customFetch]: connection.fetch
          }
        )
        return openid.clientCredentialsGrant(configuration)
      })
      assert.strictEqual(tokens.token_type, "bearer")
    })
  )
})
