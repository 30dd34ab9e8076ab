/** Tokens that are bound to a key (RFC 9449), at every route of the contract. */
import { assert, layer } from "@effect/vitest"
import { routesOf } from "@quittance/contract/api/PermissionMatrix"
import { PublicApi } from "@quittance/contract/api/PublicApi"
import { type ClientId, scopeNames } from "@quittance/domain/requests/Caller"
import { TokenBinding } from "@quittance/domain/tokens/Token"
import { TokenIssuer } from "@quittance/operations/tokens/TokenIssuer"
import { Effect, Layer } from "effect"
import * as jose from "jose"
import * as oauth from "oauth4webapi"
import { createHash, randomUUID } from "node:crypto"
import { call, newTenant, TestLayer, type World } from "./Api.ts"
import { Port } from "./Socket.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const base = "http://localhost:8080"

const newKey = (alg = "ES256") =>
  Effect.promise(async () => {
    const pair = await jose.generateKeyPair(alg, { extractable: true })
    const jwk = await jose.exportJWK(pair.publicKey)
    return { ...pair, alg, jwk, jkt: await jose.calculateJwkThumbprint(jwk) }
  })
type Key = Effect.Success<ReturnType<typeof newKey>>

/** A token of the tenant's client that is bound to a key. */
const tokenFor = ({ tenant }: World, key: Key) =>
  TokenIssuer.use((issuer) =>
    issuer.client(`${tenant}-integration` as ClientId, scopeNames.join(" "))
  ).pipe(Effect.provideService(TokenBinding, key.jkt), Effect.provideService(CurrentTenant, tenant))

const now = () => Math.floor(Date.now() / 1000)
const digest = (token: string) => createHash("sha256").update(token).digest("base64url")

/** An honest proof, or one with other claims or another header. */
const proof = (
  key: Key,
  claims: Readonly<Record<string, unknown>>,
  header: Readonly<Record<string, unknown>> = {}
) =>
  Effect.promise(() =>
    new jose.SignJWT({ jti: randomUUID(), iat: now(), ...claims })
      .setProtectedHeader({ alg: key.alg, typ: "dpop+jwt", jwk: key.jwk, ...header })
      .sign(key.privateKey)
  )

const refusal = ({ body, header, status }: Effect.Success<ReturnType<typeof call>>) =>
  `${status} ${body?.code ?? ""} ${header("www-authenticate")?.split(",")[0] ?? ""}`

const noProof = '401 UNAUTHORIZED DPoP error="invalid_dpop_proof"'
const noToken = '401 UNAUTHORIZED DPoP error="invalid_token"'

layer(TestLayer, { excludeTestServices: true })("a bound token", (it) => {
  it.effect("is worth nothing without its key, and with it as much as any, at every route", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const [key, other] = [yield* newKey(), yield* newKey()]
      const token = yield* tokenFor(world, key)
      const routes = routesOf(PublicApi)
      assert.isAbove(routes.length, 80)
      for (const { method, path } of routes) {
        const named = path.replaceAll(/:\w+/gu, "unknown")
        const route = `${method} ${path}`
        const honest = { htm: method, htu: `${base}${named}`, ath: digest(token) }
        const send = (authorization: string, dpop?: string) =>
          call(named, {
            method,
            tenant: world.tenant,
            headers: { authorization, ...(dpop === undefined ? {} : { dpop }) },
            ...(method === "GET" ? {} : { body: "{" })
          })
        const refused = Effect.fnUntraced(function* (
          wanted: string,
          authorization: string,
          dpop?: string
        ) {
          assert.strictEqual(refusal(yield* send(authorization, dpop)), wanted, route)
        })
        yield* refused("401 UNAUTHORIZED Bearer", `Bearer ${token}`)
        const good = yield* proof(key, honest)
        yield* refused("401 UNAUTHORIZED Bearer", `Bearer ${token}`, good)
        yield* refused(noProof, `DPoP ${token}`)
        yield* refused(noProof, `DPoP ${token}`, yield* proof(other, honest))
        const elsewhere = yield* proof(key, { ...honest, htu: `${base}/elsewhere` })
        yield* refused(noProof, `DPoP ${token}`, elsewhere)
        yield* refused(noToken, `DPoP ${world.client}`, good)
        // Whatever the request lacks otherwise, its caller is known.
        assert.notStrictEqual((yield* send(`DPoP ${token}`, good)).status, 401, route)
        yield* refused(noProof, `DPoP ${token}`, good)
      }
    })
  )

  it.effect("needs a proof of this request, made just now, by its key alone", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const key = yield* newKey()
      const token = yield* tokenFor(world, key)
      const path = "/brokerage-firms"
      const honest = { htm: "GET", htu: `${base}${path}`, ath: digest(token) }
      const send = (...proofs: ReadonlyArray<string>) =>
        call(path, {
          tenant: world.tenant,
          headers: { authorization: `DPoP ${token}`, dpop: proofs.join(", ") }
        })
      const privateJwk = yield* Effect.promise(() => jose.exportJWK(key.privateKey))
      const hmac = yield* Effect.promise(() =>
        new jose.SignJWT({ ...honest, jti: "x", iat: now() })
          .setProtectedHeader({
            alg: "HS256",
            typ: "dpop+jwt",
            // A secret in the place of a public key, which the types know to be wrong.
            jwk: { kty: "oct", k: Buffer.from("k".repeat(32)).toString("base64url") } as object
          })
          .sign(Buffer.from("k".repeat(32)))
      )
      const wrong: Record<string, ReadonlyArray<string>> = {
        "another method": [yield* proof(key, { ...honest, htm: "POST" })],
        "a method in small letters": [yield* proof(key, { ...honest, htm: "get" })],
        "another host": [yield* proof(key, { ...honest, htu: `http://evil.test${path}` })],
        "another scheme": [yield* proof(key, { ...honest, htu: `https://localhost:8080${path}` })],
        "a path below": [yield* proof(key, { ...honest, htu: `${base}${path}/x` })],
        "no address": [yield* proof(key, { ...honest, htu: path })],
        "no digest of the token": [yield* proof(key, { ...honest, ath: undefined })],
        "a digest of another token": [yield* proof(key, { ...honest, ath: digest("x") })],
        "an old proof": [yield* proof(key, { ...honest, iat: now() - 75 })],
        "a proof of tomorrow": [yield* proof(key, { ...honest, iat: now() + 60 })],
        "no date": [yield* proof(key, { ...honest, iat: undefined })],
        "no identifier": [yield* proof(key, { ...honest, jti: undefined })],
        "another type": [yield* proof(key, honest, { typ: "JWT" })],
        "no key": [yield* proof(key, honest, { jwk: undefined })],
        "its private key": [yield* proof(key, honest, { jwk: privateJwk })],
        "a secret as its key": [hmac],
        "two proofs": [yield* proof(key, honest), yield* proof(key, honest)],
        nothing: [""],
        "an endless text": ["x".repeat(5000)]
      }
      for (const [name, proofs] of Object.entries(wrong)) {
        assert.strictEqual(refusal(yield* send(...proofs)), noProof, name)
      }
      const spelt = { ...honest, htu: `HTTP://LOCALHOST:8080${path}?page=1#x` }
      assert.strictEqual((yield* send(yield* proof(key, spelt))).status, 200)
    })
  )

  it.effect("takes each proof once, however many send it, and remembers no refused one", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const key = yield* newKey("EdDSA")
      const token = yield* tokenFor(world, key)
      const path = "/brokerage-firms"
      const honest = { htm: "GET", htu: `${base}${path}`, ath: digest(token), jti: "the same" }
      const send = (dpop: string) =>
        Effect.map(
          call(path, {
            tenant: world.tenant,
            headers: { authorization: `dpop ${token}`, dpop }
          }),
          ({ status }) => status
        )
      assert.strictEqual(yield* send(yield* proof(key, { ...honest, ath: "x" })), 401)
      const dpop = yield* proof(key, honest)
      const tries = Array.from({ length: 8 }, () => send(dpop))
      const statuses = yield* Effect.all(tries, { concurrency: "unbounded" })
      assert.deepStrictEqual(statuses.toSorted(), [200, 401, 401, 401, 401, 401, 401, 401])
    })
  )
})

const OnPort = Layer.provideMerge(Port.layer, TestLayer)

layer(OnPort, { excludeTestServices: true })("over a socket, oauth4webapi", (it) => {
  it.effect("calls a resource with a bound token, and is refused with another key", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const port = yield* Port
      const [key, other] = [yield* newKey("PS256"), yield* newKey("PS256")]
      const token = yield* tokenFor(world, key)
      const ask = (key: Key) =>
        Effect.promise(() =>
          oauth
            .protectedResourceRequest(
              token,
              "GET",
              new URL(`${base}/brokerage-firms?count=1`),
              new Headers({ tenant: world.tenant }),
              null,
              {
                DPoP: oauth.DPoP({}, key),
                [oauth.allowInsecureRequests]: true,
                [oauth.customFetch]: (address, { headers }) =>
                  fetch(address.replace(base, `http://127.0.0.1:${port}`), { headers })
              }
            )
            .then(
              ({ status }) => `${status}`,
              (error: unknown) =>
                error instanceof oauth.WWWAuthenticateChallengeError
                  ? `${error.cause[0]?.scheme} ${error.cause[0]?.parameters.error}`
                  : `${error}`
            )
        )
      assert.strictEqual(yield* ask(other), "dpop invalid_dpop_proof")
      assert.strictEqual(yield* ask(key), "200")
    })
  )
})
