import { DocumentRenderer } from "@quittance/documents/DocumentRenderer"
import * as Renderer from "@quittance/renderer/Renderer"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { model, template } from "./Scene.ts"

const files = new Map<string, Uint8Array>()

const made = (input = { template, model, files }) =>
  Effect.flatMap(DocumentRenderer, ({ render }) => render(input))

describe("the renderer", () => {
  layer(Renderer.layer, { excludeTestServices: true })((it) => {
    it.effect("makes a PDF, the same bytes each time", () =>
      Effect.gen(function* () {
        const { bytes, data, pages } = yield* made()
        assert.strictEqual(Buffer.from(bytes.subarray(0, 5)).toString(), "%PDF-")
        assert.strictEqual(pages, 1)
        assert.deepStrictEqual(JSON.parse(data), model)
        const again = yield* made()
        assert.isTrue(Buffer.from(bytes).equals(again.bytes))
      })
    )

    it.effect("refuses a layout that there is not", () =>
      Effect.gen(function* () {
        const failed = yield* Effect.flip(
          made({ template: { ...template, layout: "poster" }, model, files })
        )
        assert.deepInclude(failed, { _tag: "RenderingFailed", reason: "LAYOUT" })
      })
    )

    it.effect("names what the model lacks, and what the fonts lack", () =>
      Effect.gen(function* () {
        const blocks = [{ kind: "paragraph", text: "{{invoice.total|money}}" }] as const
        const missing = yield* Effect.flip(
          made({ template: { ...template, blocks }, model, files })
        )
        assert.deepInclude(missing, { reason: "MISSING_VALUE", paths: ["invoice.total"] })
        const holder = { ...model.holder, name: "山田 太郎" }
        const unprintable = yield* Effect.flip(
          made({ template, model: { ...model, holder }, files })
        )
        assert.deepInclude(unprintable, { reason: "UNPRINTABLE_TEXT", paths: ["/holder/name"] })
      })
    )
  })
})

it.live("makes the same bytes in another process", () =>
  Effect.gen(function* () {
    const [one, other] = yield* Effect.all([
      made().pipe(Effect.provide(Renderer.layer)),
      made().pipe(Effect.provide(Renderer.layer))
    ])
    assert.isTrue(Buffer.from(one.bytes).equals(other.bytes))
  })
)
