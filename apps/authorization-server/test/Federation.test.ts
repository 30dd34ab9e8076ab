/** Signing in with the tenant's own OpenID Provider, over sockets, and what an attacker tries there. */
import { assert, layer } from "@effect/vitest"
import { IdentityProviders } from "@quittance/operations/access/IdentityProviders"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect, Layer } from "effect"
import { createServer, type RequestListener } from "node:http"
import * as IdentityProvider from "./IdentityProvider.ts"
import * as OnSocket from "./OnSocket.ts"
import * as Server from "./Server.ts"
import type { TenantId } from "@quittance/domain/requests/Tenancy"

const options = { excludeTestServices: true }
const TestLayer = Layer.provideMerge(IdentityProviders.layer, OnSocket.TestLayer)

const startOf = (tenant: TenantId, more: Record<string, string> = {}) =>
  new URL(
    `${OnSocket.issuer(tenant)}/federation/start?${new URLSearchParams({ ...Server.request, ...more })}`
  )

const isCallback = (url: URL) => url.pathname === "/federation/callback"

/** Signs in from a fresh browser. */
const signIn = Effect.fn(function* (tenant: TenantId, change?: (url: URL) => URL) {
  const { open } = yield* IdentityProvider.browser
  return yield* open(startOf(tenant), change)
})

const problem = ({ text, status }: { readonly text: string; readonly status: number }) =>
  `${status} ${/role="alert">([^<.]*)/u.exec(text)?.[1]}`

const stale = "400 This sign-in was not begun in this browser, or too long ago"
const refused = "400 The identity provider did not confirm who you are"
const unknown = "403 No user is linked to this account"
const away = "503 The identity provider can&#39;t be reached"

/** Whom the code at an address signs in: the user's e-mail. */
const userBehind = Effect.fn(function* (tenant: TenantId, url: URL) {
  const answer = yield* Server.redeem(tenant, url.searchParams.get("code") ?? "")
  const { access_token } = yield* Server.json(answer)
  const claims = JSON.parse(
    Buffer.from(`${access_token}`.split(".")[1] ?? "", "base64url").toString() || "{}"
  )
  const sql = yield* SuperuserSql
  const rows = yield* sql<{ email: string }>`
    SELECT email FROM app_user WHERE tenant_id = ${tenant} AND id = ${claims.sub ?? ""}
  `
  return rows[0]?.email
})

const actionsOf = Effect.fn(function* (tenant: TenantId) {
  const sql = yield* SuperuserSql
  const rows = yield* sql<{ action: string }>`
    SELECT action || CASE outcome WHEN 'DONE' THEN '' ELSE ' ' || outcome END AS action
    FROM audit WHERE tenant_id = ${tenant} AND (action LIKE 'identityProvider.%' OR action LIKE 'user.%') ORDER BY id
  `
  return rows.map(({ action }) => action).toSorted()
})

/** What is told of people's sign-ins. */
const eventsOf = Effect.fn(function* (tenant: TenantId) {
  const sql = yield* SuperuserSql
  const rows = yield* sql<{ kind: string }>`
    SELECT kind FROM event WHERE tenant_id = ${tenant} AND kind LIKE 'user.identity.%' ORDER BY seq
  `
  return rows.map(({ kind }) => kind)
})

/** The issuer of something that answers in its own way; it ends with the test. */
const answering = (listener: RequestListener) =>
  Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const server = createServer(listener)
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  ).pipe(
    Effect.map((server) => {
      const address = server.address()
      return `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}`
    })
  )

layer(TestLayer, options)("a sign-in with the tenant's provider is refused", (it) => {
  it.effect("by one that never ends its answer, says too much, or sends us elsewhere", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const { issuer } = yield* IdentityProvider.start(tenant)
      const metadata = (of: string, more: object) => JSON.stringify({ issuer: of, ...more })
      const answers: ReadonlyArray<RequestListener> = [
        (_request, response) => void response.writeHead(200).write("{"),
        ({ headers }, response) =>
          void response
            .setHeader("content-type", "application/json")
            .end(metadata(`http://${headers.host}`, { x: "x".repeat(300_000) })),
        ({ url }, response) => void response.writeHead(302, { location: `${issuer}${url}` }).end(),
        ({ headers }, response) =>
          void response.setHeader("content-type", "application/json").end(
            metadata(`http://${headers.host}`, {
              authorization_endpoint: "http://login.example.com/"
            })
          ),
        (_request, response) => void response.writeHead(500).end()
      ]
      for (const answer of answers) {
        const at = yield* answering(answer)
        yield* IdentityProviders.use((providers) => providers.set({ issuer: at })).pipe(
          Server.as(tenant)
        )
        assert.strictEqual(problem(yield* signIn(tenant)), away)
      }
    })
  )

  it.effect("with another nonce, state or issuer, and when it comes back in another browser", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      yield* IdentityProvider.start(tenant)
      const changed = (name: string, value: string, where: (url: URL) => boolean) => (url: URL) => {
        if (where(url)) url.searchParams.set(name, value)
        return url
      }
      const atProvider = (url: URL) => url.searchParams.has("nonce")
      const nonce = yield* signIn(tenant, changed("nonce", "another", atProvider))
      assert.strictEqual(problem(nonce), refused)
      const state = yield* signIn(tenant, changed("state", "another", isCallback))
      assert.strictEqual(problem(state), stale)
      const issuer = yield* signIn(tenant, changed("iss", "https://evil.example", isCallback))
      assert.strictEqual(problem(issuer), refused)
      const challenge = yield* signIn(
        tenant,
        changed("code_challenge", Server.signIn.challenge, atProvider)
      )
      assert.strictEqual(problem(challenge), refused)
      const code = yield* signIn(tenant, changed("code", "another", isCallback))
      assert.strictEqual(problem(code), refused)

      // An attacker's answer, carried to a browser that has begun nothing, or a sign-in of its own.
      let stolen: URL | undefined
      yield* signIn(tenant, (url) => {
        if (!isCallback(url)) return url
        stolen = new URL(url)
        return new URL(`${OnSocket.issuer(tenant)}/.well-known/openid-configuration`)
      })
      const empty = yield* IdentityProvider.browser
      assert.strictEqual(problem(yield* empty.open(stolen!)), stale)
      const victim = yield* IdentityProvider.browser
      const taken = yield* victim.open(startOf(tenant), (url) => (isCallback(url) ? stolen! : url))
      assert.strictEqual(problem(taken), stale)
      const actions = yield* actionsOf(tenant)
      assert.notInclude(actions, "user.signIn.start")
      assert.include(actions, "user.signIn.start REFUSED")
    })
  )

  it.effect("when the e-mail address is not verified, unknown, a disabled user's or recycled", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const { account } = yield* IdentityProvider.start(tenant, { verified: false })
      assert.strictEqual(problem(yield* signIn(tenant)), unknown)
      assert.deepStrictEqual(yield* actionsOf(tenant), [
        "identityProvider.set",
        "user.signIn.start REFUSED"
      ])
      Object.assign(account, { verified: true, email: "unknown@example.test", subject: "2" })
      assert.strictEqual(problem(yield* signIn(tenant)), unknown)
      Object.assign(account, { email: `north@${tenant}.test`, subject: "3" })
      const first = yield* signIn(tenant)
      assert.strictEqual(yield* userBehind(tenant, first.url), `north@${tenant}.test`)
      // The address belongs to another person at the provider now: another subject.
      account.subject = "4"
      assert.strictEqual(problem(yield* signIn(tenant)), unknown)
      const sql = yield* SuperuserSql
      yield* sql`
        UPDATE app_user SET status = 'DISABLED', disabled_at = now()
        WHERE tenant_id = ${tenant} AND email = ${`north@${tenant}.test`}
      `
      account.subject = "3"
      assert.strictEqual(problem(yield* signIn(tenant)), unknown)
    })
  )

  it.effect("when the provider is away, is another than was set up, or has been replaced", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const { issuer, restart, stop } = yield* IdentityProvider.start(tenant)
      const set = (given: { readonly issuer?: string; readonly clientId?: string }) =>
        IdentityProviders.use((providers) => providers.set(given)).pipe(Server.as(tenant))
      yield* set({ issuer: issuer.replace("127.0.0.1", "localhost") })
      assert.strictEqual(problem(yield* signIn(tenant)), away)
      yield* set({ issuer })
      yield* stop
      assert.strictEqual(problem(yield* signIn(tenant)), away)
      yield* restart
      const { open } = yield* IdentityProvider.browser
      let answer: URL | undefined
      yield* open(startOf(tenant), (url) => {
        if (isCallback(url)) answer = new URL(url)
        return isCallback(url) ? new URL(Server.signIn.redirectUri) : url
      })
      yield* set({ clientId: "another" })
      assert.strictEqual(problem(yield* open(answer!)), stale)
    })
  )

  it.effect("with what another tenant's browser keeps, though both have the same provider", () =>
    Effect.gen(function* () {
      const [tenant, other] = [yield* Server.newTenant, yield* Server.newTenant]
      yield* IdentityProvider.start(tenant)
      yield* IdentityProvider.start(other, { email: `north@${tenant}.test` })
      assert.strictEqual(problem(yield* signIn(other)), unknown)
      const { cookiesOf, open } = yield* IdentityProvider.browser
      let answer: URL | undefined
      yield* open(startOf(other), (url) => {
        if (isCallback(url)) answer = new URL(url)
        return isCallback(url) ? new URL(Server.signIn.redirectUri) : url
      })
      const host = (id: TenantId) => new URL(OnSocket.issuer(id)).host
      for (const [name, value] of cookiesOf(host(other))) cookiesOf(host(tenant)).set(name, value)
      answer!.host = host(tenant)
      assert.strictEqual(problem(yield* open(answer!)), stale)
    })
  )

  it.effect("of a request that is refused anyway, or of a tenant without a provider", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const { open } = yield* IdentityProvider.browser
      assert.strictEqual(problem(yield* open(startOf(tenant))), stale)
      const wrong = yield* open(startOf(tenant, { redirect_uri: "https://evil.example/" }))
      assert.strictEqual(wrong.status, 400)
      assert.strictEqual(wrong.url.host, new URL(OnSocket.issuer(tenant)).host)
      const set = (issuer: string) =>
        IdentityProviders.use((providers) => providers.set({ issuer, clientId: "x" })).pipe(
          Server.as(tenant),
          Effect.flip
        )
      for (const issuer of [
        "http://login.example.com",
        "https://user@login.example.com",
        "https://login.example.com/?x",
        "ftp://127.0.0.1",
        "x"
      ]) {
        assert.strictEqual((yield* set(issuer))._tag, "InvalidIssuer", issuer)
      }
    })
  )
})

layer(TestLayer, options)("a user signs in with the tenant's provider", (it) => {
  for (const inIdToken of [false, true]) {
    it.effect(
      `by a verified address ${inIdToken ? "in the ID token" : "of UserInfo"}, then by sub`,
      () =>
        Effect.gen(function* () {
          const tenant = yield* Server.newTenant
          const { account, restart, stop } = yield* IdentityProvider.start(tenant, { inIdToken })
          const first = yield* signIn(tenant)
          assert.strictEqual(first.url.searchParams.get("state"), Server.request["state"])
          assert.strictEqual(first.url.searchParams.get("iss"), OnSocket.issuer(tenant))
          assert.strictEqual(yield* userBehind(tenant, first.url), `north@${tenant}.test`)
          // Neither another address nor a new key of the provider changes who it is.
          account.email = `south@${tenant}.test`
          yield* stop
          yield* restart
          const second = yield* signIn(tenant)
          assert.strictEqual(yield* userBehind(tenant, second.url), `north@${tenant}.test`)
          assert.deepStrictEqual(yield* actionsOf(tenant), [
            "identityProvider.set",
            "user.identity.link",
            "user.signIn.start",
            "user.signIn.start"
          ])
          assert.deepStrictEqual(yield* eventsOf(tenant), ["user.identity.link"])
        })
    )
  }

  it.effect("by the button of the login page, which may be the only way", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      yield* IdentityProvider.start(tenant)
      const { open } = yield* IdentityProvider.browser
      const page = () =>
        open(
          new URL(
            `${OnSocket.issuer(tenant)}/oauth2/authorize?${new URLSearchParams(Server.request)}`
          )
        )
      const offered = yield* page()
      assert.include(offered.text, "Sign in with Example &amp; Co")
      assert.include(offered.text, 'name="password"')
      const href = /href="(\/federation\/start[^"]*)"/u.exec(offered.text)?.[1] ?? ""
      const back = yield* open(new URL(href.replaceAll("&amp;", "&"), offered.url))
      assert.strictEqual(yield* userBehind(tenant, back.url), `north@${tenant}.test`)
      assert.isTrue(yield* Server.signsIn(tenant, `north@${tenant}.test`, "sandbox-password"))
      yield* IdentityProviders.use((providers) => providers.set({ mode: "REQUIRED" })).pipe(
        Server.as(tenant)
      )
      assert.notInclude((yield* page()).text, 'name="password"')
      assert.isFalse(yield* Server.signsIn(tenant, `north@${tenant}.test`, "sandbox-password"))
      yield* IdentityProviders.use((providers) => providers.remove).pipe(Server.as(tenant))
      assert.isTrue(yield* Server.signsIn(tenant, `north@${tenant}.test`, "sandbox-password"))
    })
  )

  it.effect("with the secret stored encrypted, and bound to its tenant", () =>
    Effect.gen(function* () {
      const [tenant, other] = [yield* Server.newTenant, yield* Server.newTenant]
      yield* IdentityProvider.start(tenant)
      yield* IdentityProvider.start(other)
      const sql = yield* SuperuserSql
      const rows = yield* sql<{ encryptedSecret: string }>`
        SELECT encrypted_secret FROM identity_provider WHERE tenant_id = ${tenant}
      `
      assert.lengthOf(rows, 1)
      assert.notInclude(rows[0]!.encryptedSecret, "a-secret-of-the-provider")
      yield* sql`
        UPDATE identity_provider SET encrypted_secret = ${rows[0]!.encryptedSecret}
        WHERE tenant_id = ${other}
      `
      const opened = IdentityProviders.use(({ open }) => open).pipe(Server.as(other), Effect.exit)
      assert.strictEqual((yield* opened)._tag, "Failure")
    })
  )
})
