import { DocumentRenderer } from "@quittance/documents/DocumentRenderer"
import * as Renderer from "@quittance/renderer/Renderer"
import { carriedData } from "@quittance/renderer/CarriedData"
import { verify } from "@quittance/renderer/Verification"
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { examples } from "./ProductScene.ts"
import { model, template } from "./Scene.ts"

/** The file with one byte of it replaced, at what is found. */
const changed = (pdf: Uint8Array, pattern: RegExp, offset = 0): Uint8Array => {
  const at = Buffer.from(pdf).toString("latin1").search(pattern) + offset
  assert.isAtLeast(at, offset, String(pattern))
  return pdf.map((byte, index) => (index === at ? byte ^ 1 : byte))
}

const made = Effect.gen(function* () {
  const { render } = yield* DocumentRenderer
  return yield* render({ template, model, files: new Map() })
})

describe("a document that is verified", () => {
  layer(Renderer.layer, { excludeTestServices: true })((it) => {
    it.effect("carries its data and its renderer, and is made again from them", () =>
      Effect.gen(function* () {
        const { bytes, data, renderer } = yield* made
        assert.deepStrictEqual(carriedData(bytes), { data, renderer })
        assert.deepStrictEqual(yield* verify(bytes, [template]), { kind: "SAME", renderer })
        const company = examples.find(({ name }) => name === "fleet-fr CREDIT_NOTE")!.input
        const { render } = yield* DocumentRenderer
        const facturX = yield* render(company)
        assert.deepInclude(yield* verify(facturX.bytes, [company.template]), { kind: "SAME" })
      })
    )

    it.effect("is found out where one bit of it was changed, wherever that is", () =>
      Effect.gen(function* () {
        const { bytes } = yield* made
        for (const [pattern, where] of [
          [/\/Title \(/u, "its title, author or date"],
          [/<dc:title>/u, "its metadata"],
          [/\/Desc \(document-model/u, undefined],
          [/\/Kids \[/u, "its list of pages"],
          [/startxref/u, "its table of contents or its end"]
        ] as const) {
          const verdict = yield* verify(changed(bytes, pattern, 9), [template])
          if (where === undefined) assert.notStrictEqual(verdict.kind, "SAME")
          else assert.deepInclude(verdict, { kind: "DIFFERENT", where })
        }
        // What pages show and what is carried is packed: any byte may be the one.
        for (let at = 2000; at < bytes.length; at += 1499) {
          const other = bytes.map((byte, index) => (index === at ? byte ^ 1 : byte))
          assert.notStrictEqual((yield* verify(other, [template])).kind, "SAME", `byte ${at}`)
        }
        const longer = Buffer.concat([bytes, Buffer.from("\n")])
        assert.deepInclude(yield* verify(longer, [template]), {
          kind: "DIFFERENT",
          from: bytes.length
        })
      })
    )

    it.effect("says why it can't be made again", () =>
      Effect.gen(function* () {
        const { bytes } = yield* made
        assert.deepStrictEqual(yield* verify(bytes, []), {
          kind: "NO_TEMPLATE",
          templateId: "contract-fr",
          version: "1"
        })
        const other = Buffer.from(
          Buffer.from(bytes).toString("latin1").replace("made by layout/", "made by layout/9"),
          "latin1"
        )
        assert.deepInclude(yield* verify(other, [template]), { kind: "OTHER_RENDERER" })
        assert.deepStrictEqual(yield* verify(Buffer.from("%PDF-1.7"), [template]), {
          kind: "NO_DATA"
        })
      })
    )
  })
})
