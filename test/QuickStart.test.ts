/** The page that sells a policy by curl: its commands run as they stand, and print what it says. */
import { assert, describe, it } from "@effect/vitest"
import { freePort } from "@quittance/embedded-postgres/FreePort"
import { execFile } from "node:child_process"
import * as path from "node:path"
import { promisify } from "node:util"
import { type CodeBlock, codeBlocks } from "../scripts/CodeBlocks.ts"
import { folder, Program } from "./Program.ts"
import { read, root } from "./Sources.ts"

const run = promisify(execFile)

const page = codeBlocks(path.join(root, "docs/quick-start.md"))
const [start, ...steps] = page

/** The first line of a block that only shows an answer. */
const heading = ({ line }: CodeBlock) => `=== line ${line} ===`

/** The commands of the page in one program, each block under its heading. */
const program = (port: number): string =>
  steps
    .filter(({ language }) => language === "sh")
    .map((block) => `echo '${heading(block)}'\n${block.code}`)
    .join("")
    .replace("PORT=8080\n", `PORT=${port}\n`)

/** What the page says that a block prints; nothing where it shows nothing. */
const saidOf = (index: number): string => {
  const next = steps[index + 1]
  return next?.language === "text" ? next.code : ""
}

/** A text in which `…` stands for anything on its line. */
const likeness = (text: string): RegExp =>
  new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/gu, "\\$&").replaceAll("…", "\\S+")}$`, "u")

/** The lines that the page's bash prints, by block. */
const printed = async (port: number): Promise<ReadonlyMap<string, string>> => {
  // Not the rest of the variables: some of them change what Node prints.
  const { HOME, PATH } = process.env
  const { stdout, stderr } = await run(
    "bash",
    ["--noprofile", "--norc", "-euo", "pipefail", "-c", program(port)],
    { cwd: await folder(), env: { HOME, PATH } }
  )
  assert.strictEqual(stderr, "")
  const [, ...parts] = stdout.split(/^(=== line \d+ ===)\n/mu)
  return new Map(
    parts.flatMap((part, index) => (index % 2 === 0 ? [[part, parts[index + 1]!]] : []))
  )
}

describe("the quick start", () => {
  it("starts the sandbox by the script that starts it here, and names its port once", () => {
    assert.strictEqual(start?.code, "npx -y pnpm@12 start\n")
    assert.include(JSON.parse(read("package.json")).scripts.start, "apps/standalone/src/main.ts")
    const commands = steps.filter(({ language }) => language === "sh").map(({ code }) => code)
    assert.strictEqual(commands.join("").split("8080").length, 2)
    assert.match(commands[0] ?? "", /^PORT=8080\n/u)
  })

  it("sells a policy, and prints what it says, as often as it is followed", async () => {
    const port = await freePort()
    const sandbox = new Program("standalone", [], { PORT: String(port), DATA_DIR: await folder() })
    await sandbox.says("Ctrl+C stops it")
    for (const time of ["first", "second"]) {
      const answers = await printed(port)
      let compared = 0
      for (const [index, block] of steps.entries()) {
        if (block.language !== "sh") continue
        const said = saidOf(index)
        assert.match(answers.get(heading(block)) ?? "nothing", likeness(said), `the ${time} time`)
        if (said !== "") compared++
      }
      assert.strictEqual(compared, steps.filter(({ language }) => language === "text").length)
    }
  })
})
