import { DocumentRenderer } from "@quittance/documents/DocumentRenderer"
import { DocumentTemplate } from "@quittance/domain/documents/DocumentTemplate"
import * as Renderer from "@quittance/renderer/Renderer"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { model, template } from "./Scene.ts"
import { installed, said } from "./Tools.ts"

const decode = Schema.decodeSync(DocumentTemplate)

/** After so many lines come what must not be torn: a heading and its table, a clause and its signatures. */
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
      { kind: "clause", title: "Last clause", text: "What is signed." },
      { kind: "paragraph", text: "Done on:" },
      { kind: "signatureBox", parties: [{ label: "Signature", name: "{{holder.name}}" }] }
    ]
  })

/** The lines of each page, without its head and foot. */
const pagesOf = Effect.fn(function* (lines: number, rows: number) {
  const { render } = yield* DocumentRenderer
  const { bytes } = yield* render({ template: paper(lines, rows), model, files: new Map() })
  return said(bytes, "pdftotext", "-layout", "FILE", "-")
    .split("\f")
    .slice(0, -1)
    .map((page, index) => {
      const all = page.split("\n").map((line) => line.trim().replaceAll(/ {2,}/gu, " "))
      const filled = all.filter((line) => line !== "")
      const foot = filled.findLastIndex((line) => / \d+ \/ \d+$/u.test(line))
      return filled.slice(index === 0 ? 0 : 1, foot)
    })
})

describe.skipIf(!installed("pdftotext"))("a page", () => {
  layer(Renderer.layer, { excludeTestServices: true })((it) => {
    it.effect("ends with no heading, begins with no total, and has all that is signed", () =>
      Effect.gen(function* () {
        const ends = new Set<number>()
        for (const rows of [3, 30]) {
          for (let lines = 8; lines < 32; lines++) {
            const pages = yield* pagesOf(lines, rows)
            const where = `${lines} lines, ${rows} rows`
            for (const page of pages) {
              assert.notStrictEqual(page.at(-1), "Heading", where)
              assert.notStrictEqual(page.at(-1), "Head Amount", where)
              const total = page.indexOf("Total 9")
              if (total >= 0) assert.strictEqual(page[total - 1], `Row ${rows - 1} 1`, where)
              const signature = page.findIndex((line) => line.startsWith("Signature"))
              if (signature >= 0) assert.include(page, "1. Last clause", where)
              if (page[0]?.startsWith("Row")) assert.fail(`a table without its head: ${where}`)
            }
            ends.add(pages.length)
          }
        }
        // The lines did go over the end of pages.
        assert.isAbove(ends.size, 1)
      })
    )

    it.effect("keeps a short table together, and repeats the head of a long one", () =>
      Effect.gen(function* () {
        for (let lines = 20; lines < 30; lines++) {
          const heads = (yield* pagesOf(lines, 12)).flat().filter((line) => line === "Head Amount")
          assert.strictEqual(heads.length, 1, `${lines} lines`)
        }
        const heads = (yield* pagesOf(2, 60)).map((page) => page.includes("Head Amount"))
        assert.deepStrictEqual(heads.slice(0, 2), [true, true])
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
