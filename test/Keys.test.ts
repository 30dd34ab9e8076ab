/** Rotating the keys of a tenant beside a running service, as the operator does. */
import { assert, describe, it } from "@effect/vitest"
import { freePort } from "@quittance/embedded-postgres/FreePort"
import { randomBytes } from "node:crypto"
import { ask, folder, Program } from "./Program.ts"

const sandbox = async () => {
  const port = await freePort()
  const env = { PORT: String(port), DATA_DIR: await folder() }
  await new Program("standalone", [], env).says("Ctrl+C stops it")
  const cli = (...args: ReadonlyArray<string>) => new Program("cli", args, env).finished()
  const keys = async (...args: ReadonlyArray<string>) => {
    const { code, stderr, stdout } = await cli("admin", "keys", ...args, "--tenant", "acme")
    assert.strictEqual(code, 0, stderr)
    const lines = stdout.trim().split("\n")
    const of = (state: string) =>
      lines.flatMap((line) => new RegExp(`^${state} +([\\w-]{43}) {2}\\S`).exec(line)?.[1] ?? [])
    return { next: of("NEXT"), active: of("ACTIVE"), retired: of("RETIRED"), stderr }
  }
  const token = async () => {
    const client = ["acme-integration", "acme-integration-secret", "--tenant", "acme"]
    const { code, stderr, stdout } = await cli("token", "client", ...client)
    assert.strictEqual(code, 0, stderr)
    return stdout.trim()
  }
  const use = async (token: string) => {
    const headers = { tenant: "acme", authorization: `Bearer ${token}` }
    return (await ask(port, "/accounting-summary", { headers })).status
  }
  const revoke = async (token: string) => {
    const credentials = Buffer.from("acme-integration:acme-integration-secret").toString("base64")
    const headers = {
      host: `acme.auth.localhost:${port}`,
      authorization: `Basic ${credentials}`,
      "content-type": "application/x-www-form-urlencoded"
    }
    const body = `token=${token}`
    return (await ask(port, "/oauth2/revoke", { method: "POST", headers, body })).status
  }
  return { cli, env, keys, revoke, token, use }
}

const kidOf = (token: string): string =>
  JSON.parse(Buffer.from(token.split(".")[0]!, "base64url").toString()).kid

describe("quittance admin keys", () => {
  it("refuses a tenant that isn't there, and a command without one", async () => {
    const { cli } = await sandbox()
    for (const command of ["list", "rotate"]) {
      const unknown = await cli("admin", "keys", command, "--tenant", "initech")
      assert.deepStrictEqual([unknown.code, unknown.stdout], [1, ""])
      assert.include(unknown.stderr, "There is no tenant initech")
      assert.notInclude(unknown.stderr, "    at ")
      assert.strictEqual((await cli("admin", "keys", command)).code, 1)
    }
  })

  it("rotates nothing under another KEY_ENCRYPTION_KEY than the service's", async () => {
    const { env, keys } = await sandbox()
    const before = await keys("list")
    const other = { ...env, KEY_ENCRYPTION_KEY: randomBytes(32).toString("base64url") }
    const args = ["admin", "keys", "rotate", "--compromised", "--tenant", "acme"]
    const { code, stderr, stdout } = await new Program("cli", args, other).finished()
    assert.deepStrictEqual([code, stdout], [1, ""])
    assert.include(stderr, "stored under another KEY_ENCRYPTION_KEY")
    assert.deepStrictEqual(await keys("list"), before)
  })

  it("KY-05 KY-01 rotates while the service runs, and ends what a compromised key signed", async () => {
    const { keys, token, use } = await sandbox()
    const before = await keys("list")
    assert.deepStrictEqual([before.active.length, before.next.length], [1, 1])
    const old = await token()
    assert.strictEqual(await use(old), 200)

    const rotated = await keys("rotate")
    assert.deepStrictEqual([rotated.active, rotated.retired], [before.next, before.active])
    assert.match(rotated.stderr, /may refuse new tokens until \d{4}-\d\d-\d\dT/)
    let fresh = await token()
    while (kidOf(fresh) === kidOf(old)) fresh = await token()
    assert.deepStrictEqual([kidOf(old), kidOf(fresh)], [...before.active, ...before.next])
    assert.deepStrictEqual([await use(old), await use(fresh)], [200, 200])

    const ended = await keys("rotate", "--compromised")
    assert.deepStrictEqual([ended.active, ended.retired], [rotated.next, rotated.retired])
    while ((await use(fresh)) === 200);
    assert.deepStrictEqual([await use(old), await use(fresh)], [200, 401])
    assert.deepStrictEqual(await keys("list"), { ...ended, stderr: "" })
  })
})

describe("the standalone process", () => {
  it("KY-01 refuses at once, in each of its apps, a token that was given back to one", async () => {
    const { revoke, token, use } = await sandbox()
    const [given, kept] = [await token(), await token()]
    assert.deepStrictEqual([await use(given), await use(kept)], [200, 200])
    assert.strictEqual(await revoke(given), 200)
    assert.deepStrictEqual([await use(given), await use(kept)], [401, 200])
  })
})
