import { DocumentRenderer } from "@quittance/documents/DocumentRenderer"
import { DocumentTemplate } from "@quittance/domain/documents/DocumentTemplate"
import * as Renderer from "@quittance/renderer/Renderer"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { model, template } from "./Scene.ts"
import { installed, said, saidOfEach } from "./Tools.ts"

const decode = Schema.decodeSync(DocumentTemplate)

/** After so many lines comes what must not be torn: a heading and its table, a clause and its signatures. */
const paper = (lines: number, rows: number) =>
  decode({
    ...Schema.encodeSync(DocumentTemplate)(template),
    blocks: [
      ...Array.from({ length: lines }, () => ({ kind: "paragraph", text: "Line" }) as const),
      { kind: "heading", text: "Heading" },
      {
        kind: "table",
        columns: [
          { title: "Head", share: 1 },
          { title: "Amount", align: "RIGHT" }
        ],
        rows: [
          ...Array.from({ length: rows }, (_, row) => ({ cells: [`Row ${row}`, "1"] })),
          { cells: ["Total", "9"], strong: true }
        ]
      },
      {
        kind: "keyValues",
        rows: Array.from({ length: 8 }, (_, row) => ({ label: `Key ${row}`, value: "1" }))
      },
      {
        kind: "clause",
        title: "Exclusions",
        text: "Not covered:\n\n- war\n- the rest",
        apparent: true
      },
      { kind: "clause", title: "Last clause", text: "What is signed." },
      { kind: "paragraph", text: "Done on:" },
      { kind: "signatureBox", parties: [{ label: "Signature", name: "{{holder.name}}" }] }
    ]
  })

/** The lines of each page of each of such papers, without head and foot. */
const pagesOfAll = Effect.fn(function* (
  papers: ReadonlyArray<readonly [lines: number, rows: number]>
) {
  const { render } = yield* DocumentRenderer
  const made = yield* Effect.forEach(
    papers,
    ([lines, rows]) => render({ template: paper(lines, rows), model, files: new Map() }),
    { concurrency: 2 }
  )
  const texts = saidOfEach(
    made.map(({ bytes }) => bytes),
    "pdftotext",
    "-layout",
    "FILE",
    "-"
  )
  return texts.map((text) => text.split("\f").slice(0, -1).map(linesOf))
})

const linesOf = (page: string, index: number): ReadonlyArray<string> => {
  const all = page.split("\n").map((line) => line.trim().replaceAll(/ {2,}/gu, " "))
  const filled = all.filter((line) => line !== "")
  const foot = filled.findLastIndex((line) => / \d+ \/ \d+$/u.test(line))
  return filled.slice(index === 0 ? 0 : 1, foot)
}

describe.skipIf(!installed("pdftotext"))("a page", () => {
  layer(Renderer.layer, { excludeTestServices: true })((it) => {
    it.effect("ends with no heading, begins with no total, and has all that is signed", () =>
      Effect.gen(function* () {
        const papers = [3, 30].flatMap((rows) =>
          Array.from({ length: 24 }, (_, index) => [index + 8, rows] as const)
        )
        const made = yield* pagesOfAll(papers)
        for (const [index, pages] of made.entries()) {
          const [lines, rows] = papers[index]!
          const where = `${lines} lines, ${rows} rows`
          for (const page of pages) {
            assert.notStrictEqual(page.at(-1), "Heading", where)
            assert.notStrictEqual(page.at(-1), "Head Amount", where)
            const total = page.indexOf("Total 9")
            if (total >= 0) assert.strictEqual(page[total - 1], `Row ${rows - 1} 1`, where)
            const signature = page.findIndex((line) => line.startsWith("Signature"))
            if (signature >= 0) assert.include(page, "2. Last clause", where)
            if (page[0]?.startsWith("Row")) assert.fail(`a table without its head: ${where}`)
            const keys = page.filter((line) => line.startsWith("Key "))
            assert.isFalse(keys.length === 1 || keys.length === 2, `values torn: ${where}`)
            assert.strictEqual(
              page.includes("1. Exclusions"),
              page.includes("– the rest"),
              `exclusions torn: ${where}`
            )
          }
        }
        // The lines did go over the end of pages.
        assert.isAbove(new Set(made.map((pages) => pages.length)).size, 1)
      })
    )

    it.effect("keeps a short table together, and repeats the head of a long one", () =>
      Effect.gen(function* () {
        const short = Array.from({ length: 10 }, (_, index) => [index + 20, 12] as const)
        const [long, ...others] = yield* pagesOfAll([[2, 60], ...short])
        for (const [index, pages] of others.entries()) {
          const heads = pages.flat().filter((line) => line === "Head Amount")
          assert.strictEqual(heads.length, 1, `${index + 20} lines`)
        }
        assert.deepStrictEqual(
          long!.slice(0, 2).map((page) => page.includes("Head Amount")),
          [true, true]
        )
      })
    )

    it.effect("has room for words that no line can hold", () =>
      Effect.gen(function* () {
        const { render } = yield* DocumentRenderer
        const name = "Q".repeat(150)
        const { bytes } = yield* render({
          template,
          model: { ...model, holder: { ...model.holder, name } },
          files: new Map()
        })
        // Within the margins, of which the smallest is 15 mm.
        for (const [, left, right] of said(bytes, "pdftotext", "-bbox", "FILE", "-").matchAll(
          /<word xMin="([\d.]+)" yMin="[\d.]+" xMax="([\d.]+)"/gu
        )) {
          assert.isAtLeast(Number(left), 42)
          assert.isAtMost(Number(right), 553)
        }
        assert.include(
          said(bytes, "pdftotext", "-raw", "FILE", "-").replaceAll(/[\s\u200B]/gu, ""),
          name
        )
      })
    )
  })
})
