/** Setting up the OpenID Provider of a tenant, as the operator does. */
import { assert, describe, it } from "@effect/vitest"
import { freePort } from "@quittance/embedded-postgres/FreePort"
import { randomBytes } from "node:crypto"
import { folder, Program } from "./Program.ts"

describe("quittance admin identity-provider", () => {
  it("refuses what won't do, and sets up, shows, changes and removes a provider", async () => {
    const env = { PORT: String(await freePort()), DATA_DIR: await folder() }
    await new Program("standalone", [], env).says("Ctrl+C stops it")
    const run = (args: ReadonlyArray<string>, further: Record<string, string> = {}) =>
      new Program("cli", ["admin", "identity-provider", ...args], { ...env, ...further }).finished()
    const acme = ["--tenant", "acme"]
    const issuer = ["--issuer", "https://login.example.test", "--client-id", "quittance"]
    const secret = { IDENTITY_PROVIDER_SECRET: "given by the provider" }
    for (const [args, said, further] of [
      [["set", "--tenant", "initech", ...issuer], "There is no tenant initech", secret],
      [["set", ...acme, ...issuer], "IDENTITY_PROVIDER_SECRET", {}],
      [["set", ...acme, "--issuer", "https://x.test/?a=b", "--client-id", "q"], "query", secret],
      [
        ["set", ...acme, ...issuer],
        "stored under another KEY_ENCRYPTION_KEY",
        { ...secret, KEY_ENCRYPTION_KEY: randomBytes(32).toString("base64url") }
      ]
    ] as const) {
      const { code, stderr, stdout } = await run(args, further)
      assert.strictEqual(code, 1, said)
      assert.include(stderr + stdout, said)
      assert.notInclude(stderr, "    at ")
      assert.notInclude(stderr + stdout, secret.IDENTITY_PROVIDER_SECRET)
    }
    const none = await run(["show", ...acme])
    assert.deepInclude(none, { code: 0, stdout: "" })
    assert.include(none.stderr, "acme has no identity provider.")

    const made = await run(["set", ...acme, ...issuer, "--label", "Example"], secret)
    assert.strictEqual(made.code, 0, made.stderr)
    const line =
      "https://login.example.test  client quittance  Example  OFFERED  links by verified e-mail\n"
    assert.strictEqual(made.stdout, line)
    assert.deepInclude(await run(["show", ...acme]), { code: 0, stdout: line })

    // What is left out stays, the secret too.
    const changed = await run(["set", ...acme, "--mode", "REQUIRED", "--link-by-email", "no"])
    assert.strictEqual(changed.code, 0, changed.stderr)
    assert.match(
      changed.stdout,
      /client quittance {2}Example {2}REQUIRED {2}does not link by e-mail/u
    )

    assert.strictEqual((await run(["remove", ...acme])).code, 0)
    assert.deepInclude(await run(["show", ...acme]), { code: 0, stdout: "" })
  })
})
