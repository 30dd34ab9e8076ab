/** Firms, users and clients as any HTTP client administrates them. */
import { assert, layer } from "@effect/vitest"
import { ClientId } from "@quittance/domain/requests/Caller"
import { alphabet, suffixLength } from "@quittance/domain/values/PrefixedId"
import { AuthorizationServerClients } from "@quittance/operations/authorization-server/ClientAuthentication"
import { TokenIssuer } from "@quittance/operations/tokens/TokenIssuer"
import { Effect, Layer, Redacted } from "effect"
import { type Call, call, newTenant, TestLayer, type World } from "./Api.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const suffix = alphabet.slice(0, suffixLength)
const firm = { name: "Lambert", firmType: "RETAIL" }
const nora = { email: "nora@example.test", firstName: "Nora", lastName: "Lambert" }
const crm = { name: "CRM", scopes: ["platform/billing"] }

/** A request of the tenant's client, unless it says otherwise. */
const ask = ({ client, tenant }: World, path: string, request: Call = {}) =>
  call(path, { tenant, token: client, ...request })

const faultsOf = (body: {
  code: string
  details: { issues: ReadonlyArray<{ in: string; path: string }> }
}) => body.details.issues.map(({ in: part, path }) => `${part} ${path}`)

const Live = Layer.provideMerge(AuthorizationServerClients.layer, TestLayer)

layer(Live, { excludeTestServices: true })("administration over HTTP", (it) => {
  it.effect("refuses bodies that do not fit, and names what does not", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const made = yield* ask(world, "/brokerage-firms", { body: firm })
      const onFirm = `/brokerage-firms/${made.body.id}`
      const wrong: ReadonlyArray<readonly [string, string, unknown, ReadonlyArray<string>]> = [
        ["POST", "/brokerage-firms", {}, ["body /name", "body /firmType"]],
        ["POST", "/brokerage-firms", { ...firm, name: " " }, ["body /name"]],
        ["POST", "/brokerage-firms", { ...firm, firmType: "BANK" }, ["body /firmType"]],
        ["POST", "/brokerage-firms", { ...firm, path: [] }, ["body /path"]],
        [
          "POST",
          "/brokerage-firms",
          { ...firm, parentBrokerageFirmId: `brokerage_firm_${suffix}` },
          ["body /parentBrokerageFirmId"]
        ],
        [
          "POST",
          "/brokerage-firms",
          {
            ...firm,
            customFields: [
              { key: "a", value: 1 },
              { key: "a", value: 2 }
            ]
          },
          ["body /customFields/1/key"]
        ],
        ["POST", "/admin/users", {}, ["body /email", "body /firstName", "body /lastName"]],
        ["POST", "/admin/users", { ...nora, email: "nora" }, ["body /email"]],
        ["POST", "/admin/users", { ...nora, status: "ACTIVE" }, ["body /status"]],
        ["POST", "/admin/users", { ...nora, password: "x" }, ["body /password"]],
        ["POST", "/admin/clients", { ...crm, scopes: ["platform/everything"] }, ["body /scopes/0"]],
        [
          "POST",
          "/admin/clients",
          { ...crm, scopes: ["platform/billing", "platform/billing"] },
          ["body /scopes"]
        ],
        ["POST", "/admin/clients", { ...crm, internal: true }, ["body /internal"]],
        ["POST", "/admin/clients", { ...crm, clientSecret: "x" }, ["body /clientSecret"]],
        ...["A", "ab", "-crm", `user_test_${suffix}`, "x".repeat(64)].map(
          (clientId) =>
            ["POST", "/admin/clients", { ...crm, clientId }, ["body /clientId"]] as const
        ),
        [
          "POST",
          "/admin/clients",
          { ...crm, kind: "PUBLIC" },
          ["body /scopes", "body /redirectUris"]
        ],
        ["POST", "/admin/clients", { ...crm, grantTypes: ["refresh_token"] }, ["body /grantTypes"]],
        [
          "POST",
          "/admin/clients",
          { ...crm, redirectUris: ["https://app.example/"] },
          ["body /redirectUris"]
        ]
      ]
      for (const [method, path, body, faults] of wrong) {
        const answer = yield* ask(world, path, { method, body })
        const said = JSON.stringify(body)
        assert.deepStrictEqual([answer.status, answer.body.code], [400, "INVALID_REQUEST"], said)
        assert.sameMembers(faultsOf(answer.body), [...faults], said)
      }
      const patches = [
        { name: null },
        { firmType: null },
        { createdAt: "2026-01-01T00:00:00.000Z" },
        { customFields: { a: 1 } }
      ]
      for (const body of patches) {
        const request = { method: "PATCH", token: world.manager, body }
        const { status } = yield* ask(world, onFirm, request)
        assert.strictEqual(status, 400, JSON.stringify(body))
      }
    })
  )

  it.effect("takes addresses to send people back to in one form only", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const app = (redirectUris: ReadonlyArray<string>) => ({
        name: "App",
        kind: "PUBLIC",
        scopes: [],
        redirectUris
      })
      const good = [
        "https://app.example/callback",
        "https://app.example:8443/callback?tenant=1",
        "http://127.0.0.1/callback",
        "http://[::1]/callback"
      ]
      const made = yield* ask(world, "/admin/clients", { body: app(good) })
      assert.deepStrictEqual([made.status, made.body.redirectUris], [201, good])
      for (const bad of [
        "",
        "/callback",
        "http://app.example/callback",
        "http://localhost/callback",
        "http://127.0.0.1:3000/callback",
        "https://app.example",
        "https://APP.example/",
        "https://app.example/a/../b",
        "https://app.example/#x",
        "https://app.example/#",
        "https://user@app.example/",
        "https://app.example/ ",
        "javascript:alert(1)",
        "data:text/html,x",
        "com.example.app:/callback",
        `https://app.example/${"x".repeat(500)}`
      ]) {
        const { body, status } = yield* ask(world, "/admin/clients", { body: app([good[0]!, bad]) })
        assert.strictEqual(status, 400, bad)
        assert.deepStrictEqual(faultsOf(body), ["body /redirectUris/1"])
      }
    })
  )

  it.effect("refuses queries that do not fit, and takes lists of statuses", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      for (const path of [
        "/brokerage-firms?count=0",
        "/brokerage-firms?firmType=BANK",
        `/brokerage-firms?parentBrokerageFirmId=user_test_${suffix}`,
        `/brokerage-firms?queryString=${"x".repeat(201)}`,
        "/admin/users?statuses=GONE",
        "/admin/users?page=0",
        "/admin/clients?count=101"
      ]) {
        const { body, status } = yield* ask(world, path)
        assert.deepStrictEqual([status, body.code], [400, "INVALID_REQUEST"], path)
      }
      yield* ask(world, "/admin/users", { body: nora })
      const invited = yield* ask(world, "/admin/users?statuses=INVITED&statuses=DISABLED")
      assert.deepStrictEqual(
        invited.body.data.map(({ email, status }: Record<string, string>) => [email, status]),
        [[nora.email, "INVITED"]]
      )
      const odd = yield* ask(world, `/admin/users?queryString=${encodeURIComponent("%_\\ '\"")}`)
      assert.deepStrictEqual([odd.status, odd.body.totalCount], [200, 0])
    })
  )

  it.effect("shows a secret once, in the answer that makes it, and lets it be replaced", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const authenticates = (id: string, secret: string) =>
        AuthorizationServerClients.use((clients) =>
          clients.authenticate({ _tag: "Basic", id, secret: Redacted.make(secret) }, "192.0.2.1")
        ).pipe(
          Effect.as(true),
          Effect.catchTag("TokenRefused", () => Effect.succeed(false)),
          Effect.provideService(CurrentTenant, world.tenant)
        )
      const made = yield* ask(world, "/admin/clients", { body: { ...crm, clientId: "acme-crm" } })
      assert.strictEqual(made.status, 201)
      assert.strictEqual(made.header("cache-control"), "no-store")
      const { clientSecret, ...view } = made.body
      assert.match(clientSecret, /^[\w-]{43}$/u)
      assert.isTrue(yield* authenticates("acme-crm", clientSecret))
      const read = yield* ask(world, "/admin/clients/acme-crm")
      assert.deepStrictEqual([read.status, read.body], [200, view])
      const listed = yield* ask(world, "/admin/clients")
      assert.notInclude(JSON.stringify(listed.body), clientSecret)

      const secrets = "/admin/clients/acme-crm/secrets"
      const second = yield* ask(world, secrets, { body: {} })
      assert.hasAllKeys(second.body, ["secretId", "clientSecret", "createdAt"])
      const third = yield* ask(world, secrets, { body: {} })
      assert.deepStrictEqual([third.status, third.body.code], [409, "TOO_MANY_SECRETS"])
      const deletion = { method: "DELETE" }
      const old = `${secrets}/${view.secrets[0].secretId}`
      assert.strictEqual((yield* ask(world, old, deletion)).status, 204)
      const last = yield* ask(world, `${secrets}/${second.body.secretId}`, deletion)
      assert.deepStrictEqual([last.status, last.body.code], [409, "LAST_SECRET"])
      assert.isTrue(yield* authenticates("acme-crm", second.body.clientSecret))
    })
  )

  it.effect("KY-01 ends the tokens of a client that is deleted and of a user who is disabled", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { tenant } = world
      const status = (token: string) =>
        Effect.map(call("/account", { tenant, token }), ({ status }) => status)
      // What an instance knows of them is a second old at most.
      const refused = (token: string) =>
        Effect.repeat(status(token), { until: (status) => status !== 200 })

      yield* ask(world, "/admin/clients", { body: { ...crm, clientId: "acme-crm" } })
      const crmToken = yield* TokenIssuer.use((issuer) =>
        issuer.client(ClientId.make("acme-crm"), "platform/account")
      ).pipe(Effect.provideService(CurrentTenant, tenant))
      const { body: account } = yield* call("/account", { tenant, token: world.north })
      assert.deepStrictEqual([yield* status(crmToken), yield* status(world.north)], [200, 200])

      const disabled = yield* ask(world, `/admin/users/${account.id}/disable`, { body: {} })
      assert.deepStrictEqual([disabled.status, disabled.body.status], [200, "DISABLED"])
      assert.strictEqual(yield* refused(world.north), 401)
      const deleted = yield* ask(world, "/admin/clients/acme-crm", { method: "DELETE" })
      assert.strictEqual(deleted.status, 204)
      assert.strictEqual(yield* refused(crmToken), 401)
      assert.deepStrictEqual([yield* status(world.south), yield* status(world.client)], [200, 200])
    })
  )

  it.effect("does what a key was first sent with once, and tells who may not", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const headers = { "idempotency-key": "nora" }
      const first = yield* ask(world, "/admin/users", { body: nora, headers })
      const again = yield* ask(world, "/admin/users", { body: nora, headers })
      assert.deepStrictEqual([again.status, again.body], [201, first.body])
      assert.strictEqual(again.header("idempotency-replayed"), "true")
      const other = yield* ask(world, "/admin/users", { body: nora })
      assert.deepStrictEqual([other.status, other.body.code], [409, "EMAIL_TAKEN"])
      const self = yield* call("/account", { tenant: world.tenant, token: world.manager })
      const own = yield* ask(world, `/admin/users/${self.body.id}/disable`, {
        body: {},
        token: world.manager
      })
      assert.deepStrictEqual([own.status, own.body.code], [409, "OWN_ACCOUNT"])
      const last = yield* ask(world, `/admin/users/${self.body.id}/disable`, { body: {} })
      assert.deepStrictEqual([last.status, last.body.code], [409, "LAST_MANAGER"])
      // A client has no rights where a firm is named, and no key is accepted where a secret is answered.
      const firms = yield* ask(world, "/brokerage-firms")
      const named = `/brokerage-firms/${firms.body.data[0].id}`
      const client = yield* ask(world, named)
      assert.deepStrictEqual([client.status, client.body.code], [404, "USER_NOT_FOUND"])
      const keyed = yield* ask(world, "/admin/clients?idempotencyKey=k", { body: crm })
      assert.deepStrictEqual([keyed.status, keyed.body.code], [400, "INVALID_REQUEST"])
    })
  )
})
