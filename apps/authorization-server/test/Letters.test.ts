/** The page that ends letters about webhooks, for people and for mail programs. */
import { assert, layer } from "@effect/vitest"
import type { TenantId } from "@quittance/domain/requests/Tenancy"
import { OneTimeLinkKey } from "@quittance/operations/access/OneTimeLinkKey"
import { UsersRepo } from "@quittance/persistence/access/UsersRepo"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect, Layer, Redacted } from "effect"
import * as Browser from "./Browser.ts"
import * as Server from "./Server.ts"

const TestLayer = Layer.mergeAll(OneTimeLinkKey.layer, UsersRepo.layer).pipe(
  Layer.provideMerge(Server.TestLayer)
)

/** The link that a letter to the manager of the tenant has. */
const linkOf = Effect.fnUntraced(function* (tenant: TenantId) {
  const users = yield* UsersRepo
  const { id } = (yield* users.findLogin(`manager@${tenant}.test`).pipe(Server.as(tenant)))!
  const key = yield* OneTimeLinkKey
  return `/letters/refuse?user=${id}&token=${Redacted.value(key.token(tenant, id))}`
})

const hasRefused = (tenant: TenantId) =>
  SuperuserSql.use((sql) => sql`SELECT FROM letter_refusal WHERE tenant_id = ${tenant}`).pipe(
    Effect.map(({ length }) => length > 0)
  )

const press = (tenant: TenantId, page: Browser.Shown, fields = {}) =>
  Browser.fill(tenant, { ...page, action: page.action.replaceAll("&amp;", "&") }, fields)

layer(TestLayer, { excludeTestServices: true })("letters about webhooks", (it) => {
  it.effect("are ended by the button of the page, not by opening it, and asked for again", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const page = yield* Browser.visit(tenant, yield* linkOf(tenant))
      assert.strictEqual(page.status, 200)
      assert.isFalse(yield* hasRefused(tenant))
      const ended = yield* press(tenant, page)
      assert.strictEqual(ended.status, 200)
      assert.include(ended.html, "You get no more e-mails about webhooks")
      assert.isTrue(yield* hasRefused(tenant))
      const resumed = yield* press(tenant, ended, { do: "resume" })
      assert.include(resumed.html, "You get e-mails about webhooks again")
      assert.isFalse(yield* hasRefused(tenant))
    })
  )

  it.effect("are ended by a mail program in one request (RFC 8058)", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const { status } = yield* Server.call(tenant, {
        path: yield* linkOf(tenant),
        headers: Server.formType,
        body: "List-Unsubscribe=One-Click"
      })
      assert.strictEqual(status, 200)
      assert.isTrue(yield* hasRefused(tenant))
    })
  )

  it.effect("go on where the link is not complete, or another tenant's", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const link = yield* linkOf(tenant)
      const others = yield* linkOf(yield* Server.newTenant)
      const wrong = [
        "/letters/refuse",
        "/letters/refuse?user=%00&token=a",
        link.slice(0, -1),
        `${link}&token=a`,
        link.replace(/user=[^&]*/u, "user=eve"),
        others
      ]
      for (const path of wrong) {
        const headers = Server.formType
        const { status } = yield* Server.call(tenant, { path, headers, body: "" })
        assert.strictEqual(status, 404, path)
      }
      assert.isFalse(yield* hasRefused(tenant))
      assert.strictEqual((yield* Browser.visit(tenant, wrong[0]!)).status, 404)
    })
  )
})
