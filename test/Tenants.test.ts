/** Tenants listed, disabled and enabled beside a running service, as the operator does. */
import { assert, describe, it } from "@effect/vitest"
import { freePort } from "@quittance/embedded-postgres/FreePort"
import { ask, folder, Program } from "./Program.ts"

const sandbox = async () => {
  const port = await freePort()
  const env = { PORT: String(port), DATA_DIR: await folder() }
  await new Program("standalone", [], env).says("Ctrl+C stops it")
  const cli = (...args: ReadonlyArray<string>) => new Program("cli", args, env).finished()
  const status = async (path: string, headers: Readonly<Record<string, string>>) =>
    (await ask(port, path, { headers })).status
  return { cli, port, status }
}

describe("quittance admin tenants", () => {
  it("lists the tenants with their environments", async () => {
    const { cli } = await sandbox()
    const { code, stderr, stdout } = await cli("admin", "tenants", "list")
    assert.strictEqual(code, 0, stderr)
    const rows = stdout.trimEnd().split("\n")
    assert.deepStrictEqual(
      rows.map((row) => row.split(/ {2,}/u).slice(0, 2)),
      [
        ["acme", "sandbox"],
        ["globex", "sandbox"]
      ]
    )
    assert.notInclude(stdout, "disabled")
  })

  it("disables a tenant for programs that run, and enables it again", async () => {
    const { cli, port, status } = await sandbox()
    const client = ["token", "client", "acme-integration", "acme-integration-secret"]
    const token = await cli(...client, "--tenant", "acme")
    assert.strictEqual(token.code, 0, token.stderr)
    const authorized = { tenant: "acme", authorization: `Bearer ${token.stdout.trim()}` }
    const server = { host: `acme.auth.localhost:${port}` }
    const requests = [
      ["/accounting-summary", authorized],
      ["/config", { tenant: "acme" }],
      ["/oauth2/jwks.json", server],
      ["/.well-known/oauth-authorization-server", server]
    ] as const
    const answers = () => Promise.all(requests.map(([path, headers]) => status(path, headers)))
    const enabled = await answers()
    assert.deepStrictEqual([enabled[0], enabled[1], enabled[3]], [200, 200, 200])

    const unknown = await cli("admin", "tenants", "disable", "initech")
    assert.deepStrictEqual([unknown.code, unknown.stdout], [1, ""])
    assert.include(unknown.stderr, "There is no tenant initech")
    assert.notInclude(unknown.stderr, "    at ")

    assert.include((await cli("admin", "tenants", "disable", "acme")).stdout, "acme is disabled.")
    // Programs know the tenant for a second more.
    while ((await answers()).some((answer) => answer === 200));
    assert.deepStrictEqual(await answers(), [401, 404, 404, 404])
    const session = { method: "POST", headers: { tenant: "acme" } }
    assert.strictEqual((await ask(port, "/anonymous-session", session)).status, 404)
    assert.strictEqual((await cli(...client, "--tenant", "acme")).code, 1)
    assert.strictEqual(await status("/config", { tenant: "globex" }), 200)
    const again = await cli("admin", "tenants", "disable", "acme")
    assert.deepStrictEqual([again.code, again.stdout], [0, "acme was disabled already.\n"])
    assert.match(
      (await cli("admin", "tenants", "list")).stdout,
      /^acme .*disabled since \d{4}-\d\d-\d\dT/mu
    )

    assert.include((await cli("admin", "tenants", "enable", "acme")).stdout, "acme is enabled.")
    while ((await answers())[0] !== 200);
    assert.deepStrictEqual(await answers(), enabled)
    assert.strictEqual((await cli(...client, "--tenant", "acme")).code, 0)
  })
})
