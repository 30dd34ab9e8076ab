/** Makes documents in processes of their own, so that a page that hangs or crashes costs one document. */
import { compose } from "@quittance/documents/Composing"
import {
  DocumentRenderer,
  type RenderedDocument,
  type RenderInput,
  RendererUnavailable,
  RenderingFailed
} from "@quittance/documents/DocumentRenderer"
import { crossIndustryInvoice } from "@quittance/documents/invoice/CrossIndustryInvoice"
import { electronicInvoice } from "@quittance/documents/invoice/ElectronicInvoice"
import type { DocumentModel } from "@quittance/domain/documents/DocumentModel"
import type { DocumentTemplate } from "@quittance/domain/documents/DocumentTemplate"
import type { RenderingFailure } from "@quittance/domain/documents/RenderingFailure"
import { canonicalJson } from "@quittance/domain/values/CanonicalJson"
import { Config, Effect, Layer, Pool } from "effect"
import { createRequire } from "node:module"
import { availableParallelism } from "node:os"
import { carriedData, dataName, descriptionOf } from "./CarriedData.ts"
import { facturXName } from "./FacturX.ts"
import { type Layouts, layouts, layoutVersion } from "./Layouts.ts"
import { type ChildLost, type RendererChild, start } from "./RendererChild.ts"
import { RendererLimits } from "./RendererLimits.ts"
import type { Attachment, RenderAnswer, RenderTask } from "./RenderTask.ts"

/** A document of more pages is none that people read. */
const maxPages = 200

const tries = 3

const require = createRequire(import.meta.url)
const { version: typst } = require("@myriaddreamin/typst-ts-node-compiler/package.json")

export const renderer = `layout/${layoutVersion} typst/${typst} icu/${process.versions["icu"]}`

const make = Effect.gen(function* () {
  const max = yield* Config.Int("RENDERERS").pipe(
    Config.withDefault(Math.max(1, availableParallelism() - 1))
  )
  const known = yield* layouts
  const limits = yield* RendererLimits
  const made = new WeakMap<RendererChild, number>()
  const pool = yield* Pool.makeWithTTL({
    acquire: start,
    min: 0,
    max,
    timeToLive: "5 minutes",
    timeToLiveStrategy: "usage"
  })

  /** A process that can be asked; one that has ended in its sleep costs no try. */
  const living = Effect.gen(function* () {
    for (;;) {
      const child = yield* Effect.mapError(Pool.get(pool), () => new RendererUnavailable())
      if (!child.isGone()) return child
      yield* Pool.invalidate(pool, child)
    }
  })

  const attempt = Effect.fn("Renderer.attempt")(
    function* (task: RenderTask) {
      const child = yield* living
      const { answer, memory } = yield* child
        .ask(task)
        .pipe(Effect.onError(() => Pool.invalidate(pool, child)))
      const count = (made.get(child) ?? 0) + 1
      made.set(child, count)
      if (count >= limits.documents || memory >= limits.memory) yield* Pool.invalidate(pool, child)
      return answer
    },
    Effect.scoped,
    Effect.provideService(RendererLimits, limits)
  )

  return {
    renderer,
    layouts: known.map(([name]) => name),
    dataOf: (file: Uint8Array) => carriedData(file)?.data,
    render: Effect.fn("Renderer.render")(function* (input: RenderInput) {
      const task = yield* taskOf(input, known)
      const answer = yield* attempt(task).pipe(
        Effect.retry({ times: tries - 1, while: ({ _tag }) => _tag === "ChildLost" }),
        Effect.catchTag("ChildLost", ({ how }: ChildLost) => Effect.fail(failed(how)))
      )
      return yield* documentOf(answer, task.attachments[0]!.text)
    })
  }
})

const failed = (reason: RenderingFailure, diagnostics: ReadonlyArray<string> = []) =>
  new RenderingFailed({ reason, paths: [], diagnostics })

const taskOf = Effect.fn(function* ({ files, model, template }: RenderInput, known: Layouts) {
  if (!known.some(([name]) => name === template.layout)) {
    return yield* failed("LAYOUT", [`There is no layout ${template.layout}.`])
  }
  const document = yield* Effect.fromResult(compose(template, model))
  return {
    layout: template.layout,
    layouts: known,
    document: JSON.stringify(document),
    attachments: [
      {
        name: dataName,
        mediaType: "application/json",
        relationship: "source",
        description: descriptionOf(renderer),
        text: canonicalJson(model)
      },
      ...facturX(template, model)
    ],
    files: [...files],
    maxPages
  } satisfies RenderTask
})

/** The data of an invoice to a company, in the form that its ledger reads. */
const facturX = (template: DocumentTemplate, model: DocumentModel): ReadonlyArray<Attachment> => {
  const invoice = electronicInvoice(template, model)
  if (invoice === undefined) return []
  return [
    {
      name: facturXName,
      mediaType: "text/xml",
      relationship: "alternative",
      description: "Factur-X",
      text: crossIndustryInvoice(invoice)
    }
  ]
}

const documentOf = (
  answer: RenderAnswer,
  data: string
): Effect.Effect<RenderedDocument, RenderingFailed> => {
  switch (answer.kind) {
    case "MADE":
      return Effect.succeed({ bytes: answer.bytes, pages: answer.pages, renderer, data })
    case "TOO_LONG":
      return Effect.fail(failed("TOO_LONG"))
    case "FAILED":
      return Effect.fail(failed("LAYOUT", answer.diagnostics))
  }
}

/** Settings: `RENDERERS`, how many processes at most; `LAYOUTS_DIR`, a folder with layouts of the operator's. */
export const layer = Layer.effect(DocumentRenderer, make)
