/** `quittance product`, as an actuary types it. */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"

const motor = new URL("../../../products/motor-fr.json", import.meta.url).pathname
const main = new URL("../src/main.ts", import.meta.url).pathname
const folder = mkdtempSync(join(tmpdir(), "quittance-product-"))
afterAll(() => rmSync(folder, { recursive: true }))

const run = (...args: ReadonlyArray<string>) =>
  spawnSync(process.execPath, ["--conditions=@quittance/source", main, "product", ...args], {
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1" }
  })

/** The shipped document with one text of it replaced. */
const variant = (name: string, from: string, to: string): string => {
  const text = readFileSync(motor, "utf8")
  assert.include(text, from)
  const file = join(folder, name)
  writeFileSync(file, text.replace(from, to))
  return file
}

describe("quittance product", () => {
  it("tells every fault at its pointer, and fails", () => {
    const faulty = variant("faulty.json", '"validFrom": "2020-01-01"', '"validFrom": "2026-02-30"')
    const { status, stdout } = run("check", motor, faulty)
    assert.strictEqual(status, 1)
    assert.match(stdout, /motor-fr 2026\.1 may be published/u)
    assert.match(stdout, /faulty\.json: 1 fault\n {2}\/validFrom\n {4}Give a day that exists/u)
  })

  it("says in a sentence that a file isn't there, or is no JSON", () => {
    const absent = run("check", join(folder, "absent.json"))
    assert.strictEqual(absent.status, 1)
    assert.match(absent.stderr, /absent\.json can't be read; check its name\./u)
    writeFileSync(join(folder, "broken.json"), "{")
    const broken = run("check", join(folder, "broken.json"))
    assert.match(broken.stderr, /broken\.json is no JSON: /u)
    assert.notInclude(absent.stderr + broken.stderr, "    at ")
  })

  it("tells what another version changes, and what that does to the price", () => {
    const dearer = variant("dearer.json", '"rate": "33/100"', '"rate": "43/100"')
    const { status, stdout } = run("diff", motor, dearer)
    assert.strictEqual(status, 0)
    assert.match(
      stdout,
      /^~ \/taxes\/TSCA_33\/charges\/2016-01-01\/rate {2}"33\/100" → "43\/100"$/mu
    )
    assert.match(stdout, /^COMPREHENSIVE +€676\.96 +€\d+\.\d\d +\+\d+\.\d\d%$/mu)
    assert.strictEqual(run("diff", motor, motor).stdout.trim(), "The documents say the same.")
  })
})
