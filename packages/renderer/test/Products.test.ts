import { DocumentRenderer, type RenderedDocument } from "@quittance/documents/DocumentRenderer"
import { formatted } from "@quittance/documents/Formats"
import { DocumentModel } from "@quittance/domain/documents/DocumentModel"
import * as Renderer from "@quittance/renderer/Renderer"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { examples, longName, type Scene, stressed } from "./ProductScene.ts"
import { attached, installed, saidOfEach, spaceless, textsOf } from "./Tools.ts"

type Made = readonly [scene: Scene, document: RenderedDocument]

const made = ({ input }: Scene) => Effect.flatMap(DocumentRenderer, ({ render }) => render(input))

/** Each document is made once for all tests; those that want it made again say so. */
const known = new Map<Scene, RenderedDocument>()

const once = Effect.fn(function* (scene: Scene) {
  const document = known.get(scene) ?? (yield* made(scene))
  known.set(scene, document)
  return [scene, document] satisfies Made
})

const all = (scenes: ReadonlyArray<Scene>) => Effect.forEach(scenes, once, { concurrency: 2 })

const files = (documents: ReadonlyArray<Made>) => documents.map(([, { bytes }]) => bytes)

const same = (one: RenderedDocument, other: RenderedDocument) =>
  Buffer.from(one.bytes).equals(other.bytes)

const of = (scenes: ReadonlyArray<Scene>, product: string) =>
  scenes.filter(({ name }) => name.startsWith(product))

const poppler = installed("pdftotext", "pdffonts", "pdfinfo", "pdfdetach", "pdftocairo")

describe("the documents of all products", () => {
  layer(Renderer.layer, { excludeTestServices: true })((it) => {
    it.effect("are made of their examples, and are as short as people expect", () =>
      Effect.gen(function* () {
        for (const [{ input, name }, { pages }] of yield* all(examples)) {
          const most = mostPages[input.model.document.kind] ?? 1
          assert.isAtMost(pages, most, name)
        }
        assert.isAbove(examples.length, 70)
      })
    )

    it.effect("are made of long names and long lists as well, in no more than 8 pages", () =>
      Effect.gen(function* () {
        for (const [{ name }, { pages }] of yield* all(stressed)) assert.isAtMost(pages, 8, name)
      })
    )

    it.effect("are the same bytes in another process, and when it is done with another", () =>
      Effect.gen(function* () {
        const scenes = [...of(examples, "fleet-fr"), ...of(stressed, "bicycle-de")]
        const here = yield* all(scenes)
        const there = yield* Effect.forEach([...scenes].reverse(), made).pipe(
          Effect.provide(Renderer.layer, { local: true })
        )
        for (const [scene, document] of here) {
          assert.isTrue(same(there.pop()!, document), scene.name)
        }
      })
    )

    it.effect.skipIf(!poppler)("show each amount and each name of the example", () =>
      Effect.gen(function* () {
        const texts = textsOf(files(yield* all(examples)))
        for (const [index, { input, name }] of examples.entries()) {
          for (const shown of wordsOf(input)) {
            assert.include(texts[index]!, spaceless(shown), `${name}: ${shown}`)
          }
        }
      })
    )

    it.effect.skipIf(!poppler)("show names as they are, and markup in them as text", () =>
      Effect.gen(function* () {
        const contracts = stressed.filter(({ name }) => name.endsWith("CONTRACT"))
        assert.strictEqual(contracts.length, 8)
        const texts = textsOf(files(yield* all(contracts)))
        for (const [index, { name }] of contracts.entries()) {
          assert.notInclude(texts[index]!, "root:", name)
          assert.include(dehyphened(texts[index]!), dehyphened(spaceless(longName)), name)
        }
      })
    )

    it.effect.skipIf(!poppler)("carry the data that makes them again", () =>
      Effect.gen(function* () {
        for (const [{ input, name }, document] of yield* all(of(examples, "motor-fr"))) {
          const data = attached(document.bytes, "data.json")
          assert.strictEqual(data, document.data, name)
          const model = yield* Schema.decodeEffect(Schema.fromJsonString(DocumentModel))(data)
          const { render } = yield* DocumentRenderer
          assert.isTrue(same(yield* render({ ...input, model }), document), name)
        }
      })
    )

    it.effect.skipIf(!poppler || !installed("qpdf"))(
      "are whole files with our fonts alone, all of them inside, and tell no other time than their own",
      () =>
        Effect.gen(function* () {
          const documents = yield* all([...examples, ...of(stressed, "fleet-fr")])
          const checks = saidOfEach(files(documents), "qpdf", "--check", "FILE")
          const fontLists = saidOfEach(files(documents), "pdffonts", "FILE")
          const infos = saidOfEach(files(documents), "pdfinfo", "-isodates", "FILE")
          for (const [index, [{ input, name }, { pages }]] of documents.entries()) {
            assert.include(checks[index]!, "No syntax or stream encoding errors", name)
            const fonts = fontLists[index]!.trim().split("\n").slice(2)
            assert.isAbove(fonts.length, 0, name)
            for (const font of fonts) {
              assert.match(
                font,
                /^[A-Z]{6}\+NotoSans-\S+ +CID TrueType +Identity-H +yes yes yes +\d+ +0$/u,
                name
              )
            }
            const info = infos[index]!
            assert.match(info, new RegExp(`^Pages: +${pages}$`, "mu"), name)
            assert.match(info, /^Tagged: +yes$/mu, name)
            const at = input.model.document.at.slice(0, 19)
            assert.match(info, new RegExp(`^CreationDate: +${at}Z$`, "mu"), name)
          }
        })
    )
  })
})

const mostPages: Partial<Record<string, number>> = {
  IPID: 2,
  QUOTE: 2,
  CONTRACT: 3
}

/** What a document says of whom and of how much. */
const wordsOf = ({ model, template }: Scene["input"]): ReadonlyArray<string> => {
  const { currency, timeZone } = model.product
  const customs = { locale: template.locale, currency, timeZone, labels: {} }
  const { invoice, notice, schedule } = model
  const amounts = [
    ...(invoice?.lines.flatMap(({ net, taxes, total }) => [net, taxes, total]) ?? []),
    ...(invoice?.taxList.map(({ amount }) => amount) ?? []),
    ...(invoice === undefined ? [] : [invoice.total]),
    ...(notice === undefined ? [] : [notice.due]),
    ...(schedule?.instalments.map(({ amount }) => amount) ?? [])
  ]
  const kind = model.document.kind
  return [
    ...amounts.map((amount) => formatted(amount, "money", customs)!),
    ...(kind === "IPID" ? [] : [model.policy.number, model.holder.name])
  ]
}

/** Long words are broken at hyphens of the language. */
const dehyphened = (text: string): string => text.replaceAll(/[-\u{2010}\u{AD}]/gu, "")
