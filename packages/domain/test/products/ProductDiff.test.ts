import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { differences } from "../../src/products/ProductDiff.ts"

describe("the differences of two documents", () => {
  it("are told by name where a list names its members, wherever they stand in it", () => {
    const from = {
      perils: [
        { id: "THEFT", base: 1 },
        { id: "FIRE", base: 2 }
      ]
    }
    const to = {
      perils: [
        { id: "FIRE", base: 2 },
        { id: "GLASS", base: 4 },
        { id: "THEFT", base: 3 }
      ]
    }
    assert.deepStrictEqual(differences(from, to), [
      { path: "/perils/THEFT/base", from: 1, to: 3 },
      { path: "/perils/GLASS", to: { id: "GLASS", base: 4 } }
    ])
  })

  it("tell a dated charge by its day", () => {
    const from = { charges: [{ from: "2020-01-01", rate: "33/100" }] }
    const to = { charges: [...from.charges, { from: "2027-01-01", rate: "34/100" }] }
    assert.deepStrictEqual(differences(from, to), [
      { path: "/charges/2027-01-01", to: { from: "2027-01-01", rate: "34/100" } }
    ])
  })

  it("take a list as one value where its names are not its own", () => {
    const twice = [{ id: "A" }, { id: "A" }]
    assert.deepStrictEqual(differences({ list: twice }, { list: [] }), [
      { path: "/list", from: twice, to: [] }
    ])
    assert.deepStrictEqual(differences([1, 2], [1, 3]), [{ path: "", from: [1, 2], to: [1, 3] }])
  })

  it("are told by place in rows of tables that are equally long", () => {
    const rows = [
      { below: 5, amount: 1 },
      { from: 5, amount: 2 }
    ]
    assert.deepStrictEqual(differences({ rows }, { rows: [rows[0]!, { from: 5, amount: 3 }] }), [
      { path: "/rows/1/amount", from: 2, to: 3 }
    ])
  })

  it("escape what a pointer would misread, and tell null from nothing", () => {
    assert.deepStrictEqual(differences({ "a/b~": null }, {}), [{ path: "/a~1b~0", from: null }])
  })

  it.prop(
    "of a document and itself are none, and each side of a difference is the other's mirror",
    { a: Schema.Json, b: Schema.Json },
    ({ a, b }) => {
      assert.deepStrictEqual(differences(a, a), [])
      const mirrored = differences(b, a).map(({ path, ...sides }) => ({
        path,
        ...("to" in sides ? { from: sides.to } : {}),
        ...("from" in sides ? { to: sides.from } : {})
      }))
      const order = (list: ReadonlyArray<{ readonly path: string }>) =>
        list.toSorted((x, y) => (x.path < y.path ? -1 : 1))
      assert.deepStrictEqual(order(mirrored), order(differences(a, b)))
    },
    { arbitrary: { runs: 300 } }
  )
})
