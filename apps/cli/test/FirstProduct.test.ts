/** The page that leads to a first product: put together as it says, and checked as it says. */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"

const page = readFileSync(new URL("../../../docs/first-product.md", import.meta.url), "utf8")
const main = new URL("../src/main.ts", import.meta.url).pathname
const folder = mkdtempSync(join(tmpdir(), "quittance-first-product-"))
afterAll(() => rmSync(folder, { recursive: true }))

const blocks = [...page.matchAll(/^```(json|text)(?: (\S+))?\n([\s\S]*?)^```$/gmu)].map(
  ([, language, place = "", text = ""]) => ({ language, place, text })
)

interface Node {
  [key: string]: Node
}

/** Puts a value at a JSON pointer; `-` is the end of a list. */
const put = (document: Node, pointer: string, value: Node) => {
  const path = pointer.split("/").slice(1)
  const last = path.pop()!
  const parent = path.reduce((node, key) => node[key]!, document)
  if (last === "-" && Array.isArray(parent)) parent.push(value)
  else parent[last] = value
}

const check = (document: Node): string => {
  const file = join(folder, "bicycle-fr.json")
  writeFileSync(file, JSON.stringify(document))
  const { stdout } = spawnSync(
    process.execPath,
    ["--conditions=@quittance/source", main, "product", "check", file],
    { encoding: "utf8", env: { ...process.env, NO_COLOR: "1" } }
  )
  return stdout.replaceAll(`${folder}/`, "")
}

describe("the page for a first product", () => {
  it("tells the documents that it leads to, and what the check says of each", () => {
    let document: Node = {}
    let checks = 0
    for (const { language, place, text } of blocks) {
      if (language === "text") {
        const [command, ...answer] = text.split("\n")
        assert.strictEqual(command, "$ pnpm product check bicycle-fr.json")
        assert.strictEqual(check(document), answer.join("\n"))
        checks++
      } else if (place.startsWith("/")) put(document, place, JSON.parse(text) as Node)
      else document = JSON.parse(text) as Node
    }
    assert.strictEqual(checks, 5)
  })
})
