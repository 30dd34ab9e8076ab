/** What letters say, and what they do not. */
import { assert, layer } from "@effect/vitest"
import * as Secret from "@quittance/auth/Secret"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect, Redacted } from "effect"
import { Accounts } from "../../src/access/Accounts.ts"
import * as Post from "../Post.ts"
import * as World from "../World.ts"

layer(Post.TestLayer, { excludeTestServices: true })("letters", (it) => {
  it.effect("carry a link whose secret is stored nowhere, and that works", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const id = yield* Post.invite(world, "ada@example.test", { firstName: "Ada" })
      yield* Post.round
      const [mail] = Post.sent
      const links = [mail!.text, mail!.html].map((text) =>
        /https:\/\/\S+?\/invitation\?token=([\w-]{43})/u.exec(text)!
      )
      assert.strictEqual(links[0]![0], links[1]![0])
      assert.isTrue(links[0]![0].startsWith(`https://${world.tenant}.auth.test/`))
      const sql = yield* SuperuserSql
      const [row] = yield* sql<{ readonly hash: Uint8Array }>`
        SELECT token_hash AS hash FROM invitation WHERE id = ${id}
      `
      assert.deepStrictEqual(
        Buffer.from(row!.hash).toString("hex"),
        Buffer.from(Secret.hash(links[0]![1]!)).toString("hex")
      )
      const accounts = yield* Accounts
      const view = yield* accounts
        .lookUp(Redacted.make(links[0]![1]!), "192.0.2.1")
        .pipe(Post.inTenant(world))
      assert.deepInclude(view, { purpose: "INVITATION", email: "ada@example.test" })
      assert.include(mail!.text, "Bonjour Ada,")
      assert.include(mail!.text, "manager Test vous invite à rejoindre Test.")
    }).pipe(Post.quietly)
  )

  it.effect("take no name that a mail program could make a link of", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const names = [
        "Win at evil.test",
        "https://evil.test",
        "evil.test/now",
        "<b>Ada</b>",
        "Ada\u202e",
        "call +33 1 23 45",
        "A".repeat(81)
      ]
      for (const [index, firstName] of names.entries()) {
        yield* Post.invite(world, `${index}@example.test`, { firstName })
      }
      yield* Post.round
      assert.lengthOf(Post.sent, names.length)
      for (const { html, text } of Post.sent) {
        assert.include(text, "Bonjour,\n")
        assert.include(html, ">Bonjour,</p>")
        assert.notMatch(text + html, /evil|<b>|\u202e|\+33/u)
      }
    }).pipe(Post.quietly)
  )
})
