/** The pages that links of letters open: what they refuse, and how they keep themselves safe. */
import { assert, layer } from "@effect/vitest"
import { Invitations } from "@quittance/operations/access/Invitations"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect } from "effect"
import * as Browser from "./Browser.ts"
import * as Letterbox from "./Letterbox.ts"
import * as Server from "./Server.ts"

const password = "a harbour with nine cranes"
const unknown = "A".repeat(43)

layer(Letterbox.TestLayer, { excludeTestServices: true })("the page of a link", (it) => {
  it.effect("is the same for every link that is of no use, and repeats nothing of it", () =>
    Effect.gen(function* () {
      const [tenant, other] = [yield* Server.newTenant, yield* Server.newTenant]
      const [used, over, withdrawn, foreign, open] = [
        yield* Letterbox.invite(tenant, "used@example.test"),
        yield* Letterbox.invite(tenant, "over@example.test"),
        yield* Letterbox.invite(tenant, "gone@example.test"),
        yield* Letterbox.invite(other, "ada@example.test"),
        yield* Letterbox.invite(tenant, "open@example.test")
      ]
      const sql = yield* SuperuserSql
      yield* Browser.fill(tenant, yield* Browser.visit(tenant, used.link), { password })
      yield* sql`UPDATE invitation SET expires_at = clock_timestamp() WHERE id = ${over.id}`
      yield* Invitations.use((invitations) => invitations.revoke(withdrawn.id)).pipe(
        Letterbox.asManager(tenant)
      )
      const pages = yield* Effect.forEach(
        [
          "/invitation",
          "/invitation?token=",
          "/invitation?token=%ff",
          "/invitation?token=%3Cscript%3E",
          `/invitation?token=${unknown}`,
          `${open.link}&token=${unknown}`,
          open.link.replace("/invitation", "/password/reset"),
          used.link,
          over.link,
          withdrawn.link,
          foreign.link
        ],
        (path) => Browser.visit(tenant, path)
      )
      for (const { html, status } of pages) {
        assert.strictEqual(status, 404)
        assert.strictEqual(html, pages[0]!.html)
        assert.notInclude(html, "<form")
      }
      assert.strictEqual((yield* Browser.visit(other, foreign.link)).status, 200)
      assert.strictEqual((yield* Browser.visit(tenant, open.link)).status, 200)
    })
  )

  it.effect("uses no link up that is only looked at, however often", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const { id, link } = yield* Letterbox.invite(tenant, "ada@example.test")
      for (let visits = 0; visits < 30; visits++) {
        assert.strictEqual((yield* Browser.visit(tenant, link)).status, 200)
      }
      assert.isFalse(yield* Letterbox.isUsed(id))
    })
  )

  it.effect("is refused to an address that tries wrong ones, and shown to others", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const { link } = yield* Letterbox.invite(tenant, "ada@example.test")
      const page = yield* Browser.visit(tenant, link, { "test-address": "198.51.100.7" })
      const from = { "test-address": "198.51.100.7" }
      for (let tries = 0; tries < 20; tries++) {
        const { status } = yield* Browser.visit(tenant, `/invitation?token=${unknown}`, from)
        assert.strictEqual(status, 404)
      }
      for (const refused of [
        yield* Browser.visit(tenant, link, from),
        yield* Browser.fill(tenant, page, { password }, from)
      ]) {
        assert.strictEqual(refused.status, 429)
        assert.match(refused.headers.get("retry-after") ?? "", /^[1-9]\d?$/u)
        assert.include(Browser.problem(refused), "too many tries")
      }
      const elsewhere = { "test-address": "198.51.100.8" }
      assert.strictEqual((yield* Browser.visit(tenant, link, elsewhere)).status, 200)
    })
  )

  it.effect("takes no form that this browser was not shown, and none from an address", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const { id, link } = yield* Letterbox.invite(tenant, "ada@example.test")
      const page = yield* Browser.visit(tenant, link)
      const filled = { password, firstName: "Ada", lastName: "Byron" }
      const refused = [
        yield* Browser.fill(tenant, { ...page, cookie: "" }, filled),
        yield* Browser.fill(tenant, page, { ...filled, csrf: "" }),
        yield* Browser.fill(tenant, page, { ...filled, csrf: unknown }),
        yield* Browser.fill(tenant, page, filled, {
          cookie: `__Host-${page.cookie}`
        })
      ]
      assert.deepStrictEqual(
        refused.map(({ status }) => status),
        [403, 403, 403, 403]
      )
      const unread = [
        yield* Browser.fill(tenant, { ...page, action: `${page.action}?x=1` }, filled),
        yield* Browser.fill(tenant, page, filled, { "content-type": "text/plain" }),
        yield* Browser.fill(tenant, { ...page, hidden: { csrf: page.hidden["csrf"]! } }, filled)
      ]
      assert.deepStrictEqual(
        unread.map(({ status }) => status),
        [404, 404, 404]
      )
      assert.isFalse(yield* Letterbox.isUsed(id))
      // The page that says so works at once, and has kept what was filled in.
      assert.include(refused[0]!.html, `value="Byron"`)
      const again = yield* Browser.fill(tenant, refused[0]!, filled)
      assert.strictEqual(again.status, 200)
    })
  )

  it.effect("says of a weak password what is wrong, keeps the rest, and uses nothing up", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const { id, link } = yield* Letterbox.invite(tenant, "ada.byron@example.test")
      const page = yield* Browser.visit(tenant, link)
      for (const [weak, said] of [
        ["", "at least 12 characters"],
        ["elevenchars", "at least 12 characters"],
        ["😀".repeat(11), "at least 12 characters"],
        ["x".repeat(1025), "at most 1024 characters"],
        ["password1234", "among the first that are tried"],
        ["quittance2026!", "among the first that are tried"],
        ["abcabcabcabc", "among the first that are tried"],
        ["my ada.byron and me", "e-mail address is no part of"]
      ] as const) {
        const names = { firstName: `"><b>Ada`, lastName: "Byron" }
        const refused = yield* Browser.fill(tenant, page, { password: weak, ...names })
        assert.strictEqual(refused.status, 400, weak)
        assert.include(Browser.problem(refused), said)
        assert.match(refused.html, /<input id="password"[^>]* aria-invalid="true"/u)
        assert.match(refused.html, /<input id="password"[^>]* aria-describedby="problem /u)
        assert.include(refused.html, `value="&quot;&gt;&lt;b&gt;Ada"`)
        if (weak !== "") assert.notInclude(refused.html, weak.slice(0, 1000))
      }
      const long = { password, firstName: "A".repeat(201), lastName: "Byron" }
      const refused = yield* Browser.fill(tenant, page, long)
      assert.strictEqual(refused.status, 400)
      assert.include(Browser.problem(refused), "at most 200 characters")
      assert.isFalse(yield* Letterbox.isUsed(id))
    })
  )

  it.effect("can't be framed, runs nothing, loads nothing and leaks no referrer", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const { link } = yield* Letterbox.invite(tenant, "ada@example.test", "Ada <b>")
      const pages = [
        yield* Browser.visit(tenant, link),
        yield* Browser.visit(tenant, "/invitation"),
        yield* Browser.visit(tenant, "/password/forgot")
      ]
      for (const { headers, html } of pages) {
        const policy = headers.get("content-security-policy") ?? ""
        assert.match(
          policy,
          /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/u
        )
        assert.deepStrictEqual(
          ["x-frame-options", "referrer-policy", "cache-control"].map((name) => headers.get(name)),
          ["DENY", "no-referrer", "no-store"]
        )
        assert.notMatch(html, /<script|<link|<img|javascript:|\son\w+=|<b>/iu)
        assert.include(html, "Blue &amp; Sons &lt;Insurers&gt;")
        assert.include(html, `<html lang="en">`)
        // Every field that is shown has a label.
        for (const [, id] of html.matchAll(/<input id="([^"]+)"/gu)) {
          assert.include(html, `<label for="${id}">`)
        }
      }
      assert.match(
        pages[0]!.headers.get("set-cookie") ?? "",
        /^quittance-login=[\w-]{43}; Path=\/; Max-Age=3600; HttpOnly; SameSite=Lax$/u
      )
    })
  )

  it.effect("lets one of those through who send it at once, in twenty rounds", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      for (let round = 0; round < 20; round++) {
        const { link } = yield* Letterbox.invite(tenant, `round-${round}@example.test`)
        const page = yield* Browser.visit(tenant, link)
        const answers = yield* Effect.all(
          Array.from({ length: 4 }, (_, index) =>
            Browser.fill(
              tenant,
              page,
              { password },
              { "test-address": `2001:db8:${round}:${index}::1` }
            )
          ),
          { concurrency: "unbounded" }
        )
        const statuses = answers.map(({ status }) => status).sort()
        assert.deepStrictEqual(statuses, [200, 404, 404, 404], `round ${round}`)
      }
    })
  )
})
