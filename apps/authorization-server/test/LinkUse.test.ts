/** From a letter to signing in. */
import { assert, layer } from "@effect/vitest"
import { Users } from "@quittance/operations/access/Users"
import { UsersRepo } from "@quittance/persistence/access/UsersRepo"
import { Effect } from "effect"
import * as Browser from "./Browser.ts"
import * as Letterbox from "./Letterbox.ts"
import * as Server from "./Server.ts"

const password = "a harbour with nine cranes"

layer(Letterbox.TestLayer, { excludeTestServices: true })("the link of a letter", (it) => {
  it.effect("makes an account of an invitation, with its names and permissions", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const { id, link } = yield* Letterbox.invite(tenant, "Ada@Example.test", "Ada")
      const page = yield* Browser.visit(tenant, link)
      assert.include(page.html, "Accept your invitation")
      assert.include(page.html, `value="ada@example.test"`)
      assert.match(page.html, /<input id="firstName"[^>]* value="Ada"/u)
      assert.match(page.html, /<input id="password"[^>]* autocomplete="new-password"/u)
      // The first field that is still empty, and no other.
      assert.deepStrictEqual(
        [...page.html.matchAll(/<input id="(\w+)"[^>]* autofocus/gu)].map(([, id]) => id),
        ["lastName"]
      )
      const names = { firstName: " ", lastName: "Byron" }
      const done = yield* Browser.fill(tenant, page, { password, ...names })
      assert.strictEqual(done.status, 200)
      assert.include(done.html, "You can sign in now")
      assert.isTrue(yield* Letterbox.isUsed(id))
      assert.isTrue(yield* Server.signsIn(tenant, "ADA@example.test", password))
      const users = yield* UsersRepo
      const { id: userId } = (yield* users.findLogin("ada@example.test").pipe(Server.as(tenant)))!
      const user = yield* users.find(userId).pipe(Server.as(tenant))
      assert.deepInclude(user, { firstName: "Ada", lastName: "Byron", status: "ACTIVE" })
    })
  )

  it.effect("asks a user who has an account for nothing but a click", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const email = `north@${tenant}.test`
      const { id, link } = yield* Letterbox.invite(tenant, email)
      const page = yield* Browser.visit(tenant, link)
      assert.notMatch(page.html, /type="password"|id="firstName"/u)
      // A password that is sent along nevertheless changes nothing.
      const done = yield* Browser.fill(tenant, page, { password })
      assert.strictEqual(done.status, 200)
      assert.isTrue(yield* Letterbox.isUsed(id))
      assert.isTrue(yield* Server.signsIn(tenant, email, "sandbox-password"))
      assert.isFalse(yield* Server.signsIn(tenant, email, password))
    })
  )

  it.effect("leads a new user from the letter to a token", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const input = { email: "ada@example.test", firstName: "Ada", lastName: "Byron" }
      yield* Users.use((users) => users.create(input)).pipe(Letterbox.asManager(tenant))
      assert.isFalse(yield* Server.signsIn(tenant, input.email, ""))
      const [letter] = yield* Letterbox.receive(tenant, input.email)
      const page = yield* Browser.visit(tenant, letter!.link)
      assert.include(page.html, "Welcome")
      assert.notInclude(page.html, `id="firstName"`)
      assert.strictEqual((yield* Browser.fill(tenant, page, { password })).status, 200)
      assert.strictEqual((yield* Browser.visit(tenant, letter!.link)).status, 404)
      const signedIn = yield* Server.submit(tenant, { email: input.email, password })
      const code = new URL(signedIn.headers.get("location") ?? "").searchParams.get("code")
      assert.strictEqual((yield* Server.redeem(tenant, code ?? "")).status, 200)
    })
  )

  it.effect("is of no use to a user who was disabled meanwhile", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const input = { email: "ada@example.test", firstName: "Ada", lastName: "Byron" }
      const { id } = yield* Users.use((users) => users.create(input)).pipe(
        Letterbox.asManager(tenant)
      )
      const [letter] = yield* Letterbox.receive(tenant, input.email)
      const page = yield* Browser.visit(tenant, letter!.link)
      yield* Users.use((users) => users.disable(id)).pipe(Letterbox.asManager(tenant))
      assert.strictEqual((yield* Browser.fill(tenant, page, { password })).status, 404)
      const users = yield* UsersRepo
      assert.isUndefined(yield* users.findLogin(input.email).pipe(Server.as(tenant)))
    })
  )
})
