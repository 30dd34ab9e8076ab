/** Whether files are as PDF/A-3a wants them, as far as qpdf can tell; no validator is in a registry. */
import { DocumentRenderer } from "@quittance/documents/DocumentRenderer"
import * as Renderer from "@quittance/renderer/Renderer"
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { broken, type Objects, objectsOf, questions } from "./ArchivalRules.ts"
import { examples } from "./ProductScene.ts"
import { installed, saidOfEach } from "./Tools.ts"

/** One of each kind, with the invoice of a company, whose metadata is added to, among them. */
const scenes = examples.filter(({ name }) => name.startsWith("fleet-fr"))

const made = Effect.gen(function* () {
  const { render } = yield* DocumentRenderer
  const files = yield* Effect.forEach(scenes, ({ input }) => render(input), { concurrency: 2 })
  return saidOfEach(
    files.map(({ bytes }) => bytes),
    "qpdf",
    ...questions,
    "FILE"
  ).map(objectsOf)
})

/** A file with every text of its objects replaced that is written so. */
const changed = (objects: Objects, from: string, to: string): Objects => {
  const text = JSON.stringify(objects)
  assert.include(text, from)
  return JSON.parse(text.replaceAll(from, to))
}

const metadataIn = (objects: Objects, from: string, to: string): Objects =>
  Object.fromEntries(
    Object.entries(objects).map(([name, entry]) => {
      if (!("stream" in entry) || entry.stream.dict["/Type"] !== "/Metadata") return [name, entry]
      const xml = Buffer.from(entry.stream.data!, "base64").toString("utf8")
      assert.include(xml, from)
      const data = Buffer.from(xml.replace(from, to)).toString("base64")
      return [name, { stream: { ...entry.stream, data } }]
    })
  )

describe.skipIf(!installed("qpdf"))("a file", () => {
  layer(Renderer.layer, { excludeTestServices: true })((it) => {
    it.effect("keeps the rules of PDF/A-3a that its objects show, and damage is found", () =>
      Effect.gen(function* () {
        const files = yield* made
        assert.isAtLeast(files.length, 10)
        for (const [index, objects] of files.entries()) {
          assert.deepStrictEqual(broken(objects), [], scenes[index]!.name)
        }
        const [first] = files
        const damaged: ReadonlyArray<readonly [Objects, string]> = [
          [changed(first!, '"/Root":', '"/Encrypt":{},"/Root":'), "is not encrypted"],
          [changed(first!, '"/ID":', '"/No":'), "has an identifier"],
          [changed(first!, "/GTS_PDFA1", "/GTS_PDFX"), "says what its colours are"],
          [changed(first!, '"/FontFile2":', '"/No":'), "has all its fonts inside"],
          [changed(first!, '"/ToUnicode":', '"/No":'), "tells the characters of each glyph"],
          [
            changed(first!, '"/AFRelationship":', '"/No":'),
            "says for each file inside what it is to the document"
          ],
          [changed(first!, '"/Marked":true', '"/Marked":false'), "is tagged, in a language"],
          [
            changed(first!, '"/Type":"/Catalog"', '"/Type":"/Catalog","/OpenAction":{}'),
            "does nothing by itself"
          ],
          [
            metadataIn(first!, "<pdfaid:conformance>A", "<pdfaid:conformance>B"),
            "says in its metadata that it is PDF/A-3a"
          ],
          [
            metadataIn(first!, "<xmp:CreateDate>2", "<xmp:CreateDate>1"),
            "has its time in its metadata as well"
          ]
        ]
        for (const [objects, rule] of damaged) assert.deepStrictEqual(broken(objects), [rule])
      })
    )
  })
})
