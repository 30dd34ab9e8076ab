/** Guesses at the password of one account, from as many addresses as a stranger has. */
import { assert, layer } from "@effect/vitest"
import { WrongCredentials } from "@quittance/domain/tokens/AuthorizationRequest"
import { maximumGuesses } from "@quittance/domain/tokens/Guesses"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { apartDays, mostApart } from "@quittance/persistence/tokens/GuessesRepo"
import { Guesses } from "@quittance/operations/access/Guesses"
import { Passwords } from "@quittance/operations/tokens/Passwords"
import { Effect, Layer, Logger, Redacted } from "effect"
import * as Server from "./Server.ts"
import type { TenantId } from "@quittance/domain/requests/Tenancy"

/** A guess from an address of its own, so that only the account's limit counts. */
const guess = (tenant: TenantId, turn: number, fields: Record<string, string> = {}, cookie = "") =>
  Server.submit(
    tenant,
    { password: "wrong", ...fields },
    {
      "test-address": `2001:db8:${turn.toString(16)}:1::1`,
      cookie: `quittance-login=${Server.signIn.csrf}; ${cookie}`
    }
  )

/** Makes guesses wait for so many seconds from now on. */
const waitingFor = (tenant: TenantId, seconds: number) =>
  SuperuserSql.use(
    (sql) => sql`
      UPDATE sign_in_guess SET retry_at = now() + ${seconds}::int * interval '1 second'
      WHERE tenant_id = ${tenant}
    `
  )

const wrongSoFar = (tenant: TenantId, wrong: number) =>
  SuperuserSql.use(
    (sql) => sql`UPDATE sign_in_guess SET wrong = ${wrong} WHERE tenant_id = ${tenant}`
  )

const right = { password: "sandbox-password" }

const browserOf = (response: Response) => response.headers.get("set-cookie")?.split(";")[0] ?? ""

const TestLayer = Layer.provideMerge(Guesses.layer, Server.TestLayer)

layer(TestLayer, { excludeTestServices: true })("guesses at an account", (it) => {
  it.effect("wait after the fifth, from whatever address, alike for unknown accounts", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const statusOf = (turn: number, fields: Record<string, string>) =>
        Effect.map(guess(tenant, turn, fields), ({ status }) => status)
      for (const email of [`north@${tenant}.test`, "unknown@example.test"]) {
        for (let turn = 0; turn < 5; turn++) {
          assert.strictEqual(yield* statusOf(turn, { email }), 400)
        }
        yield* waitingFor(tenant, 3600)
        assert.strictEqual(yield* statusOf(50, { email, ...right }), 429)
        // Of those who come at once when the time is over, one is looked at.
        yield* wrongSoFar(tenant, 20)
        yield* waitingFor(tenant, 0)
        const atOnce = yield* Effect.all(
          Array.from({ length: 8 }, (_, turn) => statusOf(60 + turn, { email })),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(
          atOnce.filter((status) => status === 400),
          1
        )
      }
    })
  )

  it.effect("don't keep out a browser that has signed in before, whatever a stranger does", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const browser = browserOf(yield* guess(tenant, 1, right))
      assert.match(browser, /^quittance-browser=[\w-]{22}\.[\w-]{43}$/u)
      yield* guess(tenant, 2)
      yield* waitingFor(tenant, 3600)
      assert.strictEqual((yield* guess(tenant, 30, right)).status, 429)
      // The cookie is bound to its account, and can't be forged.
      const email = `south@${tenant}.test`
      yield* guess(tenant, 3, { email })
      yield* waitingFor(tenant, 3600)
      assert.strictEqual((yield* guess(tenant, 31, { email, ...right }, browser)).status, 429)
      const forged = `${browser.slice(0, -4)}AAAA`
      assert.strictEqual((yield* guess(tenant, 32, right, forged)).status, 429)
      assert.strictEqual((yield* guess(tenant, 33, right, browser)).status, 303)
      // After another password the cookie says nothing any more.
      const sql = yield* SuperuserSql
      const hash = yield* Passwords.use((passwords) =>
        passwords.hash(Redacted.make(right.password))
      ).pipe(Effect.provide(Passwords.layer), Server.as(tenant))
      yield* sql`
        UPDATE app_user SET password_hash = ${Redacted.value(hash)}
        WHERE tenant_id = ${tenant} AND email = ${`north@${tenant}.test`}
      `
      yield* guess(tenant, 4)
      yield* waitingFor(tenant, 3600)
      assert.strictEqual((yield* guess(tenant, 34, right, browser)).status, 429)
    })
  )

  it.effect(`end after ${maximumGuesses} in a row, and begin anew with the right password`, () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const browser = browserOf(yield* guess(tenant, 1, right))
      yield* guess(tenant, 2)
      const almost = maximumGuesses - 1
      yield* wrongSoFar(tenant, almost)
      yield* waitingFor(tenant, 0)
      assert.strictEqual((yield* guess(tenant, 3)).status, 400)
      yield* waitingFor(tenant, 0)
      assert.strictEqual((yield* guess(tenant, 4, right)).status, 429)
      assert.strictEqual((yield* guess(tenant, 5, right, browser)).status, 303)
      assert.strictEqual((yield* guess(tenant, 6, right)).status, 303)
    })
  )

  it.effect("count only when the password was verified", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const sql = yield* SuperuserSql
      const answers = yield* Effect.all(
        Array.from({ length: 40 }, (_, turn) =>
          guess(tenant, turn, { email: `unknown-${turn}@example.test` })
        ),
        { concurrency: "unbounded" }
      )
      const looked = answers.filter(({ status }) => status === 400).length
      const crowded = answers.filter(({ status }) => status === 503).length
      assert.strictEqual(looked + crowded, 40)
      assert.isAbove(crowded, 0)
      const rows = yield* sql`SELECT FROM sign_in_guess WHERE tenant_id = ${tenant}`
      assert.lengthOf(rows, looked)
    })
  )

  it.effect(`count apart for ${mostApart} browsers at most, which are forgotten one day`, () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const sql = yield* SuperuserSql
      const browser = Effect.map(guess(tenant, 1, right), browserOf)
      const first = yield* browser
      yield* guess(tenant, 2, {}, first)
      const rows = () => sql<{ readonly account: Uint8Array | null }>`
        SELECT account FROM sign_in_guess WHERE tenant_id = ${tenant}
      `
      const [{ account } = { account: null }] = yield* rows()
      assert.isNotNull(account)
      yield* sql`
        INSERT INTO sign_in_guess (tenant_id, key, is_known, account, wrong, retry_at)
        SELECT ${tenant}, sha256(n::text::bytea), true, ${account}, 1, now()
        FROM generate_series(2, ${mostApart}::int) n
      `
      // One more is a stranger: the account's own count has a row from now on.
      const last = yield* browser
      yield* guess(tenant, 3, {}, last)
      assert.lengthOf(yield* rows(), mostApart + 1)
      assert.lengthOf(
        (yield* rows()).filter(({ account }) => account === null),
        1
      )
      // Those that there are go on counting by themselves.
      yield* guess(tenant, 4, {}, first)
      assert.lengthOf(yield* rows(), mostApart + 1)
      yield* sql`
        UPDATE sign_in_guess SET tried_at = now() - ${apartDays + 1}::int * interval '1 day'
        WHERE tenant_id = ${tenant} AND account IS NOT NULL
      `
      for (let turn = 0; turn < mostApart; turn++) {
        yield* guess(tenant, 5 + turn, { email: `unknown-${turn}@example.test` })
      }
      assert.lengthOf(
        (yield* rows()).filter(({ account }) => account !== null),
        0
      )
    })
  )

  it.effect("are on record when they are refused, with nothing that could be read", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const lines: Array<Readonly<Record<string, unknown>>> = []
      const logger = Logger.map(Logger.formatStructured, ({ annotations, message }) => {
        if (message === "A sign-in was refused") lines.push(annotations)
      })
      const refused = Effect.fail(new WrongCredentials({}))
      yield* Guesses.use((guesses) =>
        Effect.flip(guesses.recorded(" North@Example.Test", "2001:db8:7:1::9", undefined, refused))
      ).pipe(Effect.provide(Logger.layer([logger])), Server.as(tenant))
      assert.lengthOf(lines, 1)
      assert.deepInclude(lines[0], {
        tenant,
        address: "2001:db8:7:1::/64",
        reason: "WrongCredentials"
      })
      assert.match(`${lines[0]!["account"]}`, /^[\w-]{43}$/u)
      assert.notMatch(JSON.stringify(lines), /north/iu)
    })
  )
})
