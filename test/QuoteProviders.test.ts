/** Setting up quote providers of a tenant's products, as the operator does. */
import { assert, describe, it } from "@effect/vitest"
import { freePort } from "@quittance/embedded-postgres/FreePort"
import { randomBytes } from "node:crypto"
import { folder, Program } from "./Program.ts"

describe("quittance admin quote-providers", () => {
  it("refuses what won't do, and sets up, lists and removes a provider", async () => {
    const env = { PORT: String(await freePort()), DATA_DIR: await folder() }
    await new Program("standalone", [], env).says("Ctrl+C stops it")
    const run = (args: ReadonlyArray<string>, further: Record<string, string> = {}) =>
      new Program("cli", ["admin", "quote-providers", ...args], { ...env, ...further }).finished()
    const acme = ["--tenant", "acme"]
    const address = ["--url", "https://rates.example.test/prices"]
    for (const [args, said, further] of [
      [["set", "rates", "--tenant", "initech", ...address], "There is no tenant initech", {}],
      [["set", "rates", ...acme], "Give the whole address", {}],
      [["set", "rates", ...acme, "--url", "ftp://rates.example.test/"], "https://", {}],
      [["set", "quittance", ...acme, ...address], "built-in engine", {}],
      [["set", "rates", ...acme, ...address, "--try-timeout", "10"], "try-timeout", {}],
      [
        ["set", "rates", ...acme, ...address, "--try-timeout", "8000"],
        "at most as long as all of them",
        {}
      ],
      [["set", "rates", ...acme, ...address], "32 to 256", { QUOTE_PROVIDER_SECRET: "too short" }],
      [
        ["set", "rates", ...acme, ...address],
        "stored under another KEY_ENCRYPTION_KEY",
        { KEY_ENCRYPTION_KEY: randomBytes(32).toString("base64url") }
      ],
      [["remove", "rates", ...acme], "no quote provider rates", {}]
    ] as const) {
      const { code, stderr, stdout } = await run(args, further)
      assert.strictEqual(code, 1, said)
      assert.include(stderr + stdout, said)
      assert.notInclude(stderr, "    at ")
      assert.notInclude(stderr + stdout, "too short")
    }
    assert.deepInclude(await run(["list", ...acme]), { code: 0, stdout: "" })

    const made = await run(["set", "rates", ...acme, ...address])
    assert.strictEqual(made.code, 0, made.stderr)
    const key = /^rates {2}https:\S+ {2}key ([0-9a-f]{16}) {2}2,000 ms a try, 6,000 ms in all$/mu
    const [, first] = key.exec(made.stdout) ?? []
    assert.isDefined(first)
    assert.match(made.stdout, /^secret {2}[\w-]{43}$/mu)
    const secret = "chosen-by-the-provider-0123456789"
    const changed = await run(["set", "rates", ...acme], { QUOTE_PROVIDER_SECRET: secret })
    assert.strictEqual(changed.code, 0, changed.stderr)
    assert.notInclude(changed.stdout, "secret")
    const { stdout } = await run(["list", ...acme])
    assert.notInclude(stdout, String(first))
    assert.notInclude(stdout, secret)
    assert.include(stdout, "https://rates.example.test/prices")

    assert.strictEqual((await run(["remove", "rates", ...acme])).code, 0)
    assert.deepInclude(await run(["list", ...acme]), { code: 0, stdout: "" })
  })
})
