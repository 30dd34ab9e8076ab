/** Another KEY_ENCRYPTION_KEY for a service that runs, as docs/operations.md says. */
import { assert, describe, it } from "@effect/vitest"
import { freePort } from "@quittance/embedded-postgres/FreePort"
import { randomBytes } from "node:crypto"
import { ask, folder, Program } from "./Program.ts"

const newKey = () => randomBytes(32).toString("base64url")

describe("quittance admin encryption-key rotate", () => {
  it("brings another key in, after which the key before opens nothing", async () => {
    const [before, present] = [newKey(), newKey()]
    const port = await freePort()
    const env = { PORT: String(port), DATA_DIR: await folder() }
    const start = async (keys: string) => {
      const program = new Program("standalone", [], { ...env, KEY_ENCRYPTION_KEY: keys })
      await program.says("Ctrl+C stops it")
      return program
    }
    const cli = (keys: string, ...args: ReadonlyArray<string>) =>
      new Program("cli", args, { ...env, KEY_ENCRYPTION_KEY: keys }).finished()
    const token = () =>
      cli(present, "token", "client", "acme-integration", "acme-integration-secret", "-t", "acme")
    const rotate = (keys: string) => cli(keys, "admin", "encryption-key", "rotate")

    // Each program gets both keys, then the new one first: it is restarted, and answers in between.
    const first = await start(before)
    const old = await token()
    assert.strictEqual(old.code, 0, old.stderr)
    await first.stopped("SIGTERM")
    const second = await start(`${present},${before}`)
    const unprepared = await rotate(present)
    assert.deepInclude(unprepared, { code: 1 })
    assert.include(unprepared.stderr, "give the key before after the new one, as NEW,OLD")
    assert.notInclude(unprepared.stderr, "    at ")

    const rotated = await rotate(`${present},${before}`)
    assert.strictEqual(rotated.code, 0, rotated.stderr)
    assert.match(rotated.stdout, /^resealed {2}4 secrets$/mu)
    assert.include(rotated.stderr, "Programs need the first key alone.")
    const again = await rotate(present)
    assert.deepInclude(again, { code: 0 })
    assert.match(again.stdout, /^resealed {2}0 secrets$/mu)

    assert.strictEqual((await token()).code, 0)
    await second.stopped("SIGTERM")
    const third = await start(present)
    const fresh = await token()
    assert.strictEqual(fresh.code, 0, fresh.stderr)
    for (const { stdout } of [old, fresh]) {
      const headers = { tenant: "acme", authorization: `Bearer ${stdout.trim()}` }
      assert.strictEqual((await ask(port, "/accounting-summary", { headers })).status, 200)
    }
    await third.stopped("SIGTERM")

    await start(before)
    assert.strictEqual((await token()).code, 1)
    assert.strictEqual((await rotate(before)).code, 1)
  })
})
