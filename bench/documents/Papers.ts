/** Documents of the shipped products' own examples, each turn of another number so that none is known already. */
import { compose } from "@quittance/documents/Composing"
import type { RenderInput } from "@quittance/documents/DocumentRenderer"
import { documentModel } from "@quittance/documents/model/Model"
import { exampleInput, isOfTemplate } from "@quittance/documents/model/ModelExample"
import { DocumentTemplate } from "@quittance/domain/documents/DocumentTemplate"
import type { DocumentKind } from "@quittance/domain/products/documents/DocumentDefinition"
import { canonicalJson } from "@quittance/domain/values/CanonicalJson"
import { examplePrice } from "@quittance/operations/documents/ExampleDocuments"
import { shippedProduct } from "@quittance/testing/ShippedProducts"
import { Result, Schema } from "effect"
import { readFileSync } from "node:fs"

export interface Paper {
  readonly input: (turn: number) => RenderInput
  /** The words of it, and its data, as a typesetter is given them. */
  readonly words: (turn: number) => Words
}

const wordsOf = ({ model, template }: RenderInput) => ({
  composed: Result.getOrThrow(compose(template, model)),
  data: canonicalJson(model)
})

export type Words = ReturnType<typeof wordsOf>

/** So many are put into words beforehand: that is no part of what a typesetter does. */
const variants = 60

/** The document of a kind that a product has. */
export const paperOf = (productId: string, kind: DocumentKind): Paper => {
  const product = shippedProduct(productId)
  const definition = (product.documents ?? [])
    .filter(isOfTemplate)
    .find((one) => one.kind === kind)!
  const folder = product.country.toLowerCase()
  const file = `../../products/templates/${folder}/${definition.source.template}.json`
  const template = Schema.decodeUnknownSync(DocumentTemplate)(
    JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8"))
  )
  const { locale } = template
  const model = documentModel(exampleInput(product, definition, examplePrice(product), locale)!)
  const input = (turn: number): RenderInput => ({
    template,
    model: { ...model, policy: { ...model.policy, number: `BENCH-${turn}` } },
    files: new Map()
  })
  const known = Array.from({ length: variants }, (_, turn) => wordsOf(input(turn)))
  return { input, words: (turn) => known[turn % variants]! }
}
