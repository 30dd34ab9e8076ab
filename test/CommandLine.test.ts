/** What every program says when it is asked what it is, or lacks something. */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import * as path from "node:path"
import { folder, Program } from "./Program.ts"
import { glob, root } from "./Sources.ts"

const serving = glob("apps/*/src/main.ts")
  .map((file) => file.split("/")[1]!)
  .filter((app) => app !== "cli")

const cli = (...args: ReadonlyArray<string>) => new Program("cli", args, {}).finished()

describe("--help", () => {
  it("is answered by every program that serves, which starts nothing", async () => {
    assert.includeMembers(serving, ["standalone", "public-api", "billing-worker", "dispatcher"])
    for (const app of serving) {
      // A start would fail with this.
      const env = { PORT: "none", ENVIRONMENT: "none", DATA_DIR: await folder() }
      const { code, stderr, stdout } = await new Program(app, ["--help"], env).finished()
      assert.deepStrictEqual([code, stderr], [0, ""], app)
      assert.include(stdout, "docs/operations.md", app)
    }
  })

  it.each([["bench"], ["chaos"]])("is answered by %s, which runs nothing", (name) => {
    const main = path.join(root, name, "main.ts")
    const run = (flag: string) =>
      spawnSync(process.execPath, ["--conditions=@quittance/source", main, flag], {
        encoding: "utf8"
      })
    const { status, stderr, stdout } = run("--help")
    assert.deepStrictEqual([status, stderr], [0, ""])
    assert.match(stdout, new RegExp(`^pnpm ${name} `, "u"))
    const unknown = run("--no-such-flag")
    assert.notStrictEqual(unknown.status, 0)
    assert.include(unknown.stderr, `pnpm ${name} `)
  })

  it("is answered by the command line", async () => {
    const { code, stderr, stdout } = await cli("admin", "users", "create", "--help")
    assert.deepStrictEqual([code, stderr], [0, ""])
    assert.include(stdout, "quittance admin users create")
  })
})

describe("a command that lacks something", () => {
  it("says all of it at once", async () => {
    const { code, stderr } = await cli("admin", "users", "create", "-t", "acme")
    assert.strictEqual(code, 1)
    const said = [...stderr.matchAll(/Missing required (?:flag: --|argument: )([\w-]+)/gu)]
    assert.deepStrictEqual(
      said.map(([, name]) => name),
      ["email", "first-name", "last-name", "role"]
    )
  })
})
