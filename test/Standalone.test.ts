/** The one process and the command line, from outside: what a newcomer runs and sees. */
import { assert, describe, it } from "@effect/vitest"
import { freePort } from "@quittance/embedded-postgres/FreePort"
import { spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { beforeAll } from "vitest"
import { ask, folder, Program } from "./Program.ts"

const ready = "Ctrl+C stops it"

const sandbox = async (env: Readonly<Record<string, string>> = {}) => {
  const port = await freePort()
  const surroundings = { PORT: String(port), DATA_DIR: await folder(), ...env }
  return { port, env: surroundings, start: () => new Program("standalone", [], surroundings) }
}

/** A sandbox for tests that neither end it nor change what others look at: to start one takes seconds. */
const shared = async () => {
  const ends: Array<() => Promise<void>> = []
  const atEnd = (end: () => Promise<void>) => void ends.unshift(end)
  const port = await freePort()
  const env = { PORT: String(port), DATA_DIR: await folder(atEnd) }
  const program = new Program("standalone", [], env, undefined, atEnd)
  const end = async () => {
    for (const one of ends) await one()
  }
  await program.says(ready).catch((error: unknown) => end().then(() => Promise.reject(error)))
  return { port, env, program, end }
}

const cli = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>>) =>
  new Program("cli", args, env).finished()

describe("the standalone process", () => {
  it("says which variable is wrong, and nothing else", async () => {
    const { code, stderr, stdout } = await new Program("standalone", [], {
      PORT: "http"
    }).finished()
    assert.strictEqual(code, 1)
    assert.match(stderr.trim(), /^The variable PORT is missing or wrong: .*\.$/)
    assert.strictEqual(stdout, "")
  })

  it("says that its port is in use, and its folder", async () => {
    const { env, port, start } = await sandbox()
    await start().says(ready)
    const other = await new Program("standalone", [], {
      ...env,
      DATA_DIR: await folder()
    }).finished()
    assert.strictEqual(other.code, 1)
    assert.match(other.stderr.trim(), new RegExp(`^Port ${port} .* is in use: .*\\.$`))
    const rival = await new Program("standalone", [], {
      ...env,
      PORT: String(await freePort())
    }).finished()
    assert.strictEqual(rival.code, 1)
    assert.match(rival.stderr.trim(), /^Another process uses the database in .*\.$/)
  })

  it("keeps its data when it is killed, and stops cleanly when it is told to", async () => {
    const { env, port, start } = await sandbox()
    const first = start()
    await first.says(ready)
    const token = await cli(
      ["token", "client", "acme-admin", "acme-admin-secret", "-t", "acme"],
      env
    )
    assert.strictEqual(token.code, 0, token.stderr)
    await first.stopped("SIGKILL")

    const second = start()
    await second.says(ready)
    const headers = { tenant: "acme", authorization: `Bearer ${token.stdout.trim()}` }
    assert.strictEqual((await ask(port, "/admin/test-clock", { headers })).status, 200)
    assert.strictEqual((await second.stopped("SIGTERM")).code, 0)
    assert.strictEqual(second.stderr, "")

    const third = start()
    await third.says(ready)
    assert.strictEqual((await third.stopped("SIGINT")).code, 0)
  })

  it("has nothing of the sandbox in production", async () => {
    const { port, start } = await sandbox({
      ENVIRONMENT: "production",
      AUTH_URL: "https://{tenant}.auth.example.com",
      BASE_URL: "https://api.example.com",
      KEY_ENCRYPTION_KEY: randomBytes(32).toString("base64url")
    })
    const program = start()
    await program.says("Listening on")
    assert.strictEqual((await ask(port, "/")).status, 404)
    const session = { method: "POST", headers: { tenant: "acme" } }
    assert.strictEqual((await ask(port, "/anonymous-session", session)).status, 404)
    assert.notInclude(program.stdout, "sandbox-password")
  })
})

describe("a sandbox that runs", () => {
  let running!: Awaited<ReturnType<typeof shared>>
  beforeAll(async () => {
    running = await shared()
    return running.end
  })

  it("serves each host what is its own", async () => {
    const { port } = running
    const host = `acme.auth.localhost:${port}`
    const metadata = "/.well-known/oauth-authorization-server"
    assert.strictEqual((await ask(port, metadata, { headers: { host } })).status, 200)
    assert.strictEqual((await ask(port, metadata)).status, 404)
    assert.strictEqual(
      (await ask(port, "/config", { headers: { host, tenant: "acme" } })).status,
      404
    )
    assert.strictEqual((await ask(port, "/config", { headers: { tenant: "acme" } })).status, 200)
    for (const path of ["/docs", "/errors", "/openapi.json", "/health/live", "/health/ready"]) {
      assert.strictEqual((await ask(port, path)).status, 200, path)
    }
  })

  it("greets with a page that loads nothing, whose links lead somewhere", async () => {
    const { port } = running
    const page = await ask(port, "/")
    assert.strictEqual(page.status, 200)
    assert.match(
      String(page.headers["content-security-policy"]),
      /^default-src 'none'; style-src 'sha256-/
    )
    assert.notMatch(page.body, /<script|\bsrc=|@import|url\(/)
    assert.include(page.body, "manager@acme.test")
    for (const [, path] of page.body.matchAll(/href="(\/[^"]*)"/g)) {
      assert.strictEqual((await ask(port, path ?? "")).status, 200, path)
    }
  })

  it("prints a line for curl that works as it stands", async () => {
    const line = /^ +(curl .*)$/m.exec(running.program.stdout)?.[1] ?? ""
    const { status, stdout } = spawnSync("sh", ["-c", line], { encoding: "utf8" })
    assert.strictEqual(status, 0, line)
    assert.match(stdout, /"accessToken":"ey/)
  })

  it("gets a token of each kind, and says why it gets none", async () => {
    const { env } = running
    const jwt = /^ey[\w-]+\.[\w-]+\.[\w-]+\n$/
    const client = ["client", "acme-integration", "acme-integration-secret"]
    const user = ["user", "manager@acme.test", "sandbox-password"]
    for (const who of [client, user, ["anonymous"]]) {
      const { code, stdout } = await cli(["token", ...who, "--tenant", "acme"], env)
      assert.strictEqual(code, 0, who[0])
      assert.match(stdout, jwt)
    }
    const wrong = [
      [...client.slice(0, 2), "no-secret", "--tenant", "acme"],
      [...client, "--tenant", "globex"],
      [...client, "--scope", "platform/admin", "--tenant", "acme"],
      [...user.slice(0, 2), "no-password", "--tenant", "acme"],
      ["anonymous", "--tenant", "unknown"]
    ]
    for (const args of wrong) {
      const { code, stderr, stdout } = await cli(["token", ...args], env)
      assert.strictEqual(code, 1, args.join(" "))
      assert.strictEqual(stdout, "")
      assert.notInclude(stderr, "    at ")
    }
  })

  it("says what to do when no server answers", async () => {
    const port = await freePort()
    const { code, stderr } = await cli(["token", "anonymous", "-t", "acme"], { PORT: String(port) })
    assert.strictEqual(code, 1)
    assert.include(stderr, `Nothing answers at http://localhost:${port}. Start the sandbox`)
  })

  it("makes a tenant beside a running sandbox, whose administrator gets in", async () => {
    const { env } = running
    const made = await cli(["admin", "tenants", "create", "initech"], env)
    assert.strictEqual(made.code, 0, made.stderr)
    const [, id = "", secret = ""] =
      /client id +(\S+)\nclient secret +(\S+)/.exec(made.stdout) ?? []
    const token = await cli(["token", "client", id, secret, "-t", "initech"], env)
    assert.strictEqual(token.code, 0, token.stderr)
    const again = await cli(["admin", "tenants", "create", "initech"], env)
    assert.strictEqual(again.code, 1)
    assert.include(again.stderr, "exists already")
    assert.strictEqual((await cli(["admin", "migrate"], env)).code, 0)
  })

  it("tells the story of a policy again and again, every figure right", async () => {
    const { env } = running
    for (let time = 1; time <= 2; time++) {
      const { code, stderr, stdout } = await cli(["demo"], env)
      assert.strictEqual(code, 0, `${stdout}\n${stderr}`)
      assert.include(stdout, "the invoices of the term sum to the premium")
      assert.notInclude(stdout, "\u001b", "no colours where there is no terminal")
    }
  })

  it("brings a sandbox of its own to the story where none runs, and takes it away again", async () => {
    const port = await freePort()
    const { code, stderr, stdout } = await cli(["demo"], { PORT: String(port) })
    assert.strictEqual(code, 0, `${stdout}\n${stderr}`)
    const own = Number(/service +http:\/\/localhost:(\d+)/.exec(stdout)?.[1])
    const gone = await ask(own, "/health/live").then(
      () => false,
      () => true
    )
    assert.isTrue(gone)
  })
})
