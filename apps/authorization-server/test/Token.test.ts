import { assert, layer } from "@effect/vitest"
import { ClientId } from "@quittance/domain/requests/Caller"
import { AccessTokens } from "@quittance/operations/tokens/AccessTokens"
import { integrationScopes } from "@quittance/operations/provisioning/Sandbox"
import { ClientsRepo } from "@quittance/persistence/access/ClientsRepo"
import { Effect, Redacted } from "effect"
import { createHash } from "node:crypto"
import * as Server from "./Server.ts"
import type { TenantId } from "@quittance/domain/requests/Tenancy"

const grant = { grant_type: "client_credentials" }
const policies = { ...grant, scope: "platform/policies" }

/** What a refusal has to look like, whatever it is about. */
const refused = Effect.fn(function* (response: Response, status: number, code: string) {
  const body = yield* Server.json(response)
  assert.deepStrictEqual([response.status, body["error"], body["code"]], [status, code, code])
  assert.strictEqual(body["error_description"], body["message"])
  assert.deepStrictEqual(Object.keys(body).sort(), [
    "code",
    "details",
    "error",
    "error_description",
    "message"
  ])
  assert.strictEqual(response.headers.get("cache-control"), "no-store")
  if (status === 401)
    assert.match(response.headers.get("www-authenticate") ?? "", /^Basic realm="/u)
  return body
})

const addClient = Effect.fn(function* (
  tenant: TenantId,
  id: string,
  secrets: ReadonlyArray<string>,
  scopes: ReadonlyArray<"platform/policies"> = ["platform/policies"]
) {
  const clients = yield* ClientsRepo
  const client = ClientId.make(id)
  yield* Server.inTransaction(
    Effect.gen(function* () {
      yield* clients.insert({
        id: client,
        name: id,
        kind: "CONFIDENTIAL",
        internal: false,
        scopes,
        grantTypes: ["client_credentials"],
        redirectUris: []
      })
      for (const [index, secret] of secrets.entries()) {
        const hash = createHash("sha256").update(secret).digest()
        yield* clients.putSecret(client, index === 0 ? 1 : 2, hash)
      }
    })
  ).pipe(Server.as(tenant))
})

const options = { excludeTestServices: true }

layer(Server.TestLayer, options)("POST /oauth2/token refuses", (it) => {
  it.effect("a host that names no tenant, or one that isn't there", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      for (const host of [
        "nowhere.auth.localhost:8080",
        `${tenant}.auth.localhost.`,
        `${tenant}.auth.localhost.evil.test`,
        `x@${tenant}.auth.localhost`,
        `a.${tenant}.auth.localhost`,
        "localhost:8080",
        ""
      ]) {
        const response = yield* Server.call(tenant, {
          host,
          headers: { ...Server.formType, ...Server.integration(tenant) },
          body: "grant_type=client_credentials"
        })
        const body = yield* Server.json(response)
        assert.deepStrictEqual(
          [response.status, body["code"], body["details"]],
          [404, "TENANT_NOT_FOUND", {}],
          `TN-16 ${host}`
        )
      }
    })
  )

  it.effect("TN-01 the credentials of another tenant's client of the same name", () =>
    Effect.gen(function* () {
      const [acme, globex] = [yield* Server.newTenant, yield* Server.newTenant]
      yield* addClient(acme, "integ1", ["s3cret-of-acme"])
      yield* addClient(globex, "integ1", ["s3cret-of-globex"])
      yield* refused(
        yield* Server.token(globex, policies, Server.basic("integ1", "s3cret-of-acme")),
        401,
        "invalid_client"
      )
      assert.strictEqual(
        (yield* Server.token(globex, policies, Server.basic("integ1", "s3cret-of-globex"))).status,
        200
      )
    })
  )

  it.effect("TE-15 every method but POST", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      for (const method of ["GET", "HEAD", "PUT", "DELETE", "PATCH"]) {
        const path = "/oauth2/token?grant_type=client_credentials"
        const response = yield* Server.call(tenant, {
          method,
          path,
          headers: Server.integration(tenant)
        })
        assert.deepStrictEqual(
          [response.status, response.headers.get("allow")],
          [405, "POST"],
          method
        )
      }
    })
  )

  it.effect(
    "TE-16 TE-17 TE-18 TE-19 a form that is none: JSON, plain text, multipart, none, in the address",
    () =>
      Effect.gen(function* () {
        const tenant = yield* Server.newTenant
        const auth = Server.integration(tenant)
        const multipart = new FormData()
        multipart.set("grant_type", "client_credentials")
        const calls: ReadonlyArray<Server.Call> = [
          { headers: { ...auth, "content-type": "application/json" }, body: JSON.stringify(grant) },
          {
            headers: { ...auth, "content-type": "text/plain" },
            body: "grant_type=client_credentials"
          },
          {
            headers: {
              ...auth,
              "content-type": "application/x-www-form-urlencoded; charset=utf-16"
            },
            body: "grant_type=client_credentials"
          },
          { headers: auth, body: multipart },
          { headers: auth },
          {
            headers: { ...auth, ...Server.formType },
            path: "/oauth2/token?grant_type=client_credentials",
            body: ""
          },
          {
            headers: { ...auth, ...Server.formType },
            body: "grant_type=client_credentials&scope=%E0%A4%A"
          },
          {
            headers: { ...auth, ...Server.formType },
            body: "grant_type=client_credentials&scope=%FF"
          },
          {
            headers: { ...auth, ...Server.formType },
            body: "grant_type=client_credentials&scope=%00"
          },
          {
            headers: { ...auth, ...Server.formType },
            body: `grant_type=client_credentials&x=${"x".repeat(20_000)}`
          }
        ]
        for (const each of calls)
          yield* refused(yield* Server.call(tenant, each), 400, "invalid_request")
      })
  )

  it.effect("TE-13 TE-14 a parameter that is sent twice", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      for (const twice of [
        "grant_type=client_credentials",
        "scope=platform%2Fbilling",
        "scope=",
        "client_id=x",
        "x=1"
      ]) {
        const form = `grant_type=client_credentials&scope=platform%2Fpolicies&client_id=x&x=1&${twice}`
        yield* refused(yield* Server.token(tenant, form), 400, "invalid_request")
      }
    })
  )

  it.effect("TE-22 TE-23 TE-24 credentials that are none", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const encode = (text: string) => Buffer.from(text).toString("base64")
      const id = `${tenant}-integration`
      const authorizations = [
        `Basic ${encode("no-colon")}`,
        "Basic !!!",
        `Basic  ${encode(`${id}:${id}-secret`)}`,
        "Basic ",
        "Basic",
        `Bearer ${encode(`${id}:${id}-secret`)}`,
        `Basic ${encode(`${id}:${id}-secret\0`)}`,
        `Basic ${encode(`${id}:${id}-secret%00`)}`,
        `Basic ${encode(`${id}\n:${id}-secret`)}`,
        `Basic ${encode(`${id}:${id}-secret%`)}`,
        `Basic ${encode(`${id}:é`)}`,
        `Basic ${encode(":")}`
      ]
      for (const [index, authorization] of authorizations.entries()) {
        const headers = { authorization, "test-address": `192.0.2.${index}` }
        yield* refused(yield* Server.token(tenant, policies, headers), 401, "invalid_client")
      }
    })
  )

  it.effect("TE-26 TE-27 TE-28 a secret in the body, two ways to authenticate, two ids", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const id = `${tenant}-integration`
      const inBody = { ...policies, client_id: id, client_secret: `${id}-secret` }
      yield* refused(yield* Server.token(tenant, inBody, {}), 401, "invalid_client")
      yield* refused(yield* Server.token(tenant, inBody), 400, "invalid_request")
      yield* refused(
        yield* Server.token(tenant, { ...policies, client_id: "other" }),
        400,
        "invalid_request"
      )
      assert.strictEqual((yield* Server.token(tenant, { ...policies, client_id: id })).status, 200)
    })
  )

  it.effect("TE-29 TE-30 an unknown client exactly as a wrong secret", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const tries: ReadonlyArray<[Record<string, string>, Record<string, string>?]> = [
        [Server.basic(`${tenant}-integration`, "wrong")],
        [Server.basic("unknown", "wrong")],
        [Server.basic(Server.signIn.clientId, "")],
        [{}],
        // A client with a secret that names itself and does not prove it.
        [{}, { client_id: `${tenant}-integration` }],
        [{}, { client_id: "unknown" }]
      ]
      const answers = yield* Effect.forEach(tries, ([headers, fields]) =>
        Effect.gen(function* () {
          const response = yield* Server.token(tenant, { ...policies, ...fields }, headers)
          const text = yield* Effect.promise(() => response.text())
          return [response.status, text, [...response.headers].join()]
        })
      )
      assert.strictEqual(answers[0]![0], 401)
      for (const answer of answers) assert.deepStrictEqual(answer, answers[0])
    })
  )

  it.effect("TE-33 TE-34 TE-35 grants that are none, missing or not this client's", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      for (const name of [
        "password",
        "implicit",
        "urn:ietf:params:oauth:grant-type:jwt-bearer",
        "__proto__",
        "constructor"
      ]) {
        yield* refused(
          yield* Server.token(tenant, { grant_type: name }),
          400,
          "unsupported_grant_type"
        )
      }
      yield* refused(
        yield* Server.token(tenant, { scope: "platform/policies" }),
        400,
        "invalid_request"
      )
      yield* refused(yield* Server.token(tenant, { grant_type: "" }), 400, "invalid_request")
      yield* refused(
        yield* Server.token(tenant, { grant_type: "refresh_token", refresh_token: "x" }),
        400,
        "unauthorized_client"
      )
      const asPublic = { ...grant, client_id: Server.signIn.clientId }
      yield* refused(yield* Server.token(tenant, asPublic, {}), 400, "unauthorized_client")
    })
  )

  it.effect("TE-05 TE-06 TE-12 scopes outside the grammar or not granted, as a whole", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const scopes = [
        "platform/policies\tplatform/customers",
        "platform/policies\nplatform/customers",
        "platform/policies,platform/customers",
        "platform/policies  platform/customers",
        " platform/policies",
        "platform/*",
        "platform/policies%20platform/admin",
        "platform/policies\u00a0platform/admin",
        "platform/policies openid",
        "platform/policies platform/admin",
        "platform/metrics",
        "nonsense",
        `platform/policies ${"x".repeat(2048)}`
      ]
      for (const scope of scopes) {
        const body = yield* refused(
          yield* Server.token(tenant, { ...grant, scope }),
          400,
          "invalid_scope"
        )
        assert.isUndefined(body["access_token"])
      }
    })
  )

  it.effect("TE-11 a client with no granted scope", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      yield* addClient(tenant, "bare", ["secret"], [])
      yield* refused(
        yield* Server.token(tenant, grant, Server.basic("bare", "secret")),
        400,
        "invalid_scope"
      )
    })
  )

  it.effect(
    "RT-03 an address with too many wrong secrets, whatever it claims to be, and no other",
    () =>
      Effect.gen(function* () {
        const tenant = yield* Server.newTenant
        const wrong = Server.basic(`${tenant}-integration`, "wrong")
        for (let i = 0; i < 20; i++) {
          const headers = {
            ...wrong,
            "test-address": "192.0.2.9",
            "x-forwarded-for": `10.0.0.${i}`
          }
          yield* refused(yield* Server.token(tenant, policies, headers), 401, "invalid_client")
        }
        const blocked = yield* Server.token(tenant, policies, {
          ...Server.integration(tenant),
          "test-address": "192.0.2.9"
        })
        const body = yield* Server.json(blocked)
        assert.deepStrictEqual(
          [blocked.status, body["error"], body["code"]],
          [429, "too_many_requests", "RATE_LIMITED"]
        )
        const seconds = Number(blocked.headers.get("retry-after"))
        assert.isTrue(seconds >= 1 && seconds <= 60)
        assert.strictEqual((yield* Server.token(tenant, policies)).status, 200)
        const other = yield* Server.newTenant
        assert.strictEqual(
          (yield* Server.token(other, policies, {
            ...Server.integration(other),
            "test-address": "192.0.2.9"
          })).status,
          200
        )
      })
  )

  it.effect("RT-01 RT-02 a client's 61st token in a minute, and not another client's first", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const answers = yield* Effect.all(
        Array.from({ length: 70 }, () => Server.token(tenant, policies)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(answers.filter(({ status }) => status === 200).length, 60)
      const blocked = answers.find(({ status }) => status === 429)!
      assert.deepStrictEqual(
        [blocked.headers.get("ratelimit-limit"), blocked.headers.get("ratelimit-remaining")],
        ["60", "0"]
      )
      const billing = Server.basic(`${tenant}-billing`, `${tenant}-billing-secret`)
      assert.strictEqual(
        (yield* Server.token(tenant, { ...grant, scope: "platform/billing" }, billing)).status,
        200
      )
    })
  )
})

layer(Server.TestLayer, options)("POST /oauth2/token answers", (it) => {
  it.effect("TE-01 TE-40 a token with exactly the scopes asked for, and no refresh token", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const scope = "platform/policies platform/customers"
      const response = yield* Server.token(tenant, { ...grant, scope })
      const { access_token, ...rest } = yield* Server.json(response)
      assert.deepStrictEqual(rest, { token_type: "Bearer", expires_in: 3600, scope })
      assert.deepStrictEqual(
        [response.status, response.headers.get("cache-control"), response.headers.get("pragma")],
        [200, "no-store", "no-cache"]
      )
      const caller = yield* AccessTokens.use((tokens) =>
        tokens.verify(Redacted.make(`${access_token}`))
      ).pipe(Server.as(tenant))
      assert.deepStrictEqual(caller, {
        _tag: "Client",
        clientId: ClientId.make(`${tenant}-integration`),
        scopes: new Set(["platform/policies", "platform/customers"] as const)
      })
    })
  )

  it.effect("TE-08 a repeated scope once", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const body = yield* Server.json(
        yield* Server.token(tenant, { ...grant, scope: "platform/customers platform/customers" })
      )
      assert.strictEqual(body["scope"], "platform/customers")
    })
  )

  it.effect("TE-09 TE-10 all granted scopes when none is named", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      for (const form of [grant, { ...grant, scope: "" }]) {
        const body = yield* Server.json(yield* Server.token(tenant, form))
        assert.deepStrictEqual(`${body["scope"]}`.split(" "), [...integrationScopes])
      }
    })
  )

  it.effect(
    "TE-20 TE-21 TE-25 a client that encodes its credentials, or does not, in any case of Basic",
    () =>
      Effect.gen(function* () {
        const tenant = yield* Server.newTenant
        yield* addClient(tenant, "we ird:id&+%", ["p@ss:w%rd+&=?/ e"])
        const encode = (text: string) => encodeURIComponent(text).replaceAll("%20", "+")
        const encoded = Server.basic(encode("we ird:id&+%"), encode("p@ss:w%rd+&=?/ e"))
        const everything = (text: string) =>
          [...Buffer.from(text)].map((byte) => `%${byte.toString(16)}`).join("")
        const id = `${tenant}-integration`
        const headers = [
          encoded,
          Server.integration(tenant),
          Server.basic(everything(id), everything(`${id}-secret`)),
          { authorization: Server.integration(tenant)["authorization"]!.replace("Basic", "bASIC") }
        ]
        for (const each of headers)
          assert.strictEqual((yield* Server.token(tenant, policies, each)).status, 200)
      })
  )

  it.effect("TE-36 nothing to parameters that it does not know", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const form =
        "grant_type=client_credentials&scope=platform%2Fpolicies&__proto__[scope]=platform/admin&constructor.prototype.x=1&__proto__=1"
      const body = yield* Server.json(yield* Server.token(tenant, form))
      assert.strictEqual(body["scope"], "platform/policies")
    })
  )

  it.effect("TE-38 to the old secret and the new one while both are valid", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      yield* addClient(tenant, "rotating", ["old", "new"])
      const statuses = yield* Effect.forEach(["old", "new", "other"], (secret) =>
        Effect.map(
          Server.token(tenant, policies, Server.basic("rotating", secret)),
          ({ status }) => status
        )
      )
      assert.deepStrictEqual(statuses, [200, 200, 401])
    })
  )

  it.effect("TN-10 TN-16 for the tenant of the host alone, in any case of letters", () =>
    Effect.gen(function* () {
      const [acme, globex] = [yield* Server.newTenant, yield* Server.newTenant]
      const headers = {
        ...Server.integration(acme),
        ...Server.formType,
        tenant: globex,
        "x-tenant": globex,
        "x-forwarded-host": `${globex}.auth.localhost`,
        forwarded: `host=${globex}.auth.localhost`
      }
      const response = yield* Server.call(acme, {
        host: `${acme.toUpperCase()}.AUTH.localhost`,
        headers,
        body: "grant_type=client_credentials"
      })
      const { access_token } = yield* Server.json(response)
      const claims = yield* AccessTokens.use((tokens) =>
        tokens.claims(Redacted.make(`${access_token}`))
      ).pipe(Server.as(acme))
      assert.deepStrictEqual(
        [claims.tenant, claims.iss],
        [acme, `http://${acme}.auth.localhost:8080`]
      )
    })
  )
})
