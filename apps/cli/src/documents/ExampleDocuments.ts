/** The documents of a product, made of its own examples and left in a folder. */
import { DocumentRenderer } from "@quittance/documents/DocumentRenderer"
import { documentModel } from "@quittance/documents/model/Model"
import { exampleInput, isOfTemplate } from "@quittance/documents/model/ModelExample"
import type { DocumentTemplate } from "@quittance/domain/documents/DocumentTemplate"
import type { Product } from "@quittance/domain/products/Product"
import { examplePrice } from "@quittance/operations/documents/ExampleDocuments"
import * as TemplateFiles from "@quittance/operations/documents/TemplateFiles"
import { Console, Effect, FileSystem, Path } from "effect"
import { problem } from "../Problem.ts"
import { counted } from "../terminal/Numbers.ts"

export interface Wanted {
  readonly product: Product
  /** Where the templates are. */
  readonly templates: string
  /** Where the files go. */
  readonly folder: string
  /** The documents of one template alone. */
  readonly templateId?: string
}

const templateOf = (
  templates: ReadonlyArray<DocumentTemplate>,
  folder: string,
  { template, version }: { readonly template: string; readonly version: string }
) => {
  const found = templates.find((one) => one.templateId === template && one.version === version)
  return found === undefined
    ? Effect.fail(
        problem(
          `${folder} has no ${template} in its version ${version}; add it, or name its folder.`
        )
      )
    : Effect.succeed(found)
}

/** Makes the files, says how many, and fails at the first that can't be made; answers of their names. */
export const leave = Effect.fn("ExampleDocuments.leave")(function* (wanted: Wanted) {
  const { folder, product, templateId } = wanted
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const { render } = yield* DocumentRenderer
  const templates = yield* TemplateFiles.read(wanted.templates)
  const price = examplePrice(product)
  const definitions = (product.documents ?? [])
    .filter(isOfTemplate)
    .filter(({ source }) => templateId === undefined || source.template === templateId)
  if (templateId !== undefined && definitions.length === 0) {
    return yield* Effect.fail(
      problem(`${product.productId} has no document of ${templateId}; name one of its templates.`)
    )
  }
  yield* fs.makeDirectory(folder, { recursive: true })
  const files = yield* Effect.forEach(
    definitions,
    Effect.fnUntraced(function* (definition) {
      const template = yield* templateOf(templates, wanted.templates, definition.source)
      // Those of a template have an example.
      const model = documentModel(exampleInput(product, definition, price, template.locale)!)
      const { bytes } = yield* render({ template, model, files: new Map() })
      const file = path.join(folder, `${product.productId}-${definition.id}.pdf`)
      yield* fs.writeFile(file, bytes)
      return file
    })
  )
  yield* Console.log(`${counted(files.length, "document")} of ${product.productId} in ${folder}`)
  return files
})

/** The templates that lie beside a product's file, as `products/templates` does. */
export const besideFile = Effect.fnUntraced(function* (file: string) {
  const path = yield* Path.Path
  return path.join(path.dirname(file), "templates")
})
