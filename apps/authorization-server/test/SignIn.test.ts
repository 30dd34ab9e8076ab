import { assert, layer } from "@effect/vitest"
import { AccessTokens } from "@quittance/operations/tokens/AccessTokens"
import { Ids } from "@quittance/persistence/sql/Ids"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { UsersRepo } from "@quittance/persistence/access/UsersRepo"
import { Effect, Redacted } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import * as Server from "./Server.ts"
import type { TenantId } from "@quittance/domain/requests/Tenancy"

const page = (response: Response) => Effect.promise(() => response.text())

const location = (response: Response) => new URL(response.headers.get("location") ?? "none:")

const without = (name: string) =>
  Object.fromEntries(Object.entries(Server.request).filter(([key]) => key !== name))

const error = (response: Response) =>
  Effect.map(Server.json(response), (body) => [response.status, body["error"]])

const change = Effect.fnUntraced(function* (
  statement: (sql: SqlClient.SqlClient) => Statement.Statement<object>
) {
  const sql = yield* SqlClient.SqlClient
  const tenantSql = yield* TenantSql
  yield* tenantSql.transaction(tenantSql.write(statement(sql)))
})

const age = (table: string) =>
  change(
    (sql) => sql`
      UPDATE ${sql(table)} SET created_at = created_at - interval '2 days',
        expires_at = clock_timestamp() - interval '1 second'
    `
  )

/** Disables a user without ending what he has signed in with. */
const disable = (name: string) =>
  change(
    (sql) => sql`
      UPDATE app_user SET status = 'DISABLED', disabled_at = now() WHERE email LIKE ${`${name}@%`}
    `
  )

/** Uses up what there is of tokens in the windows that are open. */
const spend = change((sql) => sql`UPDATE rate_limit SET count = 60 WHERE bucket LIKE 'token:%'`)
const forget = change((sql) => sql`DELETE FROM rate_limit`)

const options = { excludeTestServices: true }

layer(Server.TestLayer, options)("GET /oauth2/authorize", (it) => {
  it.effect(
    "UF-01 UF-02 shows a page, and redirects nowhere, for a client or an address it does not know",
    () =>
      Effect.gen(function* () {
        const tenant = yield* Server.newTenant
        const requests = [
          { ...Server.request, client_id: "unknown" },
          { ...Server.request, client_id: `${tenant}-integration` },
          without("client_id"),
          without("redirect_uri"),
          { ...Server.request, redirect_uri: "https://evil.test/callback" },
          { ...Server.request, redirect_uri: `${Server.signIn.redirectUri}/../evil` },
          { ...Server.request, redirect_uri: "http://127.0.0.1:4123@evil.test/callback" },
          { ...Server.request, redirect_uri: "http://127.0.0.1:65536/callback" }
        ]
        for (const request of requests) {
          const response = yield* Server.authorize(tenant, request)
          assert.deepStrictEqual([response.status, response.headers.get("location")], [400, null])
          assert.include(yield* page(response), "This sign-in can&#39;t go on")
        }
      })
  )

  it.effect("UF-12 shows a page for a parameter that is sent twice, and escapes its name", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const query = new URLSearchParams(Server.request).toString()
      for (const twice of [
        "client_id=x",
        "redirect_uri=http://127.0.0.1/callback",
        "state=x",
        "%3Cscript%3E=1&%3Cscript%3E=2"
      ]) {
        const response = yield* Server.authorize(tenant, `${query}&${twice}`)
        assert.deepStrictEqual([response.status, response.headers.get("location")], [400, null])
        assert.notInclude(yield* page(response), "<script>")
      }
    })
  )

  it.effect(
    "UF-03 UF-04 UF-15 tells the client what is wrong with the rest, with state and issuer",
    () =>
      Effect.gen(function* () {
        const tenant = yield* Server.newTenant
        const requests: ReadonlyArray<[Record<string, string>, string]> = [
          [{ ...Server.request, response_type: "token" }, "unsupported_response_type"],
          [{ ...Server.request, response_type: "id_token" }, "unsupported_response_type"],
          [{ ...Server.request, response_type: "code token" }, "unsupported_response_type"],
          [without("response_type"), "invalid_request"],
          [without("code_challenge"), "invalid_request"],
          [without("code_challenge_method"), "invalid_request"],
          [{ ...Server.request, code_challenge_method: "plain" }, "invalid_request"],
          [{ ...Server.request, code_challenge: "short" }, "invalid_request"],
          [{ ...Server.request, response_mode: "fragment" }, "invalid_request"],
          [{ ...Server.request, request: "eyJ" }, "invalid_request"],
          [{ ...Server.request, scope: "platform/policies" }, "invalid_scope"]
        ]
        for (const [request, expected] of requests) {
          const response = yield* Server.authorize(tenant, request)
          const to = location(response)
          assert.deepStrictEqual(
            [response.status, `${to.origin}${to.pathname}`],
            [303, Server.signIn.redirectUri]
          )
          assert.deepStrictEqual(
            ["error", "state", "iss", "code"].map((name) => to.searchParams.get(name)),
            [expected, "state & more", `http://${tenant}.auth.localhost:8080`, null]
          )
        }
      })
  )

  it.effect(
    "UF-14 shows a page that can't be framed, runs nothing, loads nothing and leaks no referrer",
    () =>
      Effect.gen(function* () {
        const tenant = yield* Server.newTenant
        const response = yield* Server.authorize(tenant)
        const html = yield* page(response)
        assert.strictEqual(response.status, 200)
        assert.match(response.headers.get("content-type") ?? "", /^text\/html/u)
        const policy = response.headers.get("content-security-policy") ?? ""
        assert.include(policy, "default-src 'none'")
        assert.include(policy, "frame-ancestors 'none'")
        assert.include(policy, "form-action 'self' http://127.0.0.1:4123")
        assert.notInclude(policy, "unsafe")
        assert.deepStrictEqual(
          ["x-frame-options", "referrer-policy", "cache-control", "x-content-type-options"].map(
            (name) => response.headers.get(name)
          ),
          ["DENY", "no-referrer", "no-store", "nosniff"]
        )
        assert.notMatch(html, /<script|<link|<img|javascript:|\son\w+=/iu)
        assert.include(html, "Blue &amp; Sons &lt;Insurers&gt;")
        for (const id of ["email", "password"]) assert.include(html, `<label for="${id}">`)
        assert.match(
          response.headers.get("set-cookie") ?? "",
          /^quittance-login=[\w-]{43}; Path=\/; Max-Age=3600; HttpOnly; SameSite=Lax$/u
        )
      })
  )

  it.effect("carries the request along in the form, escaped", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const html = yield* page(
        yield* Server.authorize(tenant, { ...Server.request, state: `"><b>'` })
      )
      assert.include(html, `name="state" value="&quot;&gt;&lt;b&gt;&#39;"`)
      assert.include(html, `name="code_challenge" value="${Server.signIn.challenge}"`)
    })
  )

  it.effect("takes no password from an address", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const response = yield* Server.authorize(tenant, {
        ...Server.request,
        password: "sandbox-password"
      })
      assert.strictEqual(response.status, 400)
    })
  )
})

layer(Server.TestLayer, options)("POST /oauth2/authorize", (it) => {
  it.effect("UF-13 refuses a form that this browser was not shown", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const other = "A".repeat(43)
      const tries = [
        yield* Server.submit(tenant, {}, { cookie: "" }),
        yield* Server.submit(tenant, { csrf: other }),
        yield* Server.submit(tenant, { csrf: "" }),
        yield* Server.submit(tenant, { csrf: "" }, { cookie: "quittance-login=" }),
        yield* Server.submit(tenant, { csrf: "short" }, { cookie: "quittance-login=short" }),
        yield* Server.submit(tenant, {}, { cookie: `__Host-quittance-login=${Server.signIn.csrf}` })
      ]
      for (const response of tries) {
        assert.deepStrictEqual([response.status, response.headers.get("location")], [403, null])
        assert.include(yield* page(response), 'role="alert"')
      }
    })
  )

  it.effect(
    "answers a wrong password, an unknown address, a disabled and an invited user alike",
    () =>
      Effect.gen(function* () {
        const tenant = yield* Server.newTenant
        yield* disable("south").pipe(Server.as(tenant))
        const invited = { id: (yield* Ids).next("user"), firstName: "Ada", lastName: "Test" }
        yield* Server.inTransaction(
          UsersRepo.use((users) => users.insert({ ...invited, email: `invited@${tenant}.test` }))
        ).pipe(Effect.provide(UsersRepo.layer), Server.as(tenant))
        const email = `north@${tenant}.test`
        const pages = yield* Effect.forEach(
          [
            { password: "wrong" },
            { password: "" },
            { password: "x".repeat(2000) },
            { email: "unknown@nowhere.test" },
            { email: `south@${tenant}.test` },
            { email: `invited@${tenant}.test` },
            { email: "" },
            { email: "'; DROP TABLE app_user; --" }
          ],
          (fields) =>
            Effect.gen(function* () {
              const response = yield* Server.submit(tenant, fields)
              assert.deepStrictEqual(
                [response.status, response.headers.get("location")],
                [400, null]
              )
              const html = yield* page(response)
              assert.notInclude(html, "sandbox-password")
              return html.replace(/<input id=.*>/gu, "")
            })
        )
        for (const html of pages) assert.strictEqual(html, pages[0])
        assert.include(pages[0]!, "The e-mail address or the password is not right.")
        assert.include(
          yield* page(yield* Server.submit(tenant, { password: "wrong" })),
          `value="${email}"`
        )
      })
  )

  it.effect("stops an address after 20 wrong passwords, and not after as many right ones", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const from = { "test-address": "192.0.2.20" }
      const submit = (password: string, email = `north@${tenant}.test`) =>
        Effect.map(Server.submit(tenant, { password, email }, from), ({ headers, status }) => [
          status,
          headers.has("retry-after")
        ])
      const right = yield* Effect.replicateEffect(submit("sandbox-password"), 22)
      assert.deepStrictEqual(new Set(right.map(([status]) => status)), new Set([303]))
      const wrong = yield* Effect.all(
        Array.from({ length: 24 }, (_, turn) => submit("wrong", `unknown-${turn}@example.test`)),
        // Of more at once, some are told that too many wait, and count as no try.
        { concurrency: 8 }
      )
      assert.strictEqual(wrong.filter(([status]) => status === 400).length, 20)
      assert.deepStrictEqual(yield* submit("sandbox-password"), [429, true])
      assert.strictEqual(
        (yield* Server.submit(tenant, {}, { "test-address": "192.0.2.21" })).status,
        303
      )
    })
  )

  it.effect("UF-05 leads back to the client with a code, the state and the issuer", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const response = yield* Server.submit(tenant, { email: `NORTH@${tenant}.TEST` })
      const to = location(response)
      assert.deepStrictEqual(
        [response.status, response.headers.get("cache-control")],
        [303, "no-store"]
      )
      assert.strictEqual(`${to.origin}${to.pathname}`, Server.signIn.redirectUri)
      assert.deepStrictEqual(
        [to.searchParams.get("state"), to.searchParams.get("iss")],
        ["state & more", `http://${tenant}.auth.localhost:8080`]
      )
      assert.match(to.searchParams.get("code") ?? "", /^[\w-]{43}$/u)
    })
  )
})

layer(Server.layerAt("https://{tenant}.auth.localhost:8080"), options)("over HTTPS", (it) => {
  it.effect("UF-13 the form goes by a cookie that no neighbour of the host can set", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const shown = yield* Server.authorize(tenant)
      assert.match(
        shown.headers.get("set-cookie") ?? "",
        /^__Host-quittance-login=[\w-]{43}; Path=\/; Max-Age=3600; HttpOnly; SameSite=Lax; Secure$/u
      )
      const submit = (name: string) =>
        Server.submit(tenant, {}, { cookie: `${name}=${Server.signIn.csrf}` })
      assert.strictEqual((yield* submit("quittance-login")).status, 403)
      assert.strictEqual((yield* submit("__Host-quittance-login")).status, 303)
    })
  )
})

layer(Server.TestLayer, options)("the grant authorization_code", (it) => {
  it.effect(
    "UF-07 refuses a code of another client, another address, another tenant, another verifier",
    () =>
      Effect.gen(function* () {
        const [tenant, other] = [yield* Server.newTenant, yield* Server.newTenant]
        const app = yield* Server.otherApp(tenant)
        const changes = [
          { client_id: app },
          { redirect_uri: "http://127.0.0.1:4124/callback" },
          { code_verifier: "x".repeat(43) },
          { code_verifier: Server.signIn.challenge }
        ]
        for (const change of changes) {
          const code = yield* Server.code(tenant)
          assert.deepStrictEqual(yield* error(yield* Server.redeem(tenant, code, change)), [
            400,
            "invalid_grant"
          ])
          // The first client that sent the code had no right to it: the code is used up.
          assert.deepStrictEqual(yield* error(yield* Server.redeem(tenant, code)), [
            400,
            "invalid_grant"
          ])
        }
        const code = yield* Server.code(tenant)
        assert.deepStrictEqual(yield* error(yield* Server.redeem(other, code)), [
          400,
          "invalid_grant"
        ])
        assert.strictEqual((yield* Server.redeem(tenant, code)).status, 200)
      })
  )

  it.effect("UF-08 refuses a code after a minute, and one that never was", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const code = yield* Server.code(tenant)
      yield* age("authorization_code").pipe(Server.as(tenant))
      assert.deepStrictEqual(yield* error(yield* Server.redeem(tenant, code)), [
        400,
        "invalid_grant"
      ])
      assert.deepStrictEqual(yield* error(yield* Server.redeem(tenant, "never")), [
        400,
        "invalid_grant"
      ])
      assert.deepStrictEqual(yield* error(yield* Server.redeem(tenant, "")), [
        400,
        "invalid_request"
      ])
    })
  )

  it.effect("UF-09 revokes what a code has given when the code comes back", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const code = yield* Server.code(tenant)
      const { refresh_token } = yield* Server.json(yield* Server.redeem(tenant, code))
      assert.deepStrictEqual(yield* error(yield* Server.redeem(tenant, code)), [
        400,
        "invalid_grant"
      ])
      assert.deepStrictEqual(yield* error(yield* Server.refresh(tenant, refresh_token)), [
        400,
        "invalid_grant"
      ])
    })
  )

  it.effect("UF-06 redeems each of forty codes for exactly one of ten at once", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      for (let round = 0; round < 40; round++) {
        const code = yield* Server.code(tenant)
        const answers = yield* Effect.all(
          Array.from({ length: 10 }, () => Server.redeem(tenant, code)),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [
          200,
          ...Array<number>(9).fill(400)
        ])
      }
    })
  )

  it.effect("does not burn the code of a user who is only too fast", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      assert.strictEqual((yield* Server.redeem(tenant, yield* Server.code(tenant))).status, 200)
      yield* spend.pipe(Server.as(tenant))
      const code = yield* Server.code(tenant)
      assert.strictEqual((yield* Server.redeem(tenant, code)).status, 429)
      yield* forget.pipe(Server.as(tenant))
      assert.strictEqual((yield* Server.redeem(tenant, code)).status, 200)
    })
  )

  it.effect("gives nothing for the code of a user who is no longer active", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const code = yield* Server.code(tenant)
      yield* disable("north").pipe(Server.as(tenant))
      assert.deepStrictEqual(yield* error(yield* Server.redeem(tenant, code)), [
        400,
        "invalid_grant"
      ])
    })
  )

  it.effect(
    "gives a user's token without scopes, for a quarter of an hour, and a refresh token",
    () =>
      Effect.gen(function* () {
        const tenant = yield* Server.newTenant
        const response = yield* Server.redeem(tenant, yield* Server.code(tenant))
        const { access_token, refresh_token, ...rest } = yield* Server.json(response)
        assert.deepStrictEqual(rest, { token_type: "Bearer", expires_in: 900 })
        assert.match(`${refresh_token}`, /^[\w-]{43}$/u)
        const user = yield* UsersRepo.use((users) => users.findLogin(`north@${tenant}.test`)).pipe(
          Effect.provide(UsersRepo.layer),
          Server.as(tenant)
        )
        const claims = yield* AccessTokens.use((tokens) =>
          tokens.claims(Redacted.make(`${access_token}`))
        ).pipe(Server.as(tenant))
        assert.deepStrictEqual(
          [claims.kind, claims.sub, claims.client_id, "scope" in claims],
          ["user", user?.id, "quittance-cli", false]
        )
      })
  )
})

layer(Server.TestLayer, options)("the grant refresh_token", (it) => {
  const signedIn = Effect.fn(function* (tenant: TenantId) {
    return yield* Server.json(yield* Server.redeem(tenant, yield* Server.code(tenant)))
  })

  it.effect("UF-10 rotates, and revokes the whole sign-in when a used token comes back", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const { refresh_token: first } = yield* signedIn(tenant)
      const { access_token, refresh_token: second } = yield* Server.json(
        yield* Server.refresh(tenant, first)
      )
      assert.notStrictEqual(second, first)
      assert.deepStrictEqual(yield* error(yield* Server.refresh(tenant, first)), [
        400,
        "invalid_grant"
      ])
      assert.deepStrictEqual(yield* error(yield* Server.refresh(tenant, second)), [
        400,
        "invalid_grant"
      ])
      const verify = AccessTokens.use((tokens) => tokens.verify(Redacted.make(`${access_token}`)))
      const refused = yield* verify.pipe(Server.as(tenant), Effect.flip)
      assert.strictEqual(refused._tag, "Unauthorized")
    })
  )

  it.effect(
    "UF-11 refuses another tenant's token, one that is over, one of no client, and scopes",
    () =>
      Effect.gen(function* () {
        const [tenant, other] = [yield* Server.newTenant, yield* Server.newTenant]
        const { refresh_token } = yield* signedIn(tenant)
        assert.deepStrictEqual(yield* error(yield* Server.refresh(other, refresh_token)), [
          400,
          "invalid_grant"
        ])
        assert.deepStrictEqual(
          yield* error(yield* Server.refresh(tenant, refresh_token, { client_id: "unknown" })),
          [401, "invalid_client"]
        )
        assert.deepStrictEqual(
          yield* error(
            yield* Server.refresh(tenant, refresh_token, { scope: "platform/policies" })
          ),
          [400, "invalid_scope"]
        )
        yield* age("refresh_family").pipe(Server.as(tenant))
        assert.deepStrictEqual(yield* error(yield* Server.refresh(tenant, refresh_token)), [
          400,
          "invalid_grant"
        ])
      })
  )

  it.effect("refuses the token of another client, and ends the sign-in that it is of", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const app = yield* Server.otherApp(tenant)
      const { refresh_token } = yield* signedIn(tenant)
      for (const fields of [{ client_id: app }, {}]) {
        assert.deepStrictEqual(yield* error(yield* Server.refresh(tenant, refresh_token, fields)), [
          400,
          "invalid_grant"
        ])
      }
    })
  )

  it.effect("does not use up the token of a user who is only too fast", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const { refresh_token } = yield* signedIn(tenant)
      yield* spend.pipe(Server.as(tenant))
      assert.strictEqual((yield* Server.refresh(tenant, refresh_token)).status, 429)
      yield* forget.pipe(Server.as(tenant))
      assert.strictEqual((yield* Server.refresh(tenant, refresh_token)).status, 200)
    })
  )

  it.effect(
    "UF-16 lets at most one of ten rotate, in twenty rounds, and its new token is dead too",
    () =>
      Effect.gen(function* () {
        const tenant = yield* Server.newTenant
        for (let round = 0; round < 20; round++) {
          const { refresh_token } = yield* signedIn(tenant)
          const answers = yield* Effect.all(
            Array.from({ length: 10 }, () => Server.refresh(tenant, refresh_token)),
            { concurrency: "unbounded" }
          )
          assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [
            200,
            ...Array<number>(9).fill(400)
          ])
          const winner = yield* Server.json(answers.find(({ status }) => status === 200)!)
          assert.deepStrictEqual(
            yield* error(yield* Server.refresh(tenant, winner["refresh_token"])),
            [400, "invalid_grant"]
          )
        }
      })
  )
})
