/** Passwords that were forgotten, from the page to the letter to another password. */
import { assert, layer } from "@effect/vitest"
import { Users } from "@quittance/operations/access/Users"
import { UsersRepo } from "@quittance/persistence/access/UsersRepo"
import { Effect } from "effect"
import * as Browser from "./Browser.ts"
import * as Letterbox from "./Letterbox.ts"
import * as Server from "./Server.ts"
import type { TenantId } from "@quittance/domain/requests/Tenancy"

const password = "a harbour with nine cranes"
const unknown = "A".repeat(43)

layer(Letterbox.TestLayer, { excludeTestServices: true })("a forgotten password", (it) => {
  const ask = Effect.fn(function* (tenant: TenantId, email: string, address = "192.0.2.1") {
    const page = yield* Browser.visit(tenant, "/password/forgot")
    return yield* Browser.fill(tenant, page, { email }, { "test-address": address })
  })

  it.effect("is asked for with an address, in a form that this browser was shown", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const page = yield* Browser.visit(tenant, "/password/forgot")
      const email = `north@${tenant}.test`
      for (const [refused, status] of [
        [yield* Browser.fill(tenant, { ...page, cookie: "" }, { email }), 403],
        [yield* Browser.fill(tenant, page, { email, csrf: unknown }), 403],
        [yield* Browser.fill(tenant, page, { email: "" }), 400],
        [yield* Browser.fill(tenant, page, { email: "north" }), 400],
        [yield* Browser.fill(tenant, page, { email: `${"n".repeat(250)}@example.test` }), 400],
        [yield* Browser.fill(tenant, { ...page, action: `${page.action}?x` }, { email }), 400]
      ] as const) {
        assert.strictEqual(refused.status, status)
        assert.isDefined(Browser.problem(refused))
      }
      assert.deepStrictEqual(yield* Letterbox.receive(tenant, email), [])
    })
  )

  it.effect("is answered alike for those who sign in, who don't, and who may not", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const users = yield* UsersRepo
      const gone = (yield* users.findLogin(`south@${tenant}.test`).pipe(Server.as(tenant)))!
      yield* Server.inTransaction(users.disable(gone.id)).pipe(Server.as(tenant))
      const emails = ["north", "south", "noone"].map((name) => `${name}@${tenant}.test`)
      const pages = yield* Effect.forEach(emails, (email) =>
        Effect.map(ask(tenant, email), ({ headers, html, status }) => [
          status,
          html.replaceAll(email, "EMAIL"),
          [...headers].filter(([name]) => name !== "x-request-id" && name !== "date")
        ])
      )
      assert.strictEqual(pages[0]![0], 200)
      assert.deepStrictEqual(pages[1], pages[0])
      assert.deepStrictEqual(pages[2], pages[0])
      const letters = yield* Effect.forEach(emails, (email) => Letterbox.receive(tenant, email))
      assert.deepStrictEqual(
        letters.map(({ length }) => length),
        [1, 0, 0]
      )
    })
  )

  it.effect("is sent five times an hour for one address, over all callers", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const email = `north@${tenant}.test`
      const statuses = yield* Effect.forEach([1, 2, 3, 4, 5, 6], (number) =>
        Effect.map(ask(tenant, email, `198.51.100.${number}`), ({ status }) => status)
      )
      assert.deepStrictEqual(statuses, [200, 200, 200, 200, 200, 429])
      // Only the link of the newest letter works.
      const letters = yield* Letterbox.receive(tenant, email)
      const pages = yield* Effect.forEach(letters, ({ link }) => Browser.visit(tenant, link))
      assert.lengthOf(
        pages.filter(({ status }) => status === 200),
        1
      )
    })
  )

  it.effect("is replaced once, and everything that was signed in with the old one ends", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const email = `north@${tenant}.test`
      const [code, tokens] = [
        yield* Server.code(tenant),
        yield* Server.json(yield* Server.redeem(tenant, yield* Server.code(tenant)))
      ]
      assert.strictEqual((yield* ask(tenant, email)).status, 200)
      const [letter] = yield* Letterbox.receive(tenant, email)
      assert.match(letter!.link, /^\/password\/reset\?token=/u)
      const page = yield* Browser.visit(tenant, letter!.link)
      // A request alone ends nothing.
      assert.isTrue(yield* Server.signsIn(tenant, email, "sandbox-password"))
      const done = yield* Browser.fill(tenant, page, { password })
      assert.include(done.html, "Your password is changed")
      assert.isFalse(yield* Server.signsIn(tenant, email, "sandbox-password"))
      assert.isTrue(yield* Server.signsIn(tenant, email, password))
      assert.strictEqual((yield* Server.redeem(tenant, code)).status, 400)
      assert.strictEqual((yield* Server.refresh(tenant, tokens["refresh_token"])).status, 400)
      assert.strictEqual((yield* Browser.fill(tenant, page, { password })).status, 404)
    })
  )

  it.effect("of a user who has none yet sends the first letter again", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const input = { email: "ada@example.test", firstName: "Ada", lastName: "Byron" }
      yield* Users.use((users) => users.create(input)).pipe(Letterbox.asManager(tenant))
      const [first] = yield* Letterbox.receive(tenant, input.email)
      yield* ask(tenant, input.email)
      const letters = yield* Letterbox.receive(tenant, input.email)
      const second = letters.find(({ link }) => link !== first!.link)
      assert.strictEqual((yield* Browser.visit(tenant, first!.link)).status, 404)
      const page = yield* Browser.visit(tenant, second!.link)
      assert.strictEqual((yield* Browser.fill(tenant, page, { password })).status, 200)
      assert.isTrue(yield* Server.signsIn(tenant, input.email, password))
    })
  )
})
