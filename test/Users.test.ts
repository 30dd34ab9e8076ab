/** Making the first manager of a tenant, as the operator does. */
import { assert, describe, it } from "@effect/vitest"
import { freePort } from "@quittance/embedded-postgres/FreePort"
import { folder, Program } from "./Program.ts"

describe("quittance admin users create", () => {
  it("refuses what is not there, and makes a manager with a link to the page for the password", async () => {
    const port = await freePort()
    const env = { PORT: String(port), DATA_DIR: await folder() }
    await new Program("standalone", [], env).says("Ctrl+C stops it")
    const create = (email: string, tenant: string, role: string) => {
      const names = ["--first-name", "Ada", "--last-name", "Byron"]
      const args = ["admin", "users", "create", email, "--tenant", tenant, "--role", role, ...names]
      return new Program("cli", args, env).finished()
    }
    for (const [email, tenant, role, said] of [
      ["ada@example.test", "initech", "TENANT_MANAGER", "There is no tenant initech"],
      ["ada@example.test", "acme", "CLAIMS_DESK", "names a record that this tenant does not have"],
      ["ada@example.test", "acme", "VISITOR", "role"],
      ["manager@acme.test", "acme", "AUDITOR", "Another user of this tenant signs in as"],
      ["unknown", "acme", "AUDITOR", "e-mail address"]
    ] as const) {
      const { code, stderr, stdout } = await create(email, tenant, role)
      assert.strictEqual(code, 1, said)
      assert.include(stderr + stdout, said)
      assert.notInclude(stderr, "    at ")
      assert.notInclude(stdout, "token=")
    }
    const { code, stderr, stdout } = await create("ada@example.test", "acme", "TENANT_MANAGER")
    assert.strictEqual(code, 0, stderr)
    assert.match(stdout, /^user {2}user_test_\w{21} \(ada@example\.test\)$/mu)
    assert.include(stdout, "role  TENANT_MANAGER on the tenant")
    const link = new URL(/^link {2}(\S+)$/mu.exec(stdout)?.[1] ?? "")
    assert.strictEqual(link.host, `acme.auth.localhost:${port}`)
    assert.match(`${link.pathname}${link.search}`, /^\/invitation\?token=[\w-]{43}$/u)
  })
})
