/** Simulating a draft beside a running service, as an actuary does. */
import { assert, describe, it } from "@effect/vitest"
import { freePort } from "@quittance/embedded-postgres/FreePort"
import { readFile, writeFile } from "node:fs/promises"
import * as path from "node:path"
import { folder, Program } from "./Program.ts"
import { root } from "./Sources.ts"

const motor = path.join(root, "products/motor-fr.json")

/** A sandbox in which the demo has sold a policy, and a draft of its product in a folder of its own. */
const sandbox = async () => {
  const env = { PORT: String(await freePort()), DATA_DIR: await folder() }
  await new Program("standalone", [], env).says("Ctrl+C stops it")
  const cli = (...args: ReadonlyArray<string>) => new Program("cli", args, env).finished()
  const demo = await cli("demo", "--tenant", "globex")
  assert.strictEqual(demo.code, 0, demo.stderr)
  const drafts = await folder()
  const draft = async (name: string, ...edits: ReadonlyArray<readonly [string, string]>) => {
    const text = await readFile(motor, "utf8")
    const file = path.join(drafts, name)
    await writeFile(
      file,
      edits.reduce((edited, [from, to]) => edited.replace(from, to), text)
    )
    return file
  }
  const simulate = (file: string, ...args: ReadonlyArray<string>) =>
    cli("product", "simulate", file, ...args)
  return { draft, drafts, simulate }
}

describe("quittance product simulate", () => {
  it("says what it needs, and simulates nothing until it has it", async () => {
    const { draft, simulate } = await sandbox()
    const on = ["--tenant", "globex", "--policies", "all"]
    const sound = await draft("sound.json")

    const faulty = await draft("faulty.json", ['"validFrom": "2020-01-01"', '"validFrom": "never"'])
    const refused = await simulate(faulty, ...on)
    assert.strictEqual(refused.code, 1)
    assert.match(refused.stdout, /faulty\.json: 1 fault\n {2}\/validFrom\n/u)

    const selection = await simulate(sound, "--tenant", "globex", "--policies", "status=STARTED")
    assert.strictEqual(selection.code, 1)
    assert.include(selection.stderr, "`status` can't be `STARTED`.")
    assert.include(selection.stderr, "  sample=N")

    const unknown = await simulate(sound, "--tenant", "initech", "--policies", "all")
    assert.strictEqual(unknown.code, 1)
    assert.include(unknown.stderr, "There is no tenant initech")

    const other = await draft("other.json", ['"productId": "motor-fr"', '"productId": "other-fr"'])
    const unsold = await simulate(other, ...on)
    assert.strictEqual(unsold.code, 1)
    assert.include(unsold.stderr, "does not sell other-fr")

    const nowhere = await simulate(sound, ...on, "--svg", path.join(sound, "picture.svg"))
    assert.strictEqual(nowhere.code, 1)
    assert.include(nowhere.stderr, "picture.svg can't be written")
    const all = [refused, selection, unknown, unsold, nowhere]
    assert.isTrue(all.every(({ stderr }) => !stderr.includes("    at ")))
  })

  it("tells how prices change and why, on the terminal, as a picture and for machines", async () => {
    const { draft, drafts, simulate } = await sandbox()
    const on = ["--tenant", "globex", "--policies", "status=POLICY_STARTED"]
    const dearer = await draft("dearer.json", ['"rate": "33/100"', '"rate": "43/100"'])
    const figures = path.join(drafts, "figures.json")

    const { code, stderr, stdout } = await simulate(dearer, ...on, "--json", figures)
    assert.strictEqual(code, 0, stderr)
    assert.match(stdout, /priced {4}1 of 1\n/u)
    assert.match(stdout, /Taxe sur les conventions d'assurance, 33 %.*33\/100.*43\/100/u)
    assert.include(stderr, "Pricing policies: 100% (1 of 1")

    const picture = await readFile(path.join(drafts, "motor-fr-simulation.svg"), "utf8")
    assert.match(picture, /^<svg xmlns=/u)
    assert.include(stdout, "motor-fr-simulation.svg")
    const { largest, priced } = JSON.parse(await readFile(figures, "utf8"))
    assert.strictEqual(priced.rises, 1)
    const [change] = largest
    assert.strictEqual(priced.totalAfter - priced.totalBefore, change.difference)
    assert.strictEqual(
      change.parts.reduce((sum: number, part: { change: number }) => sum + part.change, 0),
      change.difference
    )
  })

  it("ends with another code where a policy has no price, having told all the same", async () => {
    const { draft, drafts, simulate } = await sandbox()
    const late = await draft("late.json", [
      '"validFrom": "2020-01-01"',
      '"validFrom": "2026-12-02"'
    ])
    const on = ["--tenant", "globex", "--policies", "all", "--svg", path.join(drafts, "late.svg")]

    const running = await simulate(late, ...on)
    assert.strictEqual(running.code, 2, running.stderr)
    assert.include(running.stdout, "Without a price under the draft: 1 of 1")
    assert.include(running.stdout, "INVALID_EFFECTIVE_DATE at /startedAt")
    assert.include(await readFile(path.join(drafts, "late.svg"), "utf8"), "No policy has a price")

    const next = await simulate(late, ...on, "--term", "next")
    assert.strictEqual(next.code, 0, next.stderr)
  })
})
