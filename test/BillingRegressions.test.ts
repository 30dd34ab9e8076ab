import { assert, describe, it } from "vitest"
import { readFileSync } from "node:fs"

const root = new URL("../", import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), "utf8")

const row = /^\| `(?<id>[a-z0-9-]+)` +\| (?<where>.*?) +\|$/u

const section = read("docs/billing.md").split("\n## Faults of other engines\n")[1] ?? ""
const faults = section
  .split("\n## ")[0]!
  .split("\n")
  .flatMap((line) => {
    const { id, where } = row.exec(line)?.groups ?? {}
    return id === undefined || where === undefined ? [] : [{ id, where }]
  })

/** The names of the tests of a file, whether on the line of their call or on the next. */
const namesIn = (path: string): ReadonlyArray<string> =>
  [...read(path).matchAll(/it(?:\.\w+)?\(\s*(?<name>"[^"]*"|`[^`]*`)/gu)].map(
    ({ groups }) => groups!["name"]!
  )

describe("the faults of other billing engines", () => {
  it("are the 48 that were collected, each once", () => {
    assert.strictEqual(faults.length, 48)
    assert.strictEqual(new Set(faults.map(({ id }) => id)).size, 48)
  })

  for (const { id, where } of faults) {
    it(`${id} is the name of a test, or does not apply for a reason`, () => {
      if (/^Does not apply: .{20}/u.test(where)) return
      const paths = where.split(", ").map((path) => path.replaceAll("`", ""))
      for (const path of paths) {
        assert.isTrue(
          namesIn(path).some((name) => name.includes(id)),
          `no test of ${path} has ${id} in its name`
        )
      }
    })
  }
})
