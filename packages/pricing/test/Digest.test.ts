import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { digest } from "./Digest.ts"

const program = new URL("./Digest.ts", import.meta.url).pathname

describe("prices", () => {
  it("are the same bytes in other processes, whatever their place, language and zone", () => {
    const here = digest()
    for (const place of [
      { TZ: "Pacific/Kiritimati", LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8" },
      { TZ: "America/St_Johns", LANG: "C", LC_ALL: "C" }
    ]) {
      const { stderr, stdout } = spawnSync(
        process.execPath,
        ["--conditions=@quittance/source", program],
        { encoding: "utf8", env: { ...process.env, ...place } }
      )
      assert.strictEqual(stdout, here, stderr)
    }
  })
})
