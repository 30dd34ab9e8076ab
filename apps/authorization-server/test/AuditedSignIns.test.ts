/** What signing in, and choosing passwords, leaves in the audit trail. */
import { assert, layer } from "@effect/vitest"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { UsersRepo } from "@quittance/persistence/access/UsersRepo"
import { Effect } from "effect"
import * as Browser from "./Browser.ts"
import * as Letterbox from "./Letterbox.ts"
import * as Server from "./Server.ts"
import type { TenantId } from "@quittance/domain/requests/Tenancy"

const password = "a harbour with nine cranes"

const trailOf = Effect.fnUntraced(function* (tenant: TenantId) {
  const sql = yield* SuperuserSql
  return yield* sql<Readonly<Record<string, unknown>>>`
    SELECT actor_kind || ' ' || actor_id AS actor, action, record_id, request_id, outcome,
      detail - 'before' - 'after' AS detail
    FROM audit WHERE tenant_id = ${tenant} ORDER BY recorded_at, id
  `
})

/** What an effect adds to the trail. */
const left = Effect.fnUntraced(function* <A, E, R>(
  tenant: TenantId,
  effect: Effect.Effect<A, E, R>
) {
  const before = yield* trailOf(tenant)
  const value = yield* effect
  return { value, rows: (yield* trailOf(tenant)).slice(before.length) }
})

const north = (tenant: TenantId) =>
  Effect.map(
    UsersRepo.use((users) => users.findLogin(`north@${tenant}.test`)),
    (login) => String(login!.id)
  ).pipe(Server.as(tenant))

const startOf = (userId: string) => ({
  actor: `USER ${userId}`,
  action: "user.signIn.start",
  recordId: userId,
  requestId: "of-a-test",
  outcome: "DONE",
  detail: { clientId: Server.signIn.clientId, methods: "pwd" }
})

const endOf = (userId: string, clientId: string, reason: string) => ({
  actor: `CLIENT ${clientId}`,
  action: "user.signIn.end",
  recordId: userId,
  requestId: "of-a-test",
  outcome: "DONE",
  detail: { reason }
})

const signedIn = Effect.fnUntraced(function* (tenant: TenantId) {
  const code = yield* Server.code(tenant)
  const { refresh_token: refreshToken } = yield* Server.json(yield* Server.redeem(tenant, code))
  return { code, refreshToken }
})

layer(Letterbox.TestLayer, { excludeTestServices: true })("the trail of sign-ins", (it) => {
  it.effect("tells who was refused: the address, the account by its hash, and why", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const from = { "test-address": "192.0.2.77" }
      const refused = {
        actor: "ANONYMOUS 192.0.2.77",
        action: "user.signIn.start",
        requestId: "of-a-test",
        outcome: "REFUSED",
        detail: { clientId: Server.signIn.clientId, lacking: "PASSWORD" }
      }
      const { rows } = yield* left(
        tenant,
        Effect.all([
          Server.submit(tenant, { password: "wrong" }, from),
          Server.submit(tenant, { email: "unknown@example.test" }, from),
          Server.submit(tenant, { email: " UNKNOWN@example.test" }, from)
        ])
      )
      const accounts = rows.map(({ recordId }) => recordId)
      assert.deepStrictEqual(
        rows,
        accounts.map((recordId) => ({ ...refused, recordId }))
      )
      assert.strictEqual(new Set(accounts).size, 2)
      assert.strictEqual(accounts[1], accounts[2])
      for (const account of accounts) assert.match(`${account}`, /^[\w-]{43}$/u)
      // Of an address three a minute are rows of their own.
      const further = yield* left(
        tenant,
        Effect.forEach([1, 2, 3], () => Server.submit(tenant, { password: "wrong" }, from))
      )
      assert.deepStrictEqual(further.rows, [])
    })
  )

  it.effect("tells which client gave wrong credentials, as far as it can be one", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const from = { "test-address": "2001:db8:1:2::3" }
      const grant = { grant_type: "client_credentials" }
      const ask = (id: string, secret: string) =>
        Server.token(tenant, grant, { ...Server.basic(id, secret), ...from })
      const { rows } = yield* left(
        tenant,
        Effect.all([ask(`${tenant}-integration`, "wrong"), ask("no such <client>", "wrong")])
      )
      assert.deepStrictEqual(
        rows,
        [`${tenant}-integration`, tenant].map((recordId) => ({
          actor: "ANONYMOUS 2001:db8:1:2::/64",
          action: "client.authenticate",
          recordId,
          requestId: "of-a-test",
          outcome: "REFUSED",
          detail: { lacking: "CREDENTIALS" }
        }))
      )
    })
  )

  it.effect("has no row of a token that was issued without a sign-in", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const { rows } = yield* left(
        tenant,
        Effect.all([
          Server.redeem(tenant, "A".repeat(43)),
          Server.refresh(tenant, "A".repeat(43)),
          Server.token(tenant, { grant_type: "client_credentials" })
        ])
      )
      assert.deepStrictEqual(rows, [])
    })
  )

  it.effect("tells who signed in, once, however often their tokens are refreshed", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const { rows } = yield* left(
        tenant,
        Effect.gen(function* () {
          let { refreshToken } = yield* signedIn(tenant)
          for (let times = 0; times < 3; times++) {
            const response = yield* Server.refresh(tenant, refreshToken)
            assert.strictEqual(response.status, 200)
            refreshToken = (yield* Server.json(response))["refresh_token"]
          }
        })
      )
      assert.deepStrictEqual(rows, [startOf(yield* north(tenant))])
    })
  )

  it.effect(
    "tells once of a code or a token that came back, and of a sign-in that was given back",
    () =>
      Effect.gen(function* () {
        const tenant = yield* Server.newTenant
        const userId = yield* north(tenant)
        const app = Server.signIn.clientId
        const twice = <A, E, R>(attempt: Effect.Effect<A, E, R>) => Effect.all([attempt, attempt])
        const { rows: ofCode } = yield* left(
          tenant,
          Effect.gen(function* () {
            const { code } = yield* signedIn(tenant)
            yield* twice(Server.redeem(tenant, code))
          })
        )
        assert.deepStrictEqual(ofCode, [startOf(userId), endOf(userId, app, "CODE_REUSED")])
        const { rows: ofToken } = yield* left(
          tenant,
          Effect.gen(function* () {
            const { refreshToken } = yield* signedIn(tenant)
            yield* Server.refresh(tenant, refreshToken)
            yield* twice(Server.refresh(tenant, refreshToken))
          })
        )
        assert.deepStrictEqual(ofToken, [
          startOf(userId),
          endOf(userId, app, "REFRESH_TOKEN_REUSED")
        ])
        const other = yield* Server.otherApp(tenant)
        const { rows: ofOther } = yield* left(
          tenant,
          Effect.gen(function* () {
            const { refreshToken } = yield* signedIn(tenant)
            yield* twice(Server.refresh(tenant, refreshToken, { client_id: other }))
          })
        )
        assert.deepStrictEqual(ofOther, [startOf(userId), endOf(userId, other, "OTHER_CLIENT")])
        const { rows: givenBack } = yield* left(
          tenant,
          Effect.gen(function* () {
            const { refreshToken } = yield* signedIn(tenant)
            const form = new URLSearchParams({ client_id: app, token: String(refreshToken) })
            const call = { path: "/oauth2/revoke", headers: Server.formType, body: `${form}` }
            yield* twice(Server.call(tenant, call))
          })
        )
        assert.deepStrictEqual(givenBack, [startOf(userId), endOf(userId, app, "REVOKED")])
      })
  )
})

layer(Letterbox.TestLayer, { excludeTestServices: true })("the trail of tokens", (it) => {
  it.effect(
    "tells of an access token that its client revokes, and of no other client's attempts",
    () =>
      Effect.gen(function* () {
        const tenant = yield* Server.newTenant
        const grant = { grant_type: "client_credentials" }
        const { access_token: token } = yield* Server.json(yield* Server.token(tenant, grant))
        const [, payload = ""] = String(token).split(".")
        const { jti } = JSON.parse(Buffer.from(payload, "base64url").toString())
        const giveBack = (fields: object, headers = {}) =>
          Server.call(tenant, {
            path: "/oauth2/revoke",
            headers: { ...Server.formType, ...headers },
            body: `${new URLSearchParams({ token: String(token), ...fields })}`
          })
        const foreign = yield* left(tenant, giveBack({ client_id: Server.signIn.clientId }))
        assert.deepStrictEqual(foreign.rows, [])
        const own = yield* left(tenant, giveBack({}, Server.integration(tenant)))
        assert.strictEqual(own.value.status, 200)
        // Who gives back what is dead already, changes nothing.
        const again = yield* left(tenant, giveBack({}, Server.integration(tenant)))
        assert.deepStrictEqual(
          [own.rows, again.rows],
          [
            [
              {
                actor: `CLIENT ${tenant}-integration`,
                action: "token.revoke",
                recordId: jti,
                requestId: "of-a-test",
                outcome: "DONE",
                detail: {}
              }
            ],
            []
          ]
        )
      })
  )
})

layer(Letterbox.TestLayer, { excludeTestServices: true })("the trail of accounts", (it) => {
  it.effect("tells of an account that is made by an invitation, and of the invitation", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const email = "ada@example.test"
      const { id, link } = yield* Letterbox.invite(tenant, email)
      const page = yield* Browser.visit(tenant, link)
      const { rows } = yield* left(tenant, Browser.fill(tenant, page, { password: "short" }))
      assert.deepStrictEqual(rows, [], "a password that is too weak changes nothing")
      const names = { firstName: "Ada", lastName: "Byron" }
      const made = yield* left(tenant, Browser.fill(tenant, page, { ...names, password }))
      const login = yield* UsersRepo.use((users) => users.findLogin(email)).pipe(Server.as(tenant))
      const common = { actor: `USER ${login!.id}`, requestId: "of-a-test", outcome: "DONE" }
      assert.deepStrictEqual(made.rows, [
        { ...common, action: "user.create", recordId: login!.id, detail: { link: id } },
        { ...common, action: "invitation.accept", recordId: id, detail: {} }
      ])
    })
  )

  it.effect("tells of a password that is chosen anew, and nowhere what it is", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const userId = yield* north(tenant)
      const email = `north@${tenant}.test`
      const asking = yield* Browser.visit(tenant, "/password/forgot")
      assert.strictEqual((yield* Browser.fill(tenant, asking, { email })).status, 200)
      const [letter] = yield* Letterbox.receive(tenant, email)
      const page = yield* Browser.visit(tenant, letter!.link)
      const { rows } = yield* left(tenant, Browser.fill(tenant, page, { password }))
      assert.isTrue(yield* Server.signsIn(tenant, email, password))
      const [row, ...others] = rows
      assert.deepStrictEqual(others, [])
      const { detail, ...rest } = row!
      assert.deepStrictEqual(rest, {
        actor: `USER ${userId}`,
        action: "user.password.set",
        recordId: userId,
        requestId: "of-a-test",
        outcome: "DONE"
      })
      assert.deepInclude(detail, { reason: "PASSWORD_RESET" })
      const said = JSON.stringify(yield* trailOf(tenant))
      for (const secret of [password, email, letter!.link]) assert.notInclude(said, secret)
    })
  )
})
