import { assert, describe, it } from "@effect/vitest"
import { lines, plain, type Table } from "../src/terminal/Table.ts"

const table: Table = {
  columns: [{ header: "Component" }, { header: "Total", align: "right" }],
  rows: [
    ["Événements climatiques", "€15.80"],
    ["Vol", "€1,050.14"]
  ],
  total: ["A year", "€1,065.94"]
}

describe("a table", () => {
  it("lines up names on the left and amounts on the right, accents and all", () => {
    assert.deepStrictEqual(lines(table, 80, plain), [
      "Component                   Total",
      "─────────────────────────────────",
      "Événements climatiques     €15.80",
      "Vol                     €1,050.14",
      "─────────────────────────────────",
      "A year                  €1,065.94"
    ])
  })

  it("shortens names, never amounts, where the terminal is narrow", () => {
    const narrow = lines(table, 24, plain)
    assert.strictEqual(narrow[2], "Événements c…     €15.80")
    assert.isTrue(narrow.every((line) => [...line].length <= 24))
  })
})
