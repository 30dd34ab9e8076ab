import { assert, describe, it } from "@effect/vitest"
import { clientsOf, password, tenants, usersOf } from "@quittance/operations/provisioning/Sandbox"
import { Issuers } from "@quittance/operations/tokens/Issuers"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import * as SandboxGuide from "../src/SandboxGuide.ts"
import * as StartPage from "../src/StartPage.ts"
import * as Welcome from "../src/Welcome.ts"

const guideAt = (authUrl: string, baseUrl: string) =>
  Effect.provide(Effect.map(Issuers, SandboxGuide.make), Issuers.layerOf(authUrl, baseUrl))

const guide = guideAt("http://{tenant}.auth.localhost:9000", "http://localhost:9000")

describe("what a newcomer is told", () => {
  it.effect("has every credential of the sandbox, on the page and in the terminal", () =>
    Effect.gen(function* () {
      const page = StartPage.html(yield* guide)
      const text = Welcome.text(yield* guide, ".data")
      const people = tenants.flatMap(({ id }) => [
        ...usersOf(id),
        ...clientsOf(id).map((client) => client.id),
        `${id}-admin`
      ])
      for (const name of [password, ...people]) {
        assert.include(page, name)
        assert.include(text, name)
      }
      assert.include(page, "http://acme.auth.localhost:9000")
    })
  )

  it.effect("says of each of them what it may do", () =>
    Effect.gen(function* () {
      const { tenants } = yield* guide
      const all = tenants.flatMap(({ clients, users }) => [...clients, ...users])
      assert.isTrue(all.every(({ may }) => may !== ""))
    })
  )

  it.effect("has commands that find this very sandbox", () =>
    Effect.gen(function* () {
      const usual = yield* guideAt("http://{tenant}.auth.localhost:8080", "http://localhost:8080")
      assert.strictEqual(usual.demo, "npx -y pnpm@12 demo")
      assert.strictEqual((yield* guide).demo, "PORT=9000 npx -y pnpm@12 demo")
      const away = yield* guideAt("https://{tenant}.auth.example.com", "https://api.example.com")
      const surroundings =
        "BASE_URL=https://api.example.com AUTH_URL='https://{tenant}.auth.example.com'"
      assert.strictEqual(away.demo, `${surroundings} npx -y pnpm@12 demo`)
      for (const line of [away.token, away.listen]) {
        assert.isTrue(line.startsWith(`${surroundings} npx `), line)
      }
    })
  )

  it.effect("shows names as text, whatever is in them", () =>
    Effect.gen(function* () {
      const original = yield* guide
      const page = StartPage.html({
        ...original,
        tenants: original.tenants.map((tenant) => ({ ...tenant, name: `<b onclick="x">&'` }))
      })
      assert.include(page, "&lt;b onclick=&quot;x&quot;&gt;&amp;&#39;")
      assert.notInclude(page, "<b onclick")
    })
  )

  it.effect("lets a browser apply its style and nothing else", () =>
    Effect.gen(function* () {
      const style = /<style>([^]*)<\/style>/.exec(StartPage.html(yield* guide))?.[1] ?? ""
      const hash = createHash("sha256").update(style).digest("base64")
      const policy = StartPage.headers["content-security-policy"] ?? ""
      assert.include(policy, `style-src 'sha256-${hash}'`)
      assert.include(policy, "default-src 'none'")
    })
  )
})
