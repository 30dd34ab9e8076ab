/** Verifying the audit trail beside a running service, as the operator does. */
import { assert, describe, it } from "@effect/vitest"
import { freePort } from "@quittance/embedded-postgres/FreePort"
import { ask, folder, Program } from "./Program.ts"

const sandbox = async () => {
  const port = await freePort()
  const env = { PORT: String(port), DATA_DIR: await folder() }
  await new Program("standalone", [], env).says("Ctrl+C stops it")
  const cli = (...args: ReadonlyArray<string>) => new Program("cli", args, env).finished()
  const verify = (...args: ReadonlyArray<string>) =>
    cli("admin", "audit", "verify", "--tenant", "acme", ...args)
  return { cli, port, verify }
}

/** Verifies until all that was written is sealed: the sealer is never far behind. */
const settled = async (verify: () => ReturnType<Program["finished"]>) => {
  for (;;) {
    const done = await verify()
    if (done.code !== 0 || done.stdout.includes("unsealed  0 rows")) return done
  }
}

describe("quittance admin audit verify", () => {
  it("refuses a tenant that isn't there, and an anchor that is none", async () => {
    const { cli, verify } = await sandbox()
    const unknown = await cli("admin", "audit", "verify", "--tenant", "initech")
    assert.deepStrictEqual([unknown.code, unknown.stdout], [1, ""])
    assert.include(unknown.stderr, "There is no tenant initech")
    for (const anchor of ["1", "0:" + "0".repeat(64), "1:abc", "x:" + "0".repeat(64)]) {
      const { code, stderr, stdout } = await verify("--anchor", anchor)
      assert.strictEqual(code, 1, anchor)
      assert.include(stderr + stdout, "POSITION:HASH")
      assert.notInclude(stderr, "    at ")
    }
  })

  it("prints an anchor that holds from then on, and says when one does not", async () => {
    const { cli, port, verify } = await sandbox()
    const client = ["acme-integration", "acme-integration-secret", "--tenant", "acme"]
    const token = (await cli("token", "client", ...client)).stdout.trim()
    const headers = {
      tenant: "acme",
      authorization: `Bearer ${token}`,
      "content-type": "application/json"
    }
    const firm = () => {
      const body = JSON.stringify({ name: "Audited", firmType: "RETAIL" })
      return ask(port, "/brokerage-firms", { method: "POST", headers, body })
    }
    assert.strictEqual((await firm()).status, 201)
    const { code, stderr, stdout } = await settled(verify)
    assert.strictEqual(code, 0, stderr)
    const [, position, hash] = /^anchor {4}(\d+):([0-9a-f]{64})$/mu.exec(stdout) ?? []
    assert.isAbove(Number(position), 0)
    assert.include(stdout, `sound     ${position} row`)

    assert.strictEqual((await firm()).status, 201)
    const later = await settled(() => verify("--anchor", `${position}:${hash}`))
    assert.strictEqual(later.code, 0, later.stderr)
    assert.include(later.stdout, `matches   ${position}:${hash}`)
    assert.notInclude(later.stdout, `anchor    ${position}:`)

    const wrong = await verify("--anchor", `${position}:${"0".repeat(64)}`)
    assert.strictEqual(wrong.code, 1)
    assert.include(wrong.stdout, `broken    The row at position ${position} has another hash`)
    assert.notInclude(wrong.stdout, "anchor  ")
    const ahead = await verify("--anchor", `999999:${hash}`)
    assert.strictEqual(ahead.code, 1)
    assert.include(ahead.stdout, "the anchor is at 999999")
    assert.strictEqual(ahead.stderr, "")
  })
})
