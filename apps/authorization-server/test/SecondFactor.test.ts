/** From the password to a code by a second factor, on the pages that people see. */
import { assert, layer } from "@effect/vitest"
import { SecondFactorPolicy } from "@quittance/operations/authorization-server/SecondFactorPolicy"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { createHmac } from "node:crypto"
import * as Authenticator from "./Authenticator.ts"
import * as Browser from "./Browser.ts"
import * as Server from "./Server.ts"
import type { TenantId } from "@quittance/domain/requests/Tenancy"

const TestLayer = Layer.provideMerge(SecondFactorPolicy.layer, Server.TestLayer)
const password = "sandbox-password"
const mail = (tenant: TenantId, name: string) => `${name}@${tenant}.test`
const origin = (tenant: TenantId) => `http://${tenant}.auth.localhost:8080`

const require = (tenant: TenantId) =>
  SecondFactorPolicy.use((policy) => policy.setRequired(true)).pipe(Server.as(tenant))

/** The page after the password, at the sign-in of an application. */
const signIn = Effect.fnUntraced(function* (tenant: TenantId, name: string) {
  const query = new URLSearchParams(Server.request)
  const page = yield* Browser.visit(tenant, `/oauth2/authorize?${query}`)
  const hidden = Object.fromEntries(
    Object.entries(page.hidden).map(([key, value]) => [key, value.replaceAll("&amp;", "&")])
  )
  return yield* Browser.fill(tenant, { ...page, hidden }, { email: mail(tenant, name), password })
})

/** The page of one's own factors, after the password. */
const account = Effect.fnUntraced(function* (tenant: TenantId, name: string) {
  const page = yield* Browser.visit(tenant, "/account/security")
  return yield* Browser.fill(tenant, page, { email: mail(tenant, name), password })
})

const codeOf = ({ headers }: Browser.Shown) =>
  new URL(headers.get("location") ?? "none:").searchParams.get("code")

const keyOf = ({ html }: Browser.Shown) => /type this in: <code>([A-Z2-7]+)</u.exec(html)![1]!
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

/** What an authenticator app shows, so many steps from now. */
const shown = (key: string, steps = 0) => {
  const bits = [...key].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, "0"))
  const bytes = bits.join("").match(/.{8}/gu)!
  const secret = Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 2))
  const counter = Buffer.alloc(8)
  counter.writeUInt32BE(Math.floor(Date.now() / 30_000) + steps, 4)
  const hmac = createHmac("sha1", secret).update(counter).digest()
  const number = hmac.readUInt32BE(hmac.at(-1)! & 15) & 0x7fff_ffff
  return `${number % 1_000_000}`.padStart(6, "0")
}

const recoveryCodes = ({ html }: Browser.Shown) =>
  [...html.matchAll(/<li><code>([A-Z2-7-]+)</gu)].map(([, code]) => code!)

/** What the page asks of a passkey. */
const asked = (tenant: TenantId, { html }: Browser.Shown): Authenticator.Circumstances => {
  const text = /data-options="([^"]*)"/u.exec(html)![1]!.replaceAll("&quot;", '"')
  const { challenge } = JSON.parse(text.replaceAll("&#39;", "'").replaceAll("&amp;", "&")) as {
    challenge: string
  }
  return { challenge, origin: origin(tenant) }
}

/** Adds an authenticator app by the code of the step before, so that the present one is still good. */
const addApp = Effect.fnUntraced(function* (tenant: TenantId, page: Browser.Shown) {
  const key = keyOf(page)
  const used = shown(key, -1)
  return { key, used, added: yield* Browser.fill(tenant, page, { do: "add-totp", text: used }) }
})

/** A user with an authenticator app: its key and their recovery codes. */
const withApp = Effect.fnUntraced(function* (tenant: TenantId, name: string) {
  const page = yield* account(tenant, name)
  const first = yield* addApp(tenant, page)
  // Where a step has begun meanwhile, the code was one of long ago.
  const { added, key, used } = first.added.status === 200 ? first : yield* addApp(tenant, page)
  assert.strictEqual(added.status, 200, Browser.problem(added))
  return { key, used, codes: recoveryCodes(added) }
})

const withPasskey = Effect.fnUntraced(function* (tenant: TenantId, name: string) {
  const page = yield* account(tenant, name)
  const passkey = Authenticator.make()
  const credential = Authenticator.create(passkey, asked(tenant, page))
  const added = yield* Browser.fill(tenant, page, { do: "add-passkey", credential })
  assert.strictEqual(recoveryCodes(added).length, 10, Browser.problem(added))
  return passkey
})

const decodeJwt = (token: string) =>
  JSON.parse(Buffer.from(token.split(".")[1]!, "base64url").toString()) as Record<string, unknown>

const claimsOf = Effect.fnUntraced(function* (tenant: TenantId, page: Browser.Shown) {
  const answer = yield* Server.json(yield* Server.redeem(tenant, codeOf(page) ?? ""))
  return { claims: decodeJwt(`${answer["access_token"]}`), refresh: answer["refresh_token"] }
})

const change = Effect.fnUntraced(function* (
  tenant: TenantId,
  statement: (sql: SqlClient.SqlClient) => Statement.Statement<object>
) {
  const sql = yield* SqlClient.SqlClient
  const tenantSql = yield* TenantSql
  yield* tenantSql.transaction(tenantSql.write(statement(sql))).pipe(Server.as(tenant))
})

const forgetTries = (tenant: TenantId) =>
  change(tenant, (sql) => sql`DELETE FROM rate_limit WHERE tenant_id = ${tenant}`)

const options = { excludeTestServices: true }

layer(TestLayer, options)("an authenticator app", (it) => {
  it.effect("refuses a wrong code, one of long ago, and the same one again", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const { key, used } = yield* withApp(tenant, "north")
      for (const text of ["", "000", shown(key, -9), shown(key, 9), used]) {
        const page = yield* signIn(tenant, "north")
        assert.include(page.html, "One more step")
        const next = yield* Browser.fill(tenant, page, { do: "totp", text })
        assert.deepStrictEqual([next.status, codeOf(next)], [400, null], text)
      }
      const [first, second] = [yield* signIn(tenant, "north"), yield* signIn(tenant, "north")]
      const text = shown(key)
      const done = yield* Browser.fill(tenant, first, { do: "totp", text })
      assert.strictEqual(done.status, 303, Browser.problem(done))
      const again = yield* Browser.fill(tenant, second, { do: "totp", text })
      assert.deepStrictEqual([again.status, codeOf(again)], [400, null])
    })
  )

  it.effect("asks for the password again after five wrong codes", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const { key } = yield* withApp(tenant, "north")
      let page = yield* signIn(tenant, "north")
      const form = page
      for (let i = 0; i < 5; i++)
        page = yield* Browser.fill(tenant, form, { do: "totp", text: "x" })
      const right = yield* Browser.fill(tenant, form, { do: "totp", text: shown(key) })
      assert.deepStrictEqual([right.status, codeOf(right)], [400, null])
      assert.include(right.html, "sign in again")
    })
  )

  it.effect("bounds the wrong codes of one person, however often the password was right", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const { key } = yield* withApp(tenant, "north")
      for (let i = 0; i < 10; i++) {
        yield* Browser.fill(tenant, yield* signIn(tenant, "north"), { do: "totp", text: "x" })
      }
      const page = yield* signIn(tenant, "north")
      const next = yield* Browser.fill(tenant, page, { do: "totp", text: shown(key) })
      assert.strictEqual(next.status, 429)
      assert.isNotNull(next.headers.get("retry-after"))
      yield* forgetTries(tenant)
      yield* change(tenant, (sql) => sql`UPDATE second_factor SET failures = 100`)
      const dead = yield* Browser.fill(tenant, page, { do: "totp", text: shown(key) })
      assert.strictEqual(dead.status, 400)
    })
  )

  it.effect("says in the token how and when the user signed in, also after a refresh", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const { key } = yield* withApp(tenant, "north")
      const page = yield* signIn(tenant, "north")
      const done = yield* Browser.fill(tenant, page, { do: "totp", text: shown(key) })
      const { claims, refresh } = yield* claimsOf(tenant, done)
      const acr = "http://schemas.openid.net/pape/policies/2007/06/multi-factor"
      assert.deepInclude(claims, { amr: ["pwd", "otp", "mfa"], acr })
      yield* change(
        tenant,
        (sql) => sql`UPDATE refresh_family SET authenticated_at = '2026-01-01T00:00:00Z'`
      )
      const refreshed = yield* Server.json(yield* Server.refresh(tenant, refresh))
      assert.deepInclude(decodeJwt(`${refreshed["access_token"]}`), {
        auth_time: Date.parse("2026-01-01T00:00:00Z") / 1000,
        amr: ["pwd", "otp", "mfa"]
      })
    })
  )

  it.effect("is stored sealed, and recovery codes as hashes", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const { codes, key } = yield* withApp(tenant, "north")
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const rows = yield* tenantSql
        .read(
          sql<{ text: string }>`
            SELECT f::text AS text FROM second_factor f UNION ALL
            SELECT c::text FROM recovery_code c UNION ALL SELECT a::text FROM sign_in_attempt a
          `
        )
        .pipe(Server.as(tenant))
      const stored = rows.map(({ text }) => text).join("\n")
      for (const secret of [key, ...codes]) assert.notInclude(stored, secret)
    })
  )
})

layer(TestLayer, options)("a recovery code", (it) => {
  it.effect("stands in once, however it is written, and only for its owner", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const { codes } = yield* withApp(tenant, "north")
      yield* withApp(tenant, "south")
      assert.strictEqual(new Set(codes).size, 10)
      const text = codes[3]!.toLowerCase().replaceAll("-", " ")
      const foreign = yield* signIn(tenant, "south")
      const refused = yield* Browser.fill(tenant, foreign, { do: "recovery", text })
      assert.deepStrictEqual([refused.status, codeOf(refused)], [400, null])
      const page = yield* signIn(tenant, "north")
      assert.strictEqual((yield* Browser.fill(tenant, page, { do: "recovery", text })).status, 303)
      const second = yield* signIn(tenant, "north")
      assert.strictEqual(
        (yield* Browser.fill(tenant, second, { do: "recovery", text })).status,
        400
      )
    })
  )
})

layer(TestLayer, options)("a passkey", (it) => {
  it.effect("refuses another origin, another challenge, and an answer that was given before", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const passkey = yield* withPasskey(tenant, "north")
      const page = yield* signIn(tenant, "north")
      const right = asked(tenant, page)
      const evil = { ...right, origin: "https://evil.test" }
      const stale = { ...right, challenge: Buffer.alloc(32).toString("base64url") }
      for (const wrong of [evil, stale]) {
        const form = yield* signIn(tenant, "north")
        const circumstances = {
          ...asked(tenant, form),
          ...(wrong === evil ? { origin: evil.origin } : stale)
        }
        const credential = Authenticator.get(passkey, circumstances)
        const next = yield* Browser.fill(tenant, form, { do: "passkey", credential })
        assert.deepStrictEqual([next.status, codeOf(next)], [400, null])
      }
      const credential = Authenticator.get(passkey, right)
      const done = yield* Browser.fill(tenant, page, { do: "passkey", credential })
      assert.isNotNull(codeOf(done), Browser.problem(done))
      assert.deepInclude((yield* claimsOf(tenant, done)).claims, { amr: ["pwd", "pop", "mfa"] })
      for (const form of [page, yield* signIn(tenant, "north")]) {
        const replayed = yield* Browser.fill(tenant, form, { do: "passkey", credential })
        assert.deepStrictEqual([replayed.status, codeOf(replayed)], [400, null])
      }
    })
  )

  it.effect("asks for each challenge once", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const passkey = yield* withPasskey(tenant, "north")
      const page = yield* signIn(tenant, "north")
      const credential = Authenticator.get(passkey, asked(tenant, page))
      yield* Browser.fill(tenant, page, { do: "totp", text: "x" })
      const next = yield* Browser.fill(tenant, page, { do: "passkey", credential })
      assert.deepStrictEqual([next.status, codeOf(next)], [400, null])
    })
  )

  it.effect("refuses a counter that goes back or stands still", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const passkey = yield* withPasskey(tenant, "north")
      const use = Effect.fnUntraced(function* (counter: number) {
        const page = yield* signIn(tenant, "north")
        const credential = Authenticator.get(passkey, asked(tenant, page), counter)
        return (yield* Browser.fill(tenant, page, { do: "passkey", credential })).status
      })
      assert.deepStrictEqual(
        [yield* use(7), yield* use(7), yield* use(6), yield* use(0), yield* use(8)],
        [303, 400, 400, 400, 303]
      )
    })
  )

  it.effect("refuses another user's passkey, and another tenant's", () =>
    Effect.gen(function* () {
      const [tenant, other] = [yield* Server.newTenant, yield* Server.newTenant]
      yield* withPasskey(tenant, "north")
      const foreign = [yield* withPasskey(tenant, "south"), yield* withPasskey(other, "north")]
      for (const passkey of foreign) {
        const page = yield* signIn(tenant, "north")
        const credential = Authenticator.get(passkey, asked(tenant, page))
        const next = yield* Browser.fill(tenant, page, { do: "passkey", credential })
        assert.deepStrictEqual([next.status, codeOf(next)], [400, null])
      }
    })
  )

  it.effect("is not enrolled with a wrong origin or challenge, nor for two people", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const passkey = Authenticator.make()
      const challenge = Buffer.alloc(32).toString("base64url")
      for (const wrong of [{ origin: "https://evil.test" }, { challenge }]) {
        const page = yield* account(tenant, "north")
        const credential = Authenticator.create(passkey, { ...asked(tenant, page), ...wrong })
        const next = yield* Browser.fill(tenant, page, { do: "add-passkey", credential })
        assert.deepStrictEqual([next.status, recoveryCodes(next)], [400, []])
      }
      for (const [name, status] of [
        ["north", 200],
        ["south", 400]
      ] as const) {
        const page = yield* account(tenant, name)
        const credential = Authenticator.create(passkey, asked(tenant, page))
        const next = yield* Browser.fill(tenant, page, { do: "add-passkey", credential })
        assert.strictEqual(next.status, status, name)
      }
    })
  )

  it.effect("runs no script but the page's own", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const { headers, html } = yield* account(tenant, "north")
      const policy = headers.get("content-security-policy") ?? ""
      assert.match(policy, /script-src 'sha256-[^']+';/u)
      assert.notInclude(policy, "unsafe")
      assert.strictEqual([...html.matchAll(/<script/gu)].length, 1)
    })
  )
})

layer(TestLayer, options)("a tenant that asks for a second factor", (it) => {
  it.effect("leads a manager to enrol one within the sign-in, and gives no code before", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      yield* require(tenant)
      const page = yield* signIn(tenant, "manager")
      assert.include(page.html, "Set up a second factor")
      for (const step of ["go-on", "totp", "recovery", "new-codes", "remove", "show"]) {
        const form = yield* signIn(tenant, "manager")
        assert.isNull(codeOf(yield* Browser.fill(tenant, form, { do: step, text: "" })), step)
      }
      yield* forgetTries(tenant)
      const text = shown(keyOf(page))
      const added = yield* Browser.fill(tenant, page, { do: "add-totp", text })
      assert.strictEqual(recoveryCodes(added).length, 10, Browser.problem(added))
      const done = yield* Browser.fill(tenant, added, { do: "go-on" })
      assert.deepInclude((yield* claimsOf(tenant, done)).claims, { amr: ["pwd", "otp", "mfa"] })
    })
  )

  it.effect("goes on with no page that was opened before the first factor was there", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      yield* require(tenant)
      const enrolling = yield* signIn(tenant, "manager")
      const managing = yield* account(tenant, "manager")
      yield* withApp(tenant, "manager")
      for (const page of [enrolling, managing]) {
        for (const step of ["add-totp", "new-codes", "remove", "go-on", "show"]) {
          const next = yield* Browser.fill(tenant, page, { do: step, text: shown(keyOf(page)) })
          assert.deepStrictEqual([next.status, codeOf(next)], [400, null], step)
          assert.deepStrictEqual(recoveryCodes(next), [], step)
        }
      }
    })
  )

  it.effect("removes one of two factors when both are removed at once", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const { codes } = yield* withApp(tenant, "manager")
      yield* require(tenant)
      yield* change(
        tenant,
        (sql) => sql`
          INSERT INTO second_factor (tenant_id, id, user_id, kind, name, sealed_secret, last_step)
          SELECT tenant_id, 'other', user_id, kind, 'Other', sealed_secret, last_step
          FROM second_factor WHERE tenant_id = ${tenant}
        `
      )
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const present = tenantSql
        .read(sql<{ id: string }>`SELECT id FROM second_factor WHERE tenant_id = ${tenant}`)
        .pipe(Server.as(tenant))
      const attempts = yield* Effect.forEach(codes.slice(0, 2), (text) =>
        Effect.flatMap(account(tenant, "manager"), (page) =>
          Browser.fill(tenant, page, { do: "recovery", text })
        )
      )
      yield* Effect.forEach(
        yield* present,
        ({ id }, index) => Browser.fill(tenant, attempts[index]!, { do: "remove", factor: id }),
        { concurrency: 2 }
      )
      assert.strictEqual((yield* present).length, 1)
      const events = yield* tenantSql
        .read(
          sql<{ kind: string }>`SELECT kind FROM event WHERE kind LIKE 'user.factor.%' ORDER BY seq`
        )
        .pipe(Server.as(tenant))
      assert.deepStrictEqual(
        events.map(({ kind }) => kind),
        ["user.factor.add", "user.factor.remove"]
      )
    })
  )

  it.effect("is not asked of users who move neither money nor rights", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      yield* require(tenant)
      assert.isNotNull(codeOf(yield* signIn(tenant, "auditor")))
    })
  )

  it.effect("refreshes no sign-in without one, and redeems no such code", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const { refresh } = yield* claimsOf(tenant, yield* signIn(tenant, "manager"))
      const waiting = codeOf(yield* signIn(tenant, "manager"))
      yield* require(tenant)
      assert.strictEqual((yield* Server.refresh(tenant, refresh)).status, 400)
      assert.strictEqual((yield* Server.redeem(tenant, waiting ?? "")).status, 400)
    })
  )

  it.effect("keeps the last one of a user who has to have one", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const { codes } = yield* withApp(tenant, "manager")
      yield* require(tenant)
      const page = yield* account(tenant, "manager")
      assert.include(page.html, "One more step")
      const open = yield* Browser.fill(tenant, page, { do: "recovery", text: codes[0]! })
      assert.include(open.html, "9 recovery codes are left")
      const next = yield* Browser.fill(tenant, open, { do: "remove" })
      assert.include(Browser.problem(next) ?? "", "Add another one")
    })
  )
})
