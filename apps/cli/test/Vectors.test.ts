import { existsSync, readdirSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { format, run } from "../src/Vectors.ts"

const folder = new URL("../../../test/vectors/", import.meta.url)
/** Vectors that stand beside the repository where it is developed; elsewhere their tests are left out. */
const samples = ["../../../../", "../../../../../"]
  .flatMap((root) =>
    ["claims", "payments"].map((area) => `${root}shared/samples/${area}/vectors.json`)
  )
  .map((path) => new URL(path, import.meta.url))
  .filter((file) => existsSync(file))

const runOne = (topic: string, input: unknown, expected: unknown) =>
  run([
    { name: "one.json", text: JSON.stringify({ topic, cases: [{ id: "one", input, expected }] }) }
  ])

const weights = { amount: 100, weights: [1, 1, 1] }

describe("pnpm vectors", () => {
  it("counts each case of an unknown topic as failed", () => {
    const text = JSON.stringify({
      topic: "astrology",
      cases: [
        { id: "a", input: {}, expected: {} },
        { id: "b", input: {}, expected: {} }
      ]
    })
    const results = run([{ name: "stars.json", text }])
    assert.deepStrictEqual(
      results.map(({ id, passed }) => [id, passed]),
      [
        ["a", false],
        ["b", false]
      ]
    )
    assert.match(format(results), /\n0 passed, 2 failed$/u)
  })

  it("runs a case by its own topic, and by the file's where it has none", () => {
    const text = JSON.stringify({
      topic: "target-day",
      cases: [
        { id: "own", topic: "sepa-text", input: { text: "é", max: 1 }, expected: { text: "e" } },
        { id: "file's", input: { date: "2026-12-25" }, expected: { open: false } },
        { id: "unknown", topic: "astrology", input: {}, expected: {} }
      ]
    })
    assert.deepStrictEqual(
      run([{ name: "mixed.json", text }]).map(({ got, id, passed }) => [id, passed, got]),
      [
        ["own", true, `{"text":"e"}`],
        ["file's", true, `{"open":false}`],
        ["unknown", false, "no topic astrology"]
      ]
    )
  })

  it("counts a file that is no vector file, and one without cases, as one failure each", () => {
    const results = run([
      { name: "broken.json", text: "{" },
      { name: "shapeless.json", text: `{ "topic": "plan" }` },
      { name: "empty.json", text: `{ "topic": "plan", "cases": [] }` }
    ])
    assert.match(format(results), /\n0 passed, 3 failed$/u)
  })

  it("fails a case whose answer differs, and shows what was expected and what came", () => {
    const text = format(runOne("allocation", weights, { parts: [33, 33, 34] }))
    assert.strictEqual(
      text,
      [
        "one.json one",
        `  expected {"parts":[33,33,34]}`,
        `  got      {"parts":[34,33,33]}`,
        "0 passed, 1 failed"
      ].join("\n")
    )
  })

  it("fails a case that expects more, or less, than the code answers", () => {
    assert.isFalse(runOne("allocation", weights, { parts: [34, 33, 33], left: 0 })[0]!.passed)
    assert.isFalse(runOne("allocation", weights, { parts: [34, 33] })[0]!.passed)
    assert.isFalse(runOne("allocation", weights, {})[0]!.passed)
  })

  it("fails a case that expects an answer where the code refuses, and the other way round", () => {
    const nothing = { amount: 100, weights: [0, 0] }
    assert.isTrue(runOne("allocation", nothing, { error: true })[0]!.passed)
    assert.isFalse(runOne("allocation", nothing, { parts: [0, 0] })[0]!.passed)
    assert.isFalse(runOne("allocation", weights, { error: true })[0]!.passed)
  })

  it("refuses days that do not exist", () => {
    const input = { frequency: "MONTHLY", start: "2026-02-30", end: "2027-03-01", anchorDay: null }
    const [result] = runOne("plan", { ...input, price: 1 }, { periods: [] })
    assert.isFalse(result!.passed)
  })

  it("reads integers beyond 2^53 as they are written", () => {
    const text = `{ "topic": "allocation", "cases": [{
      "id": "wide",
      "input": { "amount": 1000000000000000025, "weights": [50, 50] },
      "expected": { "parts": [500000000000000013, 500000000000000012] }
    }] }`
    const off = text.replace("500000000000000013", "500000000000000014")
    assert.isTrue(run([{ name: "wide.json", text }])[0]!.passed)
    assert.isFalse(run([{ name: "off.json", text: off }])[0]!.passed)
  })

  it("splits by decimal weights exactly", () => {
    const input = { amount: 100, weights: [0.1, 0.25, 0.65] }
    assert.isTrue(runOne("allocation", input, { parts: [10, 25, 65] })[0]!.passed)
  })

  it("bills in arrear the periods that have ended (month-end-arrear-2133)", () => {
    const input = {
      frequency: "MONTHLY",
      timing: "IN_ARREAR",
      anchorDay: 31,
      start: "2025-03-31",
      end: null,
      until: "2025-05-30"
    }
    const items = [{ start: "2025-03-31", end: "2025-04-30", fraction: "1" }]
    assert.isTrue(runOne("proration", input, { items })[0]!.passed)
  })

  for (const file of [...readdirSync(folder).map((name) => new URL(name, folder)), ...samples]) {
    it(`passes every case of ${file.pathname.split("/").slice(-2).join("/")}`, () => {
      const results = run([{ name: file.pathname, text: readFileSync(file, "utf8") }])
      assert.isAbove(results.length, 0)
      assert.deepStrictEqual(
        results.filter(({ passed }) => !passed),
        []
      )
    })
  }
})
