/** Reconciling the books beside a running service, as the operator does. */
import { assert, describe, it } from "@effect/vitest"
import { freePort } from "@quittance/embedded-postgres/FreePort"
import { folder, Program } from "./Program.ts"

describe("quittance billing reconcile", () => {
  it("refuses a tenant that isn't there, and ends with 0 where the books agree", async () => {
    const env = { PORT: String(await freePort()), DATA_DIR: await folder() }
    await new Program("standalone", [], env).says("Ctrl+C stops it")
    const reconcile = (tenant: string) =>
      new Program("cli", ["billing", "reconcile", "--tenant", tenant], env).finished()
    const unknown = await reconcile("initech")
    assert.deepStrictEqual([unknown.code, unknown.stdout], [1, ""])
    assert.include(unknown.stderr, "There is no tenant initech")
    const { code, stderr, stdout } = await reconcile("acme")
    assert.deepStrictEqual([code, stderr], [0, ""])
    assert.match(stdout, /^agree {5}[\d,]+ polic(?:y|ies) with [\d,]+ entr(?:y|ies)\n$/u)
  })
})
