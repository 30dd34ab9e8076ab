/** Documents of a product that are made of its own examples, each marked as one. */
import { DocumentRenderer, type RenderingFailed } from "@quittance/documents/DocumentRenderer"
import { documentModel } from "@quittance/documents/model/Model"
import {
  exampleDay,
  exampleInput,
  type ExamplePrice,
  isOfTemplate,
  type TemplateDefinition
} from "@quittance/documents/model/ModelExample"
import { conditionFaults } from "@quittance/documents/templates/ConditionFaults"
import { imagePlaces } from "@quittance/documents/templates/TemplateFaults"
import type { DocumentTemplate } from "@quittance/domain/documents/DocumentTemplate"
import type { Product, ProductFault } from "@quittance/domain/products/Product"
import type { DocumentDefinition } from "@quittance/domain/products/documents/DocumentDefinition"
import { exampleOf } from "@quittance/domain/products/ProductExamples"
import { NotReady } from "@quittance/domain/requests/RequestErrors"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { compile } from "@quittance/pricing/Engine"
import { Context, Effect, Layer, Result } from "effect"
import { Contents } from "../contents/Contents.ts"
import { ProductDocuments } from "../products/ProductDocuments.ts"
import { TenantTemplates } from "./TenantTemplates.ts"

/** The price of the last tier that the example can have; absent where there is none, or another program prices. */
export const examplePrice = (product: Product): ExamplePrice | undefined => {
  if (product.quoteProvider !== undefined) return undefined
  const tiers = compile(product).tiers({ ...exampleOf(product), startDate: exampleDay(product) })
  return tiers.flatMap(({ result }) => Result.getOrUndefined(result) ?? []).at(-1)
}

export class ExampleDocuments extends Context.Service<
  ExampleDocuments,
  {
    /** The PDF of a definition's example. A renderer that can't start is a defect that answers 503. */
    make(
      product: Product,
      definition: TemplateDefinition,
      template: DocumentTemplate,
      price: ExamplePrice | undefined
    ): Effect.Effect<Uint8Array, RenderingFailed, CurrentTenant>
  }
>()("@quittance/operations/ExampleDocuments") {
  static readonly layer = Layer.effect(
    ExampleDocuments,
    Effect.gen(function* () {
      const contents = yield* Contents
      const renderer = yield* DocumentRenderer

      const make = Effect.fn("ExampleDocuments.make")(function* (
        product: Product,
        definition: TemplateDefinition,
        template: DocumentTemplate,
        price: ExamplePrice | undefined
      ) {
        const files = new Map<string, Uint8Array>()
        for (const { sha256 } of imagePlaces(template.blocks)) {
          const found = yield* contents.find(sha256)
          const bytes = found && (yield* contents.read(found.address))
          if (bytes !== undefined) files.set(sha256, bytes)
        }
        // Those of a template have an example.
        const model = documentModel(exampleInput(product, definition, price, template.locale)!)
        const { bytes } = yield* renderer
          .render({ template, model, files })
          .pipe(Effect.catchTag("RendererUnavailable", () => Effect.die(new NotReady({}))))
        return bytes
      })

      return ExampleDocuments.of({ make })
    })
  ).pipe(Layer.provide(Contents.layer))
}

/** A definition without the source of its document can't be published, nor one that can't be made. */
export const productDocumentsLayer = Layer.effect(
  ProductDocuments,
  Effect.gen(function* () {
    const contents = yield* Contents
    const examples = yield* ExampleDocuments
    const templates = yield* TenantTemplates

    const definitionFaults = Effect.fnUntraced(function* (
      product: Product,
      definition: DocumentDefinition,
      at: string,
      price: ExamplePrice | undefined
    ) {
      const { source } = definition
      if (!("template" in source) || !isOfTemplate(definition)) {
        const file = "file" in source ? yield* contents.find(source.file) : undefined
        return file === undefined ? [missingFile(at)] : []
      }
      const template = yield* templates.find(source.template, source.version)
      if (template === undefined) return [missingTemplate(at, source)]
      return yield* examples.make(product, definition, template, price).pipe(
        Effect.as([]),
        // An example without a price: what shows one is first made of a quote.
        Effect.catchTag("RenderingFailed", ({ message, reason }) =>
          Effect.succeed(
            reason === "MISSING_VALUE" && price === undefined
              ? []
              : [{ pointer: `${at}/source`, message }]
          )
        )
      )
    })

    const faults = Effect.fn("ProductDocuments.faults")(function* (product: Product) {
      const { documents = [] } = product
      const conditions = [...conditionFaults(product)]
      const price = documents.length === 0 ? undefined : examplePrice(product)
      const found = yield* Effect.forEach(documents, (definition, index) =>
        definitionFaults(product, definition, `/documents/${index}`, price)
      )
      const all: ReadonlyArray<ProductFault> = [...conditions, ...found.flat()]
      return all
    })

    return ProductDocuments.of({ faults })
  })
).pipe(Layer.provide([Contents.layer, ExampleDocuments.layer, TenantTemplates.layer]))

const missingFile = (at: string): ProductFault => ({
  pointer: `${at}/source/file`,
  message: "Add the file first: `POST /admin/document-files` answers its SHA-256."
})

const missingTemplate = (
  at: string,
  { template, version }: { readonly template: string; readonly version: string }
): ProductFault => ({
  pointer: `${at}/source`,
  message: `Publish ${template} in its version ${version} first: PUT /admin/document-templates/${template}.`
})
